"""Machines, a collector's ears and the wires between them and a real broker, to be cut at will."""

import asyncio
import contextlib

from host.hall import broker
from host.hall.broker_ears import BrokerEars
from host.hall.forwarder import Forwarder

PATIENCE_S = 60  # of a test on a busy machine; it waits for what it expects, never for a time


class Wire:
    """A TCP connection's way to the broker; ``cut`` swallows what goes over it, as a dead network
    does.
    """

    def __init__(self, port):
        self._to, self.cut, self.port = port, False, 0
        self._writers = set()

    async def lay(self):
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def _connected(self, reader, writer):
        try:
            there = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.close()
            return
        self._writers |= {writer, there[1]}
        with contextlib.suppress(asyncio.CancelledError):  # the test is over
            await asyncio.gather(self._pass(reader, there[1]), self._pass(there[0], writer))

    async def _pass(self, reader, writer):
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if not self.cut:
                    writer.write(data)
                    await writer.drain()
        if not self.cut:
            writer.close()

    def break_off(self):
        """End what is connected."""
        for one in self._writers:
            one.close()
        self._writers.clear()

    def close(self):
        self._server.close()
        self.break_off()


class Script:
    """A machine's gateways without gateways: a test says what they hear."""

    def __init__(self, count=2):
        self.count, self.apart, self.sent, self.now = count, count, [], 0

    def now_us(self):
        return self.now

    async def run(self):
        await asyncio.Event().wait()

    @property
    def names(self):
        return [f"usb{place}" for place in range(self.count)]

    def send(self, advert, at_us, span_ms, turn):
        self.sent.append((advert, at_us, span_ms, turn))
        return self.count


class Scene:
    """A hall around a broker, inside a running loop; ``until(found)`` waits for what must come."""

    def __init__(self, mosquitto):
        self.mosquitto = mosquitto
        self.frames, self.said, self.hears = [], [], None
        self._news = asyncio.Event()
        self._tasks, self._wires = [], []

    # as Ears
    def take(self, word, address, frame):
        self.frames.append(frame)
        self._news.set()

    def listens(self, who, whether):
        self.hears = whether
        self._news.set()

    def say(self, sentence):
        self.said.append(str(sentence))
        self._news.set()

    async def wired(self):
        """Return a Wire, and the address of the broker at its end."""
        wire = await Wire(self.mosquitto.port).lay()
        self._wires.append(wire)
        there = broker.parsed(self.mosquitto.address, self.mosquitto.ca)
        return wire, there._replace(port=wire.port)

    async def machine(self, name="door", unix_ms=lambda: 0, most=20_000):
        """Start a machine; return it, with ``wire`` and ``script``."""
        wire, there = await self.wired()
        script = Script()
        made = Forwarder(there, name, self.say, lambda ears, report: script, unix_ms, most)
        made.wire, made.script = wire, script
        self.work(made.run())
        return made

    async def collector(self, epoch=0, name="desk", now_us=None, unix_us=lambda: 0):
        """Start a collector's ears; return them, with their ``wire``."""
        wire, there = await self.wired()
        steady = now_us or (lambda: round(asyncio.get_running_loop().time() * 1e6))
        ears = BrokerEars(there, name, self, self.say, epoch, steady, unix_us)
        ears.wire = wire
        self.work(ears.run())
        return ears

    def work(self, what):
        """Run something until the scene ends."""
        self._tasks.append(asyncio.ensure_future(what))

    async def until(self, found):
        """Wait until ``found()``."""
        async with asyncio.timeout(PATIENCE_S):
            while not found():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.2):
                        await self._news.wait()
                self._news.clear()

    async def told(self, words):
        """Wait until a sentence with ``words`` was said."""
        await self.until(lambda: any(words in one for one in self.said))

    async def end(self):
        for one in self._tasks:
            one.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for one in self._wires:
            one.close()


def played(mosquitto, story):
    """Run ``story(scene)`` around a broker."""

    async def main():
        scene = Scene(mosquitto)
        try:
            await story(scene)
        finally:
            await scene.end()

    asyncio.run(main())
