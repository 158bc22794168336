"""A board's ``_bleio`` adapter on the ether, for ``firmware.radio`` unmodified.

The services are those of ``host.sim.bleio.gatt``; what a chip refuses is refused as
``host.sim.bleio.radio`` does, with the same C files. Nobody pairs here.
"""

from __future__ import annotations

import collections
from asyncio import TimerHandle
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, cast

from host.sim.bleio import names
from host.sim.bleio.faults import RadioFaults
from host.sim.bleio.gatt import Characteristic, Client, Service
from host.sim.bleio.port import AGREED_S, NO_ROOM, Port
from host.sim.bleio.radio import ADVERT_MAX, LOOK_S, MOST_CONNECTIONS, NOTIFY_QUEUE
from host.sim.chip.radio import ENTRY, matches

if TYPE_CHECKING:
    from host.sim.ether.station import Heard
    from host.sim.ether.types import Connection, Station

MTU = 23  # until the central asks for more


class Guest:
    """A central's connection, as the board's program sees it."""

    paired = False

    def __init__(self, adapter: Adapter, link: Connection):
        self.link, self._adapter = link, adapter
        self.open, self.agreed, self.mtu = True, False, MTU

    @property
    def connected(self) -> bool:
        """Whether the link is open; with the fault ``dies_next`` it ends right after the look."""
        faults, found = self._adapter.faults, self.open
        if found and faults.dies_next:
            faults.dies_next = False
            self._adapter.end(self)
        return found

    def disconnect(self) -> None:
        """Start to disconnect; names.Hung when the connection is already closed."""
        if not self.open:
            raise names.Hung("a connection that has gone was hung up")
        self.link.hang_up(self._adapter.station)


class Entry:
    """``_bleio.ScanEntry``: it does not tell when it was heard."""

    def __init__(self, heard: Heard):
        self.advertisement_bytes, self.rssi = heard.data, heard.rssi_dbm


class ScanResults:
    """``_bleio.ScanResults``: to be read once the scan is ``over``."""

    def __init__(self, prefixes: bytes, room: int, least_dbm: int):
        self._prefixes, self._room, self._least_dbm = prefixes, room, least_dbm
        self._waiting: collections.deque[Heard] = collections.deque()
        self.over = False

    def hear(self, heard: Heard) -> None:
        """Take an advert that arrived; what finds no room in the buffer is lost."""
        size = ENTRY + len(heard.data)
        if heard.rssi_dbm >= self._least_dbm and matches(heard.data, self._prefixes):
            if size <= self._room:
                self._room -= size
                self._waiting.append(heard)

    def __iter__(self) -> Iterator[Entry]:
        return self

    def __next__(self) -> Entry:
        if self._waiting:
            self._room += ENTRY + len(self._waiting[0].data)
            return Entry(self._waiting.popleft())
        if not self.over:
            raise names.Hung("the iterator waits until somebody is heard")
        raise StopIteration


