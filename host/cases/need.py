"""Checks of single values in a case; each raises ValueError that names the expected type."""

from collections.abc import Collection, Sequence
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


def need(holds: bool, sentence: str) -> None:
    """Raise ValueError with ``sentence`` unless ``holds``."""
    if not holds:
        raise ValueError(sentence)


def mapping(value: Json, what: str) -> Case:
    """Return ``value``, a JSON object. Raises ValueError, naming ``what``, if it is not one."""
    if isinstance(value, dict):
        return value
    raise ValueError(f"{what} is an object")


def listing(value: Json, what: str) -> list[Json]:
    """Return ``value``, a JSON array. Raises ValueError, naming ``what``, if it is not one."""
    if isinstance(value, list):
        return value
    raise ValueError(f"{what} is an array")


def whole(value: Json, what: str, least: int = 0, most: int = 65535) -> int:
    """Return ``value``, an integer from ``least`` to ``most``. Raises ValueError otherwise."""
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise ValueError(f"{what} is a number from {least} to {most}, not {value!r}")


def truth(value: Json, what: str) -> bool:
    """Return ``value``, true or false. Raises ValueError otherwise."""
    if isinstance(value, bool):
        return value
    raise ValueError(f"{what} is true or false, not {value!r}")


def word(value: Json, what: str, words: Collection[str] | None = None) -> str:
    """Return ``value``, a text that is not empty; if ``words`` is given, one of them.

    Raises ValueError otherwise.
    """
    if not isinstance(value, str) or not value:
        raise ValueError(f"{what} is a text, not {value!r}")
    if words is not None:
        need(value in words, f"{what} {value!r} is none of {', '.join(words)}")
    return value
