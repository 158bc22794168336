"""bleak's client on the ether: ``backends(pc)`` gives bleak the classes that reach the boards.

The scanner is that of ``host.sim.bleak_backend``; the faults are those of the PC's profile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, NoReturn, TypeVar

from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient, NotifyCallback
from bleak.backends.descriptor import BleakGATTDescriptor
from bleak.backends.device import BLEDevice
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak.exc import BleakDeviceNotFoundError, BleakError

from firmware.core import frames
from host.collector.carriers.radio import Backends
from host.sim.bleak_backend import ABORT_S, VirtualScanner
from host.sim.ether import pc as computers
from host.sim.ether.connection import Connection, Initiation
from host.sim.ether.pc import EtherPc

if TYPE_CHECKING:
    from bleak.args import SizedBuffer

    from host.sim.ether.types import Adapter

CHANGED = "service changed"  # a characteristic of the system's own
ResultT = TypeVar("ResultT")
LOOKS = 6  # exchanges in which a service and its two characteristics are found
LOOKS_AGAIN = 4  # in which features and primary services are (``bluetooth_quirks``, again)


def backends(pc: EtherPc) -> Backends:
    """Return the scanner and the client class for ``pc``."""
    held = {"pc": pc}
    return type("Scanner", (VirtualScanner,), held), type("Client", (EtherClient,), held)


def settle(future: asyncio.Future[ResultT], result: ResultT) -> None:
    """Set a future's result, unless nobody waits any more."""
    if not future.done():
        future.set_result(result)


