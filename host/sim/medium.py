"""The radio between virtual controllers: which packets are received and when data arrives.

Adverts are lost by chance and when two start within one packet's duration. A connection transfers
packets only at its events, first in first out in each direction, data and control together; a lost
event transfers nothing and the next one retries, as the link layer does. A peer that is gone is
noticed after the supervision timeout. The controllers are bumble's with what they lack: the random
advertising delay of 0-10 ms in units of 0.625 ms, non-connectable adverts, RSSI, the event after
create-connection-cancel, and peers that lose power. Nobody asks them to filter duplicates.
Bluetooth Core 5.4: Vol 6 Part B 4.4.2.2 (advertising events) and 4.5 (connection events), Vol 4
Part E 7.8.13 (cancel).
"""

from __future__ import annotations

import collections
import functools
import logging
import math
import random
from asyncio import TimerHandle
from collections.abc import Callable
from typing import NamedTuple

from bumble import att, controller, hci, link, ll
from bumble.controller import Controller
from bumble.core import PhysicalTransport
from bumble.hci import Address
from bumble.host import Host
from bumble.ll import AdvertisingPdu, AdvInd, AdvNonConnInd, ControlPdu

from host.sim.clock import VirtualLoop

UNIT_S = 0.000625
DELAY_UNITS = 16  # 10 ms
NO_SUCH_CONNECTION = hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR
_REPORT = hci.HCI_LE_Advertising_Report_Event
_ADV_IND = _REPORT.EventType.ADV_IND
_ADV_NONCONN_IND = _REPORT.EventType.ADV_NONCONN_IND
ADVERT_S = 0.000376  # 47 bytes at 1 Mbit/s
PACKETS_PER_EVENT = 4
EVENTS_TO_ESTABLISH = 6
STRENGTH_DBM = -69, -61
_OPCODE_AT, _NOTIFICATION = 4, b"\x1b"  # after L2CAP's length and channel
TIMEOUT = hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR
NOT_ESTABLISHED = hci.HCI_ErrorCode.CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR


@functools.lru_cache(4096)
def _report(kind: int, peer: Address, data: bytes, rssi: int) -> hci.HCI_Event:
    """Return the report of an advert as a host parses it: most adverts are heard many times."""
    report = _REPORT.Report(kind, peer.address_type, peer, data, rssi)
    event = hci.HCI_Packet.from_bytes(bytes(_REPORT([report])))
    assert isinstance(event, hci.HCI_Event)
    return event


def _as_its_kind(packet: object, spec: str, /) -> str:
    """Format a packet as the name of its class."""
    return type(packet).__name__


def hush() -> None:
    """Stop bumble from formatting every packet for its debug log, which is slow."""
    logging.getLogger("bumble").setLevel(logging.CRITICAL)
    for packet in (hci.HCI_Packet, att.ATT_PDU):
        packet.__format__ = _as_its_kind


class Advertiser(controller.LegacyAdvertiser):
    """The one advertising set of a board."""

    controller: RadioController  # pyright: ignore[reportIncompatibleVariableOverride]  # ours alone
    interval_s = 1.0
    connectable = True

    def start(self) -> None:
        """Advertise now and then at the interval plus 0-10 ms each time."""
        self.stop()
        self.enabled = True
        self._arm(0)

    def _arm(self, interval_s):
        air = self.controller.air
        delay_s = interval_s + air.luck.randrange(DELAY_UNITS + 1) * UNIT_S
        self.timer_handle = air.loop.call_later(delay_s, self._on_timer_fired)

    def _on_timer_fired(self):
        kind = ll.AdvInd if self.connectable else ll.AdvNonConnInd
        self._arm(self.interval_s)
        self.controller.air.send_advertising_pdu(
            self.controller, kind(self.address, self.advertising_data)
        )


