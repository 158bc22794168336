"""Event time from whatever tells it: a beacon's stamps and a link's answers, in integers.

A stamp says that at its arrival event time is *at least* so much: nobody knows how long it was
under way, and anybody can delay it. An answer to one's own question bounds it from both sides
(``timebase``). So two bounds are kept, which open by the oscillator's worst error, ``ppm``; they
are proven, however the air behaves, and give the uncertainty that is declared.

Between them runs the estimate, a line: offset and rate. A delay only ever makes a stamp worse, so
of each ``BUCKET_MS`` the least delayed one counts (measured against the line, else drift would
choose). The line follows those by a least-squares filter whose memory grows (gains 2(2n - 1) / n(n
+ 1) and 6 / n(n + 1) for the n-th) up to ``MEMORY`` buckets: a minute and a half, as temperatures
change. Numbers stay small integers: whole ms from ``base_ms``, 1/1024 ms in the line, its rate in
2^-20.
"""

BUCKET_MS = 8000
MEMORY = 12
UNKNOWN_MS = 65535
_ENOUGH = 4  # stamps, before a bucket is full
_FINE = 10  # bits below a ms
_PPM_BITS = 20  # of a rate


class ClockFilter:
    """One board's estimate of event time less uptime, both in ms."""

    def __init__(self, ppm: int):
        self.ppm = ppm
        self.forget()

    def forget(self) -> None:
        """Believe the next answer whatever it is."""
        self.known = False
        self.base_ms = 0
        self._line = self._rate = self._line_at = 0
        self._low = self._low_at = self._high = self._high_at = 0
        self._buckets = 0  # that entered the line, up to ``MEMORY``
        self._heard = self._best = self._opened_at = 0  # of the bucket that is filling

    def offset_ms(self, uptime_ms: int) -> int:
        """Return what to add to the uptime to have the event time; 0 while nothing is known."""
        low, high = self._bounds(uptime_ms)
        return self.base_ms + max(low, min(high, self._at(uptime_ms) >> _FINE))

    def error_ms(self, uptime_ms: int) -> int:
        """Return how far ``offset_ms`` can be from the truth, at most ``UNKNOWN_MS``."""
        if not self.known:
            return UNKNOWN_MS
        low, high = self._bounds(uptime_ms)
        estimate = self.offset_ms(uptime_ms) - self.base_ms
        return min(UNKNOWN_MS, max(high - estimate, estimate - low))

    def answer(self, host_ms: int, trip_ms: int, uptime_ms: int) -> bool:
        """Take the host's time, told within the last ``trip_ms``; False if that is impossible."""
        if not self.known:
            self.base_ms = host_ms + trip_ms // 2 - uptime_ms
            self._low, self._high = -UNKNOWN_MS, UNKNOWN_MS
            self._low_at = self._high_at = self._line_at = self._opened_at = uptime_ms
        # each of the two clocks was cut to whole ms
        least = host_ms - uptime_ms - self.base_ms - 1
        most = least + trip_ms + 3
        low, high = self._bounds(uptime_ms)
        if least > high or most < low:
            return False
        if least > low:
            self._low, self._low_at = least, uptime_ms
        if most < high:
            self._high, self._high_at = most, uptime_ms
        if not self.known or uptime_ms - self._line_at >= BUCKET_MS:  # no stamps are heard
            self._enter((least + most << _FINE - 1) - self._at(uptime_ms), uptime_ms)
        self.known = True
        return True

    def stamp(self, host_ms: int, uptime_ms: int) -> bool:
        """Take the time at which a frame was sent that arrived at ``uptime_ms``; False if it cannot
        be, or if no answer was ever heard.
        """
        least = host_ms - uptime_ms - self.base_ms
        low, high = self._bounds(uptime_ms)
        if not self.known or least - 1 > high:
            return False  # of the future
        if least - 1 > low:
            self._low, self._low_at = least - 1, uptime_ms
        ahead = (least << _FINE) - self._at(uptime_ms)
        if not self._heard:
            self._opened_at = uptime_ms
        if not self._heard or ahead > self._best:
            self._best = ahead
        self._heard += 1
        if self._heard >= _ENOUGH and uptime_ms - self._opened_at >= BUCKET_MS:
            self._enter(self._best, uptime_ms)
        return True

    def _bounds(self, uptime_ms):
        return (  # rounded to the worse
            self._low + (self._low_at - uptime_ms) // 1000 * self.ppm // 1000,
            self._high - (self._high_at - uptime_ms) // 1000 * self.ppm // 1000,
        )

    def _at(self, uptime_ms):
        """Return the line at ``uptime_ms``, in 1/1024 ms above ``base_ms``."""
        return self._line + (self._rate * (uptime_ms - self._line_at) >> _PPM_BITS - _FINE)

    def _enter(self, ahead, uptime_ms):
        """Correct the line by a bucket that lies so far ``ahead`` of it, in 1/1024 ms."""
        elapsed_ms = max(BUCKET_MS, uptime_ms - self._line_at)
        self._line = self._at(uptime_ms)
        self._line_at = uptime_ms
        self._heard = 0
        self._buckets = n = min(MEMORY, self._buckets + 1)
        self._line += ahead * (4 * n - 2) // (n * n + n)
        if n > 1:
            self._rate += (ahead << _PPM_BITS - _FINE) * 6 // ((n * n + n) * elapsed_ms)
            most = (self.ppm << _PPM_BITS) // 1000000
            self._rate = max(-most, min(most, self._rate))
