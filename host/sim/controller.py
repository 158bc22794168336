"""A Bluetooth controller on the virtual radio: bumble's, with the missing behaviour added.

Added are the random advertising delay of 0-10 ms in units of 0.625 ms, non-connectable adverts, a
duplicate filter, RSSI, the event after create-connection-cancel, and peers that lose power.
Bluetooth Core 5.4: Vol 6 Part B 4.4.2.2 (advertising events), Vol 4 Part E 7.8.13 (cancel).
"""

from __future__ import annotations

import functools
import logging
from typing import TYPE_CHECKING

from bumble import att, controller, hci, ll
from bumble.hci import (
    Address,
    HCI_AclDataPacket,
    HCI_ErrorCode,
    HCI_LE_Create_Connection_Cancel_Command,
    HCI_LE_Create_Connection_Command,
    HCI_LE_Set_Scan_Enable_Command,
    HCI_Packet,
    HCI_StatusReturnParameters,
)
from bumble.host import Host
from bumble.ll import AdvertisingPdu, AdvInd, AdvNonConnInd

if TYPE_CHECKING:
    from host.sim.types import Medium

UNIT_S = 0.000625
DELAY_UNITS = 16  # 10 ms
NO_SUCH_CONNECTION = hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR
_REPORT = hci.HCI_LE_Advertising_Report_Event
_ADV_IND = _REPORT.EventType.ADV_IND
_ADV_NONCONN_IND = _REPORT.EventType.ADV_NONCONN_IND


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

    interval_s = 1.0
    connectable = True

    @property
    def _radio(self) -> RadioController:
        assert isinstance(self.controller, RadioController)
        return self.controller

    @property
    def address(self) -> Address:
        """Return the address in the adverts: boards have a static random one."""
        return self.controller.random_address

    def start(self) -> None:
        """Advertise now and then at the interval plus 0-10 ms each time."""
        self.stop()
        self.enabled = True
        self._arm(0)

    def _arm(self, interval_s):
        air = self._radio.air
        delay_s = interval_s + air.luck.randrange(DELAY_UNITS + 1) * UNIT_S
        self.timer_handle = air.loop.call_later(delay_s, self._on_timer_fired)

    def _on_timer_fired(self):
        kind = ll.AdvInd if self.connectable else ll.AdvNonConnInd
        self._arm(self.interval_s)
        self._radio.air.send_advertising_pdu(
            self.controller, kind(self.address, self.advertising_data)
        )


class RadioController(controller.Controller):
    """A controller in the hall, ``distance_m`` metres from the host's antenna."""

    le_acl_data_packet_length = 251
    supported_max_tx_octets = supported_max_rx_octets = 251
    le_features = hci.LeFeatureMask.LE_DATA_PACKET_LENGTH_EXTENSION
    supported_commands = controller.Controller.supported_commands - {
        hci.HCI_LE_READ_BUFFER_SIZE_V2_COMMAND
    }

    def __init__(self, medium: Medium, address: Address, distance_m: float = 5):
        super().__init__(str(address), link=medium)
        self.air = medium
        self.random_address = address
        self.distance_m = distance_m
        self.powered = True
        self.advertiser = self.le_legacy_advertiser = Advertiser(self)
        self._heard: dict[Address, tuple[bytes, bool]] = {}  # by advertiser: its last advert

    # bumble's versions of these format each packet for the log first
    def on_hci_packet(self, packet: HCI_Packet) -> None:
        """Handle a packet from the host."""
        if isinstance(packet, hci.HCI_Command):
            self.on_hci_command_packet(packet)
        else:
            assert isinstance(packet, HCI_AclDataPacket)
            self.on_hci_acl_data_packet(packet)

    def send_hci_packet(self, packet: HCI_Packet) -> None:
        """Pass a packet to the host in the loop's next turn."""
        assert self.host is not None  # a PC's stack, or a board's
        self.air.loop.call_soon(self.host.on_packet, bytes(packet))

    def send_advertising_pdu(self, packet: AdvertisingPdu) -> None:
        """Send an advert or a connection request."""
        self.air.send_advertising_pdu(self, packet)

    # scanning
    @property
    def listening(self) -> bool:
        """Return whether the receiver is on the advertising channels."""
        return self.powered and (self.le_scan_enable or self.pending_le_connection is not None)

    def on_hci_le_set_scan_enable_command(
        self, command: HCI_LE_Set_Scan_Enable_Command
    ) -> HCI_StatusReturnParameters:
        """Start or stop scanning; the duplicate filter starts empty."""
        self._heard = {}
        self.air.ears[self] = True
        return super().on_hci_le_set_scan_enable_command(command)

    def hear(self, packet: AdvInd | AdvNonConnInd, rssi: int) -> None:
        """Report an advert; send a connection request if the host waits for this advertiser."""
        peer, data = packet.advertiser_address, packet.data
        connectable = isinstance(packet, ll.AdvInd)
        if self.le_scan_enable and not (
            self.filter_duplicates and self._heard.get(peer) == (data, connectable)
        ):
            self._heard[peer] = data, connectable
            kind = _ADV_IND if connectable else _ADV_NONCONN_IND
            assert isinstance(self.host, Host)
            self.air.loop.call_soon(self.host.on_hci_event_packet, _report(kind, peer, data, rssi))
        pending = self.pending_le_connection
        if connectable and pending is not None and pending.peer_address == peer:
            self.create_le_connection(peer)

    # connections
    def on_hci_le_create_connection_command(
        self, command: HCI_LE_Create_Connection_Command
    ) -> None:
        """Wait for the peer's advert before connecting."""
        self.air.ears[self] = True
        super().on_hci_le_create_connection_command(command)

    def on_hci_le_create_connection_cancel_command(
        self, _command: HCI_LE_Create_Connection_Cancel_Command
    ) -> HCI_StatusReturnParameters:
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

    def lose(self, peer: Address, reason: HCI_ErrorCode | int) -> None:
        """Report to the host that the link to ``peer`` is lost, unless it already knows."""
        connection = self.le_connections.get(peer)
        if connection is not None and self.powered:
            self.on_le_disconnected(connection, reason)

    def power_off(self) -> None:
        """Stop at once without disconnecting, as a board whose battery is removed."""
        self.powered = False
        self.advertiser.stop()
        self.air.remove_controller(self)
