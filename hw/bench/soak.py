"""The board's half of ``plusthree board bringup --soak``: sent by the PC.

For hours the radio does what it does in play: a status that is signed anew every ten seconds, a
question for the time on each link, records once that is answered, and meanwhile journal writes. No
frame has a tag, and the number is one that no board is given, so a host nearby heeds none of them.
``both`` is the other soak: adverts go on while a link is open, which the program never does.
"""

import struct

import _bleio

from firmware.core import frames
from firmware.radio import advertiser, link, service

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hw.bench.types import Works

DEVICE = 65535
_STATUS_MS = 10000
_QUESTION_MS = 1000
_WRITE_MS = 60000  # a CLOCK record each minute
_TICKS = (1 << 29) - 1


def frame(kind: int, number: int) -> bytes:
    """Return a frame of ``kind`` without a tag; ``number`` fills its payload."""
    head = struct.pack("<BHHHI", frames.VERSION << 6 | kind, DEVICE, 1, number & 65535, number)
    return head + bytes(frames.SIZE - len(head))


class Counted(link.Link):
    """The program's Link, which counts adverts, those refused, and restarts of the radio."""

    adverts = refused = restarts = 0

    def announce(self) -> bool:
        """Announce, and count it."""
        self.adverts += 1
        begun = link.Link.announce(self)
        self.refused += not begun and not self.adapter.connected
        return begun

    def restart(self) -> None:
        """Restart, and count it."""
        self.restarts += 1
        link.Link.restart(self)


class Both:
    """Adverts with and without a link, by hand."""

    adverts = refused = restarts = guests = 0
    connected = False

    def __init__(self):
        self.adapter = _bleio.adapter
        self._down, self._up, self._watch = service.ends()
        self._packed = b""

    def poll(self, uptime_ms: int) -> None:
        """Keep the advert out, connectable while nobody is connected."""
        connected = self.adapter.connected
        self.guests += connected and not self.connected
        self.connected = connected
        if not self.adapter.advertising:
            self._begin()

    def advertise(self, told: bytes) -> None:
        """Advertise another status."""
        self._packed = advertiser.pack(told)
        self.adapter.stop_advertising()
        self._begin()

    def _begin(self):
        self.adverts += 1
        try:
            self.adapter.start_advertising(
                self._packed, connectable=not self.adapter.connected, interval=0.3
            )
        except link.REFUSALS:
            self.refused += 1

    def receive(self) -> bytes | None:
        """Return what the PC wrote."""
        packet = bytearray(frames.SIZE)
        return bytes(packet) if self._down.readinto(packet) else None

    def send(self, told: bytes) -> bool:
        """Notify, if anybody is there."""
        try:
            self._up.value = told  # pyright: ignore[reportAttributeAccessIssue]  (any bytes do)
        except link.REFUSALS:
            return False
        return self.connected

    def heard(self, told: bytes) -> None:
        """Nothing waits for an answer."""


class Soak:
    """One soak; ``gauge`` has what it needs of the board besides the radio."""

    def __init__(self, gauge: "Works", both: bool):
        self._gauge = gauge
        self.link = Both() if both else link.open_link(Counted)
        self._number = self._sent = self._got = self._writes = self._longest_us = 0
        self._status_ms = self._asked_ms = self._write_ms = gauge.ticks()

    def _due(self, since_ms, every_ms):
        return (self._gauge.ticks() - since_ms) & _TICKS >= every_ms

    def _next(self, kind):
        self._number += 1
        return frame(kind, self._number)

    def step(self) -> None:
        """Do what a turn of the program's loop does."""
        port, now_ms = self.link, self._gauge.ticks()
        port.poll(now_ms)
        if not self._number or self._due(self._status_ms, _STATUS_MS):
            self._status_ms = now_ms
            port.advertise(self._next(frames.STATUS))
        told = port.receive()
        if told:
            self._got += 1
            port.heard(told)
        if port.connected and self._due(self._asked_ms, _QUESTION_MS):
            self._asked_ms = now_ms
            for kind in (frames.TIME_ASKED, frames.FIRST_RECORD, frames.FIRST_RECORD):
                self._sent += port.send(self._next(kind))
        if self._due(self._write_ms, _WRITE_MS):
            self._write_ms = now_ms
            self._writes += 2
            self._longest_us = max(self._longest_us, *self._gauge.write())

    def run(self, ms: int) -> "tuple[int, ...]":
        """Take turns for ``ms``; return what ``told`` does."""
        begun_ms = self._gauge.ticks()
        while not self._due(begun_ms, ms):
            self.step()
            self._gauge.rest()
        return self.told()

    def told(self) -> "tuple[int, ...]":
        """Return guests, adverts begun, adverts refused, restarts of the radio, notifications sent,
        frames received, journal writes, the longest of them (us), free bytes of the heap and of
        the chip's own.
        """
        port = self.link
        return (
            port.guests, port.adverts, port.refused, port.restarts, self._sent, self._got,
            self._writes, self._longest_us, self._gauge.free(), self._gauge.chip_free(),
        )  # fmt: skip
