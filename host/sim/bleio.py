"""CircuitPython's ``_bleio`` on a PC, whatever carries a board's packets.

``adafruit_ble`` and ``firmware.radio`` run on it unmodified: ``install()`` makes ``import _bleio``
return this module, since the ``_bleio`` on PyPI implements only the central role. It implements the
peripheral role. The adapter calls a characteristic for what its clients do, and sends its
notifications; a subclass says how: over bumble's controllers (``bumble_adapter``), over the ether
(``ether.adapter``), or to the one central of a chip (``chip.radio``). Many boards share the module:
whatever makes services runs ``within`` an adapter, whose they are then.

Read in CircuitPython 10.2.1, ports/espressif/common-hal/_bleio (Adapter.c, Connection.c,
bonding.c); a check that is stricter in nordic's is theirs. An nRF52840's is a gateway's, and has no
link. What a radio runs into in time was reported of the ESP32-S3 and its NimBLE; the reports are in
the contract of the chip (host/sim/chip/contract.toml).
"""

from __future__ import annotations

import asyncio
import collections
import contextvars
import random
import sys
import uuid
from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from host.boards.models import MODELS

AGREED_S = 0.06  # after connecting, until a central is listed: two events, for the MTU
NO_ROOM = "Nimble out of memory"  # a MemoryError: no free link, or no memory left (__init__.c:94)
RADIO, BOARD = "radio", "board"  # what has to be restarted for a deaf radio to be heard again
_HEADER = 2  # bytes of the length field before each packet in the chip's ring buffer
_NO_LINK = "No connection: length cannot be determined"
Made = TypeVar("Made")
Client: TypeAlias = Any  # what a radio makes of a connection to a client
running: contextvars.ContextVar[BoardRadio | None] = contextvars.ContextVar(
    "the adapter of the board whose program runs", default=None
)
ENTRY = 19  # bytes of a scan's buffer for each advert, and its data (ScanResults.c)
ADVERT_MAX = 31  # legacy adverts only
NOTIFY_QUEUE = 5  # BLEIO_HVN_TX_QUEUE_SIZE
MOST_CONNECTIONS = 4  # BLEIO_PERIPH_ROLE_COUNT
LOOK_S = 0.02  # firmware.app.POLL_MS


class BluetoothError(Exception):
    """The radio refused an operation."""


class RoleError(BluetoothError):
    """The operation belongs to the other role, client or server."""


class SecurityError(BluetoothError):
    """The link's security level does not allow the operation."""


class Hung(BaseException):
    """The chip hangs, spins or faults here: no program catches this, only the watchdog ends it."""


class UUID:
    """A 16-bit or 128-bit UUID from an int, a string or 16 bytes (little-endian)."""

    def __init__(self, value: int | str | bytes):
        self.uuid16 = value if isinstance(value, int) else None
        self.size = 128 if self.uuid16 is None else 16
        if self.uuid16 is not None:
            self._value = uuid.UUID(f"0000{value:04x}-0000-1000-8000-00805f9b34fb")
        elif isinstance(value, str):
            self._value = uuid.UUID(value)
        else:
            self._value = uuid.UUID(bytes=bytes(value)[::-1])

    @property
    def uuid128(self) -> bytes:
        """Return the 16 bytes, little-endian."""
        return self._value.bytes[::-1]

    def __str__(self) -> str:
        return str(self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UUID) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)


class Address:
    """A radio address of 6 bytes, little-endian, and its type."""

    PUBLIC, RANDOM_STATIC, RANDOM_PRIVATE_RESOLVABLE, RANDOM_PRIVATE_NON_RESOLVABLE = range(4)

    def __init__(self, address: bytes, address_type: int = RANDOM_STATIC):
        self.address_bytes, self.type = bytes(address), address_type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Address) and self.address_bytes == other.address_bytes

    def __hash__(self) -> int:
        return hash(self.address_bytes)


class Attribute:
    """Security modes of an attribute."""

    NO_ACCESS, OPEN, ENCRYPT_NO_MITM, ENCRYPT_WITH_MITM = 0x00, 0x11, 0x21, 0x31
    LESC_ENCRYPT_WITH_MITM, SIGNED_NO_MITM, SIGNED_WITH_MITM = 0x41, 0x12, 0x22


@dataclass(frozen=True)
class Port:
    """One port's radio.

    ``adverts``: how many may begin until every further one raises MemoryError, until the radio is
    restarted; None: any number. ``both_s``: the least and the most seconds of advertising with a
    link open after which the controller asserts; None: never.
    """

    adverts: int | None
    both_s: tuple[float, float] | None


