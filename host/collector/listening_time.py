"""How long the radio has listened: a board grows old only while somebody could have heard it."""

import collections

_KEPT = 64


class Listening:
    """The spans in which nothing could be heard. Times are event time in ms."""

    def __init__(self):
        self._spans = collections.deque(maxlen=_KEPT)  # [since, until]
        self._deaf = False

    def deafen(self, deaf, now_ms):
        """From now on nothing can be heard (``deaf``), or something can again."""
        if deaf and not self._deaf:
            self._spans.append([now_ms, now_ms])
        elif self._deaf and not deaf:
            self._spans[-1][1] = now_ms
            if self._spans[-1][0] == now_ms:
                self._spans.pop()
        self._deaf = deaf

    def since(self, span_ms, now_ms):
        """Return the moment since which the radio has listened for ``span_ms`` in all."""
        if self._deaf:
            self._spans[-1][1] = now_ms
        moment_ms, left_ms = now_ms, span_ms
        for begun_ms, ended_ms in reversed(self._spans):
            if moment_ms - ended_ms >= left_ms:
                break
            left_ms -= moment_ms - ended_ms
            moment_ms = begun_ms
        return moment_ms - left_ms
