"""A PC on the modelled air, and bleak on it.

The PC has the faults of its system (``bluetooth_quirks``) and is never kinder: adverts are reported
as seldom, attempts fail as often, and calls without a radio fail or hang as read in the sources.
Its scanner and client are a backend of bleak's, so the host's code is the same as on a real
adapter. It hears adverts by a station. What makes its links is a subclass: ``EtherPc`` on the air
alone, ``bleak_backend.BumblePc`` over bumble's controllers.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar

from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient, NotifyCallback
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData, AdvertisementDataCallback, BaseBleakScanner
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak.exc import (
    BleakBluetoothNotAvailableError,
    BleakBluetoothNotAvailableReason,
    BleakDeviceNotFoundError,
    BleakError,
)
from bumble import core
from bumble.device import Advertisement
from bumble.hci import Address

from firmware.core import frames
from host.sim.bluetooth_quirks import Profile
from host.sim.ether.connection import Connection, Initiation
from host.sim.ether.ether import Ether, Heard, Spot, Station

if TYPE_CHECKING:
    from bleak.args import SizedBuffer

    from host.collector.carriers.radio import Backends
    from host.sim.ether.types import Adapter

AGREED_S, ASKED_S = 1.0, 4.0  # a board asks so soon for a supervision time-out of so long
_ABORT_S = 1.5
_MANUFACTURER = core.AdvertisingData.MANUFACTURER_SPECIFIC_DATA
CHANGED = "service changed"  # a characteristic of the system's own
LOOKS = 6  # exchanges in which a service and its two characteristics are found
LOOKS_AGAIN = 4  # in which features and primary services are (``bluetooth_quirks``, again)
ResultT = TypeVar("ResultT")


@dataclass
class Known:
    """The system's knowledge of an address: when it was last heard, and when an advert passed the
    filter.
    """

    heard_s: float
    advertisement: Advertisement
    passed_s: float | None = None


class Pc:
    """One computer with one adapter at ``spot``; ``profile`` as in ``bluetooth_quirks``.

    ``pull`` removes its radio and ``plug`` inserts it. A link is whatever its radio makes of one.
    ``names`` has the address of each board that it may hear.
    """

    client: ClassVar[type[VirtualClient]]  # how a subclass makes links
    scan_s: ClassVar[float] = 0.01125  # window and interval of BlueZ's discovery, without a pause

    def __init__(
        self,
        ether: Ether,
        spot: Spot,
        names: dict[Station, Address],
        number: int,
        profile: Profile,
        seed: int,
    ):
        self.loop, self.profile, self.names = ether.loop, profile, names
        self._ether, self._spot = ether, spot
        self._station: Station | None = None
        self.luck = random.Random(f"pc {number} {seed}")
        self.scanners: list[VirtualScanner] = []
        self.connecting = 0
        self._users: dict[str, VirtualClient] = {}  # by address: who had its link last
        # by address, including disconnected ones that stay open for a while
        self._links: dict[str, Any] = {}
        self._scan_s = 0.0
        self._known: dict[str, Known] = {}  # by address
        self.resolved: set[str] = set()  # addresses of boards whose services the system keeps
        self._failures = {
            name: itertools.cycle(getattr(profile, name) or (None,))
            for name in ("start_off", "stop_off")
        }
        self.plug()

    def backends(self) -> Backends:
        """Return the scanner and the client class for bleak's public ``backend=`` parameter."""
        held = {"pc": self}
        return type("Scanner", (VirtualScanner,), held), type("Client", (self.client,), held)

    # what it makes of a link, says a subclass

    def _begin(self, address: str, link: Any) -> None:
        """Have ``_ended`` called when a new link ends."""
        raise NotImplementedError

    def _cut(self, link: Any) -> None:
        """End a link whose radio has gone."""
        raise NotImplementedError

    def _agree(self, link: Any) -> None:
        """Set a link's supervision time-out to ``ASKED_S``, if it is still there."""
        raise NotImplementedError

    # the radio

    @property
    def station(self) -> Station:
        """The radio; AssertionError without one."""
        assert self._station is not None
        return self._station

    @property
    def powered(self) -> bool:
        """Whether there is a radio."""
        return self._station is not None

    def plug(self) -> None:
        """Insert a radio."""
        if self._station is None:
            self._station = Station(self._ether, self._spot, exclusive=False)
            self._station.hear = self._hear

    def pull(self) -> None:
        """Remove the radio: scanners get nothing any more, and all connections end."""
        if self.powered:
            self.station.power_off()
            self._station = None
            links, self._links = list(self._links.values()), {}
            self.scanners, self._known = [], {}
            for link in links:
                self._cut(link)

    async def respond(self, name: str) -> None:
        """Fail as the system does in this situation: raise an error or never return."""
        failure = next(self._failures[name])
        if failure == "hangs":
            await asyncio.Event().wait()
        if isinstance(failure, str):
            raise BleakBluetoothNotAvailableError(
                "no radio", BleakBluetoothNotAvailableReason[failure]
            )
        if failure is not None:
            raise failure("the radio went")

    # adverts

    def listen(self, scanner: VirtualScanner) -> None:
        """Report adverts to ``scanner``; the first scanner empties the filter."""
        if not self.scanners:
            self._scan_s = self.loop.time()
            for known in self._known.values():
                known.passed_s = None
            self.scan()
        self.scanners.append(scanner)

    def ignore(self, scanner: VirtualScanner) -> None:
        """Stop reporting to ``scanner``."""
        if scanner in self.scanners:
            self.scanners.remove(scanner)
            if not self.scanners and self.powered and self.station.wanted is None:
                self.station.stop_scan()

    def scan(self) -> None:
        """Scan from now on, without a pause."""
        self.station.scan(self.scan_s, self.scan_s)

    def _hear(self, heard: Heard):
        sender = self.names.get(heard.sender)
        if sender is None or not self.scanners or (self.profile.deaf and self.connecting):
            return
        advertisement = Advertisement(
            sender, heard.rssi_dbm, is_connectable=heard.connectable, data_bytes=heard.data
        )
        if advertisement.data.get(_MANUFACTURER) is None:
            return
        now_s, address = self.loop.time(), str(sender)
        known = self._known.setdefault(address, Known(now_s, advertisement))
        known.heard_s, known.advertisement = now_s, advertisement
        if self._passes(known.passed_s, now_s):
            known.passed_s = now_s
            self._tell(advertisement)

    def _passes(self, passed_s, now_s):
        """Return whether the filter passes an address: once in each period of ``filter_s``, which
        are counted from the start of the scan.
        """
        period_s = self.profile.filter_s
        unfiltered = not period_s or (self.profile.monitors and len(self.scanners) > 1)
        if unfiltered or passed_s is None:
            return True
        return (passed_s - self._scan_s) // period_s != (now_s - self._scan_s) // period_s

    def _tell(self, advertisement):
        for scanner in list(self.scanners):
            scanner.tell(advertisement)

    def _touch(self, address):
        """Connecting has changed a property of a board, which some systems report as an advert."""
        known = self._known.get(address)
        if self.profile.echoes and known is not None:
            self._tell(known.advertisement)

    def knows(self, address: str) -> bool:
        """Return whether the system would find ``address`` to connect to."""
        known = self._known.get(address)
        return known is not None and self.loop.time() - known.heard_s <= self.profile.forgets_s

    # links

    @property
    def full(self) -> bool:
        """Whether the adapter can hold no more connections."""
        return len(self._links) >= self.profile.links

    def keeps_services(self, address: str) -> bool:
        """Return whether the system knows the services of ``address`` from a link before."""
        return address in self.resolved and self.profile.again < 1

    async def discover(self, address: str) -> None:
        """Wait for as long as the system takes for the services of ``address``."""
        share = self.profile.again if self.keeps_services(address) else 1.0
        await asyncio.sleep(self.luck.uniform(*self.profile.discover_s) * share)

    def link_to(self, address: str) -> Any:
        """Return the open link to ``address``, or None."""
        return self._links.get(address)

    def use(self, address: str, client: VirtualClient) -> None:
        """Note that ``client`` uses the link to ``address`` now."""
        self._users[address] = client

    def linked(self, address: str, link: Any) -> None:
        """A link is open, first with the system's own supervision time-out; boards then ask for
        ``ASKED_S``.
        """
        self._links[address] = link
        self.loop.call_later(AGREED_S, self._agree, link)
        self._begin(address, link)
        self._touch(address)

    def _ended(self, address, link):
        if self._links.get(address) is link:
            del self._links[address]
            self._touch(address)
        if address in self._users:
            self._users[address].lost(link)

    def end(self, address: str, link: Any, client: VirtualClient) -> None:
        """End a link that was disconnected, unless it has ended or another client uses it."""
        if self._links.get(address) is link and self._users.get(address) is client:
            asyncio.ensure_future(client.hang_up(link))


