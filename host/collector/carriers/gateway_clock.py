"""A gateway's clock as this PC sees it, from PINGs and from the adverts that it hears.

A gateway's ticks were read after the PING was sent and before its answer came, and an advert was
stamped before it came here. So each tells between which bounds the offset of both clocks lies; the
narrowest count, and widen by the worst drift of both clocks as they age.
"""

from typing import NamedTuple

from firmware.core import usb

_PPM = 600  # 500 of a board without a crystal, and this PC's
_TICK_US = 1000


class _Bound(NamedTuple):
    """A bound of the offset (this PC's time less the gateway's, in us), told at ``at_us``."""

    offset_us: int
    at_us: int

    def widened_us(self, now_us: int) -> int:
        """Return by how much it may be off now."""
        return abs(now_us - self.at_us) * _PPM // 1_000_000


class GatewayClock:
    """This PC's time of a gateway's ticks, in us; ``steps`` counts answers that contradict it."""

    def __init__(self) -> None:
        self._low: _Bound | None = None
        self._high: _Bound | None = None
        self._ticks = self._ms = 0  # ms since the first answer, at these ticks
        self.steps = 0

    @property
    def known(self) -> bool:
        """Whether any PING was answered."""
        return self._low is not None

    def answered(self, sent_us: int, received_us: int, ticks: int) -> None:
        """Note that a PING of ``sent_us`` was answered at ``received_us``."""
        if self._low is None:
            self._ticks = ticks
        self._ms += usb.since_ms(ticks, self._ticks)
        self._ticks = ticks
        low = _Bound(sent_us - self._ms * 1000 - _TICK_US, received_us)
        high = _Bound(received_us - self._ms * 1000 + _TICK_US, received_us)
        if self._low is None or self._high is None:
            self._low, self._high = low, high
            return
        least, most = self._bounds(received_us)
        if low.offset_us > most or high.offset_us < least:
            self.steps += 1
            self._low, self._high = low, high
            return
        if low.offset_us >= least:
            self._low = low
        if high.offset_us <= most:
            self._high = high

    def came(self, ticks: int, received_us: int) -> None:
        """Note that something of these ``ticks`` came at ``received_us``; a lie changes nothing."""
        since_ms = self._ms + usb.since_ms(ticks, self._ticks)
        high = _Bound(received_us - since_ms * 1000 + _TICK_US, received_us)
        least, most = self._bounds(received_us)
        if least <= high.offset_us <= most:
            self._high = high

    def at_us(self, ticks: int) -> int:
        """Return when the gateway's counter stood, or will stand, at ``ticks``."""
        return (self._ms + usb.since_ms(ticks, self._ticks)) * 1000 + self._offset_us()

    def ticks_at(self, at_us: int) -> int:
        """Return where the gateway's counter stands at ``at_us``."""
        since_ms = round((at_us - self._offset_us()) / 1000) - self._ms
        return usb.later(self._ticks, since_ms)

    def error_us(self, now_us: int) -> int:
        """Return how far off all this may be at ``now_us``."""
        (least, most), offset_us = self._bounds(now_us), self._offset_us()
        return max(most - offset_us, offset_us - least) + 1

    def _offset_us(self) -> int:
        low, high = self._sure()
        return (low.offset_us + high.offset_us) // 2

    def _bounds(self, now_us: int) -> tuple[int, int]:
        low, high = self._sure()
        return low.offset_us - low.widened_us(now_us), high.offset_us + high.widened_us(now_us)

    def _sure(self) -> tuple[_Bound, _Bound]:
        if self._low is None or self._high is None:
            raise ValueError("no PING was answered yet")
        return self._low, self._high
