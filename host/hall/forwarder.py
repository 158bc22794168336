"""A machine with gateways and no archive: it forwards the frames that they hear to a broker,
without a key.

A message that the broker has not confirmed is sent again; while it cannot be reached, the newest
frames wait. They are never the only copy: a board retransmits each record until the collector
acknowledges it.
"""

import asyncio
import itertools
import secrets
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from host.base.sentences import Sentence
from host.base.tasks import until_one_ends
from host.collector.carriers.gateways import Gateways, MakeGateways
from host.hall import broker_messages
from host.hall.broker import RECONNECT_S, Broker, with_advice
from host.hall.broker_messages import GONE, MOST_FRAMES, MachineState

if TYPE_CHECKING:
    import aiomqtt

MOST_WAITING = 20_000  # frames
STATE_S = 0.5
_GATHER_S = 0.05  # frames heard within it go into one message
_CUT = Sentence("the broker {broker} cannot be reached ({why}): what is heard waits here")
_BACK = Sentence("the broker {broker} takes what is heard")
# two machines of one name close each other's connection for ever
_CLOSED = Sentence(
    "the broker {broker} closes each connection ({why}): if another machine is called {name}, give"
    " each its own name (--name)"
)
_CLOCK_OFF = Sentence(
    "the clock of this PC is {seconds} s off the collector's, so its gateways send no beacon: set"
    " it (timedatectl)"
)
_MOST_OFF_MS = 5000  # from now to an advert's time; a gateway sends none that is further off
_MOST_ODD = 3  # adverts of another time in a row, before this PC's clock is blamed
_LASTING_S = 3.0  # a connection that is closed sooner was closed at once
_MOST_CLOSED = 3  # connections closed at once, before that is reported


def _unix_ms() -> int:
    return time.time_ns() // 1_000_000