class VirtualScanner(BaseBleakScanner):
    """A scanner that scans continuously: its window is as long as its interval."""

    pc: ClassVar[Pc]  # set by ``Pc.backends``

    def __init__(
        self,
        detection_callback: AdvertisementDataCallback | None,
        service_uuids: list[str] | None,
        scanning_mode: str,
        **kwargs: object,
    ):
        super().__init__(detection_callback, service_uuids)
        self._passive, self._started = scanning_mode == "passive", False

    async def start(self) -> None:
        """Start reporting adverts."""
        self.seen_devices = {}
        if not self.pc.powered:
            await self.pc.respond("start_off")
        if not self.pc.powered or (self._passive and not self.pc.profile.monitors):
            raise BleakError("passive scanning needs more than this")
        await asyncio.sleep(self.pc.profile.start_s)
        if not self.pc.powered:
            raise BleakError("the radio went")
        self._started = True
        self.pc.listen(self)

    async def stop(self) -> None:
        """Stop reporting."""
        forgotten = self._started and self not in self.pc.scanners  # its radio was removed
        if forgotten or not self.pc.powered:
            await self.pc.respond("stop_off")
        self.pc.ignore(self)

    def tell(self, advertisement: Advertisement) -> None:
        """Report an advert that has passed the PC's filter."""
        value = advertisement.data.get(_MANUFACTURER)
        assert isinstance(value, tuple)  # the PC reports no other type
        company, frame = value
        adv = AdvertisementData(
            local_name=None,
            manufacturer_data={int(company): bytes(frame)},
            service_data={},
            service_uuids=[],
            tx_power=None,
            rssi=advertisement.rssi,
            platform_data=(),
        )
        address = str(advertisement.address)
        device = self.create_or_update_device(address, address, None, advertisement.address, adv)
        self.call_detection_callbacks(device, adv)


