"""A station: one radio that advertises or listens, or both in turn, by its own clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from host.sim.ether import airtime
from host.sim.ether.hall import Spot
from host.sim.ether.scans import Scan

if TYPE_CHECKING:
    from asyncio import TimerHandle

    from host.sim.ether.channel import Packet
    from host.sim.ether.types import Connection, Ether, Initiation

DECODING_US = 150  # after a packet, before the next can be received
_SHORTEST_S, _LONGEST_S = 0.02, 10.24  # between adverts, as CircuitPython has it
_DRIFT_S = 2.0  # so often a scan's windows are moved as its clock has drifted


class RadioBusy(Exception):
    """The radio refused: nRF52840 does not scan while it advertises, nor the other way."""


class Heard(NamedTuple):
    """An advert that arrived: ``at_us`` is true time at its end, ``sender`` who sent it."""

    at_us: int
    rssi_dbm: int
    data: bytes
    connectable: bool
    sender: Station


class Claim(Protocol):
    """Something that takes the radio's time before adverts and scans: a connection."""

    def takes(self, start_us: int, end_us: int) -> bool:
        """Return whether it needs the radio at any time from ``start_us`` to ``end_us``."""
        ...

    def vanish(self, end: Station) -> None:
        """Note that the radio ``end`` is off."""
        ...


class Station:
    """A radio at ``spot``. ``hear`` gets each advert that arrives while it scans, ``accept`` each
    connection that somebody has made to it; its advert has stopped then.

    ``ppm``: how fast its clock is (``clocks``). ``exclusive``: advertising and
    scanning exclude each other, as on nRF52840; else (ESP32-S3, a PC) the one radio does both and
    hears nothing while it sends. ``decoding_us``: after a packet it is deaf for so long.
    """

    def __init__(
        self,
        ether: Ether,
        spot: Spot,
        *,
        ppm: float = 0.0,
        exclusive: bool = True,
        decoding_us: int = DECODING_US,
    ):
        self.ether, self.spot, self.ppm, self._exclusive = ether, spot, ppm, exclusive
        self._decoding_us = decoding_us
        self.hear: Callable[[Heard], None] = lambda heard: None
        self.accept: Callable[[Connection], None] = lambda connection: None
        self.wanted: Initiation | None = None  # whose advert it waits for
        self.claims: list[Claim] = []
        self.deaf = False  # it sends and hears nothing, and does not know it
        self.data: bytes | None = None  # what it advertises
        self.connectable = False
        self._interval_us = 0
        self._timer: TimerHandle | None = None
        self._scan: Scan | None = None
        self._sending_us = (0, 0)  # the last advertising event, from and until
        self._deaf_until_us = 0

    @property
    def advertising(self) -> bool:
        """Whether it advertises."""
        return self.data is not None

    @property
    def scanning(self) -> bool:
        """Whether it scans."""
        return self._scan is not None

    def advertise(self, data: bytes, interval_s: float, connectable: bool = False) -> None:
        """Advertise ``data`` now and then each interval plus 0-10 ms, in place of the former.

        Raises ValueError for over 31 bytes or a wrong interval, RadioBusy while it scans.
        """
        if len(data) > airtime.ADVERT_MOST or not _SHORTEST_S <= interval_s <= _LONGEST_S:
            raise ValueError("31 bytes at most, 0.02 to 10.24 s")
        if self._exclusive and self.scanning:
            raise RadioBusy("it scans")
        self.stop()
        self.data, self.connectable = bytes(data), connectable
        self._interval_us = round(interval_s * (1_000_000 - self.ppm))
        self._arm(0)

    def stop(self) -> None:
        """Advertise no more."""
        if self._timer is not None:
            self._timer.cancel()
        self.data = self._timer = None

    def _arm(self, pause_us: int):
        ether = self.ether
        due_us = ether.now_us + pause_us + ether.luck.randrange(airtime.DELAY_US + 1)
        self._timer = ether.loop.call_at(due_us / 1_000_000, self._send)

    def _send(self):
        assert self.data is not None
        now_us, size = self.ether.now_us, len(self.data)
        step_us = airtime.step_us(size, self.connectable)
        until_us = now_us + airtime.CHANNELS * step_us
        self._arm(self._interval_us)
        if not (self.deaf or any(claim.takes(now_us, until_us) for claim in self.claims)):
            self._sending_us = now_us, until_us
            self.ether.send(self, self.data, self.connectable, step_us)

    def scan(self, window_s: float = 0.1, interval_s: float = 0.1) -> None:
        """Listen for ``window_s`` of each interval, on the three channels in turn, from now on.

        Raises ValueError for a window longer than its interval, RadioBusy while it advertises.
        """
        if self._exclusive and self.advertising:
            raise RadioBusy("it advertises")
        self.stop_scan()
        window_us, interval_us = round(window_s * 1_000_000), round(interval_s * 1_000_000)
        self._scan = Scan(self, self.ether.now_us, window_us, interval_us)
        self.ether.scans.add(self._scan)
        self._follow(self._scan)

    def _follow(self, scan: Scan):
        """Move the windows of ``scan`` as its clock drifts, while it lasts."""
        if scan is self._scan and self.ppm:
            self.ether.scans.move(
                scan, round(-self.ppm * (self.ether.now_us - scan.start_us) / 1e6)
            )
            self.ether.loop.call_later(_DRIFT_S, self._follow, scan)

    def stop_scan(self) -> None:
        """Listen no more."""
        if self._scan is not None:
            self.ether.scans.remove(self._scan)
            self._scan = None

    def free(self, scan: Scan | None, start_us: int, end_us: int) -> bool:
        """Return whether the receiver was free for a packet that ends now, and ``scan`` still on.

        ``scan`` None: the packet answers an advert of this station.
        """
        if self.deaf or scan is not self._scan and scan is not None:
            return False
        if start_us < self._deaf_until_us:
            return False
        from_us, until_us = self._sending_us
        if scan is not None and start_us < until_us and from_us < end_us:
            return False
        return not any(claim.takes(start_us, end_us) for claim in self.claims)

    def take(self, packet: Packet, level_dbm: float) -> None:
        """Receive an advert (called by the ether)."""
        self._deaf_until_us = packet.end_us + self._decoding_us
        if self.wanted is not None:
            self.wanted.heard(packet)
        self.hear(
            Heard(packet.end_us, round(level_dbm), packet.data, packet.connectable, packet.sender)
        )

    def power_off(self) -> None:
        """Send and hear nothing any more, and leave all connections without a word."""
        self.stop()
        self.stop_scan()
        self.wanted = None
        for claim in list(self.claims):
            claim.vanish(self)
