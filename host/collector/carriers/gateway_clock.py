"""A gateway's clock as this PC sees it, from the round trips of PINGs.

A gateway's ticks were read between a PING and its answer, so half the round trip bounds the error;
the best answer counts until its age, at the worst drift of both clocks, makes another one better.
"""

from typing import NamedTuple

from firmware.core import usb

_PPM = 600  # 500 of a board without a crystal, and this PC's
_TICK_US = 1000


class _Sample(NamedTuple):
    """The gateway's ``ticks`` at ``at_us`` of this PC, give or take ``error_us``."""

    at_us: int
    ticks: int
    error_us: int


class GatewayClock:
    """This PC's time of a gateway's ticks, in us; ``steps`` counts answers that contradict it."""

    def __init__(self) -> None:
        self._best: _Sample | None = None
        self.steps = 0

    @property
    def known(self) -> bool:
        """Whether any PING was answered."""
        return self._best is not None

    def answered(self, sent_us: int, received_us: int, ticks: int) -> None:
        """Note that a PING of ``sent_us`` was answered at ``received_us``."""
        found = _Sample(
            (sent_us + received_us) // 2, ticks, (received_us - sent_us) // 2 + _TICK_US
        )
        if self._best is None:
            self._best = found
            return
        error_us = self.error_us(found.at_us)
        if abs(self.at_us(ticks) - found.at_us) > error_us + found.error_us:
            self.steps += 1
            self._best = found
        elif found.error_us <= error_us:
            self._best = found

    def at_us(self, ticks: int) -> int:
        """Return when the gateway's counter stood, or will stand, at ``ticks``."""
        best = self._sure()
        return best.at_us + usb.since_ms(ticks, best.ticks) * 1000

    def ticks_at(self, at_us: int) -> int:
        """Return where the gateway's counter stands at ``at_us``."""
        best = self._sure()
        return usb.later(best.ticks, round((at_us - best.at_us) / 1000))

    def error_us(self, now_us: int) -> int:
        """Return how far off all this may be at ``now_us``."""
        best = self._sure()
        return best.error_us + abs(now_us - best.at_us) * _PPM // 1_000_000

    def _sure(self) -> _Sample:
        if self._best is None:
            raise ValueError("no PING was answered yet")
        return self._best
