"""A bleak backend over a bumble device: ``BleakScanner`` and ``BleakClient`` on the virtual radio.

``backends(device)`` gives the two classes for bleak's public ``backend=`` parameter; the host's
code is the same as on a real adapter. Like BlueZ it reports an advert again only when it has
changed; like every backend it raises BleakError for what goes wrong on the way.
"""

import asyncio
import contextlib
import uuid

from bleak.assigned_numbers import CHARACTERISTIC_PROPERTIES
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient
from bleak.backends.descriptor import BleakGATTDescriptor
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData, BaseBleakScanner
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak.exc import BleakDeviceNotFoundError, BleakError
from bumble import core, hci
from bumble.device import ConnectionParametersPreferences, Peer

MTU = 517
INTERVAL_MS = 30
SUPERVISION_MS = 4000
CONNECT_TIMEOUT_S = 10.0
_MANUFACTURER = core.AdvertisingData.MANUFACTURER_SPECIFIC_DATA
_PREFERENCES = {
    hci.HCI_LE_1M_PHY: ConnectionParametersPreferences(
        connection_interval_min=INTERVAL_MS, connection_interval_max=INTERVAL_MS,
        supervision_timeout=SUPERVISION_MS,
    )
}


def backends(device):
    """Return the scanner and the client class that work on ``device`` (a bumble Device)."""
    held = {"device": device}
    return type("Scanner", (VirtualScanner,), held), type("Client", (VirtualClient,), held)


@contextlib.contextmanager
def bleak_errors(doing):
    """Raise what bumble raises, and its cancelled requests of a lost link, as BleakError."""
    try:
        yield
    except asyncio.CancelledError:
        if asyncio.current_task().cancelling():
            raise
        raise BleakError(f"{doing}: the link was lost") from None
    except (core.BaseBumbleError, hci.HCI_Error, core.ProtocolError) as error:
        raise BleakError(f"{doing}: {error}") from error


class VirtualScanner(BaseBleakScanner):
    """Scans for ever, window equal to interval."""

    device = None

    def __init__(self, detection_callback, service_uuids, scanning_mode, **kwargs):
        super().__init__(detection_callback, service_uuids)

    async def start(self):
        """Begin to report adverts."""
        self.seen_devices = {}
        if not self.device.powered_on:
            await self.device.power_on()
        self.device.on(self.device.EVENT_ADVERTISEMENT, self._heard)
        await self.device.start_scanning(legacy=True, active=False, filter_duplicates=True)

    async def stop(self):
        """Stop reporting."""
        self.device.remove_listener(self.device.EVENT_ADVERTISEMENT, self._heard)
        await self.device.stop_scanning(legacy=True)

    def _heard(self, advertisement):
        data = advertisement.data.get(_MANUFACTURER)
        if data is None:
            return
        company, frame = data
        adv = AdvertisementData(
            local_name=None, manufacturer_data={int(company): bytes(frame)}, service_data={},
            service_uuids=[], tx_power=None, rssi=advertisement.rssi, platform_data=(),
        )
        address = str(advertisement.address)
        found = self.create_or_update_device(address, address, None, advertisement.address, adv)
        self.call_detection_callbacks(found, adv)


class VirtualClient(BaseBleakClient):
    """One link to one board."""

    device = None

    def __init__(self, address_or_ble_device, *, services=None, **kwargs):
        super().__init__(address_or_ble_device, **kwargs)
        found = isinstance(address_or_ble_device, BLEDevice)
        self._peer_address = address_or_ble_device.details if found else None
        self._wanted = services
        self._connection = self._peer = None

    @property
    def name(self):
        """The address: boards have no name."""
        return self.address

    @property
    def mtu_size(self):
        """The negotiated ATT MTU."""
        return self._connection.att_mtu

    @property
    def is_connected(self):
        """Whether the link stands."""
        return self._connection is not None

    async def connect(self, pair, **kwargs):
        """Connect, negotiate the MTU and discover the services that were asked for."""
        if self._peer_address is None:
            raise BleakDeviceNotFoundError(self.address, "scan first")
        with bleak_errors("connect"):
            self._connection = connection = await self.device.connect(
                self._peer_address, connection_parameters_preferences=_PREFERENCES,
                timeout=min(self._timeout, CONNECT_TIMEOUT_S),
            )
            connection.once(connection.EVENT_DISCONNECTION, self._gone)
            if connection.handle not in self.device.connections:
                self._gone(0)
        with bleak_errors("discover"):
            try:
                self._peer = Peer(self._linked())
                await self._peer.request_mtu(MTU)
                self.services = await self._discover()
            except BaseException:
                await self.disconnect()
                raise

    def _linked(self):
        if self._connection is None:
            raise BleakError("not connected")
        return self._connection

    def _gone(self, reason):
        self._connection = self.services = None
        if self._disconnected_callback is not None:
            asyncio.get_running_loop().call_soon(self._disconnected_callback)

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
        names = [
            name for bit, name in CHARACTERISTIC_PROPERTIES.items() if proxy.properties & bit
        ]
        made = BleakGATTCharacteristic(
            proxy, proxy.handle, _text(proxy.uuid), names,
            lambda: self._linked().att_mtu - 3, service,
        )
        collection.add_characteristic(made)
        for descriptor in await proxy.discover_descriptors():
            collection.add_descriptor(
                BleakGATTDescriptor(descriptor, descriptor.handle, _text(descriptor.type), made)
            )

    async def disconnect(self):
        """Hang up, if anybody is there."""
        if self._connection is not None:
            with contextlib.suppress(BleakError), bleak_errors("disconnect"):
                await self._connection.disconnect()

    async def pair(self, *args, **kwargs):
        """Refuse: pairing proves nothing here (DESIGN §4)."""
        raise NotImplementedError("boards are not paired")

    async def unpair(self):
        """Refuse, as ``pair`` does."""
        raise NotImplementedError("boards are not paired")

    async def read_gatt_char(self, characteristic, *, use_cached=False, **kwargs):
        """Read a value."""
        self._linked()
        with bleak_errors("read"):
            return bytearray(await self._peer.read_value(characteristic.obj))

    async def read_gatt_descriptor(self, descriptor, *, use_cached=False, **kwargs):
        """Read a descriptor."""
        self._linked()
        with bleak_errors("read"):
            return bytearray(await self._peer.read_value(descriptor.obj))

    async def write_gatt_char(self, characteristic, data, response):
        """Write a value, and wait for the answer if ``response``."""
        self._linked()
        with bleak_errors("write"):
            await self._peer.write_value(characteristic.obj, bytes(data), response)

    async def write_gatt_descriptor(self, descriptor, data):
        """Write a descriptor and wait for the answer."""
        self._linked()
        with bleak_errors("write"):
            await self._peer.write_value(descriptor.obj, bytes(data), True)

    async def start_notify(self, characteristic, callback, **kwargs):
        """Subscribe; ``callback`` gets each notification."""
        self._linked()
        proxy = characteristic.obj
        proxy.on(proxy.EVENT_UPDATE, lambda value: callback(bytearray(value)))
        with bleak_errors("subscribe"):
            await self._peer.subscribe(proxy)

    async def stop_notify(self, characteristic):
        """Unsubscribe."""
        self._linked()
        with bleak_errors("unsubscribe"):
            await self._peer.unsubscribe(characteristic.obj)



def _text(bumble_uuid):
    return str(uuid.UUID(bytes=bytes(bumble_uuid.uuid_128_bytes)[::-1]))
