"""Text that is safe to print in a terminal, and the time since the last record."""

import sys

from host.base.words import amount


def printable(line: str) -> str:
    """Return a line without control characters: a player's name may hold anything."""
    return "".join(char for char in line if char.isprintable())


def can_show(text: str) -> bool:
    """Return whether the standard output has every letter of ``text``."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def last_record_text(received_ms: int | None, now_ms: int) -> str:
    """Return how long ago the last record came in; event time in ms, None before the first."""
    if received_ms is None:
        return "no record has come in yet"
    return f"last record {_age(max(0, now_ms - received_ms) // 1000)} ago"


def _age(seconds: int) -> str:
    """Return a time in the largest unit of which it holds one: "2 days", "3 h", "5 min", "12 s"."""
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 60 * 60:
        return f"{seconds // 60} min"
    if seconds < 24 * 60 * 60:
        return f"{seconds // (60 * 60)} h"
    return amount(seconds // (24 * 60 * 60), "day")
