"""A time base that hears a beacon: its stamps and a link's answers, in integers.

A stamp proves that at its arrival event time is *at least* so much: it may have been delayed by
anybody. An answer to one's own question bounds the time from both sides (``timebase``, which
decides what counts as one). So two bounds are kept. They open by the oscillator's worst error, and
give the uncertainty that is declared. A link's answer sets both anew, even further apart: another
host may have taken over.

Between them runs the estimate, a line with an offset and a rate. Of each ``BUCKET_MS`` the least
delayed stamp counts, measured against the line. The line follows those by a least-squares filter
(gains 2(2n - 1) / n(n + 1) and 6 / n(n + 1) for the n-th) that remembers up to ``MEMORY`` buckets,
because temperatures change. Without stamps for a minute it follows the middle of what a link leaves
possible; that is coarse, so the next bucket of stamps begins the memory anew. Numbers are integers:
1/1024 ms from ``_base_ms``, the line's rate in 2^-20.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Timebase

BUCKET_MS = 8000
MEMORY = 12
_STEER_MS = 1000
_ALONE_MS = 60000  # without a bucket: then a link counts as one; two at once tell no rate
_ENOUGH = 4  # stamps, before a bucket is full
_FINE = 10  # bits below a ms


class ClockFilter:
    """Corrects a ``timebase`` in place of its own way, by stamps too."""

    def __init__(self, timebase: "Timebase"):
        self._timebase = timebase
        self._base_ms = 0  # all offsets below are from it
        self._low = self._high = self._at = 0  # the bounds, as they were at uptime ``_at``
        self._line = self._rate = self._line_at = 0  # the line at ``_line_at``, and its rate
        self._buckets = 0  # in the line's memory
        self._linked = False  # whether the last bucket was a link's answer
        # of the bucket that is filling: its stamps, its start, and the best one's lead on the line
        self._stamps = self._bucket_began_ms = self._best_lead = 0
        timebase.take = self.take  # pyright: ignore[reportAttributeAccessIssue]  (for this one alone)

    def take(self, least: int, most: int, limit: int, uptime_ms: int) -> None:
        """Correct the time by ``least`` to ``most`` ms, as an answer over a link has said."""
        base = self._timebase
        line = self._move(uptime_ms)
        offset_ms = base.likely_ms(uptime_ms) - uptime_ms - self._base_ms
        low, high = (offset_ms + least) << _FINE, (offset_ms + most) << _FINE
        same_link_again = not self._buckets and not base.first  # as that which began the line
        other_host = low > self._high or high < self._low
        if base.guessed or same_link_again or other_host:  # a new line begins, in the middle
            middle_ms = (low + high) >> (_FINE + 1)
            self._base_ms += middle_ms
            low -= middle_ms << _FINE
            high -= middle_ms << _FINE
            self._line = self._rate = self._buckets = self._stamps = 0
            self._line_at = uptime_ms
        elif uptime_ms - self._line_at >= _ALONE_MS:  # links are all that it has
            self._correct_line(line, ((low + high) >> 1) - line, uptime_ms)
            self._linked = True
        self._low, self._high = low, high
        base.guessed = base.first = False
        base.since_ms = uptime_ms - _STEER_MS
        self.steer(uptime_ms)

    def take_time(self, host_ms: int, trip_ms: int, uptime_ms: int) -> None:
        """Take the host's time, sent within the last ``trip_ms``; nothing if that is impossible."""
        self._move(uptime_ms)
        # each of the two clocks was cut to whole ms
        least = (host_ms - uptime_ms - self._base_ms - 1) << _FINE
        most = least + ((trip_ms + 3) << _FINE)
        if least <= self._high and most >= self._low:
            self._low, self._high = max(self._low, least), min(self._high, most)

    def steer(self, uptime_ms: int) -> None:
        """Give the time base the estimate, once a second."""
        base = self._timebase
        if base.guessed or uptime_ms - base.since_ms < _STEER_MS:
            return
        line = self._move(uptime_ms)
        estimate_ms = max(self._low, min(self._high, line)) >> _FINE
        base.offset_ms = self._base_ms + estimate_ms
        estimate = estimate_ms << _FINE
        base.error_ms = (max(self._high - estimate, estimate - self._low) >> _FINE) + 1
        base.since_ms = uptime_ms

    def stamp(self, host_ms: int, uptime_ms: int) -> bool:
        """Take the time at which a frame was sent that arrived at ``uptime_ms``; return False for
        an impossible time, or if no answer was ever heard.
        """
        line = self._move(uptime_ms)
        offset = (host_ms - uptime_ms - self._base_ms) << _FINE
        least = offset - (1 << _FINE)
        if self._timebase.guessed or least > self._high:
            return False  # no answer yet, or of the future
        self._low = max(self._low, least)
        lead = offset - line
        if not self._stamps:
            self._bucket_began_ms, self._best_lead = uptime_ms, lead
        self._best_lead = max(self._best_lead, lead)
        self._stamps += 1
        if self._stamps >= _ENOUGH and uptime_ms - self._bucket_began_ms >= BUCKET_MS:
            if self._linked:
                self._linked, self._buckets = False, 0
            self._correct_line(line, self._best_lead, uptime_ms)
        return True

    def _move(self, uptime_ms):
        """Open the bounds until ``uptime_ms``; return where the line is then."""
        passed_ms = uptime_ms - self._at
        if passed_ms:
            self._at = uptime_ms
            drift = passed_ms * self._timebase.ppm // 976 + 1  # 1/1024 ms, rounded to the worse
            self._low -= drift
            self._high += drift
        return self._line + (self._rate * (uptime_ms - self._line_at) >> _FINE)

    def _correct_line(self, line, residual, uptime_ms):
        """Correct the ``line`` by ``residual`` of the memory's n-th bucket (its gains: above)."""
        elapsed_ms = max(BUCKET_MS, uptime_ms - self._line_at)
        self._line_at, self._stamps = uptime_ms, 0
        self._buckets = n = min(MEMORY, self._buckets + 1)
        self._line = line + residual * (4 * n - 2) // (n * n + n)
        if n > 1:
            rate = self._rate + (residual << _FINE) * 6 // ((n * n + n) * elapsed_ms)
            most = self._timebase.ppm * 1049 // 1000  # ppm in 2^-20
            self._rate = max(-most, min(most, rate))
