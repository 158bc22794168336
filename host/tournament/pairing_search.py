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

    A node is ``(group, rest, down)``: the group's unpaired players (the one handed down to it
    first), and the player that it hands down (None: nobody yet). Groups depend on each other only
    through ``down``, so ``_failed_hand_downs`` holds each ``(group, down)`` from which the groups
    below cannot be paired.
    """

    def __init__(self, groups, apart):
        self._groups = groups
        self._apart = apart
        self._members = [frozenset(group) for group in groups]
        self._odd = []  # of each group: whether it is odd with the player handed down to it
        odd = False
        for group in groups:
            odd = (len(group) + odd) % 2 == 1
            self._odd.append(odd)
        self._node_count = 0
        self._failed_nodes = set()
        self._failed_hand_downs = set()

    def run(self):
        """Search, and return the pairs or None."""
        if not self._groups:
            return ()
        if self._odd[-1]:
            return None
        stack = [self._with_choices((0, tuple(self._groups[0]), None))]
        chosen = []
        while stack:
            node, choices = stack[-1]
            child, pair = self._next_child(node, choices)
            if child is None:
                self._note_failure(node)
                stack.pop()
                if chosen:
                    chosen.pop()
                continue
            self._node_count += 1
            if self._node_count > MOST_NODES:
                raise TooLong
            chosen.append(pair)
            child_group, _, _ = child
            if child_group == len(self._groups):  # all groups are paired
                return tuple(pair for pair in chosen if pair)
            stack.append(self._with_choices(child))
        return None

    def _with_choices(self, node):
        return node, self._choices(node)

    def _choices(self, node):
        """Yield the first player's opponents in rank order, then None: hand this player down."""
        group, rest, down = node
        first = rest[0]
        yield from (other for other in rest[1:] if other not in self._apart[first])
        if self._odd[group] and down is None and first in self._members[group]:
            yield None

    def _next_child(self, node, choices):
        """Return the next node below that may succeed and the pair that leads to it (None: a
        hand-down), or two Nones.
        """
        group, (first, *others), down = node
        for other in choices:
            if other is None:
                child, pair = self._step(group, tuple(others), first), None
            else:
                rest = tuple(player for player in others if player != other)
                child, pair = self._step(group, rest, down), (first, other)
            known_failure = child in self._failed_nodes or self._hand_down_fails(group, child)
            if not known_failure and self._may_succeed(child):
                return child, pair
            self._note_failure(child)
        return None, None

    def _step(self, group, rest, down):
        """Return the node itself, or the next group's first node once a group is paired."""
        if rest:
            return group, rest, down
        if group + 1 == len(self._groups):
            return group + 1, (), None
        above = () if down is None else (down,)
        return group + 1, above + tuple(self._groups[group + 1]), None

    def _hand_down_fails(self, group, child):
        """Return whether every hand-down from ``group`` that a child leaves possible has failed."""
        child_group, rest, down = child
        if child_group != group:
            return False
        possible = [down]
        if down is None and self._odd[group]:
            possible = [player for player in rest if player in self._members[group]]
        return all((group, player) in self._failed_hand_downs for player in possible)

    def _may_succeed(self, node):
        """Return whether every unpaired player has an opponent, but for one who may be handed
        down.
        """
        group, rest, down = node
        everyone = frozenset(rest)
        without_opponent = [
            player
            for player in rest
            if len(self._apart[player]) >= len(rest) - 1  # quick, and mostly false
            and everyone <= self._apart[player] | {player}
        ]
        if not without_opponent:
            return True
        if down is not None or not self._odd[group] or len(without_opponent) > 1:
            return False
        return without_opponent[0] in self._members[group]

    def _note_failure(self, node):
        """Remember a failed node; at a group's start, also the hand-down that led to it."""
        group, rest, _ = node
        self._failed_nodes.add(node)
        if not 0 < group < len(self._groups):
            return
        handed_down = self._odd[group - 1]
        if len(rest) == len(self._groups[group]) + handed_down:
            self._failed_hand_downs.add((group - 1, rest[0] if handed_down else None))
