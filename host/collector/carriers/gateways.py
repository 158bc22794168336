"""All gateways on this PC's USB: opened when plugged in, closed when unplugged."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from firmware.core import frames, usb
from host.base.sentences import Sentence
from host.collector.beacon_caster import ALL, Source, sends
from host.collector.carriers import serial_line
from host.collector.carriers.gateway_delays import MOST_US, GatewayDelays
from host.collector.carriers.gateway_talk import GatewayTalk, Heard
from host.collector.carriers.serial_line import Line

_FRAME = 4  # where a frame begins in an advert that is nothing else
LOOK_S = 1.0  # between two searches for ports
TICK_S = 0.1  # between two checks of each gateway
_STRANGE_US = 5_000_000  # a port that has not introduced itself by then is another device's
THERE = Sentence("the gateway on {port} hears boards")
HELD = Sentence(
    "{port} cannot be opened: end the other program that has it, or let this user open it"
)
_REFUSALS = 3  # in a row, before the desk is told
GONE = Sentence("the gateway on {port} is gone: plug it in again")
OTHER_VERSION = Sentence(
    "the gateway on {port} has another version of the program: plusthree board deploy lays this one"
)
DOUBTFUL = Sentence("the clock of the gateway on {port} jumps: plug it in again")
LATE = Sentence(
    "the gateway on {port} sends {ms} ms late, which is more than can be made up for: use another"
    " port, or another board"
)
LYING = Sentence(
    "the gateway on {port} is heard before it should send: its clock or another gateway's is wrong;"
    " plug all of them in again"
)
LOSING = Sentence(
    "the gateway on {port} hears more than this PC reads: close other programs, or use another port"
)


class FrameReceiver(Protocol):
    """The receiver of the frames that gateways hear (``pump.Pump``, a hall's forwarder)."""

    def take(self, word: str, /, *details: str | bytes | None) -> None:
        """Process a report."""
        ...

    def listens(self, source: str, hears: bool) -> None:
        """Note whether ``source`` can hear boards now."""
        ...


Report = Callable[[Sentence], None]


def steady_us() -> int:
    """Return the PC's steady clock in us."""
    return time.monotonic_ns() // 1000


class Gateway:
    """One port, and the state of the gateway at it, if it is one."""

    def __init__(self, port: str, all_of_them: Gateways):
        self.port, self._all = port, all_of_them
        now_us = all_of_them.now_us()
        self.talk, self.begun_us = GatewayTalk(now_us), now_us
        self.over = False
        self._reported: set[str] = set()  # templates of sentences
        self.line = all_of_them.open_line(port, self)

    def received(self, data: bytes) -> None:
        """Process bytes from the port."""
        if not self.over:
            now_us = self._all.now_us()
            for heard in self.talk.received(data, now_us):
                self._all.heard(heard, self)
            self.tick(now_us)

    def lost(self) -> None:
        """Note that the port is gone."""
        self.over = True
        self._all.changed()

    def tick(self, now_us: int) -> None:
        """Write the frames that are due, and check whether the gateway is still there."""
        if output := self.talk.output(now_us):
            self.line.write(output)
        if self.talk.version is None:
            self.over = self.over or now_us - self.begun_us > _STRANGE_US
        elif self.talk.gone(now_us):
            self.over = True
        elif not self.talk.listening:
            self._say(OTHER_VERSION)
        else:
            self._say(THERE)
        if self.talk.doubtful:
            self._say(DOUBTFUL)
        if self.talk.lost:
            self._say(LOSING)
        self._all.changed()

    def send(self, advert: bytes, at_us: int, span_ms: int, now_us: int) -> bool:
        """Have the gateway send from ``at_us`` on; asked earlier by as much as it sends late."""
        delays, address = self._all.delays, self.talk.address
        asked_us = max(now_us, at_us - delays.correction_us(address))
        sent = self.talk.send(advert, asked_us, span_ms, now_us)
        if sent:
            delays.note_asked(advert[_FRAME:], address, asked_us)
        self.tick(now_us)
        return sent

    def report_delay(self) -> None:
        """Report a gateway that the others hear late, or too early."""
        late_us = self._all.delays.delay_us(self.talk.address) or 0
        if late_us > MOST_US:
            self._say(LATE, ms=late_us // 1000)
        if self._all.delays.liars(self.talk.address):
            self._say(LYING)

    def _say(self, sentence: Sentence, **values: int):
        """Report a sentence on this gateway, once."""
        if sentence.template not in self._reported:
            self._reported.add(sentence.template)
            self._all.report(Sentence(sentence.template, port=self.port, **values))


class Gateways:
    """Any number of gateways, for ``receiver``; ``report`` shows a sentence at the desk.

    A board that several gateways hear is reported several times, which is harmless. ``ports()``
    lists the ports, ``open_line`` opens one, ``now_us()`` is a monotonic clock.
    """

    def __init__(
        self,
        receiver: FrameReceiver,
        report: Report,
        ports: Callable[[], Awaitable[Sequence[str]]] = serial_line.ports,
        open_line: Open = serial_line.SerialLine,
        now_us: Callable[[], int] = steady_us,
    ):
        self._receiver, self.report, self._ports = receiver, report, ports
        self.open_line, self.now_us = open_line, now_us
        self._known: dict[str, Gateway | None] = {}  # by port; None: the device is not a gateway
        self._refused: dict[str, int] = {}  # by port: failures to open it, in a row
        self._listening = False
        self.beacons = 0  # frames of other gateways that were heard
        self.delays = GatewayDelays()

    @property
    def all(self) -> list[Gateway]:
        """The gateways that are there and speak our version."""
        return [gateway for gateway in self._open() if gateway.talk.listening and not gateway.over]

    @property
    def apart(self) -> int:
        """How many can be asked to send alone."""
        return len(self.all)

    @property
    def count(self) -> int:
        """How many of them hear boards."""
        return len(self.all)

    @property
    def names(self) -> list[str]:
        """Their ports."""
        return [gateway.port for gateway in self.all]

    async def run(self) -> None:
        """Serve them until cancelled."""
        looked_us = self.now_us() - round(LOOK_S * 1_000_000)
        try:
            while True:
                if self.now_us() - looked_us >= LOOK_S * 1_000_000:
                    looked_us = self.now_us()
                    self._follow_ports(await self._ports())
                for gateway in self._open():
                    gateway.tick(self.now_us())
                    self._end(gateway)
                await asyncio.sleep(TICK_S)
        finally:
            for gateway in self._open():
                gateway.line.close()

    def heard(self, heard: Heard, by: Gateway) -> None:
        """Pass on a board's frame; that it is in reach of a gateway does not make it linkable."""
        if len(heard.frame) == frames.SIZE:
            self._receiver.take("heard", None, heard.frame)
        elif len(heard.frame) == usb.FRAME_MOST:
            self.beacons += 1
            self._note_overheard(heard, by)

    def _note_overheard(self, heard: Heard, by: Gateway):
        """Note when a gateway's own frame was heard by another."""
        for sender in self.all:
            clocks = sender.talk.clock, by.talk.clock
            if sender.talk.address == heard.address and all(clock.known for clock in clocks):
                error_us = sum(clock.error_us(self.now_us()) for clock in clocks)
                self.delays.note_heard(
                    heard.frame, heard.address, by.talk.address, heard.at_us, error_us
                )
                sender.report_delay()

    def changed(self) -> None:
        """Report whether any gateway listens, if that has changed."""
        listening = bool(self.all)
        if listening != self._listening:
            self._listening = listening
            self._receiver.listens("gateways", listening)

    def send(self, advert: bytes, at_us: int, span_ms: int, turn: int = ALL) -> int:
        """Have gateways send ``advert`` from ``at_us`` on; return how many will."""
        now_us, count, gateways = self.now_us(), 0, self.all
        for place, gateway in enumerate(gateways):
            if sends(place, turn, len(gateways)):
                count += gateway.send(advert, at_us, span_ms, now_us)
        return count

    def _open(self) -> list[Gateway]:
        """Return the devices at open ports, also one that has not introduced itself yet."""
        return [gateway for gateway in self._known.values() if gateway is not None]

    def _follow_ports(self, ports):
        """Open the ports that are new, and let go of those that are gone."""
        self._refused = {port: count for port, count in self._refused.items() if port in ports}
        for port in [name for name in self._known if name not in ports]:
            gateway = self._known[port]
            if gateway is not None:
                gateway.lost()
                self._end(gateway)
            self._known.pop(port, None)
        for port in ports:
            if port not in self._known:
                try:
                    self._known[port] = Gateway(port, self)
                    self._refused.pop(port, None)
                except (OSError, ValueError):  # tried again: the system may not let us yet
                    self._refused[port] = self._refused.get(port, 0) + 1
                    if self._refused[port] == _REFUSALS:
                        self.report(Sentence(HELD.template, port=port))

    def _end(self, gateway):
        """Close a port that is over. A gateway is looked for again, another device is not."""
        if not gateway.over:
            return
        gateway.line.close()
        if gateway.talk.version is None:
            self._known[gateway.port] = None
        else:
            self._known.pop(gateway.port, None)
            self.delays.forget(gateway.talk.address)
            self.report(Sentence(GONE.template, port=gateway.port))
        self.changed()


Open = Callable[[str, Gateway], Line]
MakeGateways = Callable[[FrameReceiver, Report], Source]
