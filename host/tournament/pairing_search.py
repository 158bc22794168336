"""Finds the first pairing in rank order of players in groups; only an odd player leaves its
group.
"""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeAlias

MOST_NODES = 50_000  # real tournaments need a few more nodes than pairs

Pair: TypeAlias = tuple[str, str]
"""Two ids."""


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
    return None if sum(map(len, filled)) % 2 else _Search(filled, apart).run()


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
        group, unpaired, down = node
        odd = len(unpaired) % 2
        members = self._members[group]
        downs = [player for player in unpaired if player in members] if odd else [down]
        if node in self._tried or all(_Node(group, (), down) in self._tried for down in downs):
            return True
        everyone = frozenset(unpaired)
        without_opponent = [
            player
            for player in unpaired
            if len(self._apart[player]) >= len(unpaired) - 1  # quick, and mostly false
            and everyone <= self._apart[player] | {player}
        ]
        # only one of the group's own can be handed down
        return len(without_opponent) > odd or not members.issuperset(without_opponent)
