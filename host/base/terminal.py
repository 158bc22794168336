"""Text that is safe to print in a terminal, and the time since the last record."""

import sys

from host.base.words import clock


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
    return f"last record {clock(max(0, now_ms - received_ms))} ago"
