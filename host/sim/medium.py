"""The radio between virtual controllers: bumble's, each with a station of the modelled air.

Adverts and connections are the air's (``host.sim.ether``): what is heard, what is lost, and when
data arrives. Here are the commands and events for connections, with what bumble's controllers lack:
the event after create-connection-cancel, and peers that lose power. Bluetooth Core 5.4: Vol 4 Part
E 7.8.13 (cancel).
"""

from __future__ import annotations

import functools
import logging
import math
from typing import TypeAlias

from bumble import att, controller, hci, link, ll
from bumble.controller import Controller
from bumble.core import PhysicalTransport
from bumble.hci import Address
from bumble.ll import AdvertisingPdu, ControlPdu

from host.sim.clock import VirtualLoop
from host.sim.ether.connection import HEADERS, Connection, Initiation
from host.sim.ether.ether import Ether, Station

_OPCODE_AT, _NOTIFICATION = 4, b"\x1b"  # after L2CAP's length and channel
TIMEOUT = hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR
NOT_ESTABLISHED = hci.HCI_ErrorCode.CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR
Pending: TypeAlias = (
    hci.HCI_LE_Create_Connection_Command | hci.HCI_LE_Extended_Create_Connection_Command
)
CANCELLED = hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR


def _as_its_kind(packet: object, spec: str, /) -> str:
    """Format a packet as the name of its class."""
    return type(packet).__name__


def hush() -> None:
    """Stop bumble from formatting every packet for its debug log, which is slow."""
    logging.getLogger("bumble").setLevel(logging.CRITICAL)
    for packet in (hci.HCI_Packet, att.ATT_PDU):
        packet.__format__ = _as_its_kind


class RadioController(controller.Controller):
    """A controller in the hall, whose radio is ``station``; ``links`` are its open connections."""

    le_acl_data_packet_length = 251
    supported_max_tx_octets = supported_max_rx_octets = 251
    le_features = hci.LeFeatureMask.LE_DATA_PACKET_LENGTH_EXTENSION
    supported_commands = controller.Controller.supported_commands - {
        hci.HCI_LE_READ_BUFFER_SIZE_V2_COMMAND,
        hci.HCI_LE_EXTENDED_CREATE_CONNECTION_COMMAND,
    }

    def __init__(self, medium: Medium, address: Address, station: Station):
        super().__init__(str(address), link=medium)
        self._medium, self.random_address, self.station = medium, address, station
        self.links: dict[Address, Connection] = {}
        medium.by_address[address], medium.address_of[station] = self, address

    def on_hci_le_create_connection_command(
        self, command: hci.HCI_LE_Create_Connection_Command
    ) -> None:
        """Answer the next advert of a board with a connection request."""
        super().on_hci_le_create_connection_command(command)
        peer = self._medium.by_address.get(command.peer_address)
        if peer is not None and self.pending_le_connection is command:
            requested = functools.partial(self._requested, command, peer)
            Initiation(self.station, peer.station, requested)

    def _requested(
        self,
        command: hci.HCI_LE_Create_Connection_Command,
        peer: RadioController,
        made: Connection | None,
    ):
        """Note what became of a request: it made a connection, or was lost."""
        if self.pending_le_connection is not command:  # cancelled meanwhile
            if made is not None:
                made.hang_up(self.station)
        elif made is None:
            self.pending_le_connection = None
            self._fail(command, NOT_ESTABLISHED)
        else:
            made.timeout_us = command.supervision_timeout * 10_000
            self._hold(peer.random_address, made)
            peer._hold(self.random_address, made)
            self.create_le_connection(peer.random_address)

    def _hold(self, peer: Address, made: Connection):
        self.links[peer] = made
        made.ended[self.station] = functools.partial(self.ended, peer, made, TIMEOUT)

    def ended(self, peer: Address, ending: Connection, reason: int) -> None:
        """Report to the host that its link to ``peer`` has ended, unless it already knows."""
        if self.links.get(peer) is ending:
            del self.links[peer]
            self.on_le_disconnected(self.le_connections[peer], reason)

    def on_hci_le_create_connection_cancel_command(
        self, _command: hci.HCI_LE_Create_Connection_Cancel_Command
    ) -> hci.HCI_StatusReturnParameters:
        """Cancel the pending connection and send the event that the host waits for."""
        pending, self.pending_le_connection = self.pending_le_connection, None
        if pending is None:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        self.station.wanted = None
        self._medium.loop.call_soon(self._fail, pending, CANCELLED)
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def _fail(self, pending: Pending, status: hci.HCI_ErrorCode):
        """Tell the host that a connection was not made."""
        event = hci.HCI_LE_Connection_Complete_Event(
            status=status,
            connection_handle=0,
            role=hci.Role.CENTRAL,
            peer_address_type=pending.peer_address.address_type,
            peer_address=pending.peer_address,
            connection_interval=0,
            peripheral_latency=0,
            supervision_timeout=0,
            central_clock_accuracy=0,
        )
        self.send_hci_packet(event)

    def on_le_connect_ind(self, packet: ll.ConnectInd) -> None:
        """Take a connection, which bumble's controller does only while its own advertiser runs."""
        self.le_legacy_advertiser.own_address_type = Address.RANDOM_DEVICE_ADDRESS
        self.le_legacy_advertiser.enabled = True
        super().on_le_connect_ind(packet)


class Medium(link.LocalLink):
    """bumble's link bus as a radio: ``loss`` is the probability (0-1) that a packet is lost.

    All stand at one place, where of packets that overlap both are lost.
    """

    def __init__(self, loop: VirtualLoop, seed: int, loss: float):
        super().__init__()
        load = 1 - math.sqrt(1 - loss)  # a packet meets one that began before it or during it
        self.loop, self.ether = loop, Ether(loop, seed, load=load, capture_db=None)
        self.by_address: dict[Address, RadioController] = {}
        self.address_of: dict[Station, Address] = {}

    def send_advertising_pdu(self, sender_controller: Controller, packet: AdvertisingPdu) -> None:
        """Tell a board of a connection that was made to it; adverts are sent by stations."""
        assert isinstance(packet, ll.ConnectInd)
        self.by_address[packet.advertiser_address].on_le_connect_ind(packet)

    def send_acl_data(
        self,
        sender_controller: Controller,
        destination_address: Address,
        transport: PhysicalTransport,
        data: bytes,
    ) -> None:
        """Queue data for the next connection event."""
        sender, receiver = sender_controller, self.by_address[destination_address]
        assert isinstance(sender, RadioController)
        if destination_address in sender.links:
            sender.links[destination_address].send(
                sender.station,
                lambda: receiver.on_link_acl_data(sender.random_address, transport, data),
                bytes(data[_OPCODE_AT : _OPCODE_AT + 1]) == _NOTIFICATION,
                len(data) - HEADERS,
            )

    def send_ll_control_pdu(
        self, sender_address: Address, receiver_address: Address, packet: ControlPdu
    ) -> None:
        """Queue a link-layer message after the data; a terminate ends the sender's side now."""
        sender, receiver = self.by_address[sender_address], self.by_address[receiver_address]
        held = sender.links.get(receiver_address)
        if held is None:
            return
        if isinstance(packet, ll.TerminateInd):
            del sender.links[receiver_address]
            held.ended[receiver.station] = functools.partial(
                receiver.ended, sender_address, held, packet.error_code
            )
            held.hang_up(sender.station)
        else:
            held.send(sender.station, lambda: receiver.on_ll_control_pdu(sender_address, packet))
