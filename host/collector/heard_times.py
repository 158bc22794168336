"""When the host heard each STATUS first, as the bodies of the beacon's TIMES: a board bounds its
clock by them, as by an answer over a link (``firmware/core/beacon.py``).
"""

from firmware.core import beacon, frames
from host.archive.decoded_frames import status_of

MOST = 96  # that wait; the oldest are dropped
_TIMES = 3  # times that each is sent: half of all frames are lost
_EACH = 3  # in a frame


class HeardTimes:
    """The times that are still to be sent; all are event time in ms."""

    def __init__(self) -> None:
        self._waiting: dict[bytes, tuple[int, int]] = {}  # heard_ms, and how often it was sent

    def note(self, status: bytes, heard_ms: int) -> None:
        """Note a STATUS frame that was heard for the first time, if it asks for the time."""
        if not status_of(status).flags & frames.TIME_WANTED:
            return
        self._waiting[beacon.id_of(status)] = heard_ms, 0
        if len(self._waiting) > MOST:
            del self._waiting[next(iter(self._waiting))]

    def next(self, end_ms: int) -> bytes | None:
        """Return the body of a frame whose interval ends at ``end_ms``, None without anything.

        The times that were sent least often come first, of those the oldest.
        """
        lasts_ms = (beacon.LONGEST + 1) * beacon.HEARD_MS
        self._waiting = {
            asked: (heard_ms, sent)
            for asked, (heard_ms, sent) in self._waiting.items()
            if sent < _TIMES and 0 <= end_ms - heard_ms < lasts_ms
        }
        chosen = sorted(self._waiting, key=lambda asked: self._waiting[asked][1])[:_EACH]
        if not chosen:
            return None
        times = []
        for asked in chosen:
            heard_ms, sent = self._waiting[asked]
            self._waiting[asked] = heard_ms, sent + 1
            times.append((asked, (end_ms - heard_ms) // beacon.HEARD_MS))
        return beacon.pack_times(times)