class EtherClient(BaseBleakClient):
    """One link to one board."""

    pc: ClassVar[EtherPc]  # set by ``backends``

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
        self._link: Connection | None = None
        self._over = asyncio.Event()

    @property
    def name(self) -> str:
        """The address: boards have no name."""
        return self.address

    @property
    def mtu_size(self) -> int:
        """The negotiated ATT MTU."""
        return self.pc.profile.mtu

    @property
    def is_connected(self) -> bool:
        """Whether the link is connected."""
        return self._link is not None

    @property
    def _board(self) -> Adapter:
        return self.pc.boards[self.address]

    async def connect(self, pair: bool, **kwargs: object) -> None:
        """Connect, negotiate the MTU and discover the services."""
        if not self.pc.powered or not self.pc.knows(self.address):
            raise BleakDeviceNotFoundError(self.address, "it was not heard for long")
        due_s = asyncio.get_running_loop().time() + self._timeout
        link = self.pc.open_link(self.address)
        if link is None:
            link = await self._attempt(due_s)
            self.pc.opened(self.address, link)
        self._link = link
        self.pc.use(self.address, self)  # pyright: ignore[reportArgumentType]  (it only compares)
        link.ended[self.pc.station] = lambda: self._gone(link)
        async with asyncio.timeout_at(due_s):
            try:
                await self._get_services()
            except BaseException:
                await self.disconnect()
                raise

    async def _attempt(self, due_s: float) -> Connection:
        """Wait for the board's advert and connect; scanning is left to those who scan."""
        pc, loop = self.pc, asyncio.get_running_loop()
        # the kernel makes one at a time
        if pc.full or pc.connecting or pc.luck.random() < pc.profile.aborts:
            await asyncio.sleep(pc.luck.uniform(0, ABORT_S))
            raise BleakError("le-connection-abort-by-local")
        made: asyncio.Future[Connection | None] = loop.create_future()
        initiation = Initiation(pc.station, self._board.station, lambda link: settle(made, link))
        pc.connecting += 1
        if not pc.station.scanning:
            pc.station.scan(computers.SCAN_S, computers.SCAN_S)
        try:
            async with asyncio.timeout_at(due_s):
                link = await made
        finally:
            initiation.cancel()
            pc.connecting -= 1
            if not pc.scanners and pc.powered:
                pc.station.stop_scan()
        if link is None:
            raise BleakError("le-connection-failed-to-be-established")
        return link

    async def _get_services(self):
        pc, profile = self.pc, self.pc.profile
        looks = LOOKS_AGAIN if pc.keeps_services(self.address) else LOOKS
        await pc.discover(self.address)
        await self._ask(lambda link: self._board.negotiate(link, profile.mtu))
        for _ in range(looks):
            await self._ask(lambda link: None)
        if profile.hears_changes:  # when all are found: BlueZ's gatt-client.c, init_complete
            await self._ask(lambda link: self._board.subscribe(link, CHANGED))
        self.services = BleakGATTServiceCollection()
        if pc.luck.random() >= profile.stale:
            self._describe(self.services)
            pc.resolved.add(self.address)

    def _describe(self, services: BleakGATTServiceCollection):
        service = BleakGATTService(None, 1, frames.SERVICE_UUID)
        services.add_service(service)
        for handle, uuid in ((2, frames.DOWN_UUID), (4, frames.UP_UUID)):
            services.add_characteristic(
                BleakGATTCharacteristic(
                    None, handle, uuid, [], lambda: self.pc.profile.mtu - 3, service
                )
            )

    async def _ask(self, does: Callable[[Connection], None]) -> None:
        """Send a request, do it at the board and wait for its answer; BleakError without a link."""
        link = self._link
        if link is None:
            raise BleakError("not connected")
        board = self._board.station
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def arrived():
            does(link)
            link.send(board, lambda: settle(answer, None))

        link.send(self.pc.station, arrived)
        if not await computers.lost_or(self._over, answer):
            raise BleakError("the link was lost")

    def _gone(self, link: Connection):
        self.pc.unlinked(self.address, link)
        if self._link is link:
            self._link = None
            self._over.set()
            tell = self._disconnected_callback
            if tell is not None and self.pc.luck.random() >= self.pc.profile.untold:
                asyncio.get_running_loop().call_soon(tell)

    async def disconnect(self) -> None:
        """Disconnect if connected; on some systems the link ends only some time later."""
        link, late_s = self._link, self.pc.profile.late_s
        if link is None:
            return
        if late_s is None:
            link.hang_up(self.pc.station)
            await self._over.wait()
            return
        link.ended[self.pc.station] = lambda: self.pc.unlinked(self.address, link)
        self._gone(link) if not link.holds(self.pc.station) else self._leave(link)

    def _leave(self, link: Connection):
        late_s = self.pc.luck.uniform(*(self.pc.profile.late_s or (0, 0)))
        self._link = None
        self._over.set()
        if self._disconnected_callback is not None:
            asyncio.get_running_loop().call_soon(self._disconnected_callback)
        loop = asyncio.get_running_loop()
        loop.call_later(late_s, self.pc.end_late, self.address, link, self)

    async def start_notify(
        self, characteristic: BleakGATTCharacteristic, callback: NotifyCallback, **kwargs: object
    ) -> None:
        """Subscribe; ``callback`` gets each notification."""
        if self._link is not None:
            self._link.notified = lambda value: callback(bytearray(value))
        await self._ask(lambda link: self._board.subscribe(link, characteristic.uuid))

    async def write_gatt_char(
        self, characteristic: BleakGATTCharacteristic, data: SizedBuffer, response: bool
    ) -> None:
        """Write a value, and wait for the answer if ``response``."""
        value, link = bytes(data), self._link
        if link is None:
            raise BleakError("not connected")
        if response:
            await self._ask(lambda link: self._board.write(link, characteristic.uuid, value))
        elif self.pc.luck.random() >= self.pc.profile.drops:
            link.send(self.pc.station, lambda: self._board.write(link, characteristic.uuid, value))

    # what no carrier uses

    async def pair(self, *args: object, **kwargs: object) -> NoReturn:
        """Raise an error: links are not paired (docs/architecture.md, Trust and keys)."""
        raise NotImplementedError("boards are not paired")

    async def unpair(self) -> NoReturn:
        """Raise an error, as ``pair`` does."""
        raise NotImplementedError("boards are not paired")

    async def read_gatt_char(
        self, characteristic: BleakGATTCharacteristic, *, use_cached: bool = False, **kwargs: object
    ) -> NoReturn:
        """Raise an error: nothing is read."""
        raise NotImplementedError("nothing is read")

    async def read_gatt_descriptor(
        self, descriptor: BleakGATTDescriptor, *, use_cached: bool = False, **kwargs: object
    ) -> NoReturn:
        """Raise an error: nothing is read."""
        raise NotImplementedError("nothing is read")

    async def write_gatt_descriptor(
        self, descriptor: BleakGATTDescriptor, data: SizedBuffer
    ) -> NoReturn:
        """Raise an error: subscriptions have a call of their own."""
        raise NotImplementedError("nothing is written to descriptors")

    async def stop_notify(self, characteristic: BleakGATTCharacteristic) -> NoReturn:
        """Raise an error: a link ends with its subscription."""
        raise NotImplementedError("nobody unsubscribes")