NORDIC = Port(None, None)
# Nobody has counted the adverts of circuitpython#10007: fewer than a long day needs. Ten minutes to
# two hours are those of NimBLE-Arduino #761. ``plusthree board bringup --soak`` measures both.
ESPRESSIF = Port(2000, (600.0, 7200.0))
ESPRESSIF_BOARDS = tuple(model.board_id for model in MODELS.values())  # tables


class RadioFaults:
    """The faults of one adapter on ``port``; ``seed`` draws when its controller asserts.

    ``adverts_left``: how many adverts may begin until the host stack's memory is used up, None
    where it never is. ``silent_until``: which restart (RADIO or BOARD) ends a silence, in which no
    call fails but nothing goes out or comes in; "" outside one. ``drops`` (0-1): the share of
    notifications that are silently lost. ``dies_next``: the next connection that is found open is
    gone before the program's next call.
    """

    def __init__(self, port: Port, seed: str):
        self._port, self._luck = port, random.Random(f"radio {seed}")
        self.silent_until, self.drops, self.dies_next = "", 0.0, False
        self._since_s: float | None = None  # since when it advertises with a link open
        self.restarts = 0
        self._renew()

    def _renew(self):
        self.adverts_left = self._port.adverts
        self._since_s = None
        self._left_s = self._luck.uniform(*self._port.both_s) if self._port.both_s else None

    def restart(self) -> None:
        """Note that the radio was switched off and on."""
        self.restarts += 1
        self.silent_until = "" if self.silent_until == RADIO else self.silent_until
        self._renew()

    def begin_advert(self) -> None:
        """Note that an advert begins; MemoryError once the memory is used up."""
        if self.adverts_left is not None:
            if self.adverts_left <= 0:
                raise MemoryError(NO_ROOM)
            self.adverts_left -= 1

    def check(self, both: bool, now_s: float) -> None:
        """Note whether it advertises with a link open; Hung once the controller asserts."""
        if self._left_s is None:  # it never asserts
            return
        if self._since_s is not None:
            self._left_s -= now_s - self._since_s
        self._since_s = now_s if both else None
        if self._left_s <= 0:
            raise Hung("the controller asserts: it advertised with a link open")

    def drops_next(self) -> bool:
        """Draw whether a notification is silently lost."""
        return bool(self.drops) and self._luck.random() < self.drops


def within(adapter: BoardRadio, make: Callable[[], Made]) -> Made:
    """Return the result of ``make()``, run as the program of ``adapter``'s board."""
    token = running.set(adapter)
    try:
        return make()
    finally:
        running.reset(token)


class Service:
    """A service of the board whose program is running now; AttributeError outside ``within``."""

    remote = False

    def __init__(self, uuid: UUID, *, secondary: bool = False):
        self.uuid, self.secondary = uuid, secondary
        self.characteristics: tuple[Characteristic, ...] = ()
        adapter = running.get()
        if adapter is None:
            raise AttributeError("no board runs here: use within")
        self.adapter: BoardRadio = adapter
        adapter.services.append(self)


class Characteristic:
    """A characteristic of a local service, made by ``add_to_service``."""

    BROADCAST, READ, WRITE_NO_RESPONSE, WRITE, NOTIFY, INDICATE = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20

    def __init__(
        self,
        service: Service,
        uuid: UUID,
        properties: int,
        max_length: int,
        fixed_length: bool,
        initial_value: bytes | None,
    ):
        self.service, self.uuid, self.properties = service, uuid, properties
        self.max_length, self._fixed_length = max_length, fixed_length
        self._value = bytes(initial_value or b"")
        self.watchers: list[PacketBuffer] = []
        self.subscribers: dict[Client, bool] = {}
        self.handle: Any = None  # the adapter's own

    @classmethod
    def add_to_service(
        cls, service: Service, uuid: UUID, *, properties: int=0, read_perm: int=Attribute.OPEN,
        write_perm: int=Attribute.OPEN, max_length: int=20, fixed_length: bool=False,
        initial_value: bytes | None=None, user_description: str | None=None,
    ) -> Characteristic:  # fmt: skip
        """Return a new characteristic of ``service``; ValueError: ``max_length`` is over 512."""
        if not 0 <= max_length <= 512:
            raise ValueError("max_length must be 0-512 when fixed_length is False")
        if initial_value is not None and len(initial_value) > max_length:
            raise ValueError("initial_value length is wrong")
        made = cls(service, uuid, properties, max_length, fixed_length, initial_value)
        service.characteristics += (made,)
        return made

    @property
    def value(self) -> bytearray:
        """The local value; setting it notifies all subscribers. ValueError for a wrong length."""
        return bytearray(self._value)

    @value.setter
    def value(self, value: bytes) -> None:
        self._check(len(value))
        self._value = bytes(value)
        for client in list(self.subscribers):
            self.service.adapter.notify(client, self, self._value)

    def _check(self, size):
        if self._fixed_length and size != self.max_length:
            raise ValueError("Value length != required fixed length")
        if size > self.max_length:
            raise ValueError("Value length > max_length")

    def written(self, client: Client, value: bytes) -> None:
        """Store ``value``, which a client wrote, and pass it to the packet buffers."""
        self._value = value
        for watcher in self.watchers:
            watcher.put(client, value)

    def subscribed(self, client: Client, notify: bool) -> None:
        """Note that a client subscribed (``notify``) or unsubscribed."""
        if notify:
            self.subscribers[client] = True
        else:
            self.subscribers.pop(client, None)
        for watcher in self.watchers:
            watcher.subscribed(client, notify)

    def elsewhere(self, client: Client, on: bool) -> None:
        """Note that a client subscribed (``on``) to another characteristic, or unsubscribed."""
        for watcher in self.watchers:
            watcher.subscribed(client, on)

    def disconnected(self, client: Client) -> None:
        """Note that a client has disconnected."""
        self.subscribers.pop(client, None)
        for watcher in self.watchers:
            watcher.disconnected(client)


