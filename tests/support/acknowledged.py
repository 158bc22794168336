"""What an ACKED of the beacon acknowledges."""

from firmware.core import beacon


def acked_of(frame, table):
    """Return ``(round, what)`` that an ACKED acknowledges of ``table``, or None."""
    return (frame[5], frame[6]) if beacon.acks(frame, table) else None
