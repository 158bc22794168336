"""The real ``plusthree serve`` in virtual time, with a PC's USB on which gateways hang."""

import asyncio
import types

from gatewayhub import Hub

from host import cli
from host.base import prompt
from host.cli import serve
from host.collector.carriers.gateways import Gateways
from host.desk.station import Station
from host.sim import clock


class Room:
    """A running ``serve``: ``type`` a line, look at its ``station``, let the ``hub`` run."""

    def __init__(self, monkeypatch, chips):
        self._patch, self._chips, self._lines = monkeypatch, chips, None
        self._real_clock = serve.HostClock

    def type(self, line):
        self._lines.put_nowait(line)

    def open(self, *given, **named):
        self.station = Station(*given, **named)
        return self.station

    def clock(self, *given):
        made = self._real_clock(*given)
        self.clock_ms = made.now_ms
        return made

    async def play(self, work, story):
        """Run ``serve``'s ``work`` beside a story, then end it."""
        self.hub, self._lines = Hub(**self._chips), asyncio.Queue()
        hub, patch = self.hub, self._patch
        patch.setattr(prompt, "lines", lambda loop, file: self._lines)
        patch.setattr(serve, "Gateways", lambda receiver, report: Gateways(
            receiver, report, hub.ports, hub.open_line, hub.now_us))  # fmt: skip
        task = asyncio.ensure_future(work)
        try:
            await story(self)
            assert not task.done(), task.exception()
        finally:
            self.type("quit")
            await asyncio.wait({task}, timeout=5)
        await task


def served(monkeypatch, story, *words, unix_ms, **chips):
    """Run ``story(room)`` beside ``plusthree serve WORDS``; return the exit code."""
    room = Room(monkeypatch, chips)
    run = types.SimpleNamespace(run=lambda work: clock.run(room.play(work, story)))
    now = types.SimpleNamespace(time_ns=lambda: unix_ms * 1_000_000 + round(_loop_s() * 1e9))
    for name, double in (
        ("asyncio", run), ("time", now), ("Station", room.open), ("HostClock", room.clock),
        ("steady", lambda: lambda: round(_loop_s() * 1000)),
    ):  # fmt: skip
        monkeypatch.setattr(serve, name, double)
    return cli.main(["serve", *words])


def _loop_s():
    """Return the virtual loop's time, 0 before it runs."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:
        return 0.0