class PacketBuffer:
    """The packets that one client at a time writes to a characteristic, or its notifications.

    A ring buffer with room for ``buffer_size`` packets of the greatest length (bytes); when full it
    drops the oldest packets. ValueError for a size below 1.
    """

    def __init__(
        self,
        characteristic: Characteristic,
        *,
        buffer_size: int,
        max_packet_size: int | None = None,
    ):
        if buffer_size < 1 or (max_packet_size is not None and max_packet_size < 1):
            raise ValueError("buffer_size must be >= 1")
        self._characteristic = characteristic
        self._size = max_packet_size or characteristic.max_length
        self._room = buffer_size * (_HEADER + self._size)
        self._packets: collections.deque[bytes] = collections.deque()
        self._client: Client | None = None
        characteristic.watchers.append(self)

    def deinit(self) -> None:
        """Take no more packets."""
        self._client, watchers = None, self._characteristic.watchers
        self._packets.clear()
        if self in watchers:
            watchers.remove(self)

    def put(self, client: Client, packet: bytes) -> None:
        """Append a packet that ``client`` wrote. It is dropped if it is another client's, or if
        this one has not subscribed yet (PacketBuffer.c:27).
        """
        if client is not self._client or _HEADER + len(packet) > self._room:
            return
        while self._filled + _HEADER + len(packet) > self._room:
            self._packets.popleft()
        self._packets.append(packet)

    @property
    def _filled(self):
        return sum(_HEADER + len(packet) for packet in self._packets)

    def subscribed(self, client: Client, notify: bool) -> None:
        """Set or clear the client; the first subscriber stays it (PacketBuffer.c:140)."""
        if self._client in (None, client):
            self._client = client if notify else None

    def disconnected(self, client: Client) -> None:
        """Clear the client if it is the one that disconnected."""
        if client is self._client:
            self._client = None

    @property
    def outgoing_packet_length(self) -> int:
        """The bytes that one notification can carry; ValueError while nobody has subscribed."""
        if self._client is None:
            raise ValueError(_NO_LINK)
        mtu = self._characteristic.service.adapter.mtu(self._client)
        return min(mtu - 3, self._size, self._characteristic.max_length)

    def readinto(self, buf: bytearray) -> int:
        """Move the oldest packet into ``buf`` and return its length, 0 if there is none.

        ValueError when ``buf`` is shorter than the packet, which is then lost.
        """
        if not self._packets:
            return 0
        packet = self._packets.popleft()
        if self._packets:
            self._characteristic.service.adapter.wake_soon()
        if len(packet) > len(buf):
            raise ValueError(f"Buffer too short by {len(packet) - len(buf)} bytes")
        buf[: len(packet)] = packet
        return len(packet)

    def write(self, data: bytes, *, header: bytes | None = None) -> int:
        """Raise NotImplementedError: on the chip it can block for ever once a link is lost.

        The firmware notifies by setting a characteristic's value (see radio.link).
        """
        raise NotImplementedError("notify by value")


def structures(data: bytes) -> list[bytes]:
    """Return the structures of an advert, each without its length byte."""
    parts = []
    while data and data[0]:
        parts.append(data[1 : 1 + data[0]])
        data = data[1 + data[0] :]
    return parts


