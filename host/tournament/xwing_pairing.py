"""XW15 pairings: round 1 at random, then neighbours by points and margin, no rematch.

Sources: XW15 Abbinamenti, Bye. Within a group of equal points the highest margin plays the next; an
odd player plays the highest margin of the next group. A rematch is avoided by swapping within the
group, then by backtracking; only an odd player leaves its group. If no pairing is left, or the bye
would be a player's second, the text gives no answer and ``Question`` is raised.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from host.base.errors import UserError
from host.base.sentences import Sentence
from host.tournament.pairing_search import Pair, TooLong, first_pairing


class Question(UserError):
    """A case that the text leaves open, as a sentence for the organiser."""


class AcrossPoints(Question):
    """A Question that the organiser can answer: players meet others with fewer points."""


@dataclass(frozen=True)
class Player:
    """A player to be paired; ``met`` are opponents so far, ``parties`` families and shared cars."""

    id: str
    points: int = 0
    margin: int = 0
    met: frozenset[str] = frozenset()
    had_bye: bool = False
    parties: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Pairings:
    """Pairs of ids, the higher rank first in each and in the list; the bye's id or None."""

    pairs: tuple[Pair, ...]
    bye: str | None = None


def pair_first(players: Iterable[Player], seed: int) -> Pairings:
    """Return round 1's Pairings: random from ``seed``, avoiding the same party.

    The bye is random too. Raises Question when families and travel mates cannot all be parted.
    """
    luck = random.Random(seed)
    drawn = list(players)
    luck.shuffle(drawn)
    return pair_drawn(drawn)


def pair_drawn(drawn: Sequence[Player]) -> Pairings:
    """Return round 1's Pairings of players in the order drawn; an odd last one gets the bye."""
    apart = {p.id: {q.id for q in drawn if p.parties & q.parties} for p in drawn}
    byes = range(len(drawn) - 1, -1, -1) if len(drawn) % 2 else (None,)
    for bye in byes:
        rest = [p.id for i, p in enumerate(drawn) if i != bye]
        pairs = _first([rest], apart)
        if pairs is not None:
            return Pairings(pairs, None if bye is None else drawn[bye].id)
    raise Question("families and travel mates cannot all be parted in round 1")


def pair_next(players: Iterable[Player], across: bool = False) -> Pairings:
    """Return a later round's Pairings; players level in points and margin keep the given order.

    ``across``: where the text has no pairing, the lowest groups of points are paired as one, and so
    on upwards *(ours)*. Raises Question for a second bye, or when no pairing without a rematch
    exists; AcrossPoints where ``across`` may help.
    """
    ranked = sorted(players, key=lambda p: (p.points, p.margin), reverse=True)
    bye = _bye(ranked) if len(ranked) % 2 else None
    ranked = [p for p in ranked if p is not bye]
    met = {p.id: set(p.met) for p in ranked}
    for player in ranked:  # a meeting counts for both players, even if only one lists it
        for other in player.met:
            met.get(other, set()).add(player.id)
    groups = _groups(ranked)
    pairs = _first(groups, met)
    while pairs is None and across and len(groups) > 1:
        groups[-2:] = [groups[-2] + groups[-1]]
        pairs = _first(groups, met)
    if pairs is None:
        raise _no_pairing(len(groups))
    rank = {
        p.id: i for i, p in enumerate(ranked)
    }  # a player who was handed down may outrank a pair
    return Pairings(tuple(sorted(pairs, key=lambda pair: rank[pair[0]])), bye and bye.id)


def _no_pairing(groups):
    if groups > 1:
        said = Sentence("players level on points cannot be paired without a rematch")
        return AcrossPoints(said)
    return Question("everybody has met so many that every pairing has a rematch: pair by hand")


def _first(groups, apart):
    """Return the first possible pairing, or None."""
    try:
        return first_pairing(groups, apart)
    except TooLong:
        raise Question("so many have met that no pairing was found in time: pair by hand") from None


def _bye(ranked):
    """Return who gets the bye: the lowest points, then the lowest margin."""
    last = ranked[-1]
    level = [p for p in ranked if (p.points, p.margin) == (last.points, last.margin)]
    free = [p for p in level if not p.had_bye]
    if not free:
        raise Question("the bye falls to {id}, who has had one: who has it?", id=last.id)
    return free[-1]


def _groups(ranked):
    """Split ranked players into lists of ids with equal points, the highest first."""
    groups = {}
    for player in ranked:
        groups.setdefault(player.points, []).append(player.id)
    return list(groups.values())
