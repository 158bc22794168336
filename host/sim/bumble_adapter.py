"""A board's ``_bleio`` adapter over bumble's virtual controllers (docs/architecture.md)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bumble import att, core, device, gatt, hci, host

from host.sim.bleio import (
    ESPRESSIF,
    Address,
    Characteristic,
    Client,
    Connection,
    Port,
    Service,
)
from host.sim.ether.adapter import StationRadio
from host.sim.ether.ether import Station
from host.sim.medium import Medium, RadioController

SERVER_MTU = 512
_GONE = hci.HCI_ErrorCode.REMOTE_USER_TERMINATED_CONNECTION_ERROR
_WRITABLE = att.Attribute.Permissions.WRITEABLE
_READABLE = att.Attribute.Permissions.READABLE


class Adapter(StationRadio):
    """The radio of a board over bumble.

    ``bonds`` survive a reset, as in the chip's flash; ``erased`` counts the calls of
    ``erase_bonding``.
    """

    def __init__(
        self,
        medium: Medium,
        address: hci.Address,
        wake: Callable[[], None],
        bonds: dict[str, bool] | None = None,
        port: Port = ESPRESSIF,
    ):
        station = Station(medium.ether, exclusive=False)
        super().__init__(station, port, str(address), wake)
        self._medium, self._address = medium, address
        self.address = Address(bytes(address))
        self.bonds, self.erased = (bonds if bonds is not None else {}), 0
        self._switch_on()

    def _switch_on(self) -> None:
        super()._switch_on()
        address = self._address
        self.controller = controller = RadioController(self._medium, address, self.station)
        self.services, self.held, self._listed = [], (), None
        self._published: set[Service] = set()
        self._device = device.Device(address=address, host=host.Host(controller, controller))
        self._device.gatt_server.max_mtu = SERVER_MTU
        self._device.on(self._device.EVENT_CONNECTION, self._connected)
        server = self._device.gatt_server
        server.on(server.EVENT_CHARACTERISTIC_SUBSCRIPTION, self._subscribed)
        self._power = self._medium.loop.create_task(self._device.power_on())

    def _switch_off(self) -> None:
        self._power.cancel()
        super()._switch_off()

    def power_off(self) -> None:
        """Stop the radio for good, as when the battery is removed or the board resets."""
        self._power.cancel()
        super().power_off()

    def _advertise(self, data: bytes, interval_s: float, connectable: bool) -> None:
        self._publish()
        super()._advertise(data, interval_s, connectable)

    def erase_bonding(self) -> None:
        """Erase all bonds."""
        self.bonds.clear()
        self.erased += 1

    def _bond(self, connection):
        """Store the bond of a central that has paired, as the chip does itself (Connection.c)."""
        connection.paired = True
        self.bonds[str(connection.client.peer_address)] = True

    @property
    def serves_files(self) -> bool:
        """Whether bonded centrals can use the drive after the next boot (bluetooth.c:213,248)."""
        return bool(self.bonds)

    def _publish(self):
        for service in self.services:
            if service not in self._published:
                made = [self._bumble(each) for each in service.characteristics]
                self._published.add(service)
                self._device.add_service(
                    gatt.Service(str(service.uuid), made, primary=not service.secondary)
                )

    def _bumble(self, characteristic):
        made = gatt.Characteristic(
            core.UUID(str(characteristic.uuid)),
            gatt.Characteristic.Properties(characteristic.properties),
            _READABLE if characteristic.properties & characteristic.READ else _WRITABLE,
            gatt.CharacteristicValue(
                read=lambda connection: bytes(characteristic.value),
                write=lambda connection, value: self._written(
                    made, characteristic, connection, value
                ),
            ),
        )
        characteristic.handle = made
        return made

    def _written(self, made, characteristic, bumble, value):
        if len(value) > characteristic.max_length:
            raise att.ATT_Error(att.ATT_INVALID_ATTRIBUTE_LENGTH_ERROR, made.handle)
        if self.holds(bumble):  # bumble may deliver a write after the disconnection
            characteristic.written(bumble, bytes(value))
        self.wake()

    def _subscribed(self, bumble, subscribed, notify, indicate):
        """Handle a central's write to any characteristic's configuration descriptor.

        Any subscription, even to Service Changed, counts for every packet buffer (PacketBuffer.c).
        """
        if self.holds(bumble):
            for characteristic in self._characteristics():
                if characteristic.handle is subscribed:
                    characteristic.subscribed(bumble, notify)
                else:
                    characteristic.elsewhere(bumble, notify or indicate)
        self.wake()

    def _connected(self, bumble):
        connection = Connection(self, bumble)
        bumble.on(bumble.EVENT_PAIRING, lambda keys: self._bond(connection))
        bumble.once(bumble.EVENT_DISCONNECTION, lambda reason: self.end(connection))
        self._hold(connection)

    def holds(self, bumble: device.Connection) -> bool:
        """Return whether a bumble connection is still open."""
        return any(each.client is bumble for each in self.held)

    def hang_up(self, client: Client) -> None:
        """Start to disconnect a client."""
        task = asyncio.get_running_loop().create_task(client.disconnect(_GONE))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())

    def mtu(self, client: Client) -> int:
        """Return the MTU of a connection: 23 until its central asks for more."""
        return client.att_mtu

    def _waiting(self, client: Client) -> int:
        link = self.controller.links.get(client.peer_address)
        return 0 if link is None else link.waiting(self.station)

    def _notify(self, client: Client, characteristic: Characteristic, value: bytes) -> None:
        assert characteristic.handle is not None, "a subscriber has found the characteristic"
        packet = att.ATT_Handle_Value_Notification(
            attribute_handle=characteristic.handle.handle, attribute_value=value
        )
        self._device.gatt_server.send_gatt_pdu(client, bytes(packet))