class ScanEntry:
    """An advert that a scan heard; it does not tell when."""

    connectable = scan_response = False

    def __init__(self, data: bytes, rssi_dbm: int, address: bytes):
        self.advertisement_bytes, self.rssi, self.address = data, rssi_dbm, Address(address)


class ScanResults:
    """What a scan has heard: adverts that begin with any of ``prefixes``, as many as find room."""

    def __init__(self, prefixes: bytes, room: int, least_dbm: int):
        self._prefixes, self._room, self._least_dbm = structures(prefixes), room, least_dbm
        self.waiting: collections.deque[ScanEntry] = collections.deque()

    def hear(self, data: bytes, rssi_dbm: int, address: bytes = bytes(6)) -> None:
        """Take an advert; what finds no room in the buffer is lost."""
        size = ENTRY + len(data)
        if rssi_dbm >= self._least_dbm and self._wanted(data) and size <= self._room:
            self._room -= size
            self.waiting.append(ScanEntry(data, rssi_dbm, address))

    def _wanted(self, data):
        """Return whether any structure begins with any of the prefixes (ScanEntry.c)."""
        if not self._prefixes:
            return True
        prefixes = tuple(self._prefixes)
        return any(structure.startswith(prefixes) for structure in structures(data))

    def __iter__(self) -> Iterator[ScanEntry]:
        return self

    def __next__(self) -> ScanEntry:
        if not self.waiting:
            raise StopIteration
        self._room += ENTRY + len(self.waiting[0].advertisement_bytes)
        return self.waiting.popleft()


