"""Crash count and event time kept across resets, in the seven bytes of the heartbeat."""

FAILURES = 5  # in a row, each soon after a start: then the match is set aside
WELL_MS = 30000
_SIZE = 7


def failures(kept: bytes) -> int:
    """Return how often in a row the program failed; ``kept`` from ``packed``, or any bytes."""
    return kept[6] if len(kept) == _SIZE else 0


def time_ms(kept: bytes, event: int) -> int:
    """Return the event time, 0 if none of this event is kept."""
    if len(kept) != _SIZE or int.from_bytes(kept[:2], "little") != event:
        return 0
    return int.from_bytes(kept[2:6], "little")


def packed(event: int, now_ms: int, failed: int) -> bytes:
    """Return the seven bytes to keep."""
    return event.to_bytes(2, "little") + now_ms.to_bytes(4, "little") + bytes((failed,))


def ended(kept: bytes) -> bytes:
    """Return the bytes that replace ``kept`` when the program has failed."""
    return (kept if len(kept) == _SIZE else bytes(_SIZE))[:6] + bytes(
        (min(failures(kept) + 1, FAILURES),)
    )
