"""Event time from the board's own clock, and its uncertainty (docs/architecture.md, Time).

Event time is uptime plus an offset that the host's TIME frames set. The declared uncertainty is
half the round trip, growing by ``ppm`` since. After a reset only a lower bound is known: the last
time in the journal, because a reset never gives a table time back. All times are integer ms.
"""

from firmware.core import events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Event

UNKNOWN_MS = 65535  # also the maximum that a TIME_SET can declare
WANTED_MS = 500  # above this uncertainty the board asks for a link
_ANSWER_MS = 1000
_BELOW_MS = 1000  # how far the lower bound itself may have been ahead of the host


class Timebase:
    """One board's event time; ``ppm`` is its oscillator's worst error."""

    def __init__(self, ppm: int):
        self.ppm = ppm
        self.offset_ms = self.since_ms = self.latest_ms = self.asked_ms = 0
        self.forget()

    def forget(self) -> None:
        """Keep running, but accept the host's next time whatever it is: the origin has changed."""
        self.error_ms = UNKNOWN_MS
        self.bounded = False
        self.nonce = None

    def resume(self, last_ms: int, uptime_ms: int) -> None:
        """Start again after a reset: event time is at least ``last_ms``."""
        self.forget()
        self.offset_ms = last_ms - uptime_ms
        self.bounded = True

    @property
    def guessed(self) -> bool:
        """Whether no host time was received since the start or the last ``forget``."""
        return self.error_ms >= UNKNOWN_MS

    def now_ms(self, uptime_ms: int) -> int:
        """Return the event time; after a correction it stops rather than going back."""
        now = uptime_ms + self.offset_ms
        if now > self.latest_ms:
            self.latest_ms = now
        return self.latest_ms

    def uncertainty_ms(self, uptime_ms: int) -> int:
        """Return the declared uncertainty, at most ``UNKNOWN_MS``.

        A clock that is stopped until the corrected time catches up is also off by that.
        """
        if self.error_ms >= UNKNOWN_MS:
            return UNKNOWN_MS
        error_ms = self.error_ms + (uptime_ms - self.since_ms) // 1000 * self.ppm // 1000
        ahead_ms = self.latest_ms - uptime_ms - self.offset_ms
        if ahead_ms > 0:
            error_ms += ahead_ms
        return error_ms if error_ms < UNKNOWN_MS else UNKNOWN_MS

    def event(self, uptime_ms: int) -> "Event":
        """Return the TIME_SET event that records the current state."""
        told = 0 if self.guessed else 1
        return events.TIME_SET, self.now_ms(uptime_ms), 0, self.uncertainty_ms(uptime_ms), told

    def ask(self, nonce: int, uptime_ms: int) -> None:
        """Note that a TIME_ASKED with this u32 nonce was sent."""
        self.nonce, self.asked_ms = nonce, uptime_ms

    def answer(self, host_ms: int, nonce: int, uptime_ms: int) -> bool | None:
        """Process the host's answer: True accepted, False refused (impossible step), None not
        asked.
        """
        trip = uptime_ms - self.asked_ms
        if nonce != self.nonce or trip > _ANSWER_MS:
            return None
        self.nonce = None
        half = trip // 2 + 1
        step = host_ms + half - uptime_ms - self.offset_ms
        if not self._possible(step, half, uptime_ms):
            return False
        self.offset_ms += step
        self.error_ms, self.since_ms = half, uptime_ms
        return True

    def _possible(self, step, half, uptime_ms):
        if not self.guessed:
            limit = self.uncertainty_ms(uptime_ms) + half
            return -limit <= step <= limit
        if not self.bounded:
            self.latest_ms = 0  # no time was known, so none goes back
            return True
        return step >= -_BELOW_MS - half
