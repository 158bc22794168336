"""A bleak backend on a virtual PC: ``BleakScanner`` and ``BleakClient`` on the virtual radio.

``backends(pc)`` returns the two classes for bleak's public ``backend=`` parameter, so the host's
code is the same as on a real adapter. The PC has the faults (``bluetooth_quirks``, ``computer``).
"""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ClassVar

from bleak.assigned_numbers import (
    CHARACTERISTIC_PROPERTIES,
    AdvertisementDataType,
    CharacteristicPropertyName,
)
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient, NotifyCallback
from bleak.backends.descriptor import BleakGATTDescriptor
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData, AdvertisementDataCallback, BaseBleakScanner
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak.exc import BleakDeviceNotFoundError, BleakError
from bumble import core, gatt, hci
from bumble.core import UUID
from bumble.device import Advertisement, Connection, ConnectionParametersPreferences, Peer

from host.collector.carriers.radio import Backends
from host.sim.computer import Pc

if TYPE_CHECKING:
    from bleak.args import SizedBuffer

INTERVAL_MS = 30
ABORT_S = 1.5
_CHANGED = gatt.GATT_SERVICE_CHANGED_CHARACTERISTIC
_MANUFACTURER = core.AdvertisingData.MANUFACTURER_SPECIFIC_DATA


def backends(pc: Pc) -> Backends:
    """Return the scanner and the client class for ``pc`` (a ``computer.Pc``)."""
    held = {"pc": pc}
    return type("Scanner", (VirtualScanner,), held), type("Client", (VirtualClient,), held)


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


class VirtualScanner(BaseBleakScanner):
    """A scanner that scans continuously: its window is as long as its interval."""

    pc: ClassVar[Pc]  # set by ``backends``

    def __init__(
        self,
        detection_callback: AdvertisementDataCallback | None,
        service_uuids: list[str] | None,
        scanning_mode: str,
        *,
        bluez: dict[str, list[tuple[int, AdvertisementDataType, bytes]]] | None = None,
        **kwargs: object,
    ):
        super().__init__(detection_callback, service_uuids)
        self._passive, self._started = scanning_mode == "passive", False

    async def start(self) -> None:
        """Start reporting adverts."""
        self.seen_devices = {}
        if not self.pc.powered:
            await self.pc.respond("start_off")
        if not self.pc.powered or self._passive and not self.pc.profile.monitors:
            raise BleakError("passive scanning needs more than this")
        await asyncio.sleep(self.pc.profile.start_s)
        if not self.pc.powered:
            raise BleakError("the radio went")
        self._started = True
        await self.pc.listen(self)

    async def stop(self) -> None:
        """Stop reporting."""
        alive = self in self.pc.scanners
        if self._started and not alive or not self.pc.powered:
            await self.pc.respond("stop_off")
        await self.pc.ignore(self)

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
        found = self.create_or_update_device(address, address, None, advertisement.address, adv)
        self.call_detection_callbacks(found, adv)