class VirtualClient(BaseBleakClient):
    """One link to one board; how its radio makes it, says a subclass."""

    pc: ClassVar[Pc]  # set by ``Pc.backends``

    def __init__(
        self,
        address_or_ble_device: BLEDevice | str,
        *,
        services: set[str] | None = None,
        disconnected_callback: Callable[[], None] | None,
        timeout: float,
        **kwargs: object,
    ):
        super().__init__(
            address_or_ble_device, disconnected_callback=disconnected_callback, timeout=timeout
        )
        self._wanted = services
        self._link: Any = None
        self._over = asyncio.Event()

    @property
    def name(self) -> str:
        """The address: boards have no name."""
        return self.address

    @property
    def is_connected(self) -> bool:
        """Whether the link is connected."""
        return self._link is not None

    def _linked(self):
        if self._link is None:
            raise BleakError("not connected")
        return self._link

    # what a subclass does with its radio

    async def _initiate(self, due_s: float) -> Any:
        """Wait for the board's advert and connect; return the link."""
        raise NotImplementedError

    def _holds(self, link: Any) -> bool:
        """Return whether a link is still there."""
        raise NotImplementedError

    async def _negotiate(self, mtu: int) -> None:
        """Ask for an MTU."""
        raise NotImplementedError

    async def _hear_changes(self) -> None:
        """Subscribe to Service Changed, as an operating system does on its own."""
        raise NotImplementedError

    async def _discover(self) -> BleakGATTServiceCollection:
        """Return the services that were asked for."""
        raise NotImplementedError

    async def _write(self, characteristic: BleakGATTCharacteristic, value: bytes, response: bool):
        raise NotImplementedError

    async def hang_up(self, link: Any) -> None:
        """Disconnect."""
        raise NotImplementedError

    # a link's life

    async def connect(self, pair: bool, **kwargs: object) -> None:
        """Connect, negotiate the MTU and discover the services that were asked for."""
        if not self.pc.powered or not self.pc.knows(self.address):
            raise BleakDeviceNotFoundError(
                self.address, "it may have been removed when scanning stopped"
            )
        due_s = self.pc.loop.time() + self._timeout
        self._link = self.pc.link_to(self.address)
        if self._link is None:
            self._link = await self._attempt(due_s)
            self.pc.linked(self.address, self._link)
        self.pc.use(self.address, self)
        async with asyncio.timeout_at(due_s):
            if not self.pc.powered or not self._holds(self._link):
                self._gone()
            try:
                await self._get_services()
            except BaseException:
                await self.disconnect()
                raise

    async def _attempt(self, due_s):
        pc = self.pc
        # the kernel makes one at a time
        if pc.full or pc.connecting or pc.luck.random() < pc.profile.aborts:
            await asyncio.sleep(pc.luck.uniform(0, _ABORT_S))
            raise BleakError("le-connection-abort-by-local")
        pc.connecting += 1
        if not pc.station.scanning:
            pc.scan()
        try:
            return await self._initiate(due_s)
        finally:
            pc.connecting -= 1
            if not pc.scanners and pc.powered:
                pc.station.stop_scan()

    async def _get_services(self):
        profile, luck = self.pc.profile, self.pc.luck
        await self.pc.discover(self.address)
        await self._negotiate(profile.mtu)
        if profile.hears_changes:
            await self._hear_changes()
        stale = luck.random() < profile.stale
        self.services = BleakGATTServiceCollection() if stale else await self._discover()
        if not stale:
            self.pc.resolved.add(self.address)

    def lost(self, link: Any) -> None:
        """Note that a link has ended, if it is still this client's."""
        if self._link is link:
            self._gone()

    def _gone(self):
        callback = None if self._link is None else self._disconnected_callback
        self._link = self.services = None
        self._over.set()
        if callback is not None and self.pc.luck.random() >= self.pc.profile.untold:
            self.pc.loop.call_soon(callback)

    async def disconnect(self) -> None:
        """Disconnect if connected; on some systems the link ends only some time later."""
        link, late_s = self._link, self.pc.profile.late_s
        if link is None:
            return
        if late_s is None:
            await self.hang_up(link)
            return
        self._gone()
        self.pc.loop.call_later(
            self.pc.luck.uniform(*late_s), self.pc.end, self.address, link, self
        )

    async def write_gatt_char(
        self, characteristic: BleakGATTCharacteristic, data: SizedBuffer, response: bool
    ) -> None:
        """Write a value, and wait for the answer if ``response``."""
        self._linked()
        if response or self.pc.luck.random() >= self.pc.profile.drops:
            await self._write(characteristic, bytes(data), response)

    # what no carrier uses

    async def _refuse(self, *args: object, **kwargs: object) -> NoReturn:
        """Raise an error: boards are not paired (docs/architecture.md, Trust and keys), nothing is
        read, and a subscription ends with its link.
        """
        raise NotImplementedError("no carrier does that")

    pair = unpair = read_gatt_char = read_gatt_descriptor = _refuse
    write_gatt_descriptor = stop_notify = _refuse


