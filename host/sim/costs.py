"""Modelled costs of a board's day: start-up, and presses.

The model is from CircuitPython's sources and the prices of ``prices.toml``; no board was measured.
Start-up is that of the deployed drive on the simulated chip of ``host/sim/chip``, and so is a
``Session``: a match that runs, and somebody who presses its keys at random moments. What a press
comes to is read off the panel: its echo is the first finished picture in which a key's box is
lit, its result the first one after the event was written. The match counts turns, so each press
ends one, and a turn that is missing in the journal is a press that was lost.
"""

from __future__ import annotations

import bisect
import collections
import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from firmware.core import events, intents, phases, play, ring
from firmware.ui import colours
from host.archive.roster import Board
from host.boards import provisioning
from host.boards.deploy import bytecode, drive, image
from host.boards.models import MODELS, OLDEST
from host.sim.chip import pins
from host.sim.chip.chip import Chip
from host.sim.chip.drive import FIRST
from host.sim.chip.flash import BLOCK, BLOCKS, PAGES, Internal
from host.sim.chip.glass import Glass
from host.sim.faces import blank_face
from host.sim.single_board import DEVICE, KEY, SingleBoard
from host.systems import catalogue

MINUTES, _ROUND_S = 99, 5  # of the round, the longest whose seconds are shown; until it begins
PRESS_MS = 100, 250  # how long a key is held
GAP_MS = 1000, 4000  # until the next one: what the last one wrote is written by then
_MARGIN = 8  # blocks at both ends of a journal's file (firmware/board/store.py)
_STORED = drive.JOURNAL_BYTES // BLOCK - 2 * _MARGIN
_BOTH_COPIES = 2 * PAGES * BLOCKS  # pages programmed where both copies were written
_FIRST = (
    0,
    1,
)  # keys pressed at the start: ▲ begins its turn, ● opens a screen that closes by itself
_CLOSED_S = 20


def _on_panel(colour: int) -> int:
    """Return a pixel of a colour, RGB565 with the high byte first, as this PC reads two bytes."""
    red, green, blue = colour.to_bytes(3, "big")
    pixel = (red >> 3) << 11 | (green >> 2) << 5 | blue >> 3
    return int.from_bytes(pixel.to_bytes(2, "big"), sys.byteorder)


_HELD = _on_panel(colours.BLUE)  # of a held key alone while a match runs (firmware/ui/canvas.py)


@dataclass(frozen=True)
class Start:
    """A start: ms from power-on to the first screen that answers keys; ``spent``: us by price."""

    usable_ms: int
    spent: Counter[str]


