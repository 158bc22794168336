"""How late each gateway sends, by what the others hear of it. Times are this PC's, in us.

The PC knows when a frame was to leave and when another gateway, a witness, read it. A witness can
only hear it later than it left, so of many the one that bounds the delay best is taken, and of that
only what both clocks' errors leave is believed, of all witnesses the least, and of that at most
``MOST_US``: so whoever lies moves a gateway's frames by no more, and one honest witness is enough
to hold them. A frame that was heard before it could leave shows a lie; such a pair corrects
nothing.
"""

from collections import OrderedDict

MOST_US = 20_000  # of a correction
ENOUGH = 8  # frames that a witness must have heard
_KEPT = 64  # frames that may still be heard
_SPAN_US = 30_000_000  # a least counts for one to two of these
_GRACE_US = 2_000  # a tick of each clock
_NONE = 1 << 60, 1 << 60


class _Pair:
    """What one witness heard of one sender, in this span and in the last one: the delay at most,
    and by the same frame at least.
    """

    def __init__(self, now_us: int):
        self._since_us, self._best, self._before = now_us, _NONE, _NONE
        self.count = self.early = 0

    def take(self, delay_us: int, error_us: int, now_us: int) -> None:
        """Note a delay, give or take ``error_us``."""
        if now_us - self._since_us >= _SPAN_US:
            self._since_us, self._before, self._best = now_us, self._best, _NONE
        self._best = min(self._best, (delay_us + error_us, delay_us - error_us))
        self.count += 1

    @property
    def least_us(self) -> int:
        """The delay at least, by the best frame of one to two spans."""
        return min(self._best, self._before)[1]


class GatewayDelays:
    """The delays of gateways, which are called by their radio addresses."""

    def __init__(self) -> None:
        self._asked: OrderedDict[bytes, dict[str, int | None]] = OrderedDict()
        self._pairs: dict[tuple[str, str], _Pair] = {}

    def sent(self, frame: bytes, sender: str, at_us: int) -> None:
        """Note that ``sender`` is to send ``frame`` from ``at_us`` on; one that was sent before
        tells nothing.
        """
        asked = self._asked.setdefault(frame, {})
        asked[sender] = None if sender in asked else at_us
        while len(self._asked) > _KEPT:
            self._asked.popitem(last=False)

    def heard(self, frame: bytes, sender: str, witness: str, at_us: int, error_us: int) -> None:
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
        """Return the delay of ``sender`` that all its witnesses bear out, None while too little
        was heard.
        """
        told = [
            one.least_us
            for (whose, _), one in self._pairs.items()
            if whose == sender and one.count >= ENOUGH and not one.early
        ]
        return min(told, default=None)

    def correction_us(self, sender: str) -> int:
        """Return by how much earlier ``sender`` is to be asked."""
        return min(max(self.delay_us(sender) or 0, 0), MOST_US)

    def liars(self, sender: str) -> list[str]:
        """Return the witnesses that have heard frames of ``sender`` before they could leave."""
        return [
            witness
            for (whose, witness), one in self._pairs.items()
            if whose == sender and one.early >= ENOUGH
        ]

    def forget(self, address: str) -> None:
        """Forget a gateway that is gone, or has begun anew."""
        self._pairs = {pair: one for pair, one in self._pairs.items() if address not in pair}
