"""``_bleio`` of a chip with at most one central, with the argument checks of the real one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from host.sim import bleio
from host.sim.bleio import Characteristic, Client, Connection, Hung, ScanEntry, ScanResults
from host.sim.chip import natives
from host.sim.chip.natives import module

if TYPE_CHECKING:
    from host.sim.chip.types import Chip, Modules

_TURN_US = 500  # of a loop that waits
_MTU = 247
_WRITABLE = Characteristic.WRITE | Characteristic.WRITE_NO_RESPONSE
_SHARED = (  # what a chip's ``_bleio`` has as any other double's
    "UUID", "Address", "Attribute", "Characteristic", "PacketBuffer", "Connection", "ScanEntry",
    "BluetoothError", "RoleError", "SecurityError",
)  # fmt: skip


class Advert(NamedTuple):
    """An advert on the air: when (us since the Chip's creation), of whom, how strong, and what."""

    at_us: int
    address: bytes
    rssi: int
    data: bytes


class Central:
    """The central in range: it connects, subscribes to everything, writes, and keeps what is
    ``sent``.
    """

    def __init__(self):
        self.adapter: Adapter | None = None
        self.sent: list[bytes] = []

    @property
    def connections(self) -> tuple[Connection, ...]:
        """Its connection, while there is one."""
        return self.adapter.held if self.adapter is not None else ()

    def connect(self) -> bool:
        """Connect, which ends the advert; False where the board does not advertise."""
        if self.adapter is None or not self.adapter.advertising or self.connections:
            return False
        self.adapter.accept(self)
        return True

    def write(self, frame: bytes) -> None:
        """Write a frame to whatever takes one."""
        if self.adapter is not None:
            self.adapter.take(self, frame)

    def leave(self) -> None:
        """End the link; packets under way are lost."""
        for connection in self.connections:
            connection.disconnect()


class ChipScan(ScanResults):
    """A scan that waits for the next advert until ``end_us`` or a stop."""

    def __init__(self, chip: Chip, prefixes: bytes, size: int, least: int, end_us: float):
        super().__init__(prefixes, size, least)
        self._chip, self._begun_us, self._end_us = chip, chip.now_us, end_us

    @property
    def done(self) -> bool:
        """Whether the scan is over."""
        return self._chip.now_us >= self._end_us

    def stop(self) -> None:
        """End the scan now; the buffer can still be read."""
        self._collect()
        self._end_us = min(self._end_us, self._chip.now_us)

    def __next__(self) -> ScanEntry:
        self._collect()
        while not self.waiting:
            if self.done:
                raise StopIteration
            self._chip.pass_us(_TURN_US)
            self._collect()
        return super().__next__()

    def _collect(self):
        """Take the adverts since the last call."""
        air = self._chip.air
        while air and air[0].at_us <= self._chip.now_us:
            advert = air.pop(0)
            if self._begun_us <= advert.at_us < self._end_us:
                self.hear(advert.data, advert.rssi, advert.address)


class _Now:
    """A chip's time as an adapter takes a loop's; nothing comes later here."""

    def __init__(self, chip: Chip):
        self._chip = chip

    def time(self) -> float:
        return self._chip.now_us / 1e6

    def call_later(self, delay_s: float, call: Callable[..., object], *values: object) -> None:
        call(*values)


class Adapter(bleio.BoardRadio):
    """``_bleio.Adapter``: the chip's own radio, which its import turns on
    (shared-bindings/_bleio/__init__.c:99).
    """

    def __init__(self, chip: Chip):
        port = bleio.ESPRESSIF if chip.espressif else bleio.NORDIC
        now: Any = _Now(chip)  # the parts of a loop that an adapter uses
        super().__init__(now, port, chip.board_id, lambda: None)
        self._chip, self._advertised = chip, False
        self.faults.adverts_left = chip.radio_adverts or self.faults.adverts_left
        self.address = bleio.Address(chip.radio_address)
        self._scan: ChipScan | None = None
        chip.central.sent.clear()
        chip.central.adapter = self

    def _switch_on(self) -> None:
        if self._chip.radio_lost:
            raise RuntimeError("Update failed")  # espressif's Adapter.c:164

    def _switch_off(self) -> None:
        self.stop_scan()
        self.stop_advertising()
        self._chip.pay("radio_restart_ms")
        self._chip.note("radio", "off")

    @contextlib.contextmanager
    def _crashing(self) -> Iterator[None]:
        """Have the chip crash where it would hang."""
        try:
            yield
        except Hung:
            raise self._chip.dying(natives.crash(natives.HARD_FAULT)) from None

    @property
    def advertising(self) -> bool:
        """Whether the one advertising set runs."""
        return self._advertised

    def start_advertising(self, data: bytes, **options: Any) -> None:
        """Start the one advertising set; BluetoothError while it scans, too (a chip may do
        that).
        """
        if self._scan and not self._scan.done:
            raise bleio.BluetoothError("Already advertising.")
        with self._crashing():
            super().start_advertising(data, **options)

    def _advertise(self, data: bytes, interval_s: float, connectable: bool) -> None:
        self._chip.pay("advert_restart_us")
        self._advertised = True
        self._chip.note("advert", len(data), connectable, data)

    def stop_advertising(self) -> None:
        """Stop advertising."""
        if self._advertised:
            self._chip.note("silence")
        self._advertised = False

    def _scan_now(self, prefixes, size, window_s, interval_s, timeout_s, least_dbm):
        """BluetoothError while it scans or, on nordic, advertises."""
        if self._scan and not self._scan.done:
            raise bleio.BluetoothError("Scan already in progress. Stop with stop_scan.")
        if self.advertising:
            raise bleio.BluetoothError("Unknown system firmware error: 0011")  # NRF_ERROR_BUSY
        self._chip.pay("advert_restart_us")
        end_us = self._chip.now_us + timeout_s * 1_000_000 if timeout_s else float("inf")
        self._scan = ChipScan(self._chip, prefixes, size, least_dbm, end_us)
        return self._scan

    def stop_scan(self) -> None:
        """Stop a scan, if there is one."""
        if self._scan:
            self._scan.stop()
        self._scan = None

    def erase_bonding(self) -> None:
        """Erase all bonds, of which there are none."""

    # the central's acts

    def accept(self, central: Central) -> None:
        """The central has connected, and subscribes."""
        self.stop_advertising()
        self._hold(Connection(self, central))
        for characteristic in self._characteristics():
            characteristic.subscribed(central, True)

    def take(self, central: Central, frame: bytes) -> None:
        """The central has written a frame."""
        for characteristic in self._characteristics():
            if characteristic.properties & _WRITABLE:
                characteristic.written(central, frame)

    def hang_up(self, client: Client) -> None:
        """Disconnect the central; packets under way are lost."""
        client.sent.clear()
        for connection in self.held:
            self.end(connection)

    def mtu(self, client: Client) -> int:
        """Return the MTU, which is known from the start."""
        return _MTU

    def _waiting(self, client: Client) -> int:
        return 0

    def _notify(self, client: Client, characteristic: Characteristic, value: bytes) -> None:
        client.sent.append(value)


def modules(chip: Chip) -> Modules:
    """Return ``_bleio`` for one VM of ``chip``."""
    adapter = Adapter(chip)

    def service(uuid: bleio.UUID, *, secondary: bool = False) -> bleio.Service:
        return bleio.within(adapter, lambda: bleio.Service(uuid, secondary=secondary))

    own = {"adapter": adapter, "Adapter": object, "Descriptor": object, "Service": service}
    own["CharacteristicBuffer"] = bleio.PacketBuffer
    return {"_bleio": module("_bleio", **{name: vars(bleio)[name] for name in _SHARED} | own)}
