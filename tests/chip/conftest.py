"""A laid drive for every test over the virtual chip, and chips to put it in."""

import asyncio
import functools
import shutil
import types

import barechip
import pytest
from commands import plusthree
from gatewayhub import Hub
from gatewayline import Line
from tabletop import MASTER, Venue

from host.archive import master_key
from host.archive.roster import Board
from host.base import prompt
from host.boards import provisioning
from host.boards.deploy import bytecode, drive, image
from host.boards.models import BOARDS
from host.cli import serve
from host.collector.carriers.gateways import Gateways
from host.desk.station import Station
from host.sim import clock
from host.sim.chip.chip import Chip


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
    return plusthree("serve", *words)


def _loop_s():
    """Return the virtual loop's time, 0 before it runs."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:
        return 0.0


BOARD = Board(7, 1, 12)


@pytest.fixture(scope="session")
def laid(tmp_path_factory):
    """A function: the folder that deploy lays for a model, to be copied and never changed."""

    @functools.cache
    def folder(model):
        made = tmp_path_factory.mktemp(model)
        settings = provisioning.settings(BOARD, bytes(range(32)), model=model).encode()
        for name, data in bytecode.compile_image(
            image.build(BOARDS[model].image, settings)
        ).items():
            drive.write(made / name, data)
        for name in drive.JOURNALS:
            drive.allocate(made / name)
        return made

    return folder


@pytest.fixture
def drive_of(laid, tmp_path):
    """A function: a drive of one's own to spoil, as deploy lays it for a model."""
    return lambda model="feathers3": shutil.copytree(laid(model), tmp_path / f"drive {model}")


@pytest.fixture
def chip_of(drive_of):
    """A function: a chip of a model with a drive of its own in it, still without power."""

    def made(model="feathers3", folder=None, **options):
        sources = image.build(BOARDS[model].image)
        return Chip(folder or drive_of(model), BOARDS[model].board_id, sources=sources, **options)

    return made


@pytest.fixture
def bare(tmp_path):
    """A function: a chip whose drive holds the given files alone."""
    return barechip.on(tmp_path)


@pytest.fixture
def gateway_of(drive_of):
    """A function: a powered gateway of a model, whose PC has not opened its port yet."""

    def made(model="feather", usb=True):
        folder = drive_of(model)
        told = provisioning.gateway_settings(model=model)
        (folder / "settings.toml").write_text(told, encoding="utf-8")
        sources = {**image.build(BOARDS[model].image)}
        chip = Chip(folder, BOARDS[model].board_id, sources=sources, usb=usb)
        chip.power(8)
        return chip

    return made


@pytest.fixture
def line(gateway_of):
    chip = gateway_of()
    chip.cable.opened = True
    line = Line(chip)
    line.run(2)
    return line


@pytest.fixture
def plugged(laid, tmp_path):
    """A function: a gateway that is powered by its USB and has just begun."""
    made = []

    def chip():
        folder = tmp_path / f"gateway {len(made)}"
        shutil.copytree(laid("feather"), folder)
        (folder / "settings.toml").write_text(provisioning.gateway_settings(), encoding="utf-8")
        board_id, sources = BOARDS["feather"].board_id, image.build("feather")
        made.append(Chip(folder, board_id, usb=True, sources=sources, seed=len(made)))
        made[-1].radio_address = bytes((len(made), 1, 2, 3, 4, 0xC5))
        made[-1].power(4)
        return made[-1]

    return chip


@pytest.fixture
def evening(tmp_path, monkeypatch):
    """Two tables that play, and a host that has ended: its archive stands."""
    monkeypatch.chdir(tmp_path)
    made = Venue(tmp_path / "a.db", tables=2, seed=3)
    master_key.keep(master_key.path_of(made.path), MASTER)
    words = "--gateways-only", "--no-web", str(made.path)

    def go_on(story, **chips):
        return served(monkeypatch, story, *words, unix_ms=made.air.now_ms, **chips)

    made.served = go_on
    return made
