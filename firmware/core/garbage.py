"""When the garbage of the heap is collected: once a minute, just after a finished picture.

So a key that goes down meanwhile finds 100 ms of a minute in its way, and never between its press
and the picture that shows it. Where less than 1 MB is free it may be more often.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Heap

EACH_MS = 60000
_ACTS = 64  # until it is asked what is free: an act allocates a few KB at the most


class Garbage:
    """Decides for a ``heap``; ``low``: less than 1 MB was free when last asked."""

    def __init__(self, heap: "Heap", uptime_ms: int):
        self._heap, self._last_ms = heap, uptime_ms
        self._acts = 0
        self.low = heap.low

    def acted(self) -> None:
        """Note an act of the program (a gesture, a frame, what time brings)."""
        self._acts += 1
        if self._acts == _ACTS:
            self._acts = 0
            self.low = self._heap.low

    def due(self, drawn: bool, uptime_ms: int) -> bool:
        """Whether to collect now; ``drawn``: this step has sent a picture to the panel.

        Where no picture changes any more, the last one is finished: then a minute more is waited.
        """
        passed_ms = uptime_ms - self._last_ms
        return self.low or passed_ms >= EACH_MS and (drawn or passed_ms >= 2 * EACH_MS)

    def collect(self, uptime_ms: int) -> None:
        """Collect the garbage."""
        self._last_ms, self._acts, self.low = uptime_ms, 0, False
        self._heap.collect()
