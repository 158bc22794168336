"""The values of JSON, and the one way to read them from what others may have written."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard

Json: TypeAlias = "None | bool | int | float | str | Sequence[Json] | Mapping[str, Json]"
_ENDLESS = 1 << 32  # event times stay below it (``host_clock.LATEST_MS``), and so do all numbers


def parsed(text: str | bytes) -> Any:
    """Return the value of a JSON text. Raises ValueError for anything else, also for one that is
    nested deeper than Python reads.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def is_number(value: Json, low: int = 0) -> TypeGuard[int]:
    """Whether a fact is a whole number from ``low``; True and False are none."""
    return type(value) is int and low <= value < _ENDLESS


def is_moment(value: Json) -> TypeGuard[int]:
    """Whether a fact is an event time in ms; one before an event's origin is negative."""
    return is_number(value, -_ENDLESS)


def numbers(value: Json) -> list[int] | None:
    """Return a list of whole numbers, None for anything else."""
    if not isinstance(value, list):
        return None
    found = [one for one in value if is_number(one)]
    return found if len(found) == len(value) else None


def items(value: Json) -> list[Json]:
    """Return a list. Raises TypeError for anything else."""
    if not isinstance(value, list):
        raise TypeError("no list")
    return value


def whole(*values: Json) -> list[int]:
    """Return whole numbers. Raises TypeError where one of the values is none."""
    found = [one for one in values if type(one) is int]
    if len(found) != len(values):
        raise TypeError("no whole number")
    return found