class RadioController(controller.Controller):
    """A controller in the hall."""

    le_acl_data_packet_length = 251
    supported_max_tx_octets = supported_max_rx_octets = 251
    le_features = hci.LeFeatureMask.LE_DATA_PACKET_LENGTH_EXTENSION
    supported_commands = controller.Controller.supported_commands - {
        hci.HCI_LE_READ_BUFFER_SIZE_V2_COMMAND
    }

    def __init__(self, medium: Medium, address: Address):
        super().__init__(str(address), link=medium)
        self.air = medium
        self.random_address = address
        self.powered = True
        self.advertiser = self.le_legacy_advertiser = Advertiser(
            self, own_address_type=Address.RANDOM_DEVICE_ADDRESS
        )

    # scanning
    @property
    def listening(self) -> bool:
        """Return whether the receiver is on the advertising channels."""
        return self.powered and (self.le_scan_enable or self.pending_le_connection is not None)

    def hear(self, packet: AdvInd | AdvNonConnInd, rssi: int) -> None:
        """Report an advert; send a connection request if the host waits for this advertiser."""
        peer, data = packet.advertiser_address, packet.data
        connectable = isinstance(packet, ll.AdvInd)
        if self.le_scan_enable:
            kind = _ADV_IND if connectable else _ADV_NONCONN_IND
            assert isinstance(self.host, Host)
            self.air.loop.call_soon(self.host.on_hci_event_packet, _report(kind, peer, data, rssi))
        pending = self.pending_le_connection
        if connectable and pending is not None and pending.peer_address == peer:
            self.create_le_connection(peer)

    # connections
    def on_hci_le_create_connection_cancel_command(
        self, _command: hci.HCI_LE_Create_Connection_Cancel_Command
    ) -> hci.HCI_StatusReturnParameters:
        """Cancel the pending connection and send the event that the host waits for."""
        pending, self.pending_le_connection = self.pending_le_connection, None
        if pending is None:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        event = hci.HCI_LE_Connection_Complete_Event(
            status=NO_SUCH_CONNECTION,
            connection_handle=0,
            role=hci.Role.CENTRAL,
            peer_address_type=pending.peer_address.address_type,
            peer_address=pending.peer_address,
            connection_interval=0,
            peripheral_latency=0,
            supervision_timeout=0,
            central_clock_accuracy=0,
        )
        self.air.loop.call_soon(self.send_hci_packet, event)
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def lose(self, peer: Address, reason: hci.HCI_ErrorCode | int) -> None:
        """Report to the host that the link to ``peer`` is lost, unless it already knows."""
        connection = self.le_connections.get(peer)
        if connection is not None and self.powered:
            self.on_le_disconnected(connection, reason)

    def power_off(self) -> None:
        """Stop at once without disconnecting, as a board whose battery is removed."""
        self.powered = False
        self.advertiser.stop()
        self.air.remove_controller(self)


class Packet(NamedTuple):
    """A packet queued for a connection event: its delivery, and whether it is a notification."""

    deliver: Callable[[], None]
    notifies: bool


