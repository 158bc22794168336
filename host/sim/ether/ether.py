"""The ether: stations send on three channels; those that listen get packets without collisions.

Bluetooth Core 5.4, Vol 6 Part B: 2.1 (packet), 2.3 (advertising PDUs), 4.1.1 (inter frame space),
4.4.2 (advertising events). Packets last as long as at 1 Mbit/s.
"""

from __future__ import annotations

import bisect
import collections
import math
import random
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, TimerHandle

    from host.sim.ether.types import Connection, Initiation

CHANNELS = 3  # 37, 38 and 39, here 0, 1 and 2
DELAY_US = 10_000  # the most by which the next advertising event comes late, at random
IFS_US = 150
_BYTE_US = 8
_AROUND = 10  # bytes: preamble 1, access address 4, header 2, CRC 3
_ADDRESS = 6
_REQUEST = 34  # bytes of a connection request's payload
_RAMP_US = 100  # from one channel to the next
_ANSWER_US = 200  # in which a connectable advert waits for the beginning of a request
ADVERT_MOST = 31  # bytes of data in a legacy advert
SENSITIVITY_DBM = -96  # nRF52840 product specification, 1 Mbit/s
_AT_A_METRE_DBM = -48
_DECADE_DB = 25  # 20 in the open; people stand between
_FADING_DB = 4  # at most, either way, for each packet anew
_TABLE_M = 1.8, 2.5  # from one table to the next in a row, and from row to row
_KEPT_US = 4000  # a later question goes back by less
CAPTURE_DB = 14  # carrier to co-channel interferer: data sheets say 12 to 14, the Core at most 21
_LONGEST_US = 2000  # nothing on these channels lasts so long
GAP_US = 400  # at the start of each window the receiver changes its channel and hears nothing
DECODING_US = 150  # after a packet, before the next can be received
_SHORTEST_S, _LONGEST_S = 0.02, 10.24  # between adverts, as CircuitPython has it
_DRIFT_S = 2.0  # so often a scan's windows are moved as its clock has drifted
LOAD = 0.25


def advert_us(size: int) -> int:
    """Return how long an advert with ``size`` bytes of data lasts: 376 us for 31."""
    return (_AROUND + _ADDRESS + size) * _BYTE_US


def request_us() -> int:
    """Return how long a connection request lasts: 352 us."""
    return (_AROUND + _REQUEST) * _BYTE_US


def data_us(size: int) -> int:
    """Return how long a packet of a connection with ``size`` bytes lasts: 80 us if it is empty."""
    return (_AROUND + size) * _BYTE_US


def channel_step_us(size: int, connectable: bool) -> int:
    """Return the time between the starts of one event's adverts on two channels."""
    return advert_us(size) + (IFS_US + _ANSWER_US if connectable else _RAMP_US)


class Spot(NamedTuple):
    """A place in the hall, in metres."""

    x_m: float
    y_m: float


CORNER, FAR = Spot(0, 0), Spot(40, 40)


def level_dbm(sender: Spot, receiver: Spot, luck: Random) -> float:
    """Return how strong one packet arrives."""
    metres = math.hypot(sender.x_m - receiver.x_m, sender.y_m - receiver.y_m)
    fading_db = (2 * luck.random() - 1) * _FADING_DB
    return _AT_A_METRE_DBM - _DECADE_DB * math.log10(max(1.0, metres)) + fading_db


