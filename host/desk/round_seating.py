"""The seating of a round, and the seating after each change that the organiser makes by hand.

Each change takes a seating and returns a new one; ``pairing_changes`` stores it. A player left
without an opponent is paired with the player who has the bye; if nobody has it, the player gets the
bye.
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
    """A round's Pairings in order of number, the Players with a loss without a match, and the fixed
    tables by player number (``fixed_tables``).

    ``elimination``: a player left without an opponent advances, and is paired with nobody.
    """

    round: int
    pairings: tuple[Pairing, ...]
    losses: tuple[Player, ...] = ()
    fixed: Mapping[str, int] = field(default_factory=dict)
    elimination: bool = False

    @property
    def rows(self) -> list[Row]:
        """Each pairing's number, table and players, as they are stored."""
        return [row_of(pairing) for pairing in self.pairings]

    def version(self, published: bool) -> str:
        """Return a digest of the seating and of whether the round is published."""
        losses = [player.number for player in self.losses]
        state = [self.round, published, self.rows, losses, list(self.fixed.items())]
        return hashlib.sha256(json.dumps(state).encode()).hexdigest()[:16]

    def pairing_of(self, number: str) -> Pairing | None:
        """Return the Pairing of a player, by number; None if there is none."""
        own = (pairing for pairing in self.pairings if number in pairing.numbers)
        return next(own, None)

    def with_swap(self, a: Player, b: Player, boards: Collection[int]) -> "RoundSeating":
        """Return the seating with two players swapped; if neither has an opponent, they are paired.

        A player whose seat goes to a player without a seat gets the bye; in an elimination such a
        player is out. Raises UserError if ``a`` and ``b`` are the same player.
        """
        if a.number == b.number:
            raise UserError("{name} is one player: choose two", name=a.name)
        if not self._has_match(a) and not self._has_match(b):
            return self._with_match(a, b, boards)
        replaced_by = {a.number: b, b.number: a}
        pairings = [
            replace(
                pairing,
                a=replaced_by.get(pairing.a.number, pairing.a),
                b=pairing.b and replaced_by.get(pairing.b.number, pairing.b),
            )
            for pairing in self.pairings
        ]
        losses = tuple(replaced_by.get(player.number, player) for player in self.losses)
        after = replace(self, pairings=tuple(pairings), losses=losses)
        if not self.elimination:
            unseated = [player for player in (a, b) if self.has(player) and not after.has(player)]
            pairings += self._new_byes(pairings, unseated)
        return after._settle(pairings)

    def without_match(self, player: Player, instead: str) -> "RoundSeating":
        """Return the seating in which a player has a ``BYE`` or a ``LOSS``, or is ``OUT`` of the
        round, instead of a match. Raises UserError if that is so already.
        """
        if instead == self._state_of(player):
            raise UserError("{name} has that already: choose another player", name=player.name)
        own = self.pairing_of(player.number)
        pairings = [pairing for pairing in self.pairings if pairing is not own]
        if own is not None and own.b is not None:
            player_is_a = own.a.number == player.number
            bye = next((pairing for pairing in pairings if pairing.b is None), None)
            if bye is None or self.elimination:
                opponent = own.b if player_is_a else own.a
                pairings.append(replace(own, table=None, a=opponent, b=None))
            else:
                pairings.remove(bye)
                pairings.append(replace(own, a=bye.a) if player_is_a else replace(own, b=bye.a))
        if instead == BYE:
            pairings += self._new_byes(pairings, [player])
        losses = [other for other in self.losses if other.number != player.number]
        if instead == LOSS:
            losses.append(player)
        return replace(self, losses=tuple(losses))._settle(pairings)

    def _state_of(self, player: Player) -> str | None:
        """Return ``LOSS``, ``BYE`` or ``OUT``; None for a player with a match."""
        if player in self.losses:
            return LOSS
        pairing = self.pairing_of(player.number)
        if pairing is None:
            return OUT
        return BYE if pairing.b is None else None

    def with_move(
        self, player: Player, table: int, stays: bool, dropped: Collection[str] = ()
    ) -> "RoundSeating":
        """Return the seating with a player's match moved to ``table``; a match there moves to the
        table that becomes free.

        ``stays``: fix the player at the table from this round on. ``dropped``: numbers of players
        who have dropped, and so hold no table. Raises UserError if another player is fixed at the
        table, or this player at another table.
        """
        own, fixed_at = self.pairing_of(player.number), self.fixed.get(player.number)
        has_match = self._has_match(player)
        if not has_match and not stays:
            raise UserError("{name} has no table in this round", name=player.name)
        for other, fixed_table in self.fixed.items():
            if fixed_table != table or other == player.number or other in dropped:
                continue
            # a fixed player who plays in this very match, or not at all, needs no other table
            if stays or self.pairing_of(other) not in (None, own):
                refusal = (
                    "table {table} is kept for player {other}: release it first, or choose another"
                )
                raise UserError(refusal, table=table, other=other)
        if not stays and fixed_at is not None and fixed_at != table:
            refusal = "{name} keeps table {table}: release it first"
            raise UserError(refusal, name=player.name, table=fixed_at)
        seating = self
        if stays:
            fixed = {**self.fixed, player.number: table}
            by_table = sorted(fixed.items(), key=lambda item: (item[1], item[0]))
            seating = replace(self, fixed=dict(by_table))
        pairings = fixed_tables.place(self.pairings, {player.number: table} if has_match else {})
        return seating._settle(pairings)

    def without_fixed_table(self, number: str) -> "RoundSeating":
        """Return the seating without the fixed table of a player (number)."""
        fixed = {player: table for player, table in self.fixed.items() if player != number}
        return replace(self, fixed=fixed)

    def has(self, player: Player) -> bool:
        """Whether a player sits in the round, or has a bye or a loss."""
        if self.pairing_of(player.number) is not None:
            return True
        return any(player.number == loser.number for loser in self.losses)

    def _has_match(self, player: Player) -> bool:
        pairing = self.pairing_of(player.number)
        return pairing is not None and pairing.b is not None

    def _with_match(self, a: Player, b: Player, boards: Collection[int]) -> "RoundSeating":
        """Return the seating with two players, who have no opponent, paired at a free table: the
        first of ``boards`` that is free, else the lowest number.
        """
        both = {a.number, b.number}
        # neither has an opponent, so each of their pairings is a bye
        byes = [pairing for pairing in self.pairings if both & pairing.numbers]
        pairings = [pairing for pairing in self.pairings if pairing not in byes]
        taken = {pairing.table for pairing in pairings} | set(self.fixed.values())
        tables = (*boards, *range(1, _MOST_TABLES + 1))
        table = next(table for table in tables if table not in taken)
        number = byes[0].pairing if byes else _next_number(pairings)
        losses = tuple(player for player in self.losses if player.number not in both)
        match = Pairing(self.round, number, table, a, b)
        return replace(self, losses=losses)._settle([*pairings, match])

    def _new_byes(self, pairings: Iterable[Pairing], players: Iterable[Player]) -> list[Pairing]:
        """Return a bye for each of ``players``, with numbers that follow all known pairings."""
        first = _next_number([*self.pairings, *pairings])
        return [
            Pairing(self.round, number, table=None, a=player, b=None)
            for number, player in enumerate(players, first)
        ]

    def _settle(self, pairings: Iterable[Pairing]) -> "RoundSeating":
        """Return the seating with other pairings, after moving fixed players to their tables."""
        placed = fixed_tables.place(pairings, self.fixed)
        losses = sorted(self.losses, key=lambda player: player.number)
        ordered = sorted(placed, key=lambda pairing: pairing.pairing)
        return replace(self, pairings=tuple(ordered), losses=tuple(losses))


def row_of(pairing: Pairing) -> Row:
    """Return the Row of a pairing."""
    return pairing.pairing, pairing.table, pairing.a.number, pairing.b.number if pairing.b else None


def _next_number(pairings: Iterable[Pairing]) -> int:
    """Return the number after the highest of ``pairings``."""
    return 1 + max((pairing.pairing for pairing in pairings), default=0)
