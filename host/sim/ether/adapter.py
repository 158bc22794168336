"""A board's ``_bleio`` adapter on the ether, for ``firmware.radio`` unmodified.

Nobody pairs here.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from host.sim.bleio.port import Address, BluetoothError, Hung, Port
from host.sim.bleio.radio import BoardRadio, Characteristic, Client, Connection
from host.sim.chip.radio import ENTRY, matches

if TYPE_CHECKING:
    from host.sim.ether.connection import Connection as Link
    from host.sim.ether.ether import Heard, Station

MTU = 23  # until the central asks for more


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
            raise Hung("the iterator waits until somebody is heard")
        raise StopIteration


class Adapter(BoardRadio):
    """The radio of the board with this ``number``."""

    def __init__(self, station: Station, number: int, wake: Callable[[], None], port: Port):
        super().__init__(station.ether.loop, port, str(number), wake)
        self.station = station
        self.address = Address(bytes((number & 255, number >> 8, 0, 0, 0, 0xC0)))
        self._mtus: dict[Link, int] = {}
        self._scan: ScanResults | None = None
        station.accept = self._accept

    def _switch_on(self) -> None:
        self.station.deaf = bool(self.faults.deaf)

    def _switch_off(self) -> None:
        """End adverts, scans, and links without a word to the other end."""
        self.stop_scan()
        self.station.stop()
        for claim in list(self.station.claims):
            claim.vanish(self.station)

    def fall_silent(self, until: str) -> None:
        """Send and hear nothing from now on, although no call fails, until a restart of ``until``
        (``port.RADIO`` or ``BOARD``).
        """
        self.faults.deaf, self.station.deaf = until, True
        for claim in list(self.station.claims):
            claim.vanish(self.station)
        for connection in self.held:
            self.end(connection)

    def power_off(self) -> None:
        """Stop the radio for good."""
        self.wake = lambda: None
        self.station.power_off()

    @property
    def advertising(self) -> bool:
        """Whether the board advertises; a connection ends that."""
        return self.station.advertising

    def _advertise(self, data: bytes, interval_s: float, connectable: bool) -> None:
        self.station.advertise(data, interval_s, connectable)

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

        Raises Hung for a ``timeout``: its iterator would wait, and nothing waits here.
        """
        if not 0.0025 <= interval <= 40.959375 or window > interval or buffer_size < 1:
            raise ValueError("interval must be in range 0.0025-40.959375")
        if timeout:
            raise Hung("the iterator waits until the scan is over")
        if self.station.scanning:
            raise BluetoothError("Scan already in progress. Stop with stop_scan.")
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

    def hang_up(self, client: Client) -> None:
        """Start to disconnect a client."""
        client.hang_up(self.station)

    def mtu(self, client: Client) -> int:
        """Return the MTU of a client's connection."""
        return self._mtus.get(client, MTU)

    def _waiting(self, client: Client) -> int:
        return client.waiting(self.station)

    def _notify(self, client: Client, characteristic: Characteristic, value: bytes) -> None:
        client.send(self.station, lambda: client.notified(value), True, len(value))

    # what a central does, called when its packet arrives

    def _accept(self, link: Link):
        connection = Connection(self, link)
        link.ended[self.station] = lambda: self.end(connection)
        self._came(connection)

    def end(self, connection: Connection) -> None:
        """Note that a central has gone."""
        self._mtus.pop(connection.client, None)
        super().end(connection)

    def negotiate(self, link: Link, mtu: int) -> None:
        """A central has asked for ``mtu``."""
        self._mtus[link] = mtu

    def subscribe(self, link: Link, uuid: str) -> None:
        """A central subscribes to the characteristic ``uuid``, or to one that is not ours."""
        for characteristic in self._characteristics():
            if str(characteristic.uuid) == uuid:
                characteristic.subscribed(link, True)
            else:
                characteristic.elsewhere(link, True)
        self.wake()

    def write(self, link: Link, uuid: str, value: bytes) -> None:
        """A central writes ``value``."""
        for characteristic in self._characteristics():
            if str(characteristic.uuid) == uuid and len(value) <= characteristic.max_length:
                characteristic.written(link, value)
        self.wake()
