"""Checks of values in a system's TOML file; each raises ValueError that names the field."""

import datetime
import difflib
from collections.abc import Collection, Sequence
from typing import TypeAlias, TypeVar

from host.base import plain_text

Toml: TypeAlias = (
    "bool | int | float | str | datetime.date | datetime.time | Sequence[Toml] | dict[str, Toml]"
)
"""A value as ``tomllib`` reads it."""
Number = TypeVar("Number", int, str)
"""The meaning of a word: a number or a letter."""
Words: TypeAlias = Sequence[tuple[str, Number]]
"""A table of words and their meanings."""


def need(holds: bool, place: str, sentence: str) -> None:
    """Raise ValueError, naming the field ``place``, unless ``holds``."""
    if not holds:
        raise ValueError(f"{place}: {sentence}")


def whole(value: Toml, place: str, least: int = 0, most: int = 65535) -> int:
    """Return ``value``, an integer from ``least`` to ``most``. Raises ValueError otherwise."""
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise ValueError(f"{place}: must be a whole number from {least} to {most}, not {value!r}")


def truth(value: Toml, place: str) -> bool:
    """Return ``value``, true or false. Raises ValueError otherwise."""
    if isinstance(value, bool):
        return value
    raise ValueError(f"{place}: must be true or false, not {value!r}")


def text(value: Toml, place: str, most: int = 24) -> str:
    """Return ``value``, a printable text of at most ``most`` characters. Raises ValueError."""
    if isinstance(value, str):
        fault = plain_text.fault(value)
        if fault:
            raise ValueError(f"{place}: {fault.sentence}")
        if len(value) <= most and value.isprintable():
            return value
    raise ValueError(f"{place}: must be a text of at most {most} characters, not {value!r}")


def listing(value: Toml, place: str, sizes: Collection[int] = ()) -> list[Toml]:
    """Return ``value``, an array; if ``sizes`` is given, of one of these lengths.

    Raises ValueError otherwise.
    """
    if not isinstance(value, list):
        raise ValueError(f"{place}: must be an array [...], not {value!r}")
    if sizes:
        wanted = " or ".join(map(str, sizes))
        need(len(value) in sizes, place, f"must hold {wanted} values, not {len(value)}")
    return value


def table(
    value: Toml, place: str, keys: Sequence[str], needed: Collection[str] = ()
) -> dict[str, Toml]:
    """Return ``value``, a table with all keys of ``needed`` and no others than ``keys``.

    Raises ValueError otherwise.
    """
    if not isinstance(value, dict):
        raise ValueError(f"{place}: must be a table {{...}}, not {value!r}")
    for key in value:
        if key not in keys:
            near = difflib.get_close_matches(key, keys, 1)
            hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(keys)}"
            raise ValueError(f"{under(place, key)}: is not a field ({hint})")
    for key in needed:
        need(key in value, under(place, key), "is missing")
    return value


def under(place: str, key: str) -> str:
    """Return the place of the field ``key`` within the field ``place``."""
    return f"{place}.{key}" if place else key


def choice(value: Toml, place: str, words: Words[Number]) -> Number:
    """Return the meaning of ``value`` in ``words``. Raises ValueError for an unknown word."""
    known = dict(words)
    if isinstance(value, str) and value in known:
        return known[value]
    raise ValueError(f"{place}: {value!r} is none of {', '.join(known)}")


def choices(value: Toml, place: str, words: Words[Number]) -> list[Number]:
    """Return the meaning of each word of the array ``value``.

    Raises ValueError for an unknown or repeated word.
    """
    meanings = [choice(word, place, words) for word in listing(value, place)]
    need(len(set(meanings)) == len(meanings), place, "names something twice")
    return meanings
