"""``_bleio``'s adapter and connections for one virtual board, with the limits of its chip.

The checks are those of ports/espressif/common-hal/_bleio (Adapter.c, Connection.c, bonding.c), and
stricter ones of the nordic port.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bumble import att, core, device, gatt, hci, host

from host.sim import controller
from host.sim.bleio import names
from host.sim.bleio.faults import RadioFaults
from host.sim.bleio.gatt import Characteristic, Service
from host.sim.bleio.port import AGREED_S, ESPRESSIF, NO_ROOM, Port
from host.sim.medium import Medium

ADVERT_MAX = 31  # legacy adverts only
NOTIFY_QUEUE = 5  # BLEIO_HVN_TX_QUEUE_SIZE
MOST_CONNECTIONS = 4  # BLEIO_PERIPH_ROLE_COUNT
SERVER_MTU = 512
LOOK_S = 0.02  # firmware.app.POLL_MS
_GONE = hci.HCI_ErrorCode.REMOTE_USER_TERMINATED_CONNECTION_ERROR
_WRITABLE = att.Attribute.Permissions.WRITEABLE
_READABLE = att.Attribute.Permissions.READABLE


class Connection:
    """A central's connection to this board."""

    def __init__(self, adapter: Adapter, bumble: device.Connection):
        self.bumble = bumble
        self.open, self.paired = True, False
        self.agreed = False  # whether its MTU is known
        self._adapter = adapter
        bumble.on(bumble.EVENT_PAIRING, lambda keys: self._bond())

    @property
    def connected(self) -> bool:
        """Whether the link is open; with the fault ``dies_next`` it ends right after the look."""
        faults, found = self._adapter.faults, self.open
        if found and faults.dies_next:
            faults.dies_next = False
            self._adapter.end(self)
        return found

    def _bond(self):
        self.paired = True
        self._adapter.bond(self)

    def disconnect(self) -> None:
        """Start to disconnect; names.Hung when the connection is already closed.

        espressif's Connection.c:126 follows a null pointer then.
        """
        if not self.open:
            raise names.Hung("a connection that has gone was hung up")
        task = asyncio.get_running_loop().create_task(self.bumble.disconnect(_GONE))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())