class Adapter:
    """The radio of the board with this ``number``; it calls ``wake()`` after each event.

    ``faults`` is what it runs into in time.
    """

    name = "CIRCUITPY"

    def __init__(self, station: Station, number: int, wake: Callable[[], None], port: Port):
        self.station, self.wake = station, wake
        self.address = names.Address(bytes((number & 255, number >> 8, 0, 0, 0, 0xC0)))
        self.services: list[Service] = []
        self.guests: tuple[Guest, ...] = ()
        self._shown: tuple[Guest, ...] | None = None  # what ``connections`` returned last
        self._look: TimerHandle | None = None
        self._scan: ScanResults | None = None
        self.faults, self._enabled = RadioFaults(port, str(number)), True
        station.accept = self._accept

    @property
    def enabled(self) -> bool:
        """Whether the radio is on; off, it forgets links, adverts and services (Adapter.c)."""
        return self._enabled

    @enabled.setter
    def enabled(self, on: bool) -> None:
        before, self._enabled = self._enabled, on
        if before and not on:
            self.stop_scan()
            self._lose_all()
            self.services = []
        elif on and not before:
            self.faults.restart()
            self.station.deaf = bool(self.faults.deaf)

    def fall_silent(self, until: str) -> None:
        """Send and hear nothing from now on, although no call fails, until a restart of ``until``
        (``faults.RADIO`` or ``BOARD``).
        """
        self.faults.deaf, self.station.deaf = until, True
        data, interval_s, connectable = self.station.data, 0.1, self.station.connectable
        self._lose_all()
        if data is not None:
            self.station.advertise(data, interval_s, connectable)

    def _lose_all(self):
        """End adverts, and links without a word to the other end."""
        self.station.stop()
        for claim in list(self.station.claims):
            claim.vanish(self.station)
        for guest in self.guests:
            self.end(guest)

    @property
    def advertising(self) -> bool:
        """Whether the board advertises; a connection ends that."""
        return self.station.advertising

    @property
    def connected(self) -> bool:
        """Whether any listed central is connected."""
        self._check()
        return any(guest.agreed for guest in self.guests)

    def _check(self):
        now_s = self.station.ether.now_us / 1_000_000
        self.faults.check(bool(self.guests) and self.advertising, now_s)

    @property
    def connections(self) -> tuple[Guest, ...]:
        """The connections, made anew only when a central comes: some may be closed (Adapter.c)."""
        if self._shown is None:
            self._shown = tuple(guest for guest in self.guests if guest.agreed)
        return self._shown

    def start_advertising(
        self, data: bytes, *, connectable: bool = True, interval: float = 0.1
    ) -> None:
        """Advertise ``data`` every ``interval`` seconds; ValueError for over 31 bytes or a bad
        interval, BluetoothError while advertising, MemoryError without a free link.
        """
        if not self.enabled:  # _common_hal_bleio_adapter_start_advertising asks what is freed
            raise names.Hung("an advert began while the radio was off")
        if not 0.02 <= interval <= 10.24:
            raise ValueError("interval must be in range 0.02-10.24")
        if self.advertising:
            raise names.BluetoothError("Already advertising.")
        if len(data) > ADVERT_MAX:
            raise ValueError("Data too large for advertisement packet")
        if connectable and len(self.guests) >= MOST_CONNECTIONS:
            raise MemoryError(NO_ROOM)
        self.faults.begin_advert()
        self.station.advertise(data, interval, connectable)
        self._check()

    def stop_advertising(self) -> None:
        """Stop advertising."""
        self.station.stop()

    def start_scan(
        self,
        *,
        prefixes: bytes = b"",
        buffer_size: int = 512,
        extended: bool = False,
        timeout: float | None = None,
        interval: float = 0.1,
        window: float = 0.1,
        minimum_rssi: int = -80,
        active: bool = True,
    ) -> ScanResults:
        """Return what is heard from now until ``stop_scan``, as ``host.sim.chip.radio`` has it.

        Raises names.Hung for a ``timeout``: its iterator would wait, and nothing waits here.
        """
        if not 0.0025 <= interval <= 40.959375 or window > interval or buffer_size < 1:
            raise ValueError("interval must be in range 0.0025-40.959375")
        if timeout:
            raise names.Hung("the iterator waits until the scan is over")
        if self.station.scanning:
            raise names.BluetoothError("Scan already in progress. Stop with stop_scan.")
        self._scan = ScanResults(prefixes, buffer_size, minimum_rssi)
        self.station.hear = self._scan.hear
        self.station.scan(window, interval)
        return self._scan

    def stop_scan(self) -> None:
        """Stop a scan, if there is one; what is in its buffer can still be read."""
        self.station.stop_scan()
        if self._scan is not None:
            self._scan.over, self._scan = True, None

    def erase_bonding(self) -> None:
        """Do nothing: nobody bonds here."""

    # what the services ask for

    def notify(self, bumble: Client, characteristic: Characteristic, value: bytes) -> None:
        """Queue a notification for one subscriber; full, it drops it (Characteristic.c:196)."""
        link = cast("Connection", bumble)
        if self.faults.drops_next():
            return
        if link.waiting(self.station) >= NOTIFY_QUEUE:
            return
        cut = value[: self.mtu(bumble) - 3]
        link.send(self.station, lambda: link.notified(cut), True, len(cut))

    def mtu(self, bumble: Client) -> int:
        """Return the MTU of a client's connection."""
        link = cast("Connection", bumble)
        return next((guest.mtu for guest in self.guests if guest.link is link), MTU)

    def wake_soon(self) -> None:
        """Schedule ``wake`` in ``LOOK_S``, when the program would poll the radio again."""
        loop = self.station.ether.loop
        if self._look is None or self._look.when() <= loop.time():
            self._look = loop.call_later(LOOK_S, lambda: self.wake())

    # what a central does, called when its packet arrives

    def _accept(self, link: Connection):
        guest = Guest(self, link)
        self.guests += (guest,)
        self._shown = None
        link.ended[self.station] = lambda: self.end(guest)
        self.station.ether.loop.call_later(AGREED_S, self._agreed, guest)
        self.wake()

    def _agreed(self, guest: Guest):
        guest.agreed = True
        self.wake()

    def end(self, guest: Guest) -> None:
        """Note that a central has gone."""
        guest.open = False
        self.guests = tuple(each for each in self.guests if each is not guest)
        for characteristic in self._characteristics():
            characteristic.disconnected(cast(Client, guest.link))
        self.wake()

    def _characteristics(self) -> list[Characteristic]:
        return [each for service in self.services for each in service.characteristics]

    def negotiate(self, link: Connection, mtu: int) -> None:
        """A central has asked for ``mtu``."""
        for guest in self.guests:
            if guest.link is link:
                guest.mtu = mtu

    def subscribe(self, link: Connection, uuid: str) -> None:
        """A central subscribes to the characteristic ``uuid``, or to one that is not ours."""
        for characteristic in self._characteristics():
            if str(characteristic.uuid) == uuid:
                characteristic.subscribed(cast(Client, link), True)
            else:
                characteristic.elsewhere(cast(Client, link), True)
        self.wake()

    def write(self, link: Connection, uuid: str, value: bytes) -> None:
        """A central writes ``value``."""
        for characteristic in self._characteristics():
            if str(characteristic.uuid) == uuid and len(value) <= characteristic.max_length:
                characteristic.written(cast(Client, link), value)
        self.wake()

    def power_off(self) -> None:
        """Stop the radio for good."""
        self.wake = lambda: None
        self.station.power_off()
