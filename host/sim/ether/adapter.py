"""A board's ``_bleio`` adapter on the ether, for ``firmware.radio`` unmodified.

Nobody pairs here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from host.sim.bleio import (
    Address,
    BluetoothError,
    BoardRadio,
    Characteristic,
    Client,
    Connection,
    Hung,
    Port,
    ScanEntry,
    ScanResults,
)

if TYPE_CHECKING:
    from host.sim.ether.connection import Connection as Link
    from host.sim.ether.ether import Station

MTU = 23  # until the central asks for more


class EtherScan(ScanResults):
    """A scan, to be read once it is ``over``."""

    over = False

    def __next__(self) -> ScanEntry:
        if not self.waiting and not self.over:
            raise Hung("the iterator waits until somebody is heard")
        return super().__next__()


class StationRadio(BoardRadio):
    """A board's radio on a station of the air."""

    def __init__(self, station: Station, port: Port, seed: str, wake: Callable[[], None]):
        super().__init__(station.ether.loop, port, seed, wake)
        self.station = station
        self._scan: EtherScan | None = None

    def _switch_on(self) -> None:
        self.station.deaf = bool(self.faults.silent_until)

    def _switch_off(self) -> None:
        """End adverts, scans, and links without a word to the other end."""
        self.stop_scan()
        self.station.stop()
        self._leave_links()

    def _leave_links(self) -> None:
        for claim in list(self.station.claims):
            claim.vanish(self.station)

    def fall_silent(self, until: str) -> None:
        """Send and hear nothing from now on, although no call fails, until a restart of ``until``
        (``port.RADIO`` or ``BOARD``).
        """
        self.faults.silent_until, self.station.deaf = until, True
        self._leave_links()
        for connection in self.held:
            self.end(connection)

    def power_off(self) -> None:
        """Stop the radio for good, as when the battery is removed or the board resets."""
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

    def _scan_now(self, prefixes, size, window_s, interval_s, timeout_s, least_dbm):
        """Hung for a ``timeout_s``: its iterator would wait, and nothing waits here."""
        if timeout_s:
            raise Hung("the iterator waits until the scan is over")
        if self.station.scanning:
            raise BluetoothError("Scan already in progress. Stop with stop_scan.")
        self._scan = scan = EtherScan(prefixes, size, least_dbm)
        self.station.hear = lambda heard: scan.hear(heard.data, heard.rssi_dbm)
        self.station.scan(window_s, interval_s)
        return scan

    def stop_scan(self) -> None:
        """Stop a scan, if there is one; what is in its buffer can still be read."""
        self.station.stop_scan()
        if self._scan is not None:
            self._scan.over, self._scan = True, None


class Adapter(StationRadio):
    """The radio of the board with this ``number``."""

    def __init__(self, station: Station, number: int, wake: Callable[[], None], port: Port):
        super().__init__(station, port, str(number), wake)
        self.address = Address(bytes((number & 255, number >> 8, 0, 0, 0, 0xC0)))
        self._mtus: dict[Link, int] = {}
        station.accept = self._accept

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
        client.send(self.station, lambda: client.notified(value), notifies=True, size=len(value))

    # what a central does, called when its packet arrives

    def _accept(self, link: Link):
        connection = Connection(self, link)
        link.ended[self.station] = lambda: self.end(connection)
        self._hold(connection)

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
