"""bleak's links on a PC whose radio is one of bumble's virtual controllers."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import Iterator

from bleak.assigned_numbers import CHARACTERISTIC_PROPERTIES, CharacteristicPropertyName
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import NotifyCallback
from bleak.backends.descriptor import BleakGATTDescriptor
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak.exc import BleakError
from bumble import core, device, gatt, hci, host
from bumble.core import UUID
from bumble.device import Connection, ConnectionParametersPreferences, Peer

from host.sim.bluetooth_quirks import Profile
from host.sim.ether import pc
from host.sim.ether.ether import CORNER
from host.sim.medium import Medium, RadioController

INTERVAL_MS = 30
PULLED = hci.HCI_ErrorCode.HARDWARE_FAILURE_ERROR
_CHANGED = gatt.GATT_SERVICE_CHANGED_CHARACTERISTIC


@contextlib.contextmanager
def bleak_errors(doing: str) -> Iterator[None]:
    """Turn bumble's errors, and requests cancelled by a lost link, into BleakError."""
    try:
        yield
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise BleakError(f"{doing}: the link was lost") from None
    except (core.BaseBumbleError, hci.HCI_Error, core.ProtocolError) as error:
        raise BleakError(f"{doing}: {error}") from error


class BumbleClient(pc.VirtualClient):
    """One link to one board."""

    pc: BumblePc  # pyright: ignore[reportIncompatibleVariableOverride]  set by ``backends``
    _found_peer: Peer | None = None

    @property
    def mtu_size(self) -> int:
        """The negotiated ATT MTU."""
        return self._linked().att_mtu

    async def _initiate(self, due_s: float) -> Connection:
        preferences = {
            hci.HCI_LE_1M_PHY: ConnectionParametersPreferences(
                connection_interval_min=INTERVAL_MS,
                connection_interval_max=INTERVAL_MS,
                supervision_timeout=self.pc.profile.supervision_ms,
            )
        }
        with bleak_errors("connect"):
            if not self.pc.device.powered_on:
                await self.pc.device.power_on()
            return await self.pc.device.connect(
                hci.Address(self.address),
                connection_parameters_preferences=preferences,
                timeout=self._timeout,
            )

    def _holds(self, link: Connection) -> bool:
        return link.handle in self.pc.device.connections

    async def _negotiate(self, mtu: int) -> None:
        self._found_peer = Peer(self._linked())
        with bleak_errors("discover"):
            await self._peer.request_mtu(mtu)

    @property
    def _peer(self):
        if self._found_peer is None:
            raise BleakError("not connected")
        return self._found_peer

    async def _hear_changes(self) -> None:
        with bleak_errors("discover"):
            for service in await self._peer.discover_service(gatt.GATT_GENERIC_ATTRIBUTE_SERVICE):
                for proxy in await service.discover_characteristics((_CHANGED,)):
                    await self._peer.subscribe(proxy)

    async def _discover(self) -> BleakGATTServiceCollection:
        collection = BleakGATTServiceCollection()
        with bleak_errors("discover"):
            for proxy in await self._services():
                service = BleakGATTService(proxy, proxy.handle, _text(proxy.uuid))
                collection.add_service(service)
                for characteristic in await proxy.discover_characteristics():
                    await self._describe(collection, service, characteristic)
        return collection

    async def _services(self):
        if not self._wanted:
            return await self._peer.discover_services()
        found = []
        for wanted in sorted(self._wanted):
            found += await self._peer.discover_service(core.UUID(wanted))
        return found

    async def _describe(self, collection, service, proxy):
        names: list[CharacteristicPropertyName] = [
            name for bit, name in CHARACTERISTIC_PROPERTIES.items() if proxy.properties & bit
        ]
        made = BleakGATTCharacteristic(
            proxy,
            proxy.handle,
            _text(proxy.uuid),
            names,
            lambda: self._linked().att_mtu - 3,
            service,
        )
        collection.add_characteristic(made)
        for descriptor in await proxy.discover_descriptors():
            collection.add_descriptor(
                BleakGATTDescriptor(descriptor, descriptor.handle, _text(descriptor.type), made)
            )

    async def hang_up(self, link: Connection) -> None:
        """Disconnect, unless the link has gone."""
        with contextlib.suppress(BleakError), bleak_errors("disconnect"):
            await link.disconnect()

    async def _write(self, characteristic: BleakGATTCharacteristic, value: bytes, response: bool):
        with bleak_errors("write"):
            await self._peer.write_value(characteristic.obj, value, response)

    async def start_notify(
        self, characteristic: BleakGATTCharacteristic, callback: NotifyCallback, **kwargs: object
    ) -> None:
        """Subscribe; ``callback`` gets each notification."""
        self._linked()
        proxy = characteristic.obj
        proxy.on(proxy.EVENT_UPDATE, lambda value: callback(bytearray(value)))
        with bleak_errors("subscribe"):
            await self._peer.subscribe(proxy)

    async def stop_notify(self, characteristic: BleakGATTCharacteristic) -> None:
        """Unsubscribe."""
        self._linked()
        with bleak_errors("unsubscribe"):
            await self._peer.unsubscribe(characteristic.obj)


class BumblePc(pc.Pc):
    """A PC with a controller on ``medium``, where packets are lost by ``Medium.loss`` alone."""

    client = BumbleClient
    scan_s = 5.0

    def __init__(self, medium: Medium, number: int, profile: Profile, seed: int):
        self._medium, self._address = medium, hci.Address(f"F0:00:00:00:00:{number:02X}")
        super().__init__(medium.ether, CORNER, medium.address_of, number, profile, seed)

    def plug(self) -> None:
        """Insert a radio with its stack."""
        if not self.powered:
            super().plug()
            self._radio = radio = RadioController(self._medium, self._address, self.station)
            self.device = device.Device(address=self._address, host=host.Host(radio, radio))

    def _begin(self, address: str, link: Connection) -> None:
        link.once(link.EVENT_DISCONNECTION, lambda reason: self._ended(address, link))

    def _cut(self, link: Connection) -> None:
        link.emit(link.EVENT_DISCONNECTION, PULLED)

    def _agree(self, link: Connection) -> None:
        held = self._radio.links.get(link.peer_address)
        if held is not None:
            held.timeout_us = round(pc.ASKED_S * 1_000_000)


def _text(bumble_uuid: UUID) -> str:
    return str(uuid.UUID(bytes=bytes(bumble_uuid.uuid_128_bytes)[::-1]))
