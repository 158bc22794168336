"""Adverts that the PC wants to be sent, each at its time."""

from firmware.core import usb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.gateway.types import Send

PLACES = 8
_SOONEST_MS = 10000  # nothing is planned for later than that
_LONGEST_MS = 1000  # of one SEND: nothing is heard meanwhile


class Sends:
    """At most ``PLACES`` of them; ``late`` counts those whose time was past or is far off."""

    def __init__(self):
        self._waiting: list[Send] = []
        self.late = 0
        self.newest = 0  # the counter of the last one taken

    @property
    def free(self) -> int:
        """Return how many more are taken."""
        return PLACES - len(self._waiting)

    def take(self, counter: int, send: "Send", ticks: int) -> None:
        """Take ``send``: (ticks, span in ms, advert); one without a place is counted as late."""
        self.newest = counter
        start, span_ms, advert = send
        span_ms = min(span_ms, _LONGEST_MS)
        left_ms = usb.since_ms(start, ticks)
        if not self.free or not -span_ms < left_ms <= _SOONEST_MS:
            self.late += 1
        else:
            self._waiting.append((start, span_ms, advert))

    def left_ms(self, ticks: int) -> int:
        """Return the ms until the next one, 0 where it is due, ``_SOONEST_MS`` without any."""
        found = _SOONEST_MS
        for start, _, _ in self._waiting:
            found = min(found, usb.since_ms(start, ticks))
        return max(0, found)

    def pop(self, ticks: int) -> "Send | None":
        """Return the next one with the span that is left of it; None: its time has passed."""
        first = self._waiting[0]
        for one in self._waiting:
            if usb.since_ms(one[0], first[0]) < 0:
                first = one
        self._waiting.remove(first)
        start, span_ms, advert = first
        span_ms += min(0, usb.since_ms(start, ticks))
        if span_ms <= 0:
            self.late += 1
            return None
        return start, span_ms, advert

    def clear(self) -> None:
        """Forget all: the PC that wanted them is gone."""
        self._waiting = []