def measure_start(
    folder: Path, model: str, deployed: Callable[[dict[str, bytes]], dict[str, bytes]]
) -> Start:
    """Return the Start of a ``model`` with a new drive in ``folder``.

    ``deployed`` maps the files of its image, by their names, to the files that are deployed.
    """
    settings = provisioning.settings(Board(7, 1, 12), bytes(range(32)), model=model).encode()
    sources = image.build(MODELS[model].image, settings)
    for name, data in deployed(sources).items():
        drive.write(folder / name, data)
    for name in drive.JOURNALS:
        drive.allocate(folder / name)
    chip = Chip(folder, MODELS[model].board_id, sources=sources, counting=True, version=OLDEST)
    chip.power()
    while chip.glass is None or chip.glass.on_terminal or not chip.glass.lit:
        chip.run(0.01)
    return Start(chip.now_us // 1000, collections.Counter(chip.spent))


class Picture(NamedTuple):
    """A finished picture: when (us), whether a key is lit, and the pages programmed by then."""

    at_us: int
    lit: bool
    programs: int


class Edge(NamedTuple):
    """A key's edge at its time-stamp (us), and the pages programmed by then."""

    at_us: int
    key: int
    down: bool
    programs: int


class Press(NamedTuple):
    """The latencies of one key's press, in us; None: nothing followed it.

    ``echo_us``: from the time-stamp of its going down to the first picture that shows it, or that
    shows what it did where it was up again by then. ``result_us``: from the time-stamp of its
    coming up to the picture of what it did. ``alone``: no other write was under way by then.
    """

    echo_us: int | None
    result_us: int | None
    alone: bool


class _Watched(Chip):
    """A chip whose keys and panel are watched."""

    def __init__(self, *arguments, **options):
        self.edges: list[Edge] = []
        self.pictures: list[Picture] = []
        super().__init__(*arguments, **options)

    def note(self, kind: str, *values: object) -> None:
        """Note edges and pictures as well."""
        super().note(kind, *values)
        programs = self.flash.programs
        if kind == "key":
            at_us, key, down = values
            assert isinstance(at_us, int) and isinstance(key, int) and isinstance(down, bool)
            self.edges.append(Edge(at_us, key, down, programs))
        elif kind == "picture":
            assert isinstance(self.glass, Glass)
            lit = _HELD in memoryview(self.glass.display.wire.frame).cast("H")
            self.pictures.append(Picture(self.now_us, lit, programs))


def _running_match(model):
    """Return the store of a board on which a match of counted turns runs."""
    board = SingleBoard(model, catalogue.built_in()["p18"], blank_face)
    for intent in (
        intents.SetRound(0, 1, 12, 1), intents.SetFormat(0, 0, 1 << 1, MINUTES),
        intents.SetPolicy(0, play.COUNTED), intents.ConfirmSeat(0, 0), intents.ConfirmSeat(0, 1),
    ):  # fmt: skip
        assert board.ask(intent.at(board.now_ms)), intent
    assert board.ask(intents.SetStart(board.now_ms + 1000 * _ROUND_S))
    board.run(_ROUND_S + 1)
    assert board.ask(intents.SetStarter(board.now_ms, 0))
    assert board.app.match.phase == phases.PLAYING
    return board.store


class _Flash:
    """The store port over a chip's flash, to read its journal; nothing is written."""

    blocks = _STORED

    def __init__(self, flash: Internal):
        self._flash = flash

    def readinto(self, copy: int, block: int, buffer: bytearray) -> None:
        """Fill ``buffer`` with a block."""
        first = FIRST + copy * drive.JOURNAL_BYTES // BLOCK + _MARGIN
        buffer[:] = self._flash.raw(first + block)

    def write(self, copy: int, block: int, data: bytes | bytearray) -> None:
        """Raise AssertionError: both copies of a board that runs are whole."""
        raise AssertionError(f"block {block} of copy {copy} is torn")


class Session:
    """A board of ``model`` whose drive is laid in ``folder``, with a match that runs.

    ``counting``: each bytecode is charged (a tenth of the speed). ``pace_ms``: at least and at the
    most so long after a press the next one comes.
    """

    def __init__(
        self,
        folder: Path,
        model: str,
        seed: int,
        *,
        counting: bool = True,
        pace_ms: tuple[int, int] = GAP_MS,
    ):
        self._pace_ms = pace_ms
        self._luck = random.Random(seed)
        self.asked = 0  # presses
        settings = provisioning.settings(Board(DEVICE, 1, 12), bytes(32), model=model)
        settings = re.sub('(?<=_KEY = ")[^"]*', KEY, settings)  # that of the match
        sources = image.build(MODELS[model].image, settings.encode())
        for name, data in bytecode.compile_image(sources).items():
            drive.write(folder / name, data)
        self._write_journal(folder, _running_match(model))
        self._pins = pins.table.row(MODELS[model].board_id, model).keys
        self.chip = _Watched(folder, MODELS[model].board_id, seed=seed, sources=sources,
                             counting=counting, version=OLDEST)  # fmt: skip
        self._boot()

    @staticmethod
    def _write_journal(folder, store):
        margin = b"\xff" * BLOCK * _MARGIN
        for copy, name in enumerate(drive.JOURNALS):
            blocks = b"".join(store.read(copy, block) for block in range(_STORED))
            drive.write(folder / name, margin + blocks + margin)

    def _boot(self):
        """Start the board, and let the first player's turn begin."""
        self.chip.power()
        while not (self.chip.glass and self.chip.glass.drawn and not self.chip.glass.on_terminal):
            self.chip.run(0.1)
        self.chip.run(3)
        for key in _FIRST:
            self._hold(self.chip.now_us, key, 200_000)
            self.chip.run(2.15)
        self.chip.run(_CLOSED_S)
        # what the session's own presses write and report comes after these
        self._first_record, self._first_edge = self._journal().head, len(self.chip.edges)

    def _journal(self):
        journal = ring.Ring(_Flash(self.chip.flash))
        journal.recover()
        return journal

    def _hold(self, at_us, key, for_us):
        self.chip.touches += [
            (at_us, self._pins[key], True), (at_us + for_us, self._pins[key], False),
        ]  # fmt: skip

    def rest(self, seconds: float) -> None:
        """Let nobody press for so long."""
        self.chip.run(seconds)

    def press(self, count: int) -> None:
        """Press the keys of both players in turn, ``count`` times, at random moments."""
        at_us = self.chip.now_us
        for _ in range(count):
            at_us += 1000 * self._luck.randint(*self._pace_ms) + self._luck.randrange(1000)
            for_us = 1000 * self._luck.randint(*PRESS_MS)
            self._hold(at_us, self.asked % 2, for_us)
            self.asked += 1
            at_us += for_us
        self.chip.run((at_us - self.chip.now_us) / 1e6 + 2)

    @property
    def turns(self) -> int:
        """How many turns the journal says have ended since the session began."""
        journal = self._journal()
        records = range(self._first_record, journal.head)
        return sum(journal.kind(record) == events.TURN_ENDED for record in records)

    @property
    def presses(self) -> list[Press]:
        """The Press of each press that the keys have reported."""
        edges = self.chip.edges[self._first_edge :]
        presses = []
        for i, edge in enumerate(edges):
            if edge.down:
                up = next(later for later in edges[i:] if later.key == edge.key and not later.down)
                presses.append(self._press(edge, up))
        return presses

    def _press(self, down, up):
        written = up.programs + _BOTH_COPIES  # pages programmed once the press's event is stored
        result = next((seen for seen in self._pictures_after(up) if seen.programs >= written), None)
        echo = next((seen for seen in self._pictures_after(down) if seen.lit), result)
        return Press(
            None if echo is None else echo.at_us - down.at_us,
            None if result is None else result.at_us - up.at_us,
            alone=result is not None and result.programs == written,
        )

    def _pictures_after(self, edge):
        pictures = self.chip.pictures
        first = bisect.bisect(pictures, edge.at_us, key=lambda picture: picture.at_us)
        return pictures[first : first + 20]
