"""The organiser's PC on the ether, and bleak on it: ``backends(pc)`` gives bleak the classes that
reach the boards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import NotifyCallback
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak.exc import BleakError
from bumble import hci
from bumble.device import Advertisement

from firmware.core import frames
from host.collector.carriers.radio import Backends
from host.sim import pc
from host.sim.bluetooth_quirks import Profile
from host.sim.ether.connection import Connection, Initiation
from host.sim.ether.ether import Ether, Heard, Spot, Station

if TYPE_CHECKING:
    from host.sim.ether.types import Adapter

SCAN_S = 0.01125  # window and interval of BlueZ's discovery, one after the other
CHANGED = "service changed"  # a characteristic of the system's own
LOOKS = 6  # exchanges in which a service and its two characteristics are found
LOOKS_AGAIN = 4  # in which features and primary services are (``bluetooth_quirks``, again)
ResultT = TypeVar("ResultT")


def backends(computer: EtherPc) -> Backends:
    """Return the scanner and the client class for a PC."""
    held = {"pc": computer}
    return type("Scanner", (pc.VirtualScanner,), held), type("Client", (EtherClient,), held)


class EtherPc(pc.Pc):
    """A PC at ``spot``; ``boards`` are those that it may hear, by the text of their address."""

    def __init__(
        self, ether: Ether, profile: Profile, seed: int, spot: Spot, boards: dict[str, Adapter]
    ):
        self._ether, self._spot, self.boards = ether, spot, boards
        self._station: Station | None = None
        self._names: dict[Station, hci.Address] = {}
        super().__init__(ether.loop, 0, profile, seed)

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
            self._station = self._ether.station(self._spot, exclusive=False)
            self._station.hear = self._hear

    def _unplug(self) -> Callable[[Connection], None]:
        station, self._station = self.station, None
        station.power_off()
        return lambda link: link.ended[station]()

    async def _scan(self, on: bool) -> None:
        if on:
            self.station.scan(SCAN_S, SCAN_S)
        elif self.station.wanted is None:
            self.station.stop_scan()

    def know(self, board: Adapter) -> str:
        """Note a board that was switched on; return the text of its address."""
        address = hci.Address(board.address.address_bytes, hci.Address.RANDOM_DEVICE_ADDRESS)
        self._names[board.station] = address
        self.boards[str(address)] = board
        return str(address)

    def _hear(self, heard: Heard):
        address = self._names.get(heard.sender)
        if address is not None and self.scanners:
            self._heard(
                Advertisement(
                    address, heard.rssi_dbm, is_connectable=heard.connectable, data_bytes=heard.data
                )
            )

    def _begin(self, address: str, link: Connection) -> None:
        link.timeout_us = self.profile.supervision_ms * 1000
        link.ended[self.station] = lambda: self._ended(address, link)

    def _agree(self, link: Connection) -> None:
        link.timeout_us = round(pc.ASKED_S * 1_000_000)


class EtherClient(pc.VirtualClient):
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
        computer = self.pc  # scanning is left to those who scan
        made: asyncio.Future[Connection | None] = computer.loop.create_future()
        initiation = Initiation(
            computer.station, self._board.station, lambda link: _settle(made, link)
        )
        if not computer.station.scanning:
            computer.station.scan(SCAN_S, SCAN_S)
        try:
            async with asyncio.timeout_at(due_s):
                link = await made
        finally:
            initiation.cancel()
            if not computer.scanners and computer.powered:
                computer.station.stop_scan()
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


def _settle(future: asyncio.Future[ResultT], result: ResultT) -> None:
    """Set a future's result, unless nobody waits any more."""
    if not future.done():
        future.set_result(result)
