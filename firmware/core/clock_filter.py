"""Event time from whatever tells it: a beacon's stamps and a link's answers, in integers.

A stamp says that at its arrival event time is *at least* so much: nobody knows how long it was
under way, and anybody can delay it. An answer to one's own question bounds it from both sides
(``timebase``). So two bounds are kept, which open by the oscillator's worst error, ``ppm``; they
are proven, however the air behaves, and give the uncertainty that is declared. A link's sets both
anew, even further apart than they were: another host may have taken over since the last one.

Between them runs the estimate, a line: offset and rate. A delay only ever makes a stamp worse, so
of each ``BUCKET_MS`` the least delayed one counts (measured against the line, else drift would
choose). The line follows those by a least-squares filter whose memory grows (gains 2(2n - 1) / n(n
+ 1) and 6 / n(n + 1) for the n-th) up to ``MEMORY`` buckets: a minute and a half, as temperatures
change. Numbers stay small integers: 1/1024 ms from ``base_ms``, the line's rate in 2^-20.
"""

BUCKET_MS = 8000
MEMORY = 12
UNKNOWN_MS = 65535
_ENOUGH = 4  # stamps, before a bucket is full
_FINE = 10  # bits below a ms


class ClockFilter:
    """One board's estimate of event time less uptime, both in ms.

    ``buckets`` is how many have entered the line, up to ``MEMORY``, -1 while nothing is known.
    """

    def __init__(self, ppm: int):
        self.ppm = ppm
        self.base_ms = self._line = self._line_at = self._at = 0
        self._best = self._opened_at = 0  # of the bucket that is filling
        self.forget()

    def forget(self) -> None:
        """Believe the next answer whatever it is."""
        self._low, self._high = -UNKNOWN_MS << _FINE, UNKNOWN_MS << _FINE  # at the uptime ``_at``
        self._rate = self._heard = 0
        self.buckets = -1

    def estimated(self, uptime_ms: int) -> "tuple[int, int]":
        """Return what to add to the uptime to have the event time, and how far that can be from the
        truth, at most ``UNKNOWN_MS``: it is while nothing is known.
        """
        line = self._move(uptime_ms)
        estimate = max(self._low, min(self._high, line)) >> _FINE
        off = max(self._high - (estimate << _FINE), (estimate << _FINE) - self._low) >> _FINE
        return self.base_ms + estimate, UNKNOWN_MS if self.buckets < 0 else min(UNKNOWN_MS, off + 1)

    def answer(self, host_ms: int, trip_ms: int, uptime_ms: int, anew: bool = False) -> bool:
        """Take the host's time, told within the last ``trip_ms``; False if that is impossible.

        ``anew``: whatever bounded it before counts no more.
        """
        if self.buckets < 0:
            self.base_ms = host_ms + trip_ms // 2 - uptime_ms
            self._line_at = self._at = uptime_ms
        self._move(uptime_ms)
        # each of the two clocks was cut to whole ms
        least = host_ms - uptime_ms - self.base_ms - 1 << _FINE
        most = least + (trip_ms + 3 << _FINE)
        if least > self._high or most < self._low:
            return False
        if not anew:
            least, most = max(self._low, least), min(self._high, most)
        self._low, self._high = least, most
        if self.buckets < 0:
            self.buckets, self._line = 0, least + most >> 1
        return True

    def stamp(self, host_ms: int, uptime_ms: int) -> bool:
        """Take the time at which a frame was sent that arrived at ``uptime_ms``; False if it cannot
        be, or if no answer was ever heard.
        """
        line = self._move(uptime_ms)
        told = host_ms - uptime_ms - self.base_ms << _FINE
        least = told - (1 << _FINE)
        if self.buckets < 0 or least > self._high:
            return False  # of the future
        self._low = max(self._low, least)
        if not self._heard:
            self._opened_at, self._best = uptime_ms, told - line
        self._best = max(self._best, told - line)
        self._heard += 1
        if self._heard >= _ENOUGH and uptime_ms - self._opened_at >= BUCKET_MS:
            self._enter(line, uptime_ms)
        return True

    def _move(self, uptime_ms):
        """Open the bounds until ``uptime_ms``; return where the line is then."""
        passed = uptime_ms - self._at
        if passed:
            self._at = uptime_ms
            passed = passed * self.ppm // 976 + 1  # 1/1024 ms, rounded to the worse
            self._low -= passed
            self._high += passed
        return self._line + (self._rate * (uptime_ms - self._line_at) >> _FINE)

    def _enter(self, line, uptime_ms):
        """Correct the ``line`` by the bucket that is full."""
        ahead = self._best
        elapsed_ms = max(BUCKET_MS, uptime_ms - self._line_at)
        self._line_at, self._heard = uptime_ms, 0
        self.buckets = n = min(MEMORY, self.buckets + 1)
        squares = n * n + n
        self._line = line + ahead * (4 * n - 2) // squares
        if n > 1:
            most = self.ppm * 1049 // 1000
            rate = self._rate + (ahead << _FINE) * 6 // (squares * elapsed_ms)
            self._rate = max(-most, min(most, rate))
