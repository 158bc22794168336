"""A single-elimination bracket from standings: the first meets the last, the second the last but
one.

With 8: 1–8, 4–5, 2–7, 3–6, so that the first two can meet only in the final. Later rounds follow
the order of the pairings: the winners of the first two meet, and so on. No text defines how a cut
is seeded *(ours)*: this is the usual bracket.
"""

from collections.abc import Sequence
from typing import TypeVar

from host.archive.roster import Player
from host.base.errors import UserError
from host.event.scores import Score
from host.formats.event_file import CUT_SIZES

Entrant = TypeVar("Entrant")
"""A player, or a value that represents one."""


def seeds(size: int) -> list[int]:
    """Return the places 1 to ``size`` in the bracket's order, two per match.

    Each round before the final doubles the players: every place meets the one that is as far from
    the last as it is from the first.
    """
    order = [1]
    while len(order) < size:
        first_and_last = 1 + 2 * len(order)
        order = [place for better in order for place in (better, first_and_last - better)]
    return order


def require_size(count: int) -> None:
    """Raise UserError for a number of players with which no elimination can begin."""
    if count not in CUT_SIZES:
        raise UserError(
            "a cut has one of {sizes} players, not {count}",
            sizes=", ".join(map(str, CUT_SIZES)),
            count=count,
        )


def first_pairs(ids: Sequence[Entrant]) -> list[tuple[Entrant, Entrant]]:
    """Return the pairs of a cut's first round; ``ids`` in rank order, a power of two in number."""
    require_size(len(ids))
    order = [ids[place - 1] for place in seeds(len(ids))]
    return _pair_neighbours(order)


def next_pairs(winners: Sequence[Entrant]) -> list[tuple[Entrant, Entrant]]:
    """Return the next round's pairs; ``winners`` in the order of the pairings they won."""
    if len(winners) == 1:
        raise UserError("the final has been played: there is no further round")
    if len(winners) not in CUT_SIZES:
        raise UserError(
            "a bracket is not possible with {count} winners: pair by hand", count=len(winners)
        )
    return _pair_neighbours(winners)


def winners(matches: Sequence[Score]) -> list[Player]:
    """Return the winners of a bracket's round in the order of its matches."""
    players = []
    for score in matches:
        if score.open:
            raise UserError(
                "round {number}: table {table} is still playing: wait for its result",
                **_where(score),
            )
        result = score.result
        if result is None or result.outcome == "A":  # a bye has no result
            players.append(score.pairing.a)
        elif result.outcome == "B":
            players.append(score.pairing.b)
        else:
            raise UserError(
                "round {number}: table {table} is tied; an elimination has a winner",
                **_where(score),
            )
    return players


def without(
    pairs: Sequence[tuple[Player, Player]], gone: frozenset[str]
) -> list[tuple[Player, Player | None]]:
    """Return pairs in which the opponent of a player who has left has a bye. If both have left,
    nobody comes from that match.
    """
    remaining: list[tuple[Player, Player | None]] = []
    for pair in pairs:
        match [player for player in pair if player.number not in gone]:
            case [a, b]:
                remaining.append((a, b))
            case [winner]:
                remaining.append((winner, None))
    return remaining


def _where(score: Score) -> dict[str, int | None]:
    return {"number": score.pairing.round, "table": score.pairing.table}


def _pair_neighbours(order: Sequence[Entrant]) -> list[tuple[Entrant, Entrant]]:
    return list(zip(order[::2], order[1::2], strict=True))
