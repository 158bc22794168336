"""``_bleio`` of a chip with at most one central, with the argument checks of the real one."""

from __future__ import annotations

import collections
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from host.sim.bleio.port import (
    ESPRESSIF,
    NORDIC,
    UUID,
    Address,
    Attribute,
    BluetoothError,
    RadioFaults,
    RoleError,
    SecurityError,
)
from host.sim.chip import natives
from host.sim.chip.natives import module

if TYPE_CHECKING:
    from host.sim.chip.types import Chip, Modules


class Advert(NamedTuple):
    """An advert on the air: when (us since the Chip's creation), of whom, how strong, and what."""

    at_us: int
    address: bytes
    rssi: int
    data: bytes


class Central:
    """The central in range: it connects, subscribes, writes ``frames`` and keeps what is ``sent``.

    Between ``connect`` and ``leave`` it is subscribed to everything, and its MTU is known.
    """

    def __init__(self):
        self.adapter: Adapter | None = None
        self.connections: tuple[Connection, ...] = ()
        self.frames: collections.deque[bytes] = collections.deque()
        self.sent: list[bytes] = []

    def connect(self) -> bool:
        """Connect, which ends the advert; False where the board does not advertise."""
        if self.adapter is None or not self.adapter.advertising or self.connections:
            return False
        self.adapter.stop_advertising()
        self.connections = (Connection(self),)
        return True

    def leave(self) -> None:
        """End the link; what is under way is lost."""
        self.connections = ()
        self.frames.clear()
        self.sent.clear()


class Connection:
    """``_bleio.Connection`` of the central."""

    paired = False

    def __init__(self, central: Central):
        self._central = central

    @property
    def connected(self) -> bool:
        """Whether the link is open."""
        return self in self._central.connections

    def disconnect(self) -> None:
        """End the link; AssertionError where it has gone, which the chip does not bear."""
        assert self.connected, "a link that has gone is not disconnected (Connection.c:126)"
        self._central.leave()


MOST_ADVERT = 31
ENTRY = 19  # bytes of a scan's buffer for each advert, and its data (ScanResults.c)
_TURN_US = 500  # of a loop that waits


class ScanEntry:
    """``_bleio.ScanEntry``: it does not tell when it was heard."""

    def __init__(self, advert: Advert):
        self.address, self.rssi = Address(advert.address), advert.rssi
        self.advertisement_bytes = advert.data
        self.connectable = self.scan_response = False


class ScanResults:
    """``_bleio.ScanResults``: waits for the next advert until ``end_us`` or a stop."""

    def __init__(self, chip: Chip, prefixes: bytes, size: int, least: int, end_us: float):
        self._chip, self._prefixes, self._room, self._least = chip, prefixes, size, least
        self._begun_us, self._end_us = chip.now_us, end_us
        self._waiting: collections.deque[Advert] = collections.deque()

    @property
    def done(self) -> bool:
        """Whether the scan is over."""
        return self._chip.now_us >= self._end_us

    def stop(self) -> None:
        """End the scan now; what is in the buffer can still be read."""
        self._collect()
        self._end_us = min(self._end_us, self._chip.now_us)

    def __iter__(self) -> Iterator[ScanEntry]:
        return self

    def __next__(self) -> ScanEntry:
        self._collect()
        while not self._waiting:
            if self.done:
                raise StopIteration
            self._chip.pass_us(_TURN_US)
            self._collect()
        advert = self._waiting.popleft()
        self._room += ENTRY + len(advert.data)
        return ScanEntry(advert)

    def _collect(self):
        """Take what was on the air since the last look; what finds no room is lost."""
        air = self._chip.air
        while air and air[0].at_us <= self._chip.now_us:
            advert = air.pop(0)
            size = ENTRY + len(advert.data)
            if self._begun_us <= advert.at_us < self._end_us and self._wanted(advert):
                if size <= self._room:
                    self._room -= size
                    self._waiting.append(advert)

    def _wanted(self, advert):
        return advert.rssi >= self._least and matches(advert.data, self._prefixes)