class VirtualClient(BaseBleakClient):
    """One link to one board."""

    pc: ClassVar[Pc]  # set by ``backends``

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
        self._peer_address: hci.Address | None = None
        if isinstance(address_or_ble_device, BLEDevice):
            self._peer_address = address_or_ble_device.details
        self._wanted = services
        self._connection: Connection | None = None
        self._found_peer: Peer | None = None

    @property
    def name(self) -> str:
        """The address: boards have no name."""
        return self.address

    @property
    def mtu_size(self) -> int:
        """The negotiated ATT MTU."""
        return self._linked().att_mtu

    @property
    def is_connected(self) -> bool:
        """Whether the link is connected."""
        return self._connection is not None

    async def connect(self, pair: bool, **kwargs: object) -> None:
        """Connect, negotiate the MTU and discover the services that were asked for."""
        if self._peer_address is None or not self.pc.powered or not self.pc.knows(self.address):
            raise BleakDeviceNotFoundError(
                self.address, "it may have been removed when scanning stopped"
            )
        due_s = asyncio.get_running_loop().time() + self._timeout
        self._connection = connection = await self._attempt(self._peer_address)
        self.pc.use(self.address, self)
        async with asyncio.timeout_at(due_s):
            connection.once(connection.EVENT_DISCONNECTION, self._gone)
            if not self.pc.powered or connection.handle not in self.pc.device.connections:
                self._gone(0)
            try:
                with bleak_errors("discover"):
                    await self._get_services()
            except BaseException:
                await self.disconnect()
                raise

    async def _attempt(self, peer: hci.Address):
        """Return the connection that is still open, or a new one."""
        known = self.pc.link_to(self.address)
        if known is not None:
            return known
        if self.pc.full or self.pc.luck.random() < self.pc.profile.aborts:
            await asyncio.sleep(self.pc.luck.uniform(0, ABORT_S))
            raise BleakError("le-connection-abort-by-local")
        preferences = {
            hci.HCI_LE_1M_PHY: ConnectionParametersPreferences(
                connection_interval_min=INTERVAL_MS,
                connection_interval_max=INTERVAL_MS,
                supervision_timeout=self.pc.profile.supervision_ms,
            )
        }
        self.pc.connecting += 1
        try:
            with bleak_errors("connect"):
                connection = await self.pc.device.connect(
                    peer,
                    connection_parameters_preferences=preferences,
                    timeout=self._timeout,
                )
        finally:
            self.pc.connecting -= 1
        self.pc.linked(self.address, connection)
        return connection

    async def _get_services(self):
        profile, luck = self.pc.profile, self.pc.luck
        await self.pc.discover(self.address)
        self._found_peer = Peer(self._linked())
        await self._peer.request_mtu(profile.mtu)
        if profile.hears_changes:
            await self._hear_changes()
        stale = luck.random() < profile.stale
        self.services = BleakGATTServiceCollection() if stale else await self._discover()
        if not stale:
            self.pc.resolved.add(self.address)

    async def _hear_changes(self):
        """Subscribe to Service Changed, as an operating system does on its own."""
        for service in await self._peer.discover_service(gatt.GATT_GENERIC_ATTRIBUTE_SERVICE):
            for proxy in await service.discover_characteristics((_CHANGED,)):
                await self._peer.subscribe(proxy)

    @property
    def _peer(self):
        if self._found_peer is None:
            raise BleakError("not connected")
        return self._found_peer

    def _linked(self):
        if self._connection is None:
            raise BleakError("not connected")
        return self._connection

    def _gone(self, reason):
        tell = None if self._connection is None else self._disconnected_callback
        self._connection = self.services = None
        if tell is not None and self.pc.luck.random() >= self.pc.profile.untold:
            asyncio.get_running_loop().call_soon(tell)

    async def _discover(self):
        collection = BleakGATTServiceCollection()
        if self._wanted:
            proxies = []
            for wanted in sorted(self._wanted):
                proxies += await self._peer.discover_service(core.UUID(wanted))
        else:
            proxies = await self._peer.discover_services()
        for proxy in proxies:
            service = BleakGATTService(proxy, proxy.handle, _text(proxy.uuid))
            collection.add_service(service)
            for characteristic in await proxy.discover_characteristics():
                await self._describe(collection, service, characteristic)
        return collection

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

    async def disconnect(self) -> None:
        """Disconnect if connected; on some systems the link ends only some time later."""
        connection = self._connection
        if connection is None:
            return
        if self.pc.profile.late_s is None:
            with contextlib.suppress(BleakError), bleak_errors("disconnect"):
                await connection.disconnect()
            return
        connection.remove_listener(connection.EVENT_DISCONNECTION, self._gone)
        self._gone(0)
        late_s = self.pc.luck.uniform(*self.pc.profile.late_s)
        asyncio.get_running_loop().call_later(late_s, self.pc.end, self.address, connection, self)

    async def pair(self, *args: object, **kwargs: object) -> None:
        """Raise an error: links are not paired (docs/architecture.md, Trust and keys)."""
        raise NotImplementedError("boards are not paired")

    async def unpair(self) -> None:
        """Raise an error, as ``pair`` does."""
        raise NotImplementedError("boards are not paired")

    async def read_gatt_char(
        self, characteristic: BleakGATTCharacteristic, *, use_cached: bool = False, **kwargs: object
    ) -> bytearray:
        """Read a value."""
        self._linked()
        with bleak_errors("read"):
            return bytearray(await self._peer.read_value(characteristic.obj))

    async def read_gatt_descriptor(
        self, descriptor: BleakGATTDescriptor, *, use_cached: bool = False, **kwargs: object
    ) -> bytearray:
        """Read a descriptor."""
        self._linked()
        with bleak_errors("read"):
            return bytearray(await self._peer.read_value(descriptor.obj))

    async def write_gatt_char(
        self, characteristic: BleakGATTCharacteristic, data: SizedBuffer, response: bool
    ) -> None:
        """Write a value, and wait for the answer if ``response``."""
        self._linked()
        if not response and self.pc.luck.random() < self.pc.profile.drops:
            return
        with bleak_errors("write"):
            await self._peer.write_value(characteristic.obj, bytes(data), response)

    async def write_gatt_descriptor(
        self, descriptor: BleakGATTDescriptor, data: SizedBuffer
    ) -> None:
        """Write a descriptor and wait for the answer."""
        self._linked()
        with bleak_errors("write"):
            await self._peer.write_value(descriptor.obj, bytes(data), True)

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


def _text(bumble_uuid: UUID) -> str:
    return str(uuid.UUID(bytes=bytes(bumble_uuid.uuid_128_bytes)[::-1]))
