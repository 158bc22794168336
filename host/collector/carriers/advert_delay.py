"""How long a changed advert may wait until this PC hears it."""

import collections

_KEPT = 256
_KNOWN = 6000
_TOGETHER_S = (
    0.2  # reports of one advert: its scan response, a second scanner, a property that changed
)
_AWAY_S = 60.0  # longer, and the board was away
SHORT_S = 4.0  # boards advertise every 1.0 to 1.5 s
_FEW = 10
_SHARE = 0.9


class AdvertDelay:
    """Notes when each address is heard; what matters is the gap between two hearings."""

    def __init__(self) -> None:
        self._gaps: collections.deque[float] = collections.deque(maxlen=_KEPT)
        self._last: dict[str, float] = {}
        self._began_s = 0.0
        self.lively_s = 0.0  # when this scan last reported somebody twice within ``SHORT_S``

    def begin(self, now_s: float) -> None:
        """Begin a new scan: the addresses that the last one filtered out are forgotten."""
        self.lively_s = self._began_s = now_s

    def note(self, address: str, now_s: float, counts: bool) -> None:
        """Note that ``address`` was heard; it ``counts`` where it is a board of ours."""
        before_s = self._last.pop(address, None)
        gap_s = _AWAY_S + 1 if before_s is None else now_s - before_s
        self._last[address] = now_s
        if before_s is not None and gap_s < _TOGETHER_S:
            self._last[address] = before_s
        if len(self._last) > _KNOWN:
            del self._last[next(iter(self._last))]
        if _TOGETHER_S <= gap_s <= _AWAY_S:
            if counts:
                self._gaps.append(gap_s)
            if gap_s <= SHORT_S and before_s is not None and before_s >= self._began_s:
                self.lively_s = now_s

    @property
    def seconds(self) -> float | None:
        """What nine gaps of ten are within, or None while there are too few to tell."""
        if len(self._gaps) < _FEW:
            return None
        return sorted(self._gaps)[int(len(self._gaps) * _SHARE)]
