"""How late each gateway sends, measured by the others. Times are this PC's, in us.

The PC knows when a frame was to leave and when another gateway, a witness, read it. A witness can
only hear a frame after it left. So of a witness's frames the one that bounds the delay best counts,
less the errors of both clocks; of all witnesses the smallest delay counts, and of that at most
``MOST_US``. So a gateway that lies moves another one's frames by no more, and one honest witness
is enough to limit it. A frame that was heard before it could leave shows a lie; such a pair of
gateways corrects nothing.
"""

from collections import OrderedDict

MOST_US = 20_000  # of a correction
ENOUGH = 8  # frames that a witness must have heard
_KEPT = 64  # frames that may still be heard
_SPAN_US = 30_000_000  # a minimum counts for one to two of these
_GRACE_US = 2_000  # a tick of each clock
_NONE = 1 << 60, 1 << 60


class _Pair:
    """What one witness heard of one sender, by the best frame of this span and of the last one: the
    upper bound of the delay, and the lower bound by the same frame.
    """

    def __init__(self, now_us: int):
        self._since_us, self._best, self._last_spans_best = now_us, _NONE, _NONE
        self.count = self.early = 0

    def take(self, delay_us: int, error_us: int, now_us: int) -> None:
        """Note a delay, give or take ``error_us``."""
        if now_us - self._since_us >= _SPAN_US:
            self._since_us, self._last_spans_best, self._best = now_us, self._best, _NONE
        self._best = min(self._best, (delay_us + error_us, delay_us - error_us))
        self.count += 1

    @property
    def least_us(self) -> int:
        """The lower bound of the delay, by the best frame of one to two spans."""
        _, lower_us = min(self._best, self._last_spans_best)
        return lower_us


class GatewayDelays:
    """The delays of gateways, which are identified by their radio addresses."""

    def __init__(self) -> None:
        # by frame and sender: from when on it was to be sent; None: that is not known for certain
        self._asked: OrderedDict[bytes, dict[str, int | None]] = OrderedDict()
        self._pairs: dict[tuple[str, str], _Pair] = {}

    def note_asked(self, frame: bytes, sender: str, at_us: int) -> None:
        """Note that ``sender`` was asked to send ``frame`` from ``at_us`` on; a sender that is
        asked twice for a frame is not measured by it.
        """
        asked = self._asked.setdefault(frame, {})
        asked[sender] = None if sender in asked else at_us
        while len(self._asked) > _KEPT:
            self._asked.popitem(last=False)

    def note_heard(
        self, frame: bytes, sender: str, witness: str, at_us: int, error_us: int
    ) -> None:
        """Note that ``witness`` has read a frame at ``at_us``, give or take ``error_us`` of both
        clocks.
        """
        asked_us = self._asked.get(frame, {}).get(sender)
        if asked_us is None or sender == witness:
            return
        pair = self._pairs.setdefault((sender, witness), _Pair(at_us))
        if at_us + error_us + _GRACE_US < asked_us:
            pair.early += 1
        else:
            pair.take(at_us - asked_us, error_us, at_us)

    def delay_us(self, sender: str) -> int | None:
        """Return the delay of ``sender`` that all its witnesses confirm, None while they have heard
        too few frames.
        """
        delays = [
            pair.least_us
            for (measured, _), pair in self._pairs.items()
            if measured == sender and pair.count >= ENOUGH and not pair.early
        ]
        return min(delays, default=None)

    def correction_us(self, sender: str) -> int:
        """Return by how much earlier ``sender`` is to be asked."""
        return min(max(self.delay_us(sender) or 0, 0), MOST_US)

    def liars(self, sender: str) -> list[str]:
        """Return the witnesses that have heard frames of ``sender`` before they could leave."""
        return [
            witness
            for (measured, witness), pair in self._pairs.items()
            if measured == sender and pair.early >= ENOUGH
        ]

    def forget(self, address: str) -> None:
        """Forget a gateway that is gone, or has restarted."""
        self._pairs = {names: pair for names, pair in self._pairs.items() if address not in names}