class Connection:
    """A queue for each direction and the timer of the connection's events."""

    def __init__(
        self, medium: Medium, ends: tuple[RadioController, ...], interval_s: float, timeout_s: float
    ):
        self.medium, self.ends = medium, ends
        self.interval_s, self.timeout_s = interval_s, timeout_s
        self.queues: dict[RadioController, collections.deque[Packet]] = {
            end: collections.deque() for end in ends
        }
        self.start_s = medium.loop.time()
        self.timer: TimerHandle | None = None

    def send(
        self, sender: RadioController, deliver: Callable[[], None], notifies: bool = False
    ) -> None:
        """Queue ``deliver`` for the next event; ``notifies``: the packet is a notification."""
        self.queues[sender].append(Packet(deliver, notifies))
        self._arm()

    def _arm(self):
        if self.timer is None:
            age_s = self.medium.loop.time() - self.start_s
            events = math.floor(age_s / self.interval_s + 1e-6) + 1
            when_s = self.start_s + events * self.interval_s
            self.timer = self.medium.loop.call_at(when_s, self._hold_event)

    def _hold_event(self):
        self.timer = None
        if not all(end.powered for end in self.ends):
            return
        if not self.medium.lost():
            for queue in self.queues.values():
                for _ in range(min(len(queue), PACKETS_PER_EVENT)):
                    queue.popleft().deliver()
        if any(self.queues.values()):
            self._arm()

    def close(self) -> None:
        """Drop all packets that are still queued."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        for queue in self.queues.values():
            queue.clear()


class Medium(link.LocalLink):
    """bumble's link bus as a radio: ``loss`` is the probability (0-1) that a packet is lost."""

    def __init__(self, loop: VirtualLoop, seed: int, loss: float):
        super().__init__()
        self.loop, self.loss = loop, loss
        self.luck = random.Random(f"radio {seed}")
        self._controller_at: dict[Address, RadioController] = {}
        self._connections: dict[tuple[RadioController, Address], Connection] = {}
        self._busy_until_s = -1.0

    def lost(self) -> bool:
        """Draw whether a packet is lost."""
        return self.luck.random() < self.loss

    def remove_controller(self, controller: Controller) -> None:
        """Remove a dead controller; its peers notice by their supervision timeout."""
        assert isinstance(controller, RadioController)
        self.controllers.discard(controller)
        self._controller_at.pop(controller.random_address, None)
        for (near, far), connection in list(self._connections.items()):
            if near is controller:
                del self._connections[near, far]
                for peer in connection.ends:  # an unanswered connection request has no other end
                    if peer is not controller:
                        self.loop.call_later(
                            connection.timeout_s, self._lose, peer, controller, connection, TIMEOUT
                        )

    def agree(self, central: RadioController, address: Address, timeout_s: float) -> None:
        """Set a link's supervision timeout (s) to what its board requested, if still connected."""
        connection = self._connections.get((central, address))
        if connection is not None:
            connection.timeout_s = timeout_s

    def waiting(self, controller: RadioController, peer: Address) -> int:
        """Return how many notifications of ``controller`` to ``peer`` are still queued."""
        connection = self._connections.get((controller, peer))
        if connection is None:
            return 0
        return sum(packet.notifies for packet in connection.queues[controller])

    def on_address_changed(self, controller: RadioController) -> None:
        """Update the address under which ``controller`` is found."""
        self._controller_at[controller.random_address] = controller

    # advertising channels
    def send_advertising_pdu(self, sender_controller: Controller, packet: AdvertisingPdu) -> None:
        """Deliver an advert to the scanning controllers, or a connection request to its board."""
        sender = sender_controller
        assert isinstance(sender, RadioController)
        if isinstance(packet, ll.ConnectInd):
            self._connect(sender, packet)
            return
        assert isinstance(packet, AdvInd | AdvNonConnInd)
        now_s = self.loop.time()
        clear = now_s >= self._busy_until_s
        self._busy_until_s = now_s + ADVERT_S
        for listener in list(self._controller_at.values()):
            if listener.listening and listener is not sender and clear and not self.lost():
                listener.hear(packet, self.luck.randint(*STRENGTH_DBM))

    def _connect(self, central, packet):
        peripheral = self._controller_at[packet.advertiser_address]
        interval_s = packet.interval * 0.00125
        connection = Connection(self, (central, peripheral), interval_s, packet.timeout * 0.01)
        self._connections[central, packet.advertiser_address] = connection
        advertiser = peripheral.advertiser
        if advertiser.enabled and advertiser.connectable and not self.lost():
            self._connections[peripheral, packet.initiator_address] = connection
            peripheral.on_le_connect_ind(packet)
        else:  # the request was lost: the central alone believes in a connection, for a while
            connection.ends = (central,)
            self.loop.call_later(
                EVENTS_TO_ESTABLISH * interval_s,
                self._lose,
                central,
                peripheral,
                connection,
                NOT_ESTABLISHED,
            )

    def _lose(self, controller, peer, connection, reason):
        address = peer.random_address
        if self._connections.get((controller, address)) is connection:
            del self._connections[controller, address]
            connection.close()
            controller.lose(address, reason)

    # connections
    def send_acl_data(
        self,
        sender_controller: Controller,
        destination_address: Address,
        transport: PhysicalTransport,
        data: bytes,
    ) -> None:
        """Queue data for the next connection event."""
        assert isinstance(sender_controller, RadioController)
        connection = self._connections.get((sender_controller, destination_address))
        if connection is not None:
            connection.send(
                sender_controller,
                lambda: self._deliver(
                    connection, destination_address, sender_controller, transport, data
                ),
                bytes(data[_OPCODE_AT : _OPCODE_AT + 1]) == _NOTIFICATION,
            )

    def _deliver(self, connection, address, sender, transport, data):
        receiver = self._controller_at.get(address)
        if receiver and self._connections.get((receiver, sender.random_address)) is connection:
            receiver.on_link_acl_data(sender.random_address, transport, data)

    def send_ll_control_pdu(
        self, sender_address: Address, receiver_address: Address, packet: ControlPdu
    ) -> None:
        """Queue a link-layer message after the data; a terminate ends the sender's side now."""
        sender = self._controller_at.get(sender_address)
        connection = sender and self._connections.get((sender, receiver_address))
        if sender is None or connection is None:
            return
        if isinstance(packet, ll.TerminateInd):
            del self._connections[sender, receiver_address]
        connection.send(
            sender,
            lambda: self._deliver_control(connection, receiver_address, sender_address, packet),
        )

    def _deliver_control(self, connection, address, sender_address, packet):
        """Deliver a link-layer message to ``address``, if the connection is still there."""
        receiver = self._controller_at.get(address)
        if receiver is None or self._connections.get((receiver, sender_address)) is not connection:
            return
        if isinstance(packet, ll.TerminateInd):
            del self._connections[receiver, sender_address]
            receiver.lose(sender_address, packet.error_code)
        else:
            receiver.on_ll_control_pdu(sender_address, packet)