class BoardRadio:
    """A board's adapter as its program sees it, whatever carries its packets (a subclass).

    It bears what ``port`` says and calls ``wake()`` after each event; ``seed`` draws its faults.
    ``held`` are the open connections, including those that ``connections`` does not list yet.
    ``refusals`` are the exceptions that the next calls of ``start_advertising`` raise, as when the
    chip is busy; ``faults`` what it runs into in time.
    """

    name = "CIRCUITPY"

    def __init__(self, loop: AbstractEventLoop, port: Port, seed: str, wake: Callable[[], None]):
        self._loop, self.wake = loop, wake
        self.faults, self.refusals = RadioFaults(port, seed), list[Exception]()
        self.services: list[Service] = []
        self.held: tuple[Connection, ...] = ()
        self._listed: tuple[Connection, ...] | None = None  # what ``connections`` returned last
        self._look: asyncio.TimerHandle | None = None  # the next time at which it wakes the board
        self._enabled = True

    # what carries its packets

    @property
    def advertising(self) -> bool:
        """Whether the board is advertising, as far as it knows; a connection ends that."""
        raise NotImplementedError

    def _advertise(self, data: bytes, interval_s: float, connectable: bool) -> None:
        raise NotImplementedError

    def stop_advertising(self) -> None:
        """Stop advertising."""
        raise NotImplementedError

    def _switch_off(self) -> None:
        raise NotImplementedError

    def _switch_on(self) -> None:
        raise NotImplementedError

    def _scan_now(
        self, prefixes: bytes, size: int, window_s: float, interval_s: float,
        timeout_s: float | None, least_dbm: int,
    ) -> ScanResults:  # fmt: skip
        raise NotImplementedError

    def hang_up(self, client: Client) -> None:
        """Start to disconnect a client."""
        raise NotImplementedError

    def mtu(self, client: Client) -> int:
        """Return the MTU of a client's connection: 23 until it asks for more."""
        raise NotImplementedError

    def _waiting(self, client: Client) -> int:
        """Return how many notifications to a client are queued."""
        raise NotImplementedError

    def _notify(self, client: Client, characteristic: Characteristic, value: bytes) -> None:
        raise NotImplementedError

    # what the program does

    @property
    def enabled(self) -> bool:
        """Whether the radio is on; off, it forgets links, adverts and services (Adapter.c)."""
        return self._enabled

    @enabled.setter
    def enabled(self, on: bool) -> None:
        if self._enabled and not on:
            self._switch_off()
            for connection in self.held:
                self.end(connection)
            self.services = []
        elif on and not self._enabled:
            self.faults.restart()
            self._switch_on()
        self._enabled = on

    @property
    def connected(self) -> bool:
        """Whether any listed central is connected."""
        self._check()
        return any(each.agreed for each in self.held)

    def _check(self):
        self.faults.check(bool(self.held) and self.advertising, self._loop.time())

    @property
    def connections(self) -> tuple[Connection, ...]:
        """The connections, made anew only when a central comes: some may be closed (Adapter.c)."""
        if self._listed is None:
            self._listed = tuple(each for each in self.held if each.agreed)
        return self._listed

    def start_advertising(
        self, data: bytes, *, scan_response: bytes | None=None, connectable: bool=True,
        anonymous: bool=False, timeout: int=0, interval: float=0.1, tx_power: int=0,
        directed_to: Address | None=None,
    ) -> None:  # fmt: skip
        """Advertise ``data`` every ``interval`` seconds; ValueError for over 31 bytes or a bad
        interval, BluetoothError while advertising, MemoryError without a free link.
        """
        if not self.enabled:  # _common_hal_bleio_adapter_start_advertising reads freed memory
            raise Hung("an advert began while the radio was off")
        if not 0.02 <= interval <= 10.24:
            raise ValueError("interval must be in range 0.02-10.24")
        if self.advertising:
            raise BluetoothError("Already advertising.")
        if len(data) > ADVERT_MAX or scan_response:
            raise ValueError("Data too large for advertisement packet")
        if self.refusals:
            raise self.refusals.pop(0)
        if connectable and len(self.held) >= MOST_CONNECTIONS:
            raise MemoryError(NO_ROOM)
        self.faults.begin_advert()
        self._advertise(bytes(data), interval, connectable)
        self._check()

    def start_scan(self, *, prefixes: bytes=b"", buffer_size: int=512, extended: bool=False,
                   timeout: float | None=None, interval: float=0.1, window: float=0.1,
                   minimum_rssi: int=-80, active: bool=True) -> ScanResults:  # fmt: skip
        """Return an iterator of adverts heard for ``timeout`` seconds (None: until it is stopped).

        ValueError for a time out of range.
        """
        if not 0.0025 <= interval <= 40.959375:
            raise ValueError("interval must be in range 0.0025-40.959375")
        if timeout and timeout < interval:
            raise ValueError("non-zero timeout must be >= interval")
        if window > interval or buffer_size < 1 or not 0 <= (timeout or 0) <= 655.35:
            raise ValueError("window must be <= interval")
        found = bytes(prefixes), buffer_size, window, interval, timeout, minimum_rssi
        return self._scan_now(*found)

    def notify(self, client: Client, characteristic: Characteristic, value: bytes) -> None:
        """Queue a notification of ``value`` for one subscriber, cut to its MTU.

        It is dropped when the queue is full (Characteristic.c:196).
        """
        if not self.faults.drops_next() and self._waiting(client) < NOTIFY_QUEUE:
            self._notify(client, characteristic, value[: self.mtu(client) - 3])

    def wake_soon(self) -> None:
        """Schedule ``wake`` in ``LOOK_S``, when the program would poll the radio again."""
        if self._look is None or self._look.when() <= self._loop.time():
            self._look = self._loop.call_later(LOOK_S, lambda: self.wake())

    # what a central does

    def _hold(self, connection):
        """Hold a new connection; it is listed once its MTU is agreed."""
        self.held += (connection,)
        self._listed = None
        self._loop.call_later(AGREED_S, self._agreed, connection)
        self.wake()

    def _agreed(self, connection):
        connection.agreed = True
        self.wake()

    def end(self, connection: Connection) -> None:
        """Note that a central has gone."""
        connection.open = connection.paired = False
        self.held = tuple(each for each in self.held if each is not connection)
        for characteristic in self._characteristics():
            characteristic.disconnected(connection.client)
        self.wake()

    def _characteristics(self) -> list[Characteristic]:
        return [each for service in self.services for each in service.characteristics]


class Connection:
    """A central's connection to a board; ``client`` is the radio's own object for it."""

    def __init__(self, adapter: BoardRadio, client: Client):
        self.client, self._adapter = client, adapter
        self.open, self.paired = True, False
        self.agreed = False  # whether its MTU is known

    @property
    def connected(self) -> bool:
        """Whether the link is open; with the fault ``dies_next`` it ends right after the look."""
        faults, found = self._adapter.faults, self.open
        if found and faults.dies_next:
            faults.dies_next = False
            self._adapter.end(self)
        return found

    def disconnect(self) -> None:
        """Start to disconnect; Hung when the connection is already closed.

        espressif's Connection.c:126 follows a null pointer then.
        """
        if not self.open:
            raise Hung("a connection that has gone was hung up")
        self._adapter.hang_up(self.client)


def install() -> None:
    """Make ``import _bleio`` return this module from now on."""
    sys.modules["_bleio"] = sys.modules[__name__]


def __getattr__(name: str) -> BoardRadio | None:
    if name == "adapter":
        return running.get()
    raise AttributeError(name)
