"""Modelled costs of a board's day: flash erases per event, the longest step, and start-up time.

The model is from CircuitPython's sources and the prices of ``prices.toml``; no board was measured.
A step's bytecodes are counted on the PC, HMACs by their calls, the flash by its operations, the
panel by the bytes that the real driver sends. Start-up is that of the deployed drive on the
simulated chip of ``host/sim/chip``.
"""

from __future__ import annotations

import collections
import contextlib
from collections import Counter
from collections.abc import Callable, Container
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.core import events
from host.archive.roster import Board
from host.boards import provisioning
from host.boards.bringup.figures import refresh_us
from host.boards.deploy import drive, image
from host.boards.models import MODELS, OLDEST
from host.sim import bytecodes, prices
from host.sim.chip.chip import Chip
from host.sim.flash import FlashStore
from host.sim.single_board import SingleBoard

if TYPE_CHECKING:
    from firmware.core.types import Rules
    from host.sim.prices import Book
    from host.sim.types import MakeFace


_HASHES = {"mac": "hmac_us", "hmac": "hmac_us", "sha256": "sha256_us"}  # functions of core/digest


@dataclass
class Step:
    """One step of the program, in us; ``wrote``: it wrote to the journal; ``at_ms``: uptime."""

    flash_us: int = 0
    code_us: int = 0
    hash_us: int = 0
    panel_us: int = 0
    wrote: bool = False
    at_ms: int = 0

    @property
    def total_us(self) -> int:
        """The sum of all parts, since nothing runs in parallel."""
        return self.flash_us + self.code_us + self.hash_us + self.panel_us


class Metered(SingleBoard):
    """A SingleBoard on the flash model that records its steps.

    Bytecodes are counted, which is slow, only in steps at the uptimes (ms) in ``counting``.
    """

    def __init__(
        self,
        model: str,
        rules: Rules,
        faces: MakeFace,
        *,
        counting: Container[int] = (),
        book: Book | None = None,
    ):
        self._prices = (book or prices.load()).on(model)
        self._now, self.steps, self._counting = Step(), [], counting
        self._first_store = FlashStore(self._prices, self._flash)
        super().__init__(model, rules, faces)

    def boot(self, reason: int = 0) -> None:
        """Start the program on this board's flash."""
        self.store = self.store or self._first_store
        super().boot(reason)
        step, self.app.step = self.app.step, lambda: self._metered(step)

    def _flash(self, used_us):
        self._now.flash_us += used_us

    def _metered(self, step):
        self._now, glass = Step(at_ms=self.board.clock.now_ms()), self.board.glass
        writes, sent = self._first_store.chip.programs, glass.bus.pixels_sent if glass else 0
        counted = self._now.at_ms in self._counting
        with self._traced() if counted else contextlib.nullcontext():
            due_ms = step()
        if glass and glass.bus.pixels_sent != sent:
            self._now.panel_us = refresh_us(self._prices, glass.bus.pixels_sent - sent)
        self._now.wrote = self._first_store.chip.programs != writes
        self.steps.append(self._now)
        return due_ms

    @contextlib.contextmanager
    def _traced(self):
        count = [0]

        def ran():
            count[0] += 1

        def picked(frame):
            name = frame.f_globals.get("__name__", "")
            if name == "firmware.core.digest":
                price = _HASHES.get(frame.f_code.co_name)
                self._now.hash_us += self._prices[price] if price else 0
            return name.startswith("firmware.") and name != "firmware.core.digest"

        with bytecodes.counted(picked, ran):
            yield
        self._now.code_us = bytecodes.us(count[0], self._prices["bytecode_ns"])

    @property
    def happened(self) -> int:
        """The number of events in the journal, without its seals."""
        ring = self.app.journal.ring
        records = (record for _, record in ring.walk(ring.oldest) if record)
        return sum(events.of_record(record).kind != events.SEALED for record in records)

    @property
    def worst(self) -> Step:
        """The longest step that wrote to the journal."""
        return max((step for step in self.steps if step.wrote), key=lambda step: step.total_us)


@dataclass(frozen=True)
class Start:
    """A start: ms from power-on to the first screen that answers keys; ``spent``: us by price."""

    usable_ms: int
    spent: Counter[str]


def started(
    folder: Path, model: str, laid: Callable[[dict[str, bytes]], dict[str, bytes]]
) -> Start:
    """Return the Start of a ``model`` with a new drive in ``folder``.

    ``laid`` maps the files of its image to the files that are deployed.
    """
    settings = provisioning.settings(Board(7, 1, 12), bytes(range(32)), model=model).encode()
    sources = image.build(MODELS[model].image, settings)
    for name, data in laid(sources).items():
        drive.write(folder / name, data)
    for name in drive.JOURNALS:
        drive.allocate(folder / name)
    chip = Chip(folder, MODELS[model].board_id, sources=sources, counting=True, version=OLDEST)
    chip.power()
    while chip.glass is None or chip.glass.on_terminal or not chip.glass.lit:
        chip.run(0.01)
    return Start(chip.now_us // 1000, collections.Counter(chip.spent))
