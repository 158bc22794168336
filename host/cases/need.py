"""Checks of single values in a case; each raises ValueError that names the expected type."""

from collections.abc import Collection

from host.base.json_values import Json
from host.cases.case_types import Case


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
    need(words is None or value in words, f"{what} {value!r} is none of {', '.join(words or ())}")
    return value
