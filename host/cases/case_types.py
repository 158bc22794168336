"""The shapes of a case file (docs/cases.md), for the type checker and for people."""

from collections.abc import Sequence
from typing import TypeAlias, TypedDict

from host.base.json_values import Json

Case: TypeAlias = dict[str, Json]
"""A case, or an object in it, as the file says it."""
Got: TypeAlias = dict[str, Json]
"""What a case came to, by the keys of its ``expect``."""
Step: TypeAlias = tuple[str, str, *tuple[str | int, ...]]
"""A room time ``M:SS``, a verb, and the verb's words."""
Events: TypeAlias = tuple[tuple[int, int, int, int, int], ...]
"""kind, at_ms, a, b, c (``firmware.core.events``)."""


class FormatWords(TypedDict, total=False):
    """What a match case says of its format; ``overtime_clock`` and ``minutes`` in minutes."""

    stage: str
    best_of: int
    minutes: int
    overtime_turns: int
    overtime_clock: int
    team: bool
    round: int


class MatchCase(TypedDict):
    """A match's story, once it was checked (``match_check``)."""

    name: str
    system: str
    format: FormatWords
    steps: Sequence[Step]
    expect: Case
