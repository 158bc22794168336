"""Deadlines: a clock is a time that is compared with now, never a counter.

All times are event time in ms. A table's zero is the room's zero plus its extensions plus the
time its own clock stood frozen (rules P15, F1), so a freeze gives back exactly what was left.
"""


def zero_ms(start_ms: int, minutes: int, extension_s: int, lost_ms: int) -> int:
    """Return the table's zero: start, the announced limit, total extension, total frozen time."""
    return start_ms + minutes * 60000 + extension_s * 1000 + lost_ms


def remaining_ms(zero_at_ms: int, now_ms: int, frozen_at_ms: int | None = None) -> int:
    """Return the time left, negative after zero; while frozen, the time left at the freeze."""
    return zero_at_ms - (now_ms if frozen_at_ms is None else frozen_at_ms)


def seconds(left_ms: int) -> int:
    """Return the whole seconds shown: rounded up, so 0 appears exactly at zero."""
    return -(-left_ms // 1000)
