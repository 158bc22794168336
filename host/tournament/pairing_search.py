"""Finds the first pairing in rank order of players in groups; only an odd player leaves its
group.
"""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

MOST_NODES = 50_000  # real tournaments need a few more nodes than pairs

Pair: TypeAlias = tuple[str, str]
"""Two ids."""


@dataclass(frozen=True)
class Entrant:
    """A player to be paired: id, points, opponents so far, and whether it had a bye."""

    id: str
    points: int = 0
    met: frozenset[str] = frozenset()
    had_bye: bool = False


def opponents_so_far(entrants: Iterable[Entrant]) -> dict[str, set[str]]:
    """Return whom each of the entrants has met, by id. A meeting counts for both, even if only one
    of them lists it.
    """
    met = {entrant.id: set(entrant.met) for entrant in entrants}
    for number, opponents in [*met.items()]:
        for opponent in opponents & met.keys():
            met[opponent].add(number)
    return met


def split_by_points(ranked: Iterable[Entrant]) -> list[list[str]]:
    """Return the ids of ranked entrants, a list for each number of points."""
    groups: dict[int, list[str]] = {}
    for entrant in ranked:
        groups.setdefault(entrant.points, []).append(entrant.id)
    return list(groups.values())


def merging_lowest(groups: list[list[str]]) -> Iterator[list[list[str]]]:
    """Yield the groups as they are, then with the two lowest as one, and so on up to one group."""
    yield groups
    while len(groups) > 1:
        *higher, above, lowest = groups
        groups = [*higher, above + lowest]
        yield groups


def in_rank_order(ranked: Iterable[Entrant], pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """Return pairs, the higher rank first in each, in the order of these."""
    rank = {entrant.id: place for place, entrant in enumerate(ranked)}
    return tuple(sorted(pairs, key=lambda pair: rank[pair[0]]))


class TooLong(Exception):
    """The search was stopped: too many earlier meetings to find an answer within the limit."""


def first_pairing(
    groups: Iterable[list[str]], apart: Mapping[str, AbstractSet[str]]
) -> tuple[Pair, ...] | None:
    """Return pairs ``((id, id), …)`` over ``groups`` (lists of ids, all in rank order), or None.

    ``apart[id]``: the ids it may not meet. Each player in turn takes the first opponent of its
    group that still lets all others be paired. A group that is odd, counting the player handed
    down from the group above, hands down one of its own players, the last possible one. An odd
    total has no pairing. Raises TooLong after ``MOST_NODES`` nodes.
    """
    filled = [group for group in groups if group]
    if not filled:
        return ()
    if sum(map(len, filled)) % 2:
        return None
    return _Search(filled, apart).run()


class _Node(NamedTuple):
    """A state of the search: all groups above ``group`` are paired, and it still has ``unpaired``.

    ``unpaired`` is in rank order, with the player handed down to the group in front. While it is
    odd, one of its players must still be handed down; ``down`` is the one who was.
    """

    group: int
    unpaired: tuple[str, ...]
    down: str | None


_Step: TypeAlias = tuple[Pair | None, _Node]
"""A pair, or None if a player is handed down, and the node that this leads to."""


class _Search:
    """A depth-first search; without recursion, as a large group would make it too deep.

    The first success ends it, so a node in ``_tried`` that is met again has failed.
    """

    def __init__(self, groups: list[list[str]], apart: Mapping[str, AbstractSet[str]]):
        self._groups, self._apart = groups, apart
        self._members = [frozenset(group) for group in groups]
        self._tried: set[_Node] = set()

    def run(self) -> tuple[Pair, ...] | None:
        """Search, and return the pairs or None."""
        # the nodes on the way: the pair that led to each, and the steps from it not yet tried
        path: list[tuple[Pair | None, Iterator[_Step]]]
        path = [(None, self._steps(_Node(-1, (), None)))]
        while path:
            _, steps = path[-1]
            pair, node = next(steps, (None, None))
            if node is None:
                path.pop()
            elif not self._hopeless(node):
                if len(self._tried) == MOST_NODES:
                    raise TooLong
                self._tried.add(node)
                path.append((pair, self._steps(node)))
                if node.group == len(self._groups) - 1 and not node.unpaired:
                    return tuple(pair for pair, _ in path if pair)
        return None

    def _steps(self, node: _Node) -> Iterator[_Step]:
        """Yield the first unpaired player's opponents in rank order; last, hand this player down.

        Once a group is paired, the first unpaired player is the next group's.
        """
        group, unpaired, down = node
        if not unpaired:
            group += 1
            handed = () if down is None else (down,)
            unpaired, down = (*handed, *self._groups[group]), None
        first, *others = unpaired
        for opponent in others:
            if opponent not in self._apart[first]:
                rest = tuple(player for player in others if player != opponent)
                yield (first, opponent), _Node(group, rest, down)
        if len(unpaired) % 2 and first in self._members[group]:
            yield None, _Node(group, tuple(others), first)

    def _hopeless(self, node: _Node) -> bool:
        """Return whether it is plain that nothing below a node pairs everybody."""
        return (
            node in self._tried
            or self._has_only_failed_ends(node)
            or self._somebody_is_left_over(node)
        )

    def _has_only_failed_ends(self, node: _Node) -> bool:
        """Return whether this group, once paired, can only leave what was tried: the same player
        handed down. That failed.
        """
        group, unpaired, down = node
        if len(unpaired) % 2:
            downs = [player for player in unpaired if player in self._members[group]]
        else:
            downs = [down]
        return all(_Node(group, (), player) in self._tried for player in downs)

    def _somebody_is_left_over(self, node: _Node) -> bool:
        """Return whether more players have nobody to play in this group than can be handed down."""
        group, unpaired, _ = node
        everyone = frozenset(unpaired)
        without_opponent = [
            player
            for player in unpaired
            if len(self._apart[player]) >= len(unpaired) - 1  # quick, and mostly false
            and everyone <= self._apart[player] | {player}
        ]
        can_go_down = len(unpaired) % 2  # one player of an odd group, and one of its own
        if len(without_opponent) > can_go_down:
            return True
        return not self._members[group].issuperset(without_opponent)
