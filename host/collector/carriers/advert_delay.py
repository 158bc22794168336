"""Estimates how late this PC hears a changed advert."""

import collections
import math

_KEPT = 256
_KNOWN = 6000
# between reports of the same advert: its scan response, a second scanner, a property that changed
_TOGETHER_S = 0.2
_AWAY_S = 60.0  # a longer gap means that the board was away
SHORT_S = 4.0  # boards advertise every 0.14 to 0.56 s, and half of them are lost
FILTERED_S = 2.0  # where an address is reported once a scan
_FEW = 10
_SHARE = 0.9


class AdvertDelay:
    """Notes when each address is heard, and measures the gaps."""

    def __init__(self) -> None:
        self._gaps: collections.deque[float] = collections.deque(maxlen=_KEPT)
        self._last: dict[str, float] = {}  # when each address was heard last
        self._began_s = self._heard_s = 0.0
        self._filtered = False  # the last scan heard somebody, and nobody twice
        self.repeated_s = 0.0  # when this scan last reported one address twice within ``SHORT_S``

    def begin(self, now_s: float) -> None:
        """Begin a new scan: it filters no address yet."""
        if self._heard_s > self._began_s:
            self._filtered = self.repeated_s == self._began_s  # nobody was reported again
        self.repeated_s = self._began_s = now_s

    @property
    def restart_s(self) -> float:
        """When to restart the scan, as nobody is reported again: then changes are heard, too."""
        return self.repeated_s + (FILTERED_S if self._filtered else SHORT_S)

    def note(self, address: str, now_s: float, ours: bool) -> None:
        """Note that ``address`` was heard; only the gaps of ``ours``, the boards, are measured."""
        self._heard_s = now_s
        before_s = self._last.pop(address, -math.inf)
        gap_s = now_s - before_s
        # gaps are counted from an advert's first report
        self._last[address] = before_s if gap_s < _TOGETHER_S else now_s
        if len(self._last) > _KNOWN:
            del self._last[next(iter(self._last))]
        if _TOGETHER_S <= gap_s <= _AWAY_S:
            if ours:
                self._gaps.append(gap_s)
            if gap_s <= SHORT_S and before_s >= self._began_s:
                self.repeated_s = now_s

    @property
    def seconds(self) -> float | None:
        """The 90th percentile of the gaps in seconds, None while there are too few."""
        if len(self._gaps) < _FEW:
            return None
        return sorted(self._gaps)[int(len(self._gaps) * _SHARE)]
