"""Who sits where in a round, and what becomes of it when the organiser changes it by hand.

Each change takes a seating and returns another one; nothing is stored here
(``pairing_changes``). Whoever is left without an opponent plays who has the bye, else has the bye.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from host.archive import fixed_tables
from host.archive.roster import Pairing, Player
from host.base.errors import UserError

BYE, LOSS, OUT = "bye", "loss", "out"
Row: TypeAlias = tuple[int, int | None, str, str | None]
"""A pairing's number, its table, and the numbers of its players."""
_MOST_TABLES = 65535


@dataclass(frozen=True)
class RoundSeating:
    """A round's Pairings by number, the Players who have a loss without a match, and who keeps
    which table (``fixed_tables``).

    ``elimination``: an opponent who is left alone goes on, and takes nobody's bye.
    """

    round: int
    pairings: tuple[Pairing, ...]
    losses: tuple[Player, ...] = ()
    fixed: Mapping[str, int] = field(default_factory=dict)
    elimination: bool = False

    @property
    def rows(self) -> list[Row]:
        """Each pairing's number, table and players, as they are stored."""
        return [row_of(one) for one in self.pairings]

    def version(self, published: bool) -> str:
        """Return what tells this seating from any other one, and a draft from a published round."""
        losses = [one.number for one in self.losses]
        told = [self.round, published, self.rows, losses, list(self.fixed.items())]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]

    def of(self, number: str) -> Pairing | None:
        """Return a player's Pairing, None for who has none."""
        return next((one for one in self.pairings if number in numbers_of(one)), None)

    def swapped(self, a: Player, b: Player, boards: Collection[int]) -> "RoundSeating":
        """Return it with two players in each other's place; two without an opponent meet.

        Who loses a seat to somebody without one has the bye. Raises UserError for one player.
        """
        if a.number == b.number:
            raise UserError("{name} is one player: choose two", name=a.name)
        one, other = self.of(a.number), self.of(b.number)
        if not _is_match(one) and not _is_match(other):
            return self._meeting(a, b, boards)
        there = {a.number: b, b.number: a}
        pairings = [
            replace(
                pairing,
                a=there.get(pairing.a.number, pairing.a),
                b=pairing.b and there.get(pairing.b.number, pairing.b),
            )
            for pairing in self.pairings
        ]
        losses = tuple(there.get(player.number, player) for player in self.losses)
        found = replace(self, losses=losses)
        lost = [
            player for player in (a, b) if self.has(player) and not found._holds(pairings, player)
        ]
        return found._settled([*pairings, *found._byes(pairings, lost)])

    def given(self, player: Player, what: str) -> "RoundSeating":
        """Return it with a player's ``BYE`` or ``LOSS`` in place of a match, or with the player
        ``OUT`` of the round. Raises UserError where that is so already.
        """
        own = self.of(player.number)
        now = OUT if own is None else None if own.b else BYE
        if what == (LOSS if player in self.losses else now):
            raise UserError("{name} has that already: choose another player", name=player.name)
        pairings = [one for one in self.pairings if one is not own]
        if own is not None and own.b is not None:
            alone = own.b if own.a.number == player.number else own.a
            bye = next((one for one in pairings if one.b is None), None)
            if bye is None or self.elimination:
                pairings.append(replace(own, table=None, a=alone, b=None))
            else:
                pairings.remove(bye)
                joins = {"a" if own.a.number == player.number else "b": bye.a}
                pairings.append(replace(own, **joins))
        losses = [one for one in self.losses if one.number != player.number]
        lost, free = ([player] if what == one else [] for one in (LOSS, BYE))
        found = replace(self, losses=(*losses, *lost))
        return found._settled([*pairings, *found._byes(pairings, free)])

    def moved(
        self, player: Player, table: int, stays: bool, gone: Collection[str] = ()
    ) -> "RoundSeating":
        """Return it with a player's match at a table, whose match takes the other one's.

        ``stays``: the player keeps the table in every round from now on. ``gone``: the numbers of
        players who have dropped. Raises UserError where another player keeps the table, or this
        one another table.
        """
        own, kept = self.of(player.number), self.fixed.get(player.number)
        match = own if own is not None and own.b is not None else None
        if match is None and not stays:
            raise UserError("{name} has no table in this round", name=player.name)
        for other, place in self.fixed.items():
            here = stays or self.of(other) not in (None, own)
            if place == table and other != player.number and other not in gone and here:
                said = (
                    "table {table} is kept for player {other}: release it first, or choose another"
                )
                raise UserError(said, table=table, other=other)
        if not stays and kept is not None and kept != table:
            said = "{name} keeps table {table}: release it first"
            raise UserError(said, name=player.name, table=kept)
        found = self
        if stays:
            fixed = {**self.fixed, player.number: table}
            found = replace(self, fixed=dict(sorted(fixed.items(), key=lambda one: one[::-1])))
        pairings = fixed_tables.placed(self.pairings, {player.number: table} if match else {})
        return found._settled(pairings)

    def released(self, number: str) -> "RoundSeating":
        """Return it with a player who keeps no table any more."""
        return replace(self, fixed={one: at for one, at in self.fixed.items() if one != number})

    def has(self, player: Player) -> bool:
        """Whether a player sits in the round, or has a bye or a loss."""
        return self._holds(self.pairings, player)

    def _holds(self, pairings: Iterable[Pairing], player: Player) -> bool:
        return any(player.number in numbers_of(one) for one in pairings) or player.number in {
            one.number for one in self.losses
        }

    def _meeting(self, a: Player, b: Player, boards: Collection[int]) -> "RoundSeating":
        """Return it with two players without an opponent at a free table."""
        both = {a.number, b.number}
        byes = [one for one in self.pairings if both & numbers_of(one)]
        pairings = [one for one in self.pairings if one not in byes]
        taken = {one.table for one in pairings} | set(self.fixed.values())
        places = (*boards, *range(1, _MOST_TABLES + 1))
        table = next(one for one in places if one not in taken)
        number = byes[0].pairing if byes else _next(pairings)
        losses = tuple(one for one in self.losses if one.number not in both)
        met = Pairing(self.round, number, table, a, b)
        return replace(self, losses=losses)._settled([*pairings, met])

    def _byes(self, pairings: Iterable[Pairing], players: Iterable[Player]) -> list[Pairing]:
        first = _next([*self.pairings, *pairings])
        return [Pairing(self.round, at, None, one, None) for at, one in enumerate(players, first)]

    def _settled(self, pairings: Iterable[Pairing]) -> "RoundSeating":
        """Return it with other pairings, those who keep a table at theirs."""
        placed = fixed_tables.placed(pairings, self.fixed)
        losses = sorted(self.losses, key=lambda one: one.number)
        ordered = sorted(placed, key=lambda one: one.pairing)
        return replace(self, pairings=tuple(ordered), losses=tuple(losses))


def row_of(one: Pairing) -> Row:
    """Return the Row of a pairing."""
    return one.pairing, one.table, one.a.number, one.b.number if one.b else None


def numbers_of(one: Pairing) -> set[str]:
    """Return the numbers of a pairing's one or two players."""
    return {one.a.number, one.b.number} if one.b else {one.a.number}


def _is_match(one: Pairing | None) -> bool:
    return one is not None and one.b is not None


def _next(pairings: Iterable[Pairing]) -> int:
    return 1 + max((one.pairing for one in pairings), default=0)
