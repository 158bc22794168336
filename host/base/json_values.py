"""JSON values, and safe ways to read them from texts that others may have written."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard, TypeVar, get_args, get_type_hints

Json: TypeAlias = "None | bool | int | float | str | Sequence[Json] | Mapping[str, Json]"
FilledT = TypeVar("FilledT")
_LIMIT = 1 << 32  # all numbers stay below it, also event times (``host_clock.LATEST_MS``)


def parse(text: str | bytes) -> Any:
    """Return the value of a JSON text. Raises ValueError if it is invalid or nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def is_number(value: Json, low: int = 0) -> TypeGuard[int]:
    """Whether a value is a whole number from ``low``; True and False are not numbers."""
    return type(value) is int and low <= value < _LIMIT


def is_moment(value: Json) -> TypeGuard[int]:
    """Whether a value is an event time in ms; times before an event's origin are negative."""
    return is_number(value, -_LIMIT)


def numbers(value: Json) -> list[int] | None:
    """Return a list of whole numbers, None for anything else."""
    if not isinstance(value, list):
        return None
    found = [item for item in value if is_number(item)]
    return found if len(found) == len(value) else None


def items(value: Json) -> list[Json]:
    """Return ``value``. Raises TypeError if it is not a list."""
    if not isinstance(value, list):
        raise TypeError("no list")
    return value


def filled(kind: Callable[..., FilledT], facts: Mapping[str, Json]) -> FilledT:
    """Return a ``kind`` (a NamedTuple or a dataclass of numbers, texts and truth values) with each
    of its fields from ``facts``; what else there is in ``facts`` is left out.

    Raises LookupError for a missing fact, and TypeError for one of another type, or for a number
    below 0 that is no moment (``…_ms``).
    """
    values: dict[str, Json] = {}
    for name, expected in get_type_hints(kind).items():
        value = values[name] = facts[name]
        has_type = type(value) in (get_args(expected) or (expected,))
        in_bounds = is_moment(value) if name.endswith("_ms") else is_number(value)
        if not has_type or (type(value) is int and not in_bounds):
            raise TypeError(name)
    return kind(**values)


def whole(*values: Json) -> list[int]:
    """Return ``values``. Raises TypeError if any of them is not a whole number."""
    found = [value for value in values if type(value) is int]
    if len(found) != len(values):
        raise TypeError("no whole number")
    return found
