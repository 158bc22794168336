"""The board's end of the air: a status advert that is always out, and one link at a time.

What the chip does by itself, read in CircuitPython's nRF sources: a connection stops the advert;
new data means stop and start; a notification blocks while the five places of its queue are full,
for up to the 4 s in which a vanished host is noticed. ``PacketBuffer.write`` is worse: after a link
that broke in mid-packet it waits for ever. So ``up`` is notified by value, a ``PacketBuffer`` only
watches it (its outgoing length is known once the host has subscribed, and whole frames fit once the
MTU is 27 or more), and no more frames are in flight than the queue holds.
"""

import _bleio

from firmware.core import frames
from firmware.radio import advert, hail, service

IN_FLIGHT = 4  # frames since the host was last heard
QUIET_MS = 2000  # then one more each time this has passed: 5 in the 4 s of supervision
DRAIN_MS = 60  # a frame from the host sooner after our last speaks for one place of the queue
SUBSCRIBE_MS = 8000  # a guest who does not subscribe is shown out


class Link:
    """Advertises frames and carries them over one connection; see the Link port in App."""

    def __init__(self, adapter):
        self._adapter = adapter
        self._service = service.Frames()
        self._watch = service.packets(self._service.up, 1)
        self._packet = bytearray(frames.SIZE)
        # boards that change at one moment, as all do when a round begins, must not stay in step
        self._interval_s = advert.INTERVAL_S + (adapter.address.address_bytes[0] & 31) / 64
        self._shown = self._advert = None
        self.hail = hail.frame
        self._stale = False
        self._guest = False
        self._open = True
        self.guests = 0  # how many have ever connected
        self._now_ms = self._since_ms = self._sent_ms = self._flying = 0

    @property
    def connected(self):
        """Say whether a central is there that can be sent a whole frame."""
        return self._watch.outgoing_packet_length == frames.SIZE

    def poll(self, uptime_ms):
        """Keep the advert out, and show out a guest who does not subscribe."""
        self._now_ms = uptime_ms
        guest = self._adapter.connected
        if guest != self._guest:
            self._guest = guest
            self.guests += guest
            self._stale = True
            self._since_ms = uptime_ms
            self._flying = 0
        if guest and not self.connected and uptime_ms - self._since_ms > SUBSCRIBE_MS:
            self.drop()
        if self._advert and (self._stale or not self._adapter.advertising):
            self._announce()

    def _announce(self):
        """Put the advert out anew; only a free board may be connected to."""
        self._stale = True
        try:
            self._adapter.stop_advertising()
            self._adapter.start_advertising(
                self._advert,
                connectable=self._open and not self._adapter.connected,
                interval=self._interval_s,
            )
            self._stale = False
        except (_bleio.BluetoothError, OSError):
            pass  # the radio is busy coming or going: the next poll tries again

    @property
    def audible(self):
        """Whether the radio does its work: an advert is out, or somebody is connected."""
        return self._adapter.advertising or self._adapter.connected

    def advertise(self, frame, welcome=True):
        """Advertise ``frame`` (24 bytes) in place of the former one; ``welcome``: who hears may connect."""
        if frame != self._shown or welcome != self._open:
            self._shown, self._open = frame, welcome
            self._advert = advert.pack(frame)
            self._announce()

    def receive(self):
        """Return the next frame the host wrote, or None."""
        size = self._service.down.readinto(self._packet)
        if size:
            late = self._now_ms - self._sent_ms >= DRAIN_MS
            self._flying = 0 if late else min(self._flying, IN_FLIGHT - 1)
            if size == frames.SIZE:
                return bytes(self._packet)

    def send(self, frame):
        """Notify ``frame``; False when that must wait."""
        if not self.connected:
            return False
        if self._flying >= IN_FLIGHT and self._now_ms - self._sent_ms < QUIET_MS:
            return False
        try:
            self._service.up.value = frame
        except (_bleio.BluetoothError, OSError):
            return False
        self._flying += 1
        self._sent_ms = self._now_ms
        return True

    def drop(self):
        """Disconnect whoever is connected."""
        for connection in self._adapter.connections:
            connection.disconnect()


def opened():
    """Return the Link over the chip's own radio."""
    return Link(_bleio.adapter)