class Adapter:
    """The board's radio, which bears what ``port`` says; it calls ``wake()`` after each event.

    ``distance_m`` is from the host's antenna. ``held`` are the open connections, including those
    that ``connections`` does not list yet. ``refusals`` are the exceptions that the next calls of
    ``start_advertising`` raise, as when the chip is busy; ``faults`` what it runs into in time.
    ``bonds`` survive a reset, as in the chip's flash; ``erased`` counts the calls of
    ``erase_bonding``.
    """

    name = "CIRCUITPY"

    def __init__(
        self,
        medium: Medium,
        address: hci.Address,
        distance_m: float,
        wake: Callable[[], None],
        bonds: dict[str, bool] | None = None,
        port: Port = ESPRESSIF,
    ):
        self._medium, self.wake = medium, wake
        self._address, self._distance_m = address, distance_m
        self.faults = RadioFaults(port, str(address))
        self.refusals: list[Exception] = []
        self.bonds, self.erased = bonds if bonds is not None else {}, 0
        self._look: asyncio.TimerHandle | None = None
        self.enabled = True
        self._switch_on()

    def _switch_on(self):
        address = self._address
        self.controller = controller.RadioController(self._medium, address, self._distance_m)
        self.services: list[Service] = []
        self.held: tuple[Connection, ...] = ()
        self._shown: tuple[Connection, ...] | None = (
            None  # the tuple that ``connections`` returned last
        )
        self._unheard = False  # it advertises, as far as it knows, but is deaf
        self._published: set[Service] = set()
        self._device = device.Device(
            address=address, host=host.Host(self.controller, self.controller)
        )
        self._device.gatt_server.max_mtu = SERVER_MTU
        self._device.on(self._device.EVENT_CONNECTION, self._connected)
        server = self._device.gatt_server
        server.on(server.EVENT_CHARACTERISTIC_SUBSCRIPTION, self._subscribed)
        self._power = self._medium.loop.create_task(self._device.power_on())
        if self.faults.deaf:
            self.fall_silent(self.faults.deaf)

    def fall_silent(self, until: str) -> None:
        """Send and hear nothing from now on, although no call fails, until a restart of ``until``
        (``faults.RADIO`` or ``BOARD``).
        """
        self._unheard, self.faults.deaf = self.advertising, until
        self.controller.power_off()
        for connection in self.held:
            self.end(connection)

    @property
    def enabled(self) -> bool:
        """Whether the radio is on; off, it forgets links, adverts and services (Adapter.c)."""
        return self._enabled

    @enabled.setter
    def enabled(self, on: bool) -> None:
        before, self._enabled = getattr(self, "_enabled", on), on
        if before and not on:
            self._power.cancel()
            self.controller.power_off()
            for connection in self.held:
                self.end(connection)
            self.services = []
        elif on and not before:
            self.faults.restart()
            self._switch_on()

    @property
    def address(self) -> names.Address:
        """The static random address."""
        return names.Address(bytes(self.controller.random_address))

    @property
    def advertising(self) -> bool:
        """Whether the board is advertising; a connection ends that."""
        return self._unheard or self.controller.le_legacy_advertiser.enabled

    @property
    def connected(self) -> bool:
        """Whether any listed central is connected."""
        self._check()
        return any(each.agreed for each in self.held)

    def _check(self):
        self.faults.check(bool(self.held) and self.advertising, self._medium.loop.time())

    @property
    def connections(self) -> tuple[Connection, ...]:
        """The connections, made anew only when a central comes: some may be closed (Adapter.c)."""
        if self._shown is None:
            self._shown = tuple(each for each in self.held if each.agreed)
        return self._shown

    def start_advertising(
        self,
        data: bytes,
        *,
        scan_response: bytes | None = None,
        connectable: bool = True,
        anonymous: bool = False,
        timeout: int = 0,
        interval: float = 0.1,
        tx_power: int = 0,
        directed_to: names.Address | None = None,
    ) -> None:
        """Advertise ``data`` every ``interval`` seconds; ValueError for over 31 bytes or a bad
        interval, BluetoothError while advertising, MemoryError without a free link.
        """
        if not self.enabled:  # _common_hal_bleio_adapter_start_advertising asks what is freed
            raise names.Hung("an advert began while the radio was off")
        advertiser = self.controller.advertiser
        if not 0.02 <= interval <= 10.24:
            raise ValueError("interval must be in range 0.02-10.24")
        if advertiser.enabled:
            raise names.BluetoothError("Already advertising.")
        if len(data) > ADVERT_MAX or scan_response:
            raise ValueError("Data too large for advertisement packet")
        if self.refusals:
            raise self.refusals.pop(0)
        if connectable and len(self.held) >= MOST_CONNECTIONS:
            raise MemoryError(NO_ROOM)
        self.faults.begin_advert()
        self._unheard = bool(self.faults.deaf)
        if not self._unheard:
            self._publish()
            advertiser.advertising_data = bytes(data)
            advertiser.connectable, advertiser.interval_s = connectable, interval
            advertiser.start()
        self._check()

    def stop_advertising(self) -> None:
        """Stop advertising."""
        self._unheard = False
        self.controller.le_legacy_advertiser.stop()

    def erase_bonding(self) -> None:
        """Erase all bonds."""
        self.bonds.clear()
        self.erased += 1

    def bond(self, connection: Connection) -> None:
        """Store the bond of a central that has paired, as the chip does itself (Connection.c)."""
        self.bonds[str(connection.bumble.peer_address)] = True

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
            for service in self.services:
                for characteristic in service.characteristics:
                    if characteristic.handle is subscribed:
                        characteristic.subscribed(bumble, notify)
                    else:
                        characteristic.elsewhere(bumble, notify or indicate)
        self.wake()

    def _connected(self, bumble):
        connection = Connection(self, bumble)
        self.held += (connection,)
        self._shown = None
        bumble.once(bumble.EVENT_DISCONNECTION, lambda reason: self.end(connection))
        self._medium.loop.call_later(AGREED_S, self._agreed, connection)
        self.wake()

    def _agreed(self, connection):
        connection.agreed = True
        self.wake()

    def end(self, connection: Connection) -> None:
        """Note that a central has gone."""
        connection.open = connection.paired = False
        self.held = tuple(each for each in self.held if each is not connection)
        for service in self.services:
            for characteristic in service.characteristics:
                characteristic.disconnected(connection.bumble)
        self.wake()

    def wake_soon(self) -> None:
        """Schedule ``wake`` in ``LOOK_S``, when the program would poll the radio again."""
        if self._look is None or self._look.when() <= self._medium.loop.time():
            self._look = self._medium.loop.call_later(LOOK_S, lambda: self.wake())

    def holds(self, bumble: device.Connection) -> bool:
        """Return whether a bumble connection is still open."""
        return any(each.bumble is bumble for each in self.held)

    def mtu(self, bumble: device.Connection) -> int:
        """Return the MTU of a connection: 23 until its central asks for more."""
        return bumble.att_mtu

    def notify(
        self, bumble: device.Connection, characteristic: Characteristic, value: bytes
    ) -> None:
        """Queue a notification of ``value`` for one subscriber, cut to its MTU.

        It is dropped when the queue is full (Characteristic.c:196).
        """
        if self.faults.drops_next():
            return
        if self._medium.waiting(self.controller, bumble.peer_address) >= NOTIFY_QUEUE:
            return
        assert characteristic.handle is not None, "a subscriber has found the characteristic"
        handle = characteristic.handle.handle
        packet = att.ATT_Handle_Value_Notification(
            attribute_handle=handle,
            attribute_value=value[: bumble.att_mtu - 3],
        )
        self._device.gatt_server.send_gatt_pdu(bumble, bytes(packet))

    def power_off(self) -> None:
        """Stop the radio for good, as when the battery is removed or the board resets."""
        self.wake = lambda: None
        self._power.cancel()
        self.controller.power_off()
