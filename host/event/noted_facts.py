"""What the facts of a notice may be: an archive may hold what no program of ours has written."""

from typing import TypeGuard

from host.base.json_values import Json

_ENDLESS = 1 << 32  # event times stay below it (``host_clock.LATEST_MS``), and so do all numbers


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