def matches(data: bytes, prefixes: bytes) -> bool:
    """Return whether any structure of ``data`` begins with any of ``prefixes`` (ScanEntry.c)."""
    wanted = structures(prefixes)
    return not wanted or any(
        one.startswith(prefix) for prefix in wanted for one in structures(data)
    )


def structures(data: bytes) -> list[bytes]:
    """Return what stands behind each length byte of an advert."""
    found = []
    while data and data[0]:
        found.append(data[1 : 1 + data[0]])
        data = data[1 + data[0] :]
    return found


class Characteristic:
    """``_bleio.Characteristic`` of a local service."""

    central: Central

    BROADCAST, INDICATE, NOTIFY, READ, WRITE, WRITE_NO_RESPONSE = 1, 2, 4, 8, 16, 32

    def __init__(self, service: Service, uuid: UUID, properties: int):
        self.service, self.uuid, self.properties = service, uuid, properties
        self._value = b""

    @property
    def value(self) -> bytes:
        """What it holds; setting it notifies the central."""
        return self._value

    @value.setter
    def value(self, value: bytes) -> None:
        self._value = bytes(value)
        if self.central.connections:
            self.central.sent.append(self._value)

    @classmethod
    def add_to_service(
        cls, service: Service, uuid: UUID, *, properties: int=0, read_perm: int=Attribute.OPEN,
        write_perm: int=Attribute.OPEN, max_length: int=20,
        fixed_length: bool=False, initial_value: bytes | None=None,
        user_description: str | None=None,
    ) -> Characteristic:  # fmt: skip
        """Return a new characteristic; ValueError for an initial value over ``max_length``."""
        if initial_value is not None and len(initial_value) > max_length:
            raise ValueError("initial_value length is wrong")
        return cls(service, uuid, properties)

    def set_cccd(self, *, notify: bool = False, indicate: bool = False) -> None:
        """Raise RoleError: only a client sets it."""
        raise RoleError("Can't set CCCD on local Characteristic")


class Service:
    """``_bleio.Service``."""

    def __init__(self, uuid: UUID, *, secondary: bool = False):
        self.uuid, self.remote, self.secondary, self.characteristics = uuid, False, secondary, ()


class PacketBuffer:
    """``_bleio.PacketBuffer`` of what the central writes."""

    central: Central

    def __init__(
        self,
        characteristic: Characteristic | None,
        *,
        buffer_size: int,
        max_packet_size: int | None = None,
    ):
        if buffer_size < 1:
            raise ValueError("buffer_size must be >= 1")
        self._most = max_packet_size or 0

    @property
    def outgoing_packet_length(self) -> int:
        """Its largest packet; ValueError: nobody has subscribed (PacketBuffer.c:186)."""
        if not self.central.connections:
            raise ValueError("No connection: length cannot be determined")
        return self._most

    incoming_packet_length = outgoing_packet_length

    def deinit(self) -> None:
        """Do nothing: nobody writes to it."""

    def readinto(self, buffer: bytearray) -> int:
        """Take the next packet and return its length, 0 without one."""
        packet = self.central.frames.popleft() if self.central.frames else b""
        buffer[: len(packet)] = packet
        return len(packet)


