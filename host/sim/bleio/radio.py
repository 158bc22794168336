"""``_bleio``'s adapter and connections for one virtual board, with the limits of an nRF52840."""

import asyncio

from bumble import att, device, hci, host

from host.sim import controller
from host.sim.bleio import names

ADVERT_MAX = 31  # legacy adverts only
NOTIFY_QUEUE = 5  # BLEIO_HVN_TX_QUEUE_SIZE
SERVER_MTU = 512
LOOK_S = 0.02  # firmware.app.POLL_MS
_GONE = hci.HCI_ErrorCode.REMOTE_USER_TERMINATED_CONNECTION_ERROR


class Connection:
    """A link that a central has made to this board."""

    def __init__(self, bumble):
        self.bumble = bumble
        self.connected, self.paired = True, False

    @property
    def max_packet_length(self):
        """Bytes that fit into one notification."""
        return self.bumble.att_mtu - 3

    @property
    def connection_interval(self):
        """Milliseconds between connection events."""
        return self.bumble.parameters.connection_interval

    def disconnect(self):
        """Hang up; nothing happens if the peer already has."""
        if self.connected:
            task = asyncio.get_running_loop().create_task(self._hang_up())
            task.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def _hang_up(self):
        await self.bumble.disconnect(_GONE)


class Adapter:
    """The board's radio. ``wake()`` is called when something has happened on it.

    ``stalls`` counts notifications that would have blocked the chip, because its queue was full.
    """

    name, enabled = "CIRCUITPY", True

    def __init__(self, medium, address, distance_m, wake):
        self._medium, self.wake = medium, wake
        self.controller = controller.RadioController(medium, address, distance_m)
        self.services, self.connections = [], ()
        self.stalls = 0
        self._look = None
        self._published = 0
        self._device = device.Device(
            address=address, host=host.Host(self.controller, self.controller)
        )
        self._device.gatt_server.max_mtu = SERVER_MTU
        self._device.on(self._device.EVENT_CONNECTION, self._connected)
        self._power = medium.loop.create_task(self._device.power_on())

    @property
    def address(self):
        """The static random address."""
        return names.Address(bytes(self.controller.random_address))

    @property
    def advertising(self):
        """Whether the advert is out; a connection stops it."""
        return self.controller.le_legacy_advertiser.enabled

    @property
    def connected(self):
        """Whether anybody is connected."""
        return bool(self.connections)

    def start_advertising(
        self, data, *, scan_response=None, connectable=True, anonymous=False,
        timeout=0, interval=0.1, tx_power=0, directed_to=None,
    ):
        """Advertise ``data`` every ``interval`` seconds."""
        advertiser = self.controller.le_legacy_advertiser
        if advertiser.enabled:
            raise names.BluetoothError("Already advertising.")
        if len(data) > ADVERT_MAX or scan_response:
            raise ValueError("Data too large for advertisement packet")
        if not 0.02 <= interval <= 10.24:
            raise ValueError("interval must be in range 0.02-10.24")
        self._publish()
        advertiser.advertising_data = bytes(data)
        advertiser.connectable, advertiser.interval_s = connectable, interval
        advertiser.start()

    def stop_advertising(self):
        """Take the advert back."""
        self.controller.le_legacy_advertiser.stop()

    def _publish(self):
        for service in self.services[self._published :]:
            characteristics = [each.bumble for each in service.characteristics]
            self._device.add_service(
                device.Service(str(service.uuid), characteristics, primary=not service.secondary)
            )
        self._published = len(self.services)

    def _connected(self, bumble):
        connection = Connection(bumble)
        self.connections += (connection,)
        bumble.once(bumble.EVENT_DISCONNECTION, lambda reason: self._disconnected(connection))
        self.wake()

    def _disconnected(self, connection):
        connection.connected = False
        self.connections = tuple(each for each in self.connections if each is not connection)
        for service in self.services:
            for characteristic in service.characteristics:
                characteristic.disconnected(connection.bumble)
        self.wake()

    def wake_soon(self):
        """Wake the program as its own next look at the radio would, when something is left."""
        if self._look is None or self._look.when() <= self._medium.loop.time():
            self._look = self._medium.loop.call_later(LOOK_S, lambda: self.wake())

    def holds(self, bumble):
        """Say whether a bumble connection still stands."""
        return any(each.bumble is bumble for each in self.connections)

    def notify(self, bumble, handle, value):
        """Send ``value`` to one subscriber, cut to its MTU as the chip does."""
        if self._medium.waiting(self.controller) >= NOTIFY_QUEUE:
            self.stalls += 1
        packet = att.ATT_Handle_Value_Notification(
            attribute_handle=handle, attribute_value=value[: bumble.att_mtu - 3]
        )
        self._device.gatt_server.send_gatt_pdu(bumble, bytes(packet))

    def power_off(self):
        """Fall silent for good, as when the battery is pulled or the board resets."""
        self.wake = lambda: None
        self._power.cancel()
        self.controller.power_off()
