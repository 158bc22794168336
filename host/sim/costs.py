"""What the model says that a board's day costs: erases an event, the worst step, and seconds to a picture.

Modelled from CircuitPython's sources at the prices of ``prices.toml``; no board was measured. A step's
bytecodes are counted on the PC, HMACs by their calls, the flash by its operations, the panel by the
bytes that the real driver sends.
"""

import contextlib
import sys
from dataclasses import dataclass

from firmware.core import events, frames
from host.bringup_figures import busy_ms, refresh_us
from host.sim import prices
from host.sim.flash import FlashStore
from host.sim.lone import Lone

ALIKE = (12, 7)  # bytecodes of CircuitPython for so many of CPython's: a loop that adds
_HASHES = {"mac": "hmac_us", "hmac": "hmac_us", "sha256": "sha256_us"}  # functions of core/digest


@dataclass
class Step:
    """One step of the program, in us; ``wrote``: it journalled; ``at_ms``: the board's uptime."""

    flash_us: int = 0
    code_us: int = 0
    hash_us: int = 0
    panel_us: int = 0
    wrote: bool = False
    at_ms: int = 0

    @property
    def total_us(self):
        """All of it: nothing runs beside anything else."""
        return self.flash_us + self.code_us + self.hash_us + self.panel_us


class Metered(Lone):
    """A Lone board over the flash as it is, whose steps are kept.

    Bytecodes are counted in steps at the uptimes (ms) that ``counting`` has: that takes long.
    """

    def __init__(self, model, rules, faces, *, cached, counting=(), book=None):
        self._prices = (book or prices.load()).on(model)
        self._now, self.steps, self._counting = Step(), [], counting
        self._first_store = FlashStore(self._prices, cached, self._flash)
        super().__init__(model, rules, faces)

    def boot(self, reason=0):
        """Start the program over that flash."""
        self.store = self.store or self._first_store
        super().boot(reason)
        step, self.app.step = self.app.step, lambda: self._metered(step)

    def _flash(self, used_us):
        self._now.flash_us += used_us

    def _metered(self, step):
        self._now, glass = Step(at_ms=self.board.clock.now_ms()), getattr(self.board, "glass", None)
        writes, sent = self.store.chip.programs, glass.bus.bytes_sent if glass else 0
        counted = self._now.at_ms in self._counting
        with self._traced() if counted else contextlib.nullcontext():
            due_ms = step()
        if glass and glass.bus.bytes_sent != sent:
            drawn = min((glass.bus.bytes_sent - sent) // 2, glass.bus.width_px * glass.bus.height_px)
            self._now.panel_us = refresh_us(self._prices, drawn)  # a PC's displayio sends edits twice
        self._now.wrote = self.store.chip.programs != writes
        self.steps.append(self._now)
        return due_ms

    @contextlib.contextmanager
    def _traced(self):
        counted = [0]

        def traced(frame, event, argument):
            if event == "opcode":
                counted[0] += 1
            elif event == "call":
                name = frame.f_globals.get("__name__", "")
                if name == "firmware.core.digest":
                    self._now.hash_us += self._prices.get(_HASHES.get(frame.f_code.co_name), 0)
                frame.f_trace_opcodes = name.startswith("firmware.") and name != "firmware.core.digest"
                frame.f_trace_lines = False
                return traced if frame.f_trace_opcodes else None
            return traced

        before = sys.gettrace()
        sys.settrace(traced)
        try:
            yield
        finally:
            sys.settrace(before)
            self._now.code_us = counted[0] * ALIKE[0] // ALIKE[1] * self._prices["bytecode_ns"] // 1000

    @property
    def happened(self):
        """How many events the journal holds; seals are the journal's own."""
        ring = self.app.journal.ring
        records = (record for _, record in ring.walk(ring.oldest) if record)
        return sum(frames.event_of(record)[0] != events.SEALED for record in records)

    @property
    def worst(self):
        """The longest step that journalled."""
        return max((step for step in self.steps if step.wrote), key=lambda step: step.total_us)


def boot_ms(book, model, size):
    """Return what it takes from power to a usable screen, ``size`` bytes of source being compiled, in ms."""
    costs = book.on(model)
    return costs["start_cold_ms"] + busy_ms(costs, size)
