"""Event time (no board knows the time of day), and its uncertainty (docs/architecture.md, Time).

Event time is uptime plus an offset that the host's TIME frames set. An answer was given between its
question and its arrival: that bounds the offset from both sides. The *declared* uncertainty covers
all that the answers of one link leave possible, and grows by ``ppm``. What was known before does
not count: the host may have started anew since, on another PC.

Within those bounds the clock goes by the *likeliest* offset. There what was known before does
count, the less the longer ago it is, so an answer that was long under way moves nothing. Over
minutes the offsets show how wrong the oscillator is, and between answers that is corrected.

After a reset only a lower bound is known: the last time in the journal, because a reset never gives
a table time back. All times are integer ms, a rate is in 2^-20, nearly ppm.
"""

UNKNOWN_MS = 65535  # also the maximum that a TIME_SET can declare
WANTED_MS = 500  # above this uncertainty the board asks for a link
_ANSWER_MS = 1000
_BELOW_MS = 1000  # how far the lower bound itself may have been ahead of the host
_STEADY = 16  # a corrected oscillator goes wrong so many times less, most of the time
_SPAN_MS = 30000  # too short to measure a rate in
_OLD_MS = 1200000  # warmth changes a rate: then the older half of its measurement is dropped


class Timebase:
    """One board's event time; ``ppm`` is its oscillator's worst error against the host's.
    ``guessed``: no host time was received since the start or the last ``forget``. ``bounded``: it
    is not before the journal's last. ``first``: the next answer is the first of its link.
    """

    def __init__(self, ppm: int):
        self.ppm = ppm
        self.offset_ms = self.since_ms = self.latest_ms = self.asked_ms = 0
        self._rate = self._base_ms = 0  # ``_base_ms``: the offset at ``_began_ms``
        self.forget()

    def forget(self) -> None:
        """Keep running, but accept the host's next time whatever it is: the origin has changed."""
        self.error_ms = self._doubt_ms = UNKNOWN_MS
        self.guessed = self.first = True
        self.bounded, self.nonce = False, None
        self._began_ms = 0  # the measurement of the rate begins anew

    def resume(self, last_ms: int, uptime_ms: int) -> None:
        """Start again after a reset: event time is at least ``last_ms``."""
        self.forget()
        self.offset_ms = last_ms - uptime_ms
        self.bounded = True

    def likely_ms(self, uptime_ms: int) -> int:
        """Return the likeliest event time; after a correction it may go back."""
        passed = (uptime_ms - self.since_ms) >> 4  # in 16 ms: the product stays a small integer
        corrected_ms = (passed * self._rate + 0x8000) >> 16  # rounded
        return uptime_ms + self.offset_ms + corrected_ms

    def now_ms(self, uptime_ms: int) -> int:
        """Return the event time; after a correction it stops rather than going back."""
        self.latest_ms = max(self.latest_ms, self.likely_ms(uptime_ms))
        return self.latest_ms

    def uncertainty_ms(self, uptime_ms: int) -> int:
        """Return the declared uncertainty, at most ``UNKNOWN_MS``."""
        best_ms = self.likely_ms(uptime_ms)
        passed_s = (uptime_ms - self.since_ms) // 1000 + 2  # rounded up; one for the answer's way
        error_ms = self.error_ms + passed_s * self.ppm // 1000 + 1
        error_ms += abs(best_ms - uptime_ms - self.offset_ms)  # what the rate has corrected
        ahead_ms = max(0, self.latest_ms - best_ms)  # it stands until the corrected time is there
        return min(error_ms + ahead_ms, UNKNOWN_MS)

    def ask_host(self, nonce: int, uptime_ms: int) -> None:
        """Note that a TIME_ASKED with this u32 nonce was sent."""
        self.nonce, self.asked_ms = nonce, uptime_ms

    def host_answered(self, host_ms: int, nonce: int, uptime_ms: int) -> bool | None:
        """Process the host's answer: True taken, False impossible, None not asked."""
        trip = uptime_ms - self.asked_ms
        if nonce != self.nonce or trip > _ANSWER_MS:
            return None
        self.nonce = None
        limit = self.uncertainty_ms(uptime_ms)
        least = host_ms - self.likely_ms(uptime_ms) - 2  # one ms for each clock's rounding
        most = least + trip + 4
        if not self.guessed:
            if least > limit or most < -limit:
                return False
            if not self.first:
                least, most = max(least, -limit), min(most, limit)
        elif self.bounded:
            if most < -_BELOW_MS:
                return False
        else:
            self.latest_ms = 0  # no time was known, so none goes back
        self.take(least, most, limit, uptime_ms)
        return True

    def take(self, least: int, most: int, limit: int, uptime_ms: int) -> None:
        """Correct the time by ``least`` to ``most`` ms, where the declared uncertainty was
        ``limit``. A board that hears a beacon has its own way (``clock_filter``).
        """
        drift_ms = limit - self.error_ms  # at the worst, since the last correction
        if self._rate:
            drift_ms //= _STEADY
        likely_ms = drift_ms + self._doubt_ms + 1
        low, high = max(least, -likely_ms), min(most, likely_ms)
        if low > high:  # something has changed: the rate is measured anew
            low, high, self._began_ms = least, most, 0
        step_ms = (low + high) >> 1
        self.offset_ms = self.likely_ms(uptime_ms) + step_ms - uptime_ms
        self.error_ms, self._doubt_ms = max(most - step_ms, step_ms - least), high - step_ms
        self.since_ms, self.guessed, self.first = uptime_ms, False, False
        self._measure_rate(uptime_ms)

    def _measure_rate(self, uptime_ms):
        """Measure how wrong the oscillator is, since ``_began_ms`` (0: from now on)."""
        span_ms, begin_ms = uptime_ms - self._began_ms, uptime_ms
        if self._began_ms and span_ms >= _SPAN_MS:
            rate = ((self.offset_ms - self._base_ms) << 20) // span_ms
            self._rate = max(-self.ppm, min(self.ppm, rate))
            if span_ms < _OLD_MS:
                return
            begin_ms = uptime_ms - (span_ms >> 1)  # the older half is dropped
        self._began_ms, self._base_ms = begin_ms, self.likely_ms(begin_ms) - begin_ms
