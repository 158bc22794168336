"""A bench without a board: the board's half of the self-test runs unmodified on a virtual one.

``VirtualBench`` implements all that ``Bringup`` needs: console, operator, air and clock. The native
modules are small tables of functions on one ``Chip``; the display is the emulated panel. A fault
changes one part, as a broken part does on a real bench.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import importlib
import random
import types
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from firmware.core import digest
from host.base import installation
from host.boards.bringup import figures
from host.boards.bringup.ports import Answer, BoardFailed
from host.sim.bench.chip import Chip
from host.sim.bench.works import Reset

if TYPE_CHECKING:
    from host.sim.types import SoakWorks, VirtualBoard


_BOARD = "firmware.board"
_PROGRAM = ("firmware", "firmware.ui", "firmware.radio", "firmware.core", "firmware.core.journal")


def _text(name):
    return installation.file(name).read_text("utf-8")


class VirtualBench:
    """Console, operator, air and clock of one virtual board of ``model``.

    ``files`` and ``settings`` are its drive's, ``prices`` its model's. ``boot`` maps each module
    that its program imports to its size on the drive in bytes. ``fault`` is one of ``FAULTS`` or
    None.
    """

    def __init__(
        self,
        model: str,
        files: Mapping[str, bytes],
        settings: Mapping[str, str | int],
        prices: dict[str, int],
        boot: Mapping[str, int],
        fault: str | None = None,
        seed: int = 1,
    ):
        self.chip = Chip(model, files, settings, fault, random.Random(seed), prices)
        self._boot = boot
        self.chip.works.busy_ms = figures.busy_ms(prices, boot)
        self._modules, self._half = {}, {}
        self._begin()
        bench = self._half["bench"]
        self.chip.keys, self.chip.levels = bench.row.keys, bench.row.levels
        self.said, self._heard = [], b""

    def _begin(self):
        self._half = self._run("hw.bench.selftest", _text("hw/bench/selftest.py"))
        self._half["bench"] = self._half["Bench"]()

    # the console

    def call(self, text: str) -> Answer:
        """Return the value of an expression on the board, converted to text and back.

        BoardFailed for an error of the board's.
        """
        paying = self.chip.works.paying() if text.startswith("gauge.") else contextlib.nullcontext()
        try:
            with paying:
                value = eval(text, self._half)  # text of our own host code, not from outside
            return ast.literal_eval(repr(value))
        except (OSError, RuntimeError, ValueError, LookupError) as error:
            raise BoardFailed(f"{type(error).__name__}: {error}") from error

    def restart(self) -> None:
        """Restart the interpreter: no module is loaded and the heap is empty."""
        self._half = {"__builtins__": {**vars(builtins), "__import__": self._import}}
        self.chip.works.grown = 0
        self.chip.loaded.clear()

    def load(self) -> None:
        """Load the self-test and the gauge, which uses the program of this source tree."""
        self._begin()
        half = self._run("hw.bench.gauge", _text("hw/bench/gauge.py"))
        self._half["gauge"] = half["Gauge"](self._half["bench"])

    @property
    def gauge(self) -> SoakWorks:
        """The board's half that measures, once it is loaded."""
        return self._half["gauge"]  # pyright: ignore[reportReturnType]  (what the text on the board made)

    def fire(self, text: str) -> None:
        """Run an expression that resets the board, so returns nothing."""
        try:
            self.call(
                "gauge.leave_mark()" if text == "gauge.hang()" else text
            )  # a real hang would never return
        except Reset:
            pass

    def _run(self, name, text):
        """Run one module of the firmware's board part over the virtual native modules."""
        hooked = {**vars(builtins), "__import__": self._import, "open": self.chip.open}
        space = {"__name__": name, "__builtins__": hooked}
        exec(compile(text, name, "exec"), space)
        return space

    def _import(self, name, scope=None, local=None, names=(), level=0):
        here = [f"/firmware/board/{part}" for part in names or ()]
        parts = [
            path.rpartition("/")[2]
            for path in here
            if {path + ".py", path + ".mpy"} & set(self.chip.files)
        ]
        if name == _BOARD and parts:
            return types.SimpleNamespace(**{part: self._part(part) for part in parts})
        if name == "firmware" and not names:
            return types.SimpleNamespace(__file__="/firmware/__init__.py")
        if name in self._boot or name in _PROGRAM:
            return self._program(name, names)
        if name in self.chip.modules:
            return self.chip.modules[name]
        if name == "displayio":
            from host.sim.panel import displayio

            return displayio
        return builtins.__import__(name, scope, local, names, level)

    def _program(self, name, names):
        """Import a module of the program.

        The first import charges loading all modules; two of them are replaced by the simulator's.
        """
        works, loaded = self.chip.works, self.chip.loaded
        if not loaded:
            works.spend(figures.load_us(works.prices, self._boot))
            loaded.update(self._boot)
            works.grown = 1
        if name == "firmware.ui" and "face" in names:
            face = types.SimpleNamespace(
                opened=lambda display, panel, language: self._board.app.face
            )
            return types.SimpleNamespace(face=face)
        if name == "firmware" and "launch" in names:
            return types.SimpleNamespace(app=importlib.import_module("firmware.app"), launch=self)
        if name == "firmware.core" and "digest" in names:
            paid = {kind: functools.partial(self._paid, kind) for kind in ("sha256", "mac")}
            return types.SimpleNamespace(digest=types.SimpleNamespace(**paid, blocks=digest.blocks))
        if name == "firmware.radio" and "advertiser" in names:
            return importlib.import_module(name + ".advertiser") and importlib.import_module(name)
        if name.startswith(("firmware.core", "firmware.app")):
            return importlib.import_module(name)
        return None

    def _paid(self, kind, *words):
        works = self.chip.works
        works.spend(works.prices["hmac_us" if kind == "mac" else "sha256_us"])
        return getattr(digest, kind)(*words)

    def opened(self) -> VirtualBoard:
        """Return the board on which the program runs a match (see ``firmware/launch.py``)."""
        from host.sim.faces import blank_face
        from host.sim.single_board import SingleBoard
        from host.systems import catalogue

        self._board = SingleBoard("feathers3", catalogue.built_in()["p18"], blank_face)
        self._board.board.alive = lambda: None
        self.chip.works.grown = 2
        return self._board.board

    def _part(self, name):
        if name == "display":
            return types.SimpleNamespace(open_display=self.chip.open_display)
        if name not in self._modules:
            ran = self._run(f"{_BOARD}.{name}", _text(f"firmware/board/{name}.py"))
            self._modules[name] = types.SimpleNamespace(**ran)
        return self._modules[name]

    # the operator

    def prompt(self, text: str, key: int | None) -> None:
        """Record the text, then hold ``key`` down, or release all keys for None."""
        self.said.append(text)
        self.chip.pressed = set() if key is None else {key}

    def ready(self, text: str, name: str) -> bool:
        """Record the text; always ready."""
        self.said.append(text)
        return True

    def back(self, name: str) -> None:
        """Return the board to service mode after the reset ``name``."""
        self.chip.works.mend(name)

    def measured(self, question: str, what: str) -> None:
        """Record the question; without a meter there is no value."""
        self.said.append(question)

    def ask(self, question: str, what: str) -> int:
        """Record the question; return how many squares, lit LEDs or tones there are."""
        self.said.append(question)
        return {"squares": self.chip.squares, "light": self.chip.lit, "beep": self.chip.tones}[
            what
        ]()

    # the air and the clock

    @property
    def flags(self) -> int | None:
        """The flags byte at the start of the last advert heard, None without one."""
        return self._heard[2] if self._heard[:2] == b"\x02\x01" else None

    def heard(self, nonce: bytes, within_ms: int) -> int | Literal[False]:
        """Return the RSSI (dBm) of the board's advert with ``nonce``, False if none is heard."""
        self.chip.pass_ms(1000)
        self._heard = self.chip.advert
        return self.chip.advert.endswith(nonce) and -48

    def now_ms(self) -> int:
        """Return the PC's time in ms."""
        return self.chip.time_ms

    def rest(self, pause_ms: int) -> None:
        """Advance the time by ``pause_ms``."""
        self.chip.pass_ms(pause_ms)
