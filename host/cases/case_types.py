"""Types of the data in a case file (docs/cases.md)."""

from collections.abc import Sequence
from typing import TypeAlias, TypedDict

from firmware.core.events import Event
from host.base.json_values import Json

Case: TypeAlias = dict[str, Json]
"""A case, or an object within a case, as read from JSON."""
Got: TypeAlias = dict[str, Json]
"""The actual values of a case, under the keys that ``expect`` may name."""
Step: TypeAlias = tuple[str, str, *tuple[str | int, ...]]
"""A room time ``M:SS``, a verb, and the verb's arguments."""
Events: TypeAlias = tuple[Event, ...]


class FormatWords(TypedDict, total=False):
    """The ``format`` of a match case; ``overtime_clock`` and ``minutes`` are in minutes."""

    stage: str
    best_of: int
    minutes: int
    overtime_turns: int
    overtime_clock: int
    team: bool
    approval: bool
    round: int


class MatchCase(TypedDict):
    """A match case after ``match_check.check`` has accepted it."""

    name: str
    system: str
    format: FormatWords
    steps: Sequence[Step]
    expect: Case
