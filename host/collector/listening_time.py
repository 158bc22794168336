"""How long the radio has listened: a board's silence counts only while it could be heard."""

import collections
from dataclasses import dataclass

_KEPT = 64


@dataclass
class _Outage:
    """A span of event time in which nothing could be heard."""

    begun_ms: int
    ended_ms: int


class Listening:
    """The spans in which nothing could be heard. Times are event time in ms."""

    def __init__(self) -> None:
        self._spans: collections.deque[_Outage] = collections.deque(maxlen=_KEPT)
        self._down = False

    def set_down(self, down: bool, now_ms: int) -> None:
        """Note that from now on nothing can be heard (``down``), or adverts can be heard again."""
        if down and not self._down:
            self._spans.append(_Outage(now_ms, now_ms))
        elif self._down and not down:
            self._spans[-1].ended_ms = now_ms
            if self._spans[-1].begun_ms == now_ms:
                self._spans.pop()
        self._down = down

    @property
    def down_since_ms(self) -> int | None:
        """Since when nothing can be heard, None while something can."""
        return self._spans[-1].begun_ms if self._down else None

    def since(self, span_ms: int, now_ms: int) -> int:
        """Return the time since which the radio has listened for ``span_ms`` in total."""
        if self._down:
            self._spans[-1].ended_ms = now_ms
        moment_ms, left_ms = now_ms, span_ms
        for span in reversed(self._spans):
            if moment_ms - span.ended_ms >= left_ms:
                break
            left_ms -= moment_ms - span.ended_ms
            moment_ms = span.begun_ms
        return moment_ms - left_ms