class Forwarder:
    """Forwards the frames that the gateways of ``make`` hear, as the machine ``name``.

    ``report(sentence)`` shows a message on this machine.
    """

    def __init__(
        self,
        broker: Broker,
        name: str,
        report: Callable[[Sentence], None],
        make: MakeGateways = Gateways,
        unix_ms: Callable[[], int] = _unix_ms,
        most: int = MOST_WAITING,
    ):
        self._broker, self._name, self._report, self._unix_ms = broker, name, report, unix_ms
        self._waiting: deque[bytes] = deque()  # frames to publish
        self._frame_waits = asyncio.Event()
        self._most_waiting, self.dropped = most, 0
        self._session, self._message_numbers = secrets.randbits(32), itertools.count()
        self._unconfirmed: bytes | None = None  # the message that the broker has not confirmed
        self._epoch = 0  # of the adverts to send
        self._broker_reached: bool | None = None  # None before the first try
        self._closed_at_once = self._odd_times = 0  # one after another: connections, adverts
        self._clock_s = 0  # by which the clock is off, if it is known to be
        self.refused = 0  # adverts of an earlier epoch, or whose time is past or far off
        self.gateways = make(self, report)

    def take(self, word: str, /, *details: str | bytes | None) -> None:
        """Take a message of a gateway, as a ``FrameReceiver``: queue the frame that it has heard,
        and ignore other messages. If the queue is full, the oldest is dropped and counted.
        """
        frame = details[-1] if word == "heard" else None
        if not isinstance(frame, bytes):
            return
        if len(self._waiting) >= self._most_waiting:
            self._waiting.popleft()
            self.dropped += 1
        self._waiting.append(frame)
        self._frame_waits.set()

    def listens(self, source: str, hears: bool) -> None:
        """Do nothing: ``_state`` counts the gateways."""

    async def run(self) -> None:
        """Forward until cancelled, with or without a broker."""
        await asyncio.gather(self.gateways.run(), self._reach())

    async def _reach(self):
        import aiomqtt

        gone, loop = broker_messages.pack_state(GONE), asyncio.get_running_loop()
        while True:
            begun_s = None
            try:
                async with self._broker.client(self._name, gone) as client:
                    begun_s = loop.time()
                    if self._closed_at_once < _MOST_CLOSED:
                        self._note_connection(reached=True)
                    await client.subscribe(self._broker.topic("down"), 0)
                    await self._serve(client)
            except (aiomqtt.MqttError, OSError) as failure:
                at_once = begun_s is not None and loop.time() - begun_s < _LASTING_S
                self._note_failure(str(failure), at_once)
            await asyncio.sleep(RECONNECT_S)

    async def _serve(self, client: "aiomqtt.Client"):
        """Send and receive over a connection until it fails."""
        await until_one_ends(
            self._publish(client),
            self._publish_state(client),
            self._send_adverts(client),
            self._outlast(),
        )

    async def _outlast(self):
        """Note a connection that was not closed at once."""
        await asyncio.sleep(_LASTING_S)
        self._closed_at_once = 0
        self._note_connection(reached=True)
        await asyncio.Event().wait()

    async def _publish(self, client: "aiomqtt.Client"):
        """Publish the waiting frames, the unconfirmed message first."""
        topic = self._broker.topic("up", self._name)
        while True:
            if self._unconfirmed is None:
                await self._frame_waits.wait()
                if len(self._waiting) < MOST_FRAMES:  # a full message does not wait for more
                    await asyncio.sleep(_GATHER_S)
                self._unconfirmed = self._next()
            await client.publish(topic, self._unconfirmed, qos=1)
            self._unconfirmed = None

    def _next(self) -> bytes:
        """Return the next message, with the oldest of the waiting frames."""
        count = min(len(self._waiting), MOST_FRAMES)
        frames = [self._waiting.popleft() for _ in range(count)]
        if not self._waiting:
            self._frame_waits.clear()
        return broker_messages.pack_up(self._session, next(self._message_numbers), frames)

    async def _publish_state(self, client: "aiomqtt.Client"):
        topic = self._broker.topic("state", self._name)
        while True:
            counts = self.gateways.count, len(self._waiting), self.dropped
            state = MachineState(True, *counts, clock_s=self._clock_s)
            await client.publish(topic, broker_messages.pack_state(state), qos=1, retain=True)
            await asyncio.sleep(STATE_S)

    async def _send_adverts(self, client: "aiomqtt.Client"):
        """Have the gateways send the adverts that the collector asks for."""
        async for message in client.messages:
            payload = message.payload
            down = broker_messages.unpack_down(payload) if isinstance(payload, bytes) else None
            if down is None or down.epoch < self._epoch:
                self.refused += 1
                continue
            self._epoch = down.epoch
            ahead_ms = down.unix_ms - self._unix_ms()
            self._note_clock(ahead_ms)
            ahead_us = ahead_ms * 1000
            at_us = self.gateways.now_us() + ahead_us
            sent = self.gateways.send(down.advert, at_us, down.span_ms, down.turn)
            if not sent and self.gateways.count:
                self.refused += 1

    def _note_clock(self, ahead_ms: int):
        """Note how far ahead of this PC's clock an advert is to be sent."""
        self._odd_times = self._odd_times + 1 if abs(ahead_ms) > _MOST_OFF_MS else 0
        if self._odd_times == _MOST_ODD:
            self._clock_s = abs(ahead_ms) // 1000
            self._report(Sentence(_CLOCK_OFF.template, seconds=self._clock_s))
        elif not self._odd_times:
            self._clock_s = 0

    def _note_failure(self, why: str, at_once: bool):
        self._closed_at_once = self._closed_at_once + 1 if at_once else 0
        if self._closed_at_once == _MOST_CLOSED:
            self._broker_reached = False
            shown = self._broker.shown
            self._report(Sentence(_CLOSED.template, broker=shown, why=why, name=self._name))
        elif self._closed_at_once < _MOST_CLOSED:
            self._note_connection(reached=False, why=why)

    def _note_connection(self, reached: bool, why: str = ""):
        if reached != self._broker_reached:
            self._broker_reached = reached
            sentence = _BACK if reached else _CUT
            said = Sentence(sentence.template, broker=self._broker.shown, why=why)
            self._report(with_advice(said, why))
