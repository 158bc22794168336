"""Finds the first pairing in rank order of players in groups; only an odd player leaves its
group.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import TypeAlias

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
    return _Search([g for g in groups if g], apart).run()


class _Search:
    """A depth-first search without recursion that remembers failed nodes.

    A node is ``(group, rest, left)``: the group's unpaired players (the one handed down first), and
    the player to hand down (None: nobody yet). Groups depend on each other only through ``left``,
    so ``_dead`` holds each ``(group, left)`` from which the groups below cannot be paired.
    """

    def __init__(self, groups, apart):
        self._groups = groups
        self._apart = apart
        self._own = [frozenset(group) for group in groups]
        self._odd = []
        for group in groups:
            self._odd.append((len(group) + (self._odd[-1] if self._odd else 0)) % 2)
        self._seen = 0
        self._failed = set()
        self._dead = set()

    def run(self):
        """Search, and return the pairs or None."""
        if not self._groups or self._odd[-1]:
            return None if self._groups else ()
        stack = [self._with_choices((0, tuple(self._groups[0]), None))]
        chosen = []
        while stack:
            node, choices = stack[-1]
            below, pair = self._deeper(node, choices)
            if below is not None:
                self._seen += 1
                if self._seen > MOST_NODES:
                    raise TooLong
                chosen.append(pair)
                if below[0] == len(self._groups):
                    return tuple(pair for pair in chosen if pair)
                stack.append(self._with_choices(below))
                continue
            self._forget(node)
            stack.pop()
            if chosen:
                chosen.pop()
        return None

    def _with_choices(self, node):
        return node, self._choices(node)

    def _choices(self, node):
        """Yield the first player's opponents in rank order, then None: hand this player down."""
        group, rest, left = node
        first = rest[0]
        yield from (other for other in rest[1:] if other not in self._apart[first])
        if self._odd[group] and left is None and first in self._own[group]:
            yield None

    def _deeper(self, node, choices):
        """Return the next promising node and the pair that leads to it, or two Nones."""
        group, rest, left = node
        for other in choices:
            if other is None:
                below, pair = self._step(group, rest[1:], rest[0]), None
            else:
                left_over = tuple(p for p in rest[1:] if p != other)
                below, pair = self._step(group, left_over, left), (rest[0], other)
            if (
                below not in self._failed
                and self._hopeful(below)
                and not self._closed(group, below)
            ):
                return below, pair
            self._forget(below)
        return None, None

    def _step(self, group, rest, left):
        """Return the node itself, or the next group's first node once a group is paired."""
        if rest:
            return group, rest, left
        if group + 1 == len(self._groups):
            return group + 1, (), None
        above = () if left is None else (left,)
        return group + 1, above + tuple(self._groups[group + 1]), None

    def _closed(self, group, below):
        """Return whether the hand-down from ``group`` is known to fail."""
        if below[0] != group:
            return False
        _, rest, left = below
        if left is not None or not self._odd[group]:
            return (group, left) in self._dead
        return all((group, p) in self._dead for p in rest if p in self._own[group])

    def _hopeful(self, node):
        """Return whether every unpaired player has an opponent, but for one who may be handed
        down.
        """
        group, rest, left = node
        everyone = frozenset(rest)
        lonely = [
            p
            for p in rest
            if len(self._apart[p]) >= len(rest) - 1 and everyone <= self._apart[p] | {p}
        ]
        if not lonely:
            return True
        free = self._odd[group] and left is None
        return bool(free) and len(lonely) == 1 and lonely[0] in self._own[group]

    def _forget(self, node):
        """Remember a failed node; at a group's start, also the hand-down that led to it."""
        group, rest, _ = node
        self._failed.add(node)
        if (
            0 < group < len(self._groups)
            and len(rest) == len(self._groups[group]) + self._odd[group - 1]
        ):
            self._dead.add((group - 1, rest[0] if self._odd[group - 1] else None))
