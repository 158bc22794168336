"""Swiss pairings under a rule pack: by points, nobody twice, one bye where the number is odd.

Round 1 is the same with everybody on no points. Within equal points the order is drawn from a seed,
or the standings', as the pack says. Only the odd one leaves its group while that is possible; where
it is not, the lowest groups are joined, one after the other.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass

from host.tournament.pairing_search import Pair, TooLong, first_pairing
from host.tournament.rule_packs import Pack
from host.tournament.xwing_pairing import Pairings, Question


@dataclass(frozen=True)
class Entrant:
    """Who is to be paired: id, points, opponents so far, and whether a bye was had; in
    rank order.
    """

    id: str
    points: int = 0
    met: frozenset[str] = frozenset()
    had_bye: bool = False


def pair(entrants: Iterable[Entrant], pack: Pack, seed: int) -> Pairings:
    """Return the Pairings of entrants given in rank order; raises Question where a person must
    choose.

    The bye goes to the lowest who had none (the last drawn among equals); the pack says whether
    somebody may have a second one.
    """
    order = _drawn(entrants, pack, seed)
    apart = {one.id: set(one.met) for one in order}
    for one in order:  # a meeting counts for both, whoever's list names it
        for other in one.met:
            apart.get(other, set()).add(one.id)
    for bye in _byes(order, pack):
        pairs = _pairs([one for one in order if one is not bye], apart)
        if pairs is not None:
            return Pairings(pairs, bye and bye.id)
    raise Question("everybody has met so many that every pairing has a rematch: pair by hand")


def _drawn(entrants, pack, seed):
    """Return the entrants by points; equal points as drawn, or in the order they came."""
    order = list(entrants)
    if pack.within_points == "random" or not any(one.points for one in order):
        random.Random(seed).shuffle(order)
    return sorted(order, key=lambda one: one.points, reverse=True)


def _byes(order: list[Entrant], pack: Pack) -> list[Entrant] | list[None]:
    """Return who may pass, the first choice first; [None] where the number is even."""
    if len(order) % 2 == 0:
        return [None]
    last_first = order[::-1]
    free = [one for one in last_first if not one.had_bye]
    if pack.second_bye:  # only where nobody is left who had none, or nothing else can be paired
        return free + [one for one in last_first if one.had_bye]
    if not free:
        raise Question("everybody has had a bye: who has a second one?")
    return free


def _pairs(order: list[Entrant], apart: dict[str, set[str]]) -> tuple[Pair, ...] | None:
    """Return the first pairing there is, joining the lowest groups as far as it takes, or None."""
    groups = {}
    for one in order:
        groups.setdefault(one.points, []).append(one.id)
    groups = list(groups.values())
    while groups:
        try:
            found = first_pairing(groups, apart)
        except TooLong:
            found = None
        if found is not None:
            return _in_rank_order(order, found)
        if len(groups) == 1:
            return None
        groups[-2:] = [groups[-2] + groups[-1]]
    return ()


def _in_rank_order(order: list[Entrant], pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
    place = {one.id: n for n, one in enumerate(order)}
    ordered = [(a, b) if place[a] < place[b] else (b, a) for a, b in pairs]
    return tuple(sorted(ordered, key=lambda pair: place[pair[0]]))