class Adapter:
    """``_bleio.Adapter``: the chip's own radio."""

    def __init__(self, chip: Chip):
        self._chip = chip
        # its import turns it on (shared-bindings/_bleio/__init__.c:99)
        self.name, self._enabled, self.advertising = "CIRCUITPY", True, False
        self.faults = RadioFaults(ESPRESSIF if chip.espressif else NORDIC, chip.board_id)
        self.faults.adverts_left = chip.radio_adverts or self.faults.adverts_left
        self.address = Address(chip.radio_address)
        self._scan: ScanResults | None = None
        chip.central.leave()
        chip.central.adapter = self

    @property
    def connections(self) -> tuple[Connection, ...]:
        """The central's connection, if it is there."""
        return self._chip.central.connections

    @property
    def connected(self) -> bool:
        """Whether the central is there."""
        return bool(self.connections)

    @property
    def enabled(self) -> bool:
        """Whether the SoftDevice or NimBLE runs."""
        return self._enabled

    @enabled.setter
    def enabled(self, on: bool) -> None:
        if on and not self._enabled and self._chip.radio_lost:
            raise RuntimeError("Update failed")  # espressif's Adapter.c:164
        if self._enabled and not on:
            self.stop_scan()
            self.stop_advertising()
            self.faults.restart()
            self._chip.pay("radio_restart_ms")
            self._chip.told("radio", "off")
        self._enabled = on

    def start_advertising(self, data: bytes, *, scan_response: bytes | None = None,
                          connectable: bool=True, anonymous: bool=False, timeout: int=0,
                          interval: float=0.1, tx_power: int=0,
                          directed_to: Address | None = None) -> None:  # fmt: skip
        """Start the one advertising set.

        BluetoothError while it runs or while it scans (a chip may do that), ValueError for over 31
        bytes or an interval (s) out of range.
        """
        if not self._enabled:  # _common_hal_bleio_adapter_start_advertising asks what is freed
            raise self._chip.dying(natives.crash(natives.HARD_FAULT))
        if self.advertising or (self._scan and not self._scan.done):
            raise BluetoothError("Already advertising.")
        if len(data) > MOST_ADVERT:
            raise ValueError("Data too large for advertisement packet")
        if not 0.02 <= interval <= 10.24:
            raise ValueError("interval must be 0.02-10.24")
        self.faults.begin_advert()
        self._chip.pay("advert_restart_us")
        self.advertising = True
        self._chip.told("advert", len(data), connectable, bytes(data))

    def stop_advertising(self) -> None:
        """Stop advertising."""
        if self.advertising:
            self._chip.told("silence")
        self.advertising = False

    def start_scan(self, *, prefixes: bytes=b"", buffer_size: int=512, extended: bool=False,
                   timeout: float | None=None, interval: float=0.1, window: float=0.1,
                   minimum_rssi: int=-80, active: bool=True) -> ScanResults:  # fmt: skip
        """Return the iterator of what is heard for ``timeout`` seconds (None: until it is stopped).

        BluetoothError while it scans or, on nordic, advertises; ValueError for a time out of range.
        """
        if not 0.0025 <= interval <= 40.959375:
            raise ValueError("interval must be in range 0.0025-40.959375")
        if timeout and timeout < interval:
            raise ValueError("non-zero timeout must be >= interval")
        if window > interval or buffer_size < 1 or (timeout or 0) < 0 or (timeout or 0) > 655.35:
            raise ValueError("window must be <= interval")
        if self._scan and not self._scan.done:
            raise BluetoothError("Scan already in progress. Stop with stop_scan.")
        if self.advertising:
            raise BluetoothError("Unknown system firmware error: 0011")  # NRF_ERROR_BUSY
        self._chip.pay("advert_restart_us")
        end_us = self._chip.now_us + timeout * 1_000_000 if timeout else float("inf")
        self._scan = ScanResults(self._chip, bytes(prefixes), buffer_size, minimum_rssi, end_us)
        return self._scan

    def stop_scan(self) -> None:
        """Stop a scan, if there is one."""
        if self._scan:
            self._scan.stop()
        self._scan = None

    def erase_bonding(self) -> None:
        """Erase all bonds, of which there are none."""


def modules(chip: Chip) -> Modules:
    """Return ``_bleio`` for one VM of ``chip``."""
    of_central = {"central": chip.central}
    characteristic = type("Characteristic", (Characteristic,), of_central)
    buffer = type("PacketBuffer", (PacketBuffer,), of_central)
    return {
        "_bleio": module(
            "_bleio", adapter=Adapter(chip), UUID=UUID, Address=Address, Attribute=Attribute,
            Service=Service,
            Characteristic=characteristic, PacketBuffer=buffer, CharacteristicBuffer=buffer,
            BluetoothError=BluetoothError, RoleError=RoleError, SecurityError=SecurityError,
            Connection=Connection, Adapter=object, ScanEntry=ScanEntry,
            Descriptor=object,
        )
    }  # fmt: skip
