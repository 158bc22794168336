"""Players entered by hand or late, and drops, as an append-only log.

Most players come with the event files (``Roster``). Pairing leaves out players who dropped and
includes those who have not played yet.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from anyascii import anyascii

from host.archive.roster import Player
from host.archive.store import Archive
from host.base.errors import UserError

_MOST_NAMED = 6
ENTERED, LATE, DROPPED, RETURNED = "entered", "late", "dropped", "returned"


def same_name(name: str, other: str) -> bool:
    """Whether two names differ only in accents, capitals, commas and the order of their words."""
    return name_key(name) == name_key(other)


def name_key(name: str) -> tuple[str, ...]:
    """Return a key that is equal for two names exactly if they are the same (``same_name``)."""
    return tuple(sorted(_fold(name)))


def _fold(name: str) -> list[str]:
    return anyascii(name).casefold().replace(",", " ").split()


def _words(name: str) -> frozenset[str]:
    return frozenset(_fold(name))


def _has_all(name: str, beginnings: Iterable[str]) -> bool:
    """Return whether each of ``beginnings`` begins a word of the name."""
    words = _fold(name)
    return all(any(word.startswith(beginning) for word in words) for beginning in beginnings)


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
        taken = next((player.number for player in players if player.number in known), None)
        if taken is not None:
            raise UserError("player number {number} is taken: give another", number=taken)
        with self._archive.transaction():
            self._archive.roster.rename(players)
            for player in players:
                self._note(player.number, what, author, unix_ms, reason)

    def mark(self, number: str, what: str, author: str, unix_ms: int, reason: str = "") -> None:
        """Log that a player has ``DROPPED`` or ``RETURNED``; raises UserError if already logged."""
        dropped = self.get(number).dropped
        if dropped and what == DROPPED:
            raise UserError("player {number} has dropped already", number=number)
        if not dropped and what != DROPPED:
            raise UserError("player {number} has not dropped", number=number)
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
        """Correct a player's number; the entries of the log are written again under the new one."""
        entries = [entry for entry in self.log if entry["player"] == before]
        with self._archive.transaction():
            self._archive.roster.renumber(before, after)
            for entry in entries:
                texts = str(entry["what"]), str(entry["author"])
                self._note(after, *texts, int(entry["unix_ms"]), str(entry["reason"]))
            facts = json.dumps({"before": before, "after": after})
            self._archive.notices.add("renumbered", facts, author, unix_ms)

    def get(self, number: str) -> Person:
        """Return the Person with a number; raises UserError when there is none."""
        person = next((person for person in self.every if person.player.number == number), None)
        if person is None:
            raise UserError(
                "there is no player {number} in this event: type part of the name, or enter them"
                " first",
                number=number,
            )
        return person

    def find(self, text: str) -> Person:
        """Return the Person with this number, or this part of a name; UserError for none or many.

        Accents and capitals do not matter, nor the order of a name's words.
        """
        people, words = self.every, _words(text)
        numbered = [person for person in people if person.player.number == text.strip()]
        partly = [person for person in people if words and _has_all(person.player.name, words)]
        wholly = [person for person in partly if _words(person.player.name) == words]
        matches = numbered or wholly or partly
        if len(matches) == 1:
            return matches[0]
        if not matches:
            raise UserError(
                "there is no player {number} in this event: type part of the name, or enter them"
                " first",
                number=text,
            )
        listed = ", ".join(
            f"{person.player.name} ({person.player.number})" for person in matches[:_MOST_NAMED]
        )
        raise UserError("who do you mean: {listed}? Type the number", listed=listed)

    @property
    def every(self) -> list[Person]:
        """Every Person of the event, by number."""
        played, marks = self._played(), self._marks()
        return [
            Person(
                player,
                tuple(played.get(number, ())),
                number in marks.gone,
                number in marks.late,
                number in marks.back,
            )
            for number, player in self._archive.roster.players.items()
        ]

    @property
    def gone(self) -> frozenset[str]:
        """The numbers of the players who have dropped."""
        return frozenset(self._marks().gone & self._archive.roster.players.keys())

    def fresh(self) -> tuple[Player, ...]:
        """Return the Players who were entered and have not played yet."""
        return tuple(
            person.player for person in self.every if not person.rounds and not person.dropped
        )

    @property
    def log(self) -> list[dict[str, str | int]]:
        """The log of the players, a dict for each entry, oldest first."""
        sql = (
            "SELECT id, what, player, author, reason, unix_ms FROM entries WHERE event = ?"
            " ORDER BY id"
        )
        return self._archive.select(_entry, sql, self._event)

    def _played(self) -> dict[str, list[int]]:
        """Return the rounds in which each player has played, by number."""
        sql = (
            "SELECT round, player_a FROM pairings WHERE event = ? UNION SELECT round, player_b"
            " FROM pairings WHERE event = ? AND player_b IS NOT NULL ORDER BY 1"
        )
        rounds: dict[str, list[int]] = {}
        for number, player in self._archive.select(_as_tuple, sql, *[self._event] * 2):
            rounds.setdefault(player, []).append(number)
        return rounds

    def _marks(self) -> "_Marks":
        """Return the marks that the log leaves on players."""
        sql, marks = "SELECT player, what FROM entries WHERE event = ? ORDER BY id", _Marks()
        for number, what in self._archive.select(_as_tuple, sql, self._event):
            if what == LATE:
                marks.late.add(number)
            elif what == DROPPED:
                marks.gone.add(number)
                marks.back.discard(number)
            elif what == RETURNED:
                marks.gone.discard(number)
                marks.back.add(number)
        return marks

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
class _Marks:
    """Numbers of players: entered late, dropped and not back, and back after a drop."""

    late: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    back: set[str] = field(default_factory=set)


def _entry(
    number: int, what: str, player: str, author: str, reason: str, unix_ms: int
) -> dict[str, str | int]:
    entry: dict[str, str | int] = {"id": number, "what": what, "player": player, "reason": reason}
    return entry | {"author": author, "unix_ms": unix_ms}


def _as_tuple(*row):
    return row
