"""The PC's half of a gateway's protocol (``firmware/core/usb.py``): bytes in, bytes out, no port.

Times are this PC's, in us of any steady clock.
"""

from typing import NamedTuple

from firmware.core import usb
from host.collector.carriers.gateway_clock import GatewayClock

PING_US = 500_000
GONE_US = 1_800_000  # so that its end is noticed within 2 s
_OLD_US = usb.GONE_MS * 1000  # no report of it is older
_AHEAD_US = 5_000_000  # an advert is planned for no later than that
_ASKED_MOST = 8  # PINGs that may still be answered


class Heard(NamedTuple):
    """An advert: its sender, our frame in it, its signal in dBm, and when it was on the air."""

    address: str
    frame: bytes
    rssi: int
    at_us: int


class GatewayTalk:
    """One gateway, or a device that has not introduced itself as one yet.

    Nothing is written to a device before that. ``version`` is the gateway's version of the
    protocol, None until then. ``heard`` and ``lost`` are its own counts of boards' adverts;
    ``lies`` counts impossible times, ``late`` adverts that it did not send.
    """

    def __init__(self, now_us: int):
        self._splitter, self._counter = usb.Splitter(), 0
        self._heard_us = now_us
        self._pinged_us = now_us - PING_US
        self._asked: dict[int, int] = {}  # nonce: when
        self._nonce = 0
        self._places = 0
        self._in_flight: list[int] = []  # counters of SENDs without a report yet
        self._output = bytearray()
        self.clock = GatewayClock()
        self.version: int | None = None
        self.address = ""
        self.heard = self.lost = self.lies = self.late = 0
        self._doing = {usb.HELLO: self._hello, usb.PLACES: self._note_places, usb.PONG: self._pong}

    @property
    def listening(self) -> bool:
        """Whether it speaks our version, so that what it hears comes here."""
        return self.version == usb.VERSION

    @property
    def doubtful(self) -> bool:
        """Whether its times contradict each other."""
        return bool(self.lies or self.clock.steps)

    def gone(self, now_us: int) -> bool:
        """Return whether it has been silent for too long."""
        return now_us - self._heard_us > GONE_US

    def received(self, data: bytes, now_us: int) -> list[Heard]:
        """Process bytes from the port; return the adverts in them."""
        adverts = []
        for kind, _, values in self._splitter.feed(data):
            if self.version is None and kind != usb.HELLO:
                continue
            self._heard_us = now_us
            if kind == usb.HEARD:
                adverts.append(self._advert(now_us, *values))
            elif kind in self._doing:
                self._doing[kind](now_us, *values)
        return adverts

    def output(self, now_us: int) -> bytes:
        """Return the bytes to write now."""
        if self.listening and now_us - self._pinged_us >= PING_US:
            self._pinged_us = now_us
            self._nonce = (self._nonce + 1) & 0xFFFF
            self._asked[self._nonce] = now_us
            while len(self._asked) > _ASKED_MOST:
                del self._asked[next(iter(self._asked))]
            self._put(usb.PING, self._nonce)
        output, self._output = bytes(self._output), bytearray()
        return output

    def send(self, advert: bytes, at_us: int, span_ms: int, now_us: int) -> bool:
        """Have ``advert`` (1-31 bytes) sent from ``at_us`` on; return whether that is possible now.

        It is not if the gateway's clock is not known yet, no place is free, or the time is past or
        far off.
        """
        free = self._places - len(self._in_flight)
        if not self.clock.known or free <= 0 or not 0 <= at_us - now_us <= _AHEAD_US:
            return False
        self._in_flight.append(self._counter & 0xFF)
        self._put(usb.SEND, self.clock.ticks_at(at_us), span_ms, advert)
        return True

    def _put(self, kind, *values):
        self._output += usb.pack(kind, self._counter, *values)
        self._counter += 1

    def _hello(self, now_us, version, places, ticks, address):
        """A gateway that introduces itself has just begun, or has not heard us: begin anew."""
        self.version, self.address = version, _text(address)
        self._places = places
        self._in_flight = []
        self._asked.clear()
        self.clock = GatewayClock()
        self._pinged_us = now_us - PING_US

    def _note_places(self, now_us, free, newest, late):
        """Note how many adverts the gateway can take, and the newest SEND that it is done with."""
        if newest in self._in_flight:
            self._in_flight = self._in_flight[self._in_flight.index(newest) + 1 :]
        self._places, self.late = free, late

    def _pong(self, now_us, nonce, ticks, heard, lost):
        self.heard, self.lost = heard, lost
        sent_us = self._asked.pop(nonce, None)
        if sent_us is not None:
            self.clock.answered(sent_us, now_us, ticks)

    def _advert(self, now_us, ticks, rssi, address, frame):
        """Return an advert. An impossible time becomes now: no frame is verified by its time."""
        at_us = now_us
        if self.clock.known:
            at_us, error_us = self.clock.at_us(ticks), self.clock.error_us(now_us)
            if not now_us - _OLD_US - error_us <= at_us <= now_us + error_us:
                self.lies += 1
                at_us = now_us
            self.clock.came(ticks, now_us)
            at_us = min(at_us, now_us)
        return Heard(_text(address), frame, rssi, at_us)


def _text(address: bytes) -> str:
    """Return an address as bleak writes it."""
    return ":".join(f"{byte:02X}" for byte in reversed(address))
