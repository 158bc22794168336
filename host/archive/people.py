"""Players entered by hand or late, and drops, as an append-only log.

Most players come with the event files (``Roster``). Pairing leaves out players who dropped and
includes those who have not played yet.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from anyascii import anyascii

from host.archive.roster import Player
from host.archive.store import Archive
from host.base.errors import UserError

_MOST_NAMED = 6
ENTERED, LATE, DROPPED, RETURNED = "entered", "late", "dropped", "returned"


def same_name(one: str, other: str) -> bool:
    """Whether two names differ only in accents, capitals, commas and the order of their words."""
    return name_key(one) == name_key(other)


def name_key(name: str) -> tuple[str, ...]:
    """Return what names that are the same (``same_name``) have in common."""
    return tuple(sorted(_folded(name)))


def _folded(name: str) -> list[str]:
    return anyascii(name).casefold().replace(",", " ").split()


def _words(name: str) -> frozenset[str]:
    return frozenset(_folded(name))


def _starts(name: str, sought: frozenset[str]) -> frozenset[str]:
    """Return those of the words ``sought`` with which a word of a name begins."""
    words = _words(name)
    return frozenset(one for one in sought if any(word.startswith(one) for word in words))


@dataclass(frozen=True)
class Person:
    """A player of the event, with the numbers of the rounds played in, byes included."""

    player: Player
    rounds: tuple[int, ...]
    dropped: bool
    late: bool
    returned: bool = False  # dropped once, and came back


class People:
    """The people of an archive's current event."""

    def __init__(self, archive: Archive):
        self._archive = archive

    def add(self, player: Player, what: str, author: str, unix_ms: int, reason: str = "") -> None:
        """Enter a Player as ``ENTERED`` or ``LATE``; raises UserError if the number is taken."""
        self.add_all([player], what, author, unix_ms, reason)

    def add_all(
        self, players: Sequence[Player], what: str, author: str, unix_ms: int, reason: str = ""
    ) -> None:
        """Enter Players as ``add`` does, all or none."""
        known = self._archive.roster.players
        taken = next((one.number for one in players if one.number in known), None)
        if taken is not None:
            raise UserError("player number {number} is taken: give another", number=taken)
        with self._archive.transaction():
            self._archive.roster.rename(players)
            for one in players:
                self._note(one.number, what, author, unix_ms, reason)

    def mark(self, number: str, what: str, author: str, unix_ms: int, reason: str = "") -> None:
        """Log that a player has ``DROPPED`` or ``RETURNED``; raises UserError if already logged."""
        person = self.get(number)
        if person.dropped == (what == DROPPED):
            said = (
                "player {number} has dropped already"
                if person.dropped
                else "player {number} has not dropped"
            )
            raise UserError(said, number=number)
        self._note(number, what, author, unix_ms, reason)

    def rename(self, number: str, name: str, author: str, unix_ms: int) -> None:
        """Correct a name; the old one stays in the event's log.

        Raises UserError for an unknown player.
        """
        before = self.get(number).player.name
        with self._archive.transaction():
            self._archive.roster.rename([Player(number, name)])
            facts = json.dumps({"number": number, "before": before, "after": name})
            self._archive.notices.add("renamed", facts, author, unix_ms)

    def renumber(self, before: str, after: str, author: str, unix_ms: int) -> None:
        """Correct a player's number; what was noted of the player goes along."""
        noted = [one for one in self.log if one["player"] == before]
        with self._archive.transaction():
            self._archive.roster.renumber(before, after)
            for one in noted:
                texts = str(one["what"]), str(one["author"])
                self._note(after, *texts, int(one["unix_ms"]), str(one["reason"]))
            facts = json.dumps({"before": before, "after": after})
            self._archive.notices.add("renumbered", facts, author, unix_ms)

    def get(self, number: str) -> Person:
        """Return the Person with a number; raises UserError when there is none."""
        found = next((one for one in self.every if one.player.number == number), None)
        if found is None:
            raise UserError(
                "there is no player {number} in this event: type part of the name, or enter them"
                " first",
                number=number,
            )
        return found

    def find(self, told: str) -> Person:
        """Return the Person whom a number or part of a name means; UserError for none or many.

        Accents and capitals do not matter, nor the order of a name's words.
        """
        every, sought = self.every, _words(told)
        exact = [one for one in every if one.player.number == told.strip()]
        named = [one for one in every if sought and sought <= _starts(one.player.name, sought)]
        found = exact or [one for one in named if _words(one.player.name) == sought] or named
        if len(found) == 1:
            return found[0]
        if not found:
            raise UserError(
                "there is no player {number} in this event: type part of the name, or enter them"
                " first",
                number=told,
            )
        listed = ", ".join(
            f"{one.player.name} ({one.player.number})" for one in found[:_MOST_NAMED]
        )
        raise UserError("who do you mean: {listed}? Type the number", listed=listed)

    @property
    def every(self) -> list[Person]:
        """Every Person of the event, by number."""
        played, said = self._played(), self._noted()
        return [
            Person(
                player,
                tuple(played.get(number, ())),
                number in said.gone,
                number in said.late,
                number in said.back,
            )
            for number, player in self._archive.roster.players.items()
        ]

    @property
    def gone(self) -> frozenset[str]:
        """The numbers of the players who have dropped."""
        return frozenset(self._noted().gone & self._archive.roster.players.keys())

    def fresh(self) -> tuple[Player, ...]:
        """Return the Players who were entered and have not played yet."""
        return tuple(one.player for one in self.every if not one.rounds and not one.dropped)

    @property
    def log(self) -> list[dict[str, str | int]]:
        """The log of the players, a dict for each entry, oldest first."""
        sql = (
            "SELECT id, what, player, author, reason, unix_ms FROM entries WHERE event = ?"
            " ORDER BY id"
        )
        return self._archive.select(_entry, sql, self._event)

    def _played(self) -> dict[str, list[int]]:
        sql = (
            "SELECT round, player_a FROM pairings WHERE event = ? UNION SELECT round, player_b"
            " FROM pairings WHERE event = ? AND player_b IS NOT NULL ORDER BY 1"
        )
        found: dict[str, list[int]] = {}
        for number, player in self._archive.select(_round_of_player, sql, *[self._event] * 2):
            found.setdefault(player, []).append(number)
        return found

    def _noted(self) -> "_Noted":
        sql, noted = "SELECT player, what FROM entries WHERE event = ? ORDER BY id", _Noted()
        for number, what in self._archive.select(_player_and_what, sql, self._event):
            if what == LATE:
                noted.late.add(number)
            elif what == DROPPED:
                noted.gone.add(number)
                noted.back.discard(number)
            elif what == RETURNED:
                noted.gone.discard(number)
                noted.back.add(number)
        return noted

    def _note(self, number: str, what: str, author: str, unix_ms: int, reason: str) -> None:
        sql = (
            "INSERT INTO entries (event, player, what, author, reason, unix_ms) VALUES (?, ?, ?, ?,"
            " ?, ?)"
        )
        with self._archive.transaction():
            self._archive.write(sql, self._event, number, what, author, reason, unix_ms)

    @property
    def _event(self) -> int:
        event = self._archive.roster.event
        return event.number if event else 0


@dataclass
class _Noted:
    """The numbers of players who came late, and of those who dropped and did not return."""

    late: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    back: set[str] = field(default_factory=set)


def _entry(
    number: int, what: str, player: str, author: str, reason: str, unix_ms: int
) -> dict[str, str | int]:
    told: dict[str, str | int] = {"id": number, "what": what, "player": player, "reason": reason}
    return told | {"author": author, "unix_ms": unix_ms}


def _round_of_player(number: int, player: str) -> tuple[int, str]:
    return number, player


def _player_and_what(player: str, what: str) -> tuple[str, str]:
    return player, what
