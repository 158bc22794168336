"""``_bleio`` for a recorded evening: one guest, whom the tape tells, and adverts of 31 bytes."""

import struct

import _bleio as bleio

_SIX = bytes(6)
_DATA = "31s"
_ENTRY = 19 + 31  # bytes of a scan's buffer for each advert, with its head
_ADVERT = 255  # bytes
_INCOMING = 39  # where the chip puts an advert, with the head of that buffer


class _Characteristic(bleio.Characteristic):
    def __init__(self, service):
        self.service, self.properties = service, 0

    @classmethod
    def add_to_service(cls, service, uuid, **options):
        return cls(service)

    @property
    def value(self):
        return b""

    @value.setter
    def value(self, frame):
        if not bleio.adapter.connected:
            raise bleio.BluetoothError("Not connected")


class _PacketBuffer(bleio.PacketBuffer):
    """Raises where nobody is there, as the chip's does (shared-bindings/_bleio/PacketBuffer.c)."""

    def __init__(self, characteristic, *, buffer_size, max_packet_size=None):
        pass

    @property
    def outgoing_packet_length(self):
        if not bleio.length[0]:
            raise ValueError("No connection: length cannot be determined")
        return bleio.length[0]

    incoming_packet_length = outgoing_packet_length


class _Connection(bleio.Connection):
    def disconnect(self):
        """What the recorded guest does next says when it is gone."""


class _Address:
    """The address of whoever was heard: an object over bytes of its own (Address.c)."""

    def __init__(self, six):
        self.address_bytes = bytes(six)


class _ScanEntry:
    def __init__(self, data):
        self.address, self.advertisement_bytes = _Address(_SIX), data


class _ScanResults:
    """A scan. As on the chip, it takes its buffer, and one more for the advert that is coming in
    (ports/nordic/common-hal/_bleio/Adapter.c, shared-module/_bleio/ScanResults.c).

    It may be read only once it is over, since the chip's iterator waits until then: ``_place`` of
    the next one to be read is -1 before.
    """

    def __init__(self, size):
        self._buffer, self._incoming = bytearray(size), bytearray(_INCOMING)
        self._kept, self._place = 0, -1

    def hear(self, data):
        """Keep an advert; what finds no room is lost."""
        if self._kept + _ENTRY <= len(self._buffer):
            struct.pack_into(_DATA, self._buffer, self._kept, data)
            self._kept += _ENTRY

    def end(self):
        self._place = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self._place < 0:
            raise AssertionError("the chip waits for ever")
        if self._place == self._kept:
            raise StopIteration
        found = _ScanEntry(struct.unpack_from(_DATA, self._buffer, self._place)[0])
        self._place += _ENTRY
        return found


class _Adapter:
    class address:
        address_bytes = bytes(6)

    enabled, advertising, connected, connections, _scan = True, False, False, (), None
    _sent = None  # the advert and its scan response, for good once one was sent (Adapter.c)

    def start_advertising(self, data, **options):
        if self.advertising or self._scan:
            raise bleio.BluetoothError("Already advertising.")
        self._sent = self._sent or (bytearray(_ADVERT), bytearray(_ADVERT))
        self.advertising = True

    def start_scan(self, *, prefixes, buffer_size, interval, window, minimum_rssi, active):
        if self.advertising or self._scan:
            raise bleio.BluetoothError("Scan already in progress. Stop with stop_scan.")
        self._scan = _ScanResults(buffer_size)
        return self._scan

    def stop_scan(self):
        if self._scan:
            self._scan.end()
            self._scan = None

    def hear(self):
        self._scan.hear(bleio.advert)

    def stop_advertising(self):
        self.advertising = False

    def erase_bonding(self):
        pass


def _open():
    """A host connects and subscribes; that ends the advert."""
    bleio.adapter.connected, bleio.adapter.connections = True, _PEER
    bleio.adapter.advertising = False
    bleio.inbox[:] = []


def _close():
    """The link has gone."""
    bleio.adapter.connected, bleio.adapter.connections = False, ()
    bleio.length[0] = 0
    bleio.inbox[:] = []


_PEER = (_Connection(),)
bleio.Characteristic, bleio.PacketBuffer, bleio.adapter = _Characteristic, _PacketBuffer, _Adapter()
bleio.length, bleio.advert, bleio.open, bleio.close = [0], bytearray(31), _open, _close
