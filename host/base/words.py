"""English words for counts and times."""


def amount(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun: "no byes", "1 bye", "3 byes".

    ``many``: the plural, if it is not ``one`` with an s.
    """
    return f"{count or 'no'} {one if count == 1 else many or one + 's'}"


def clock(left_ms: int | None) -> str:
    """Return M:SS, rounded up as on the boards, negative after zero; empty for None."""
    if left_ms is None:
        return ""
    seconds = -(-left_ms // 1000)
    return f"{'-' if seconds < 0 else ''}{abs(seconds) // 60}:{abs(seconds) % 60:02}"


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
