"""Who takes part: players entered by hand or late, and who has dropped, as a log that only grows.

The event files bring most players (``Roster``); this adds what the organiser says of them. Pairing
leaves out who has dropped and takes in who never played yet.
"""

import json
from dataclasses import dataclass

from host.archive.roster import Player
from host.base.errors import UserError

ENTERED, LATE, DROPPED, RETURNED = "entered", "late", "dropped", "returned"


@dataclass(frozen=True)
class Person:
    """A player of the event: the rounds played in (byes too), and what was said."""

    player: Player
    rounds: tuple
    dropped: bool
    late: bool


class People:
    """The people of an archive's current event."""

    def __init__(self, archive):
        self._archive = archive

    def add(self, player, what, author, unix_ms, reason=""):
        """Enter a Player, ``ENTERED`` or ``LATE``; raises UserError for a number that is taken."""
        if player.number in self._known:
            raise UserError("player number {number} is taken", number=player.number)
        with self._archive.transaction():
            self._archive.roster.rename([player])
            self._note(player.number, what, author, unix_ms, reason)

    def mark(self, number, what, author, unix_ms, reason=""):
        """Note that a player has ``DROPPED`` or ``RETURNED``; raises UserError when that says nothing new."""
        person = self.get(number)
        if person.dropped == (what == DROPPED):
            said = (
                "player {number} has dropped already"
                if person.dropped
                else "player {number} has not dropped"
            )
            raise UserError(said, number=number)
        self._note(number, what, author, unix_ms, reason)

    def rename(self, number, name, author, unix_ms):
        """Put a name right; the old one stays in the log of the event."""
        before = self.get(number).player.name
        with self._archive.transaction():
            self._archive.roster.rename([Player(number, name)])
            facts = json.dumps({"number": number, "before": before, "after": name})
            self._archive.notices.add("renamed", facts, author, unix_ms)

    def get(self, number):
        """Return the Person with a number; raises UserError when there is none."""
        found = next((one for one in self.every if one.player.number == number), None)
        if found is None:
            raise UserError("there is no player {number} in this event", number=number)
        return found

    @property
    def every(self):
        """Every Person of the event, by number."""
        played, said = self._played(), self._said()
        return [
            Person(
                player,
                tuple(played.get(number, ())),
                said.get(number, {}).get("out", False),
                LATE in said.get(number, {}),
            )
            for number, player in self._known.items()
        ]

    def fresh(self):
        """Return the Players who were entered and sat in no round yet."""
        return tuple(one.player for one in self.every if not one.rounds and not one.dropped)

    @property
    def log(self):
        """What was said of players, as a dict each, oldest first."""
        sql = (
            "SELECT what, player, author, reason, unix_ms FROM entries WHERE event = ? ORDER BY id"
        )
        rows = self._archive.query(sql, self._event)
        return [
            {"what": what, "player": player, "reason": reason, "author": author, "unix_ms": unix_ms}
            for what, player, author, reason, unix_ms in rows
        ]

    @property
    def _known(self):
        sql = "SELECT number, name FROM players WHERE event = ? ORDER BY length(number), number"
        return {row[0]: Player(*row) for row in self._archive.query(sql, self._event)}

    def _played(self):
        sql = (
            "SELECT round, player_a FROM pairings WHERE event = ?1 UNION"
            " SELECT round, player_b FROM pairings WHERE event = ?1 AND player_b IS NOT NULL ORDER BY 1"
        )
        found = {}
        for number, player in self._archive.query(sql, self._event):
            found.setdefault(player, []).append(number)
        return found

    def _said(self):
        sql, found = "SELECT player, what FROM entries WHERE event = ? ORDER BY id", {}
        for number, what in self._archive.query(sql, self._event):
            words = found.setdefault(number, {})
            words[what] = True
            if what in (DROPPED, RETURNED):
                words["out"] = what == DROPPED
        return found

    def _note(self, number, what, author, unix_ms, reason):
        sql = "INSERT INTO entries (event, player, what, author, reason, unix_ms) VALUES (?, ?, ?, ?, ?, ?)"
        with self._archive.transaction():
            self._archive.write(sql, self._event, number, what, author, reason, unix_ms)

    @property
    def _event(self):
        event = self._archive.roster.event
        return event.number if event else 0
