"""Amounts and times in English words."""

import math


def amount(count: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun: "no byes", "1 bye", "3 byes".

    ``plural``: if it is not ``singular`` with an s.
    """
    noun = singular if count == 1 else plural or f"{singular}s"
    return f"{count or 'no'} {noun}"


def amount_is(count: int, singular: str) -> str:
    """Return a number with its noun and verb: "1 record is", "3 records are"."""
    return f"{amount(count, singular)} {'is' if count == 1 else 'are'}"


def misfits(count: int) -> str:
    """Return the verdict on so many faults."""
    return f"{amount(count, 'thing')} {'does' if count == 1 else 'do'} not fit"


def clock(left_ms: int | None) -> str:
    """Return a time left as M:SS, rounded up as on the boards, negative after zero; "" for None."""
    if left_ms is None:
        return ""
    left_s = math.ceil(left_ms / 1000)
    minutes, seconds = divmod(abs(left_s), 60)
    return f"{'-' if left_s < 0 else ''}{minutes}:{seconds:02}"


def last_record_text(received_ms: int | None, now_ms: int) -> str:
    """Return the age of the last record in words; times in ms, None before the first record."""
    if received_ms is None:
        return "no record has come in yet"
    return f"last record {_age(max(0, now_ms - received_ms) // 1000)} ago"


def _age(seconds: int) -> str:
    """Return a time in its largest whole unit: "2 days", "3 h", "5 min", "12 s"."""
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 60 * 60:
        return f"{seconds // 60} min"
    if seconds < 24 * 60 * 60:
        return f"{seconds // (60 * 60)} h"
    return amount(seconds // (24 * 60 * 60), "day")
