"""Swiss pairings under a rule pack: by points, no rematch, one bye if the number is odd.

Round 1 is paired the same way, with everybody on no points. Within equal points the order is drawn
from a seed or taken from the standings, as the pack says. Only an odd player leaves its group.
Where that is impossible, the lowest groups are merged, one after the other.
"""

import contextlib
import random
from collections.abc import Iterable

from host.tournament.pairing_search import (
    Entrant,
    Pair,
    TooLong,
    first_pairing,
    in_rank_order,
    merging_lowest,
    opponents_so_far,
    split_by_points,
)
from host.tournament.rule_packs import Pack
from host.tournament.xwing_pairing import ByeOpen, Pairings, Question


def pair(entrants: Iterable[Entrant], pack: Pack, seed: int, bye: str = "") -> Pairings:
    """Return the Pairings of entrants given in rank order; raises Question if the organiser must
    choose.

    The bye goes to the lowest player without one (among equals the last drawn), or to the player
    with the id ``bye``; the pack says whether a second bye is allowed.
    """
    order = _draw_order(entrants, pack, seed)
    apart = opponents_so_far(order)
    candidates: list[Entrant | None] = [None]  # for the bye
    if len(order) % 2:
        named = [entrant for entrant in order if entrant.id == bye]
        candidates = [*(named or _byes(order, pack))]
    for free in candidates:
        pairs = _pairs([entrant for entrant in order if entrant is not free], apart)
        if pairs is not None:
            return Pairings(pairs, free.id if free else None)
    raise Question("everybody has met so many that every pairing has a rematch: pair by hand")


def _draw_order(entrants, pack, seed):
    """Return the entrants by points; equal points as drawn, or in the given order."""
    order = list(entrants)
    if pack.within_points == "random" or not any(entrant.points for entrant in order):
        random.Random(seed).shuffle(order)
    return sorted(order, key=lambda entrant: entrant.points, reverse=True)


def _byes(order: list[Entrant], pack: Pack) -> list[Entrant]:
    """Return the candidates for the bye, best first."""
    last_first = order[::-1]
    without_bye = [entrant for entrant in last_first if not entrant.had_bye]
    if pack.second_bye:  # only if everybody has had a bye, or no other pairing is possible
        return without_bye + [entrant for entrant in last_first if entrant.had_bye]
    if not without_bye:
        raise ByeOpen("everybody has had a bye: who has a second one?")
    return without_bye


def _pairs(order: list[Entrant], apart: dict[str, set[str]]) -> tuple[Pair, ...] | None:
    """Return the first possible pairing, merging the lowest groups as needed, or None."""
    for groups in merging_lowest(split_by_points(order)):
        with contextlib.suppress(TooLong):
            pairs = first_pairing(groups, apart)
            if pairs is not None:
                return in_rank_order(order, pairs)
    return None
