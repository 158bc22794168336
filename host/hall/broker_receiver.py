"""The collector's side of a broker: frames of every machine's gateways, beside those of this PC."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from host.base.sentences import Sentence
from host.base.tasks import until_one_ends
from host.collector.beacon_caster import ALL, Source
from host.collector.carriers.gateways import FrameReceiver, Report, steady_us
from host.hall import broker_messages
from host.hall.broker import RECONNECT_S, Broker, with_advice
from host.hall.broker_messages import Down
from host.hall.machines import Machines

if TYPE_CHECKING:
    import aiomqtt

LOOK_S = 0.25  # between two looks whether machines are there
_MOST_DOWN = 256  # adverts that wait for the broker
_CUT = Sentence(
    "the broker {broker} cannot be reached ({why}): boards that only its machines hear keep what"
    " they have"
)
_BACK = Sentence("the broker {broker} can be reached")


class BrokerReceiver:
    """Receives the frames of a hall's machines over ``broker``, for ``receiver``.

    ``name`` is this PC's; ``epoch`` the collector's fencing epoch, 0 without one. ``now_us()`` is a
    steady clock and ``unix_us()`` the machines' common one.
    """

    def __init__(
        self,
        broker: Broker,
        name: str,
        receiver: FrameReceiver,
        report: Report,
        epoch: int = 0,
        now_us: Callable[[], int] = steady_us,
        unix_us: Callable[[], int] = lambda: time.time_ns() // 1000,
    ):
        self._broker, self._name, self._report, self._epoch = broker, name, report, epoch
        self.now_us, self._unix_us = now_us, unix_us
        self.machines = Machines(receiver, report)
        self._down: asyncio.Queue[bytes] = asyncio.Queue(_MOST_DOWN)
        self._reached: bool | None = None

    @property
    def apart(self) -> int:
        """How many can be asked to send alone: none, as all machines get the same message."""
        return 1

    @property
    def count(self) -> int:
        """How many gateways of all machines hear boards."""
        return sum(machine.state.gateways for machine in self.machines.known.values())

    @property
    def names(self) -> list[str]:
        """The machines that have gateways, and how many."""
        known = self.machines.known
        counts = sorted((name, machine.state.gateways) for name, machine in known.items())
        return [f"{name} ({count})" for name, count in counts if count]

    async def run(self) -> None:
        """Receive frames until cancelled; after each failure, connect to the broker again."""
        import aiomqtt

        while True:
            try:
                async with self._broker.client(self._name) as client:
                    await client.subscribe(
                        [(self._broker.topic("up", "+"), 1), (self._broker.topic("state", "+"), 1)]
                    )
                    self._note_connection(reached=True)
                    await self._serve(client)
            except (aiomqtt.MqttError, OSError) as failure:
                self._note_connection(reached=False, why=str(failure))
            await asyncio.sleep(RECONNECT_S)

    def send(self, advert: bytes, at_us: int, span_ms: int, turn: int = ALL) -> int:
        """Have every machine's gateways send ``advert`` from ``at_us`` on; return how many there
        are, 0 if it does not fit any more. ``turn`` as in ``Source``.
        """
        if not self.count:
            return 0  # it would come too late
        unix_ms = (self._unix_us() + at_us - self.now_us()) // 1000
        down = Down(self._epoch, max(0, unix_ms), span_ms, turn, advert)
        try:
            self._down.put_nowait(broker_messages.pack_down(down))
        except asyncio.QueueFull:
            return 0
        return self.count

    async def _serve(self, client: "aiomqtt.Client"):
        await until_one_ends(self._receive(client), self._publish(client), self._watch_machines())

    async def _receive(self, client: "aiomqtt.Client"):
        async for message in client.messages:
            kind, _, name = str(message.topic).rpartition("/")
            payload, now_s = message.payload, self.now_us() / 1e6
            if not isinstance(payload, bytes):
                continue
            if kind.endswith("/up"):
                self.machines.take_frames(name, payload, now_s)
            else:
                self.machines.take_state(name, payload, now_s, message.retain)

    async def _publish(self, client: "aiomqtt.Client"):
        while True:
            # QoS 0: the next frame says the same anew, and one that comes late is of no use
            await client.publish(self._broker.topic("down"), await self._down.get(), qos=0)

    async def _watch_machines(self):
        """Count silent machines as offline; after this program was blocked, read waiting messages
        first.
        """
        while True:
            before_us = self.now_us()
            await asyncio.sleep(LOOK_S)
            was_blocked = self.now_us() - before_us >= 2 * LOOK_S * 1_000_000
            if not was_blocked:
                self.machines.tick(self.now_us() / 1e6)

    def _note_connection(self, reached: bool, why: str = ""):
        if reached != self._reached:
            self._reached = reached
            sentence = _BACK if reached else _CUT
            said = Sentence(sentence.template, broker=self._broker.shown, why=why)
            self._report(with_advice(said, why))
        if not reached:
            self.machines.cut_off()


class Sources:
    """Several sources as one: gateways on this PC, and those of a broker's machines."""

    def __init__(self, sources: Sequence[Source]):
        self._sources = sources

    @property
    def apart(self) -> int:
        """How many can be asked to send alone."""
        return self._sources[0].apart if len(self._sources) == 1 else 1

    @property
    def count(self) -> int:
        """How many gateways hear boards."""
        return sum(source.count for source in self._sources)

    @property
    def names(self) -> list[str]:
        """Their names, for the desk."""
        return [name for source in self._sources for name in source.names]

    def now_us(self) -> int:
        """Return the steady time of ``send``."""
        return self._sources[0].now_us()

    async def run(self) -> None:
        """Receive until cancelled."""
        await asyncio.gather(*(source.run() for source in self._sources))

    def send(self, advert: bytes, at_us: int, span_ms: int, turn: int = ALL) -> int:
        """Have gateways send ``advert`` from ``at_us`` on, as ``Source``; return how many will."""
        return sum(source.send(advert, at_us, span_ms, turn) for source in self._sources)