class EtherClient(VirtualClient):
    """One link to one board."""

    pc: EtherPc  # pyright: ignore[reportIncompatibleVariableOverride]  set by ``backends``

    @property
    def mtu_size(self) -> int:
        """The negotiated ATT MTU."""
        return self.pc.profile.mtu

    @property
    def _board(self) -> Adapter:
        return self.pc.boards[self.address]

    async def _initiate(self, due_s: float) -> Connection:
        made: asyncio.Future[Connection | None] = self.pc.loop.create_future()
        initiation = Initiation(
            self.pc.station, self._board.station, lambda link: _settle(made, link)
        )
        try:
            async with asyncio.timeout_at(due_s):
                link = await made
        finally:
            initiation.cancel()
        if link is None:
            raise BleakError("le-connection-failed-to-be-established")
        return link

    def _holds(self, link: Connection) -> bool:
        return link.holds(self.pc.station)

    async def _negotiate(self, mtu: int) -> None:
        await self._ask(lambda link: self._board.negotiate(link, mtu))
        for _ in range(LOOKS_AGAIN if self.pc.keeps_services(self.address) else LOOKS):
            await self._ask(lambda link: None)

    async def _hear_changes(self) -> None:
        await self._ask(lambda link: self._board.subscribe(link, CHANGED))

    async def _discover(self) -> BleakGATTServiceCollection:
        services = BleakGATTServiceCollection()
        service = BleakGATTService(None, 1, frames.SERVICE_UUID)
        services.add_service(service)
        for handle, uuid in ((2, frames.DOWN_UUID), (4, frames.UP_UUID)):
            services.add_characteristic(
                BleakGATTCharacteristic(
                    None, handle, uuid, [], lambda: self.pc.profile.mtu - 3, service
                )
            )
        return services

    async def _ask(self, does: Callable[[Connection], None]) -> None:
        """Send a request, do it at the board and wait for its answer; BleakError without a link."""
        link, board = self._linked(), self._board.station
        answer: asyncio.Future[None] = self.pc.loop.create_future()

        def arrived():
            does(link)
            link.send(board, lambda: _settle(answer, None))

        link.send(self.pc.station, arrived)
        over = asyncio.ensure_future(self._over.wait())
        try:
            await asyncio.wait({over, answer}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            over.cancel()
        if not answer.done():
            raise BleakError("the link was lost")

    async def hang_up(self, link: Connection) -> None:
        """Disconnect, and wait until that is done."""
        link.hang_up(self.pc.station)
        await self._over.wait()

    async def _write(self, characteristic: BleakGATTCharacteristic, value: bytes, response: bool):
        if response:
            await self._ask(lambda link: self._board.write(link, characteristic.uuid, value))
        else:
            link = self._linked()
            link.send(self.pc.station, lambda: self._board.write(link, characteristic.uuid, value))

    async def start_notify(
        self, characteristic: BleakGATTCharacteristic, callback: NotifyCallback, **kwargs: object
    ) -> None:
        """Subscribe; ``callback`` gets each notification."""
        self._linked().notified = lambda value: callback(bytearray(value))
        await self._ask(lambda link: self._board.subscribe(link, characteristic.uuid))


class EtherPc(Pc):
    """A PC at ``spot``; ``boards`` are those that it may hear, by the text of their address."""

    client = EtherClient

    def __init__(self, ether: Ether, profile: Profile, seed: int, spot: Spot):
        self.boards: dict[str, Adapter] = {}
        super().__init__(ether, spot, {}, 0, profile, seed)

    def know(self, board: Adapter) -> None:
        """Note a board that was switched on."""
        address = Address(board.address.address_bytes, Address.RANDOM_DEVICE_ADDRESS)
        self.names[board.station] = address
        self.boards[str(address)] = board

    def _begin(self, address: str, link: Connection) -> None:
        link.timeout_us = self.profile.supervision_ms * 1000
        link.ended[self.station] = lambda: self._ended(address, link)

    def _cut(self, link: Connection) -> None:
        link.ended[link.ends[0]]()

    def _agree(self, link: Connection) -> None:
        link.timeout_us = round(ASKED_S * 1_000_000)


def _settle(future: asyncio.Future[ResultT], result: ResultT) -> None:
    """Set a future's result, unless nobody waits any more."""
    if not future.done():
        future.set_result(result)