def table_spots(count: int) -> list[Spot]:
    """Return the places of ``count`` tables in rows, in a hall about as wide as it is deep."""
    across = max(1, round(math.sqrt(count * _TABLE_M[1] / _TABLE_M[0])))
    return [
        Spot(number % across * _TABLE_M[0], number // across * _TABLE_M[1])
        for number in range(count)
    ]


def size_m(count: int) -> Spot:
    """Return the far corner of the hall of ``count`` tables; the near one is (0, 0)."""
    spots = table_spots(count)
    return Spot(max(spot.x_m for spot in spots), max(spot.y_m for spot in spots))


def gateway_spots(count: int, tables_count: int) -> list[Spot]:
    """Return the places of ``count`` gateways, evenly along the middle of the tables' hall."""
    far = size_m(tables_count)
    return [Spot(far.x_m * (2 * place + 1) / (2 * count), far.y_m / 2) for place in range(count)]


LENGTH_US = advert_us(ADVERT_MOST)


class Blast(NamedTuple):
    """A foreign packet and its sender's place."""

    start_us: int
    spot: Spot


class Foreign:
    """One channel's foreign packets of ``LENGTH_US``, from anywhere between (0, 0) and ``far``.

    ``load`` (0 to below 1) is the share of time in which at least one is on the air:
    load = 1 - exp(-rate * length).
    """

    def __init__(self, load: float, far: Spot, luck: Random):
        if not 0 <= load < 1:
            raise ValueError("load")
        self.rate = -math.log1p(-load) / LENGTH_US  # a microsecond
        self._far, self._luck = far, luck
        self._from_us = self._until_us = 0  # the time whose packets are drawn
        self._blasts: list[Blast] = []

    def during(self, start_us: int, end_us: int) -> list[Blast]:
        """Return the packets that are on the air at any time from ``start_us`` to ``end_us``."""
        if not self.rate:
            return []
        first_us = start_us - LENGTH_US
        if first_us > self._until_us or end_us < self._from_us:
            self._blasts, self._from_us, self._until_us = [], first_us, first_us
        if first_us < self._from_us:
            self._draw(first_us, self._from_us)
            self._from_us = first_us
        if end_us > self._until_us:
            self._draw(self._until_us, end_us)
            self._until_us = end_us
        if self._from_us < first_us - _KEPT_US:
            self._from_us = first_us - _KEPT_US
            self._blasts = [blast for blast in self._blasts if blast.start_us >= self._from_us]
        return [blast for blast in self._blasts if first_us < blast.start_us < end_us]

    def _draw(self, from_us: int, until_us: int):
        """Draw the packets that begin in this time: a Poisson process."""
        luck, at_us = self._luck, float(from_us)
        while True:
            at_us += luck.expovariate(self.rate)
            if at_us >= until_us:
                return
            spot = Spot(luck.random() * self._far.x_m, luck.random() * self._far.y_m)
            self._blasts.append(Blast(int(at_us), spot))

    def clear(self, length_us: int) -> bool:
        """Draw whether ``length_us`` on some other channel with the same load are free of them."""
        return self._luck.random() < math.exp(-self.rate * (LENGTH_US + length_us))


class Packet:
    """A packet on the air from ``start_us`` to ``end_us``; ``data`` is an advert's."""

    __slots__ = "channel", "connectable", "data", "end_us", "sender", "start_us"

    def __init__(
        self, sender: Station, channel: int, start_us: int, end_us: int, data: bytes,
        connectable: bool,
    ):  # fmt: skip
        self.sender, self.channel, self.data, self.connectable = sender, channel, data, connectable
        self.start_us, self.end_us = start_us, end_us


class Channel:
    """The air of one channel. ``capture_db`` None: packets that overlap are both lost."""

    def __init__(self, load: float, far: Spot, luck: Random, capture_db: float | None):
        self._luck, self._capture_db = luck, capture_db
        self.foreign = Foreign(load, far, luck)
        self._packets: collections.deque[Packet] = collections.deque()

    def add(self, packet: Packet) -> None:
        """Send ``packet``."""
        packets, old_us = self._packets, packet.start_us - 2 * _LONGEST_US
        while packets and packets[0].end_us < old_us:
            packets.popleft()
        packets.append(packet)

    def overlapping(self, packet: Packet) -> list[Packet | Blast]:
        """Return everything that overlapped ``packet`` on the air; call it once that has ended."""
        start_us, end_us = packet.start_us, packet.end_us
        ours: list[Packet | Blast] = [
            other
            for other in self._packets
            if other.start_us < end_us and other.end_us > start_us and other is not packet
        ]
        return ours + self.foreign.during(start_us, end_us)

    def level(
        self, packet: Packet, overlapping: list[Packet | Blast], receiver: Spot
    ) -> float | None:
        """Return how strong (dBm) ``receiver`` gets ``packet``, or None if it does not.

        What came first holds the receiver, however strong the next one is; what comes later
        destroys it unless it is weaker by ``capture_db``.
        """
        own_dbm = level_dbm(packet.sender.spot, receiver, self._luck)
        if own_dbm < SENSITIVITY_DBM:
            return None
        for other in overlapping:
            if self._capture_db is None:
                return None
            other_dbm = level_dbm(_spot(other), receiver, self._luck)
            came_first = other.start_us <= packet.start_us
            if came_first and other_dbm >= SENSITIVITY_DBM:
                return None
            if other_dbm > own_dbm - self._capture_db:
                return None
        return own_dbm


def _spot(sent: Packet | Blast) -> Spot:
    return sent.sender.spot if isinstance(sent, Packet) else sent.spot


class Scan:
    """One station's scan, from its start until it is stopped; window and interval in us."""

    __slots__ = "interval_us", "phase_us", "start_us", "station", "window_us"

    def __init__(self, station: Station, start_us: int, window_us: int, interval_us: int):
        if not GAP_US < window_us <= interval_us:
            raise ValueError("a window is longer than a gap and no longer than its interval")
        self.station, self.start_us = station, start_us
        self.window_us, self.interval_us = window_us, interval_us
        self.phase_us = start_us % (CHANNELS * interval_us)


class _Group:
    """The scans with one window and interval, sorted by phase.

    A scan changes its channel with each interval, so its phase (its start modulo three intervals)
    gives its channel at any instant: scans on a channel at an instant are neighbours.
    """

    def __init__(self, window_us: int, interval_us: int):
        self._window_us, self._interval_us = window_us, interval_us
        self._cycle_us = CHANNELS * interval_us
        self.phases: list[int] = []
        self._scans: list[Scan] = []

    def add(self, scan: Scan):
        index = bisect.bisect_right(self.phases, scan.phase_us)
        self.phases.insert(index, scan.phase_us)
        self._scans.insert(index, scan)

    def remove(self, scan: Scan):
        index = bisect.bisect_left(self.phases, scan.phase_us)
        while self._scans[index] is not scan:
            index += 1
        del self.phases[index], self._scans[index]

    def listening(self, channel: int, start_us: int, end_us: int) -> list[Scan]:
        """Return the scans that are on ``channel`` all the time from ``start_us`` to ``end_us``.

        ``earliest_us`` and ``latest_us``: how far into its window the packet may begin.
        """
        earliest_us, latest_us = GAP_US, self._window_us - (end_us - start_us)
        if latest_us < earliest_us:
            return []
        at_us = start_us - channel * self._interval_us
        first_us = (at_us - latest_us) % self._cycle_us
        last_us = (at_us - earliest_us) % self._cycle_us
        first = bisect.bisect_left(self.phases, first_us)
        last = bisect.bisect_right(self.phases, last_us)
        if first_us <= last_us:
            in_window = self._scans[first:last]
        else:
            in_window = self._scans[first:] + self._scans[:last]
        return [scan for scan in in_window if scan.start_us + GAP_US <= start_us]


class Scans:
    """All scans of an ether."""

    def __init__(self):
        self._groups: dict[tuple[int, int], _Group] = {}

    def add(self, scan: Scan) -> None:
        """Begin a scan."""
        key = scan.window_us, scan.interval_us
        if key not in self._groups:
            self._groups[key] = _Group(*key)
        self._groups[key].add(scan)

    def remove(self, scan: Scan) -> None:
        """End a scan that was begun."""
        key = scan.window_us, scan.interval_us
        self._groups[key].remove(scan)
        if not self._groups[key].phases:
            del self._groups[key]

    def move(self, scan: Scan, late_us: int) -> None:
        """Put all windows of a scan ``late_us`` after those that its start gives."""
        self.remove(scan)
        scan.phase_us = (scan.start_us + late_us) % (CHANNELS * scan.interval_us)
        self.add(scan)

    def listening(self, channel: int, start_us: int, end_us: int) -> list[Scan]:
        """Return the scans that hear ``channel`` from ``start_us`` to ``end_us``."""
        scans: list[Scan] = []
        for group in self._groups.values():
            scans += group.listening(channel, start_us, end_us)
        return scans


class RadioBusy(Exception):
    """The radio refused: nRF52840 does not scan while it advertises, nor the other way."""


class Heard(NamedTuple):
    """An advert that arrived: ``at_us`` is true time at its end, ``sender`` who sent it."""

    at_us: int
    rssi_dbm: int
    data: bytes
    connectable: bool
    sender: Station


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
        spot: Spot = CORNER,
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
        self.claims: list[Connection] = []  # they take its time before adverts and scans
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
        """Advertise ``data`` at once, then after each interval plus 0-10 ms; nothing else any more.

        Raises ValueError for over 31 bytes or a wrong interval, RadioBusy while it scans.
        """
        if len(data) > ADVERT_MOST or not _SHORTEST_S <= interval_s <= _LONGEST_S:
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
        due_us = ether.now_us + pause_us + ether.luck.randrange(DELAY_US + 1)
        self._timer = ether.loop.call_at(due_us / 1_000_000, self._send)

    def _send(self):
        assert self.data is not None
        now_us, size = self.ether.now_us, len(self.data)
        step_us = channel_step_us(size, self.connectable)
        until_us = now_us + CHANNELS * step_us
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
        if self.deaf or start_us < self._deaf_until_us:
            return False
        if scan is not None:
            from_us, until_us = self._sending_us
            sends = start_us < until_us and from_us < end_us
            if sends or scan is not self._scan:
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


class Ether:
    """The air of one hall on a loop with virtual time (``host.sim.clock``).

    ``load``: the share of each channel's time that others take, from anywhere in the hall up to
    ``far``. ``capture_db`` as in ``Channel``. ``counts``: packets ``sent`` that somebody listened
    to, and how their receptions ended: ``heard``, ``busy``, ``lost``.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        seed: int,
        *,
        load: float = LOAD,
        far: Spot = FAR,
        capture_db: float | None = CAPTURE_DB,
    ):
        self.loop, self.scans = loop, Scans()
        self.luck = random.Random(f"ether {seed}")
        self.counts: Counter[str] = Counter()
        self.channels = [
            Channel(load, far, random.Random(f"channel {number} {seed}"), capture_db)
            for number in range(CHANNELS)
        ]

    @property
    def now_us(self) -> int:
        """True time."""
        return round(self.loop.time() * 1_000_000)

    def send(self, sender: Station, data: bytes, connectable: bool, step_us: int) -> None:
        """Send one advertising event: the advert on each channel, ``step_us`` apart."""
        start_us, length_us = self.now_us, advert_us(len(data))
        for number in range(CHANNELS):
            end_us = start_us + length_us
            packet = Packet(sender, number, start_us, end_us, data, connectable)
            self.channels[number].add(packet)
            listening = self.scans.listening(number, start_us, end_us)
            if listening:
                self.loop.call_at(end_us / 1_000_000, self._arrive, packet, listening)
            start_us += step_us

    def _arrive(self, packet: Packet, listening: list[Scan]):
        """Give a packet to the stations that hear it."""
        air, counts = self.channels[packet.channel], self.counts
        overlapping = air.overlapping(packet)
        counts["sent"] += 1
        for scan in listening:
            receiver = scan.station
            if not receiver.free(scan, packet.start_us, packet.end_us):
                if receiver is not packet.sender:
                    counts["busy"] += 1
                continue
            level_dbm = air.level(packet, overlapping, receiver.spot)
            if level_dbm is None:
                counts["lost"] += 1
            else:
                counts["heard"] += 1
                receiver.take(packet, level_dbm)


def hall_of(
    loop: AbstractEventLoop, seed: int, tables: int, *, load: float = LOAD
) -> tuple[Ether, list[Spot]]:
    """Return an ether as large as a hall of ``tables`` tables, and the tables' places."""
    return Ether(loop, seed, load=load, far=size_m(tables)), table_spots(tables)
