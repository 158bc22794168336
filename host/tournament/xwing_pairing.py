"""XW15 pairings: round 1 at random, then neighbours by points and margin, no rematch.

Sources: XW15 Abbinamenti, Bye. Within a group of equal points the highest margin plays the next; an
odd player plays the highest margin of the next group. A rematch is avoided by swapping within the
group, then by backtracking; only an odd player leaves its group. Among players who are level in
points and margin the bye is drawn by lot *(ours)*. If no pairing is left, or the bye would be a
player's second, the text gives no answer and ``Question`` is raised.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from host.base.errors import UserError
from host.base.sentences import Sentence
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


class Question(UserError):
    """A case that the text leaves open, as a sentence for the organiser."""


class ByeOpen(Question):
    """A Question that the organiser answers by naming who has the bye."""

    option = "--bye NUMBER"


class AcrossPoints(Question):
    """A Question that the organiser can answer: players meet others with fewer points."""


@dataclass(frozen=True)
class Player(Entrant):
    """A player to be paired; ``parties`` are families and shared cars."""

    margin: int = 0
    parties: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Pairings:
    """Pairs of ids, the higher rank first in each and in the list; the bye's id or None.

    ``level``: the ids among which a bye after round 1 was drawn by lot.
    """

    pairs: tuple[Pair, ...]
    bye: str | None = None
    level: tuple[str, ...] = ()


def pair_first(players: Iterable[Player], seed: int) -> Pairings:
    """Return round 1's Pairings: random from ``seed``, but not within a party.

    The bye is random, too. Raises Question if families and travel mates cannot all be kept apart.
    """
    drawn = list(players)
    random.Random(seed).shuffle(drawn)
    return pair_drawn(drawn)


def pair_drawn(drawn: Sequence[Player]) -> Pairings:
    """Return round 1's Pairings of players in the order drawn; an odd last one gets the bye."""
    apart = {
        player.id: {other.id for other in drawn if player.parties & other.parties}
        for player in drawn
    }
    ids = [player.id for player in drawn]
    candidates = reversed(ids) if len(ids) % 2 else [None]  # for the bye
    for bye in candidates:
        pairs = _first([[player for player in ids if player != bye]], apart)
        if pairs is not None:
            return Pairings(pairs, bye)
    raise Question("families and travel mates cannot all be parted in round 1")


def pair_next(
    players: Iterable[Player], across: bool = False, seed: int | None = None, bye: str = ""
) -> Pairings:
    """Return a later round's Pairings; players level in points and margin keep the given order.

    ``across``: if the text has no pairing, the lowest groups of points are paired as one, and so on
    upwards *(ours)*. ``seed``: of the lot for the bye among players who are level. ``bye``: the id
    of the player whom the organiser gives it. Raises Question if no pairing without a rematch
    exists: ByeOpen for a second bye and for a lot without a seed, AcrossPoints if ``across`` may
    help.
    """
    ranked = sorted(players, key=lambda player: (player.points, player.margin), reverse=True)
    met = opponents_so_far(ranked)
    candidates: list[Player | None] = [None]  # for the bye
    if len(ranked) % 2:
        named = [player for player in ranked if player.id == bye]
        candidates = [*(named or _byes(ranked, seed))]
    attempts = (False, True) if across else (False,)  # at merging the lowest groups
    for merging in attempts:
        for free in candidates:
            rest = [player for player in ranked if player is not free]
            pairs = _pairs(rest, met, merging)
            if pairs is not None:
                return Pairings(pairs, free.id if free else None, _drawn_among(candidates))
    # any of the candidates may be left out: they are level
    points = {player.points for player in ranked if player is not candidates[-1]}
    if not across and len(points) > 1:
        raise AcrossPoints(Sentence("players level on points cannot be paired without a rematch"))
    raise Question("everybody has met so many that every pairing has a rematch: pair by hand")


def _drawn_among(candidates: Sequence[Player | None]) -> tuple[str, ...]:
    """Return the ids of the players among whom a bye was drawn by lot, () without a lot."""
    if len(candidates) < 2:
        return ()
    return tuple(sorted(player.id for player in candidates if player))


def _pairs(
    ranked: Sequence[Player], met: Mapping[str, AbstractSet[str]], merging: bool
) -> tuple[Pair, ...] | None:
    """Return the first possible pairing of ranked players in rank order, or None.

    ``merging``: the lowest groups of points are paired as one, as far up as needed.
    """
    by_points = split_by_points(ranked)
    for groups in merging_lowest(by_points) if merging else [by_points]:
        pairs = _first(groups, met)
        if pairs is not None:
            return in_rank_order(ranked, pairs)
    return None


def _first(
    groups: Iterable[list[str]], apart: Mapping[str, AbstractSet[str]]
) -> tuple[Pair, ...] | None:
    """Return the first possible pairing, or None. Raises Question if it cannot be found in time."""
    try:
        return first_pairing(groups, apart)
    except TooLong:
        raise Question("so many have met that no pairing was found in time: pair by hand") from None


def _byes(ranked: Sequence[Player], seed: int | None) -> list[Player]:
    """Return the candidates for the bye, in random order: those of the lowest points and margin.

    The lot depends on the ids and the seed alone, not on the order of the file.
    """
    last = ranked[-1]
    candidates = [
        player
        for player in sorted(ranked, key=lambda player: player.id)
        if (player.points, player.margin) == (last.points, last.margin) and not player.had_bye
    ]
    if not candidates:
        raise ByeOpen("the bye falls to {id}, who has had one: who has it?", id=last.id)
    if len(candidates) > 1 and seed is None:
        ids = ", ".join(player.id for player in candidates)
        raise ByeOpen("{ids} are level in points and margin: who has the bye?", ids=ids)
    random.Random(f"bye {seed}").shuffle(candidates)
    return candidates
