"""A bench without a board: the board's half of the self-test runs unmodified over virtual parts.

``VirtualBench`` is what ``Bringup`` needs at once: console, operator, air and clock. The native
modules are small tables of functions over one ``Chip``; the display is the emulated panel. A fault
is a changed part, as it would be on a bench.
"""

import ast
import builtins
import random
import types

from host.bringup import BoardFailed
from host.bringup_chip import Chip
from host.deploy import image

_BOARD = "firmware.board"


class VirtualBench:
    """Console, operator, air and clock around one virtual board of ``model`` with a ``fault`` or None."""

    def __init__(self, model, files, settings, fault=None, seed=1):
        self.chip = Chip(model, files, settings, fault, random.Random(seed))
        self._modules = {}
        path = image.tree() / "firmware/board/selftest.py"
        self._half = self._run("firmware.board.selftest", path.read_text("utf-8"))
        bench = self._half["bench"] = self._half["Bench"]()
        self.chip.keys, self.chip.levels = bench.row[2:4]
        self.said = []

    # the console

    def call(self, text):
        """Return an expression's value, as it would come back in text."""
        try:
            return ast.literal_eval(repr(eval(text, self._half)))  # our own text, not a stranger's
        except (OSError, RuntimeError, ValueError, LookupError) as error:
            raise BoardFailed(f"{type(error).__name__}: {error}") from error

    def _run(self, name, text):
        """Run one module of the firmware's board part over the virtual native modules."""
        hooked = {**vars(builtins), "__import__": self._import, "open": self.chip.open}
        space = {"__name__": name, "__builtins__": hooked}
        exec(compile(text, name, "exec"), space)
        return space

    def _import(self, name, scope=None, local=None, names=(), level=0):
        if name == _BOARD:
            return types.SimpleNamespace(**{part: self._part(part) for part in names})
        if name in self.chip.modules:
            return self.chip.modules[name]
        if name == "displayio":
            from host.sim.panel import displayio

            return displayio
        return builtins.__import__(name, scope, local, names, level)

    def _part(self, name):
        if name == "display":
            return types.SimpleNamespace(open_display=self.chip.open_display)
        if name not in self._modules:  # as it was laid: lean, and with other words than in the tree
            text = self.chip.files[f"/firmware/board/{name}.py"].decode()
            self._modules[name] = types.SimpleNamespace(**self._run(f"{_BOARD}.{name}", text))
        return self._modules[name]

    # the operator

    def prompt(self, text, key):
        """Do as one is told: hold ``key`` down, or with None let go."""
        self.said.append(text)
        self.chip.pressed = set() if key is None else {key}

    def ask(self, question, what):
        """Count what the virtual board shows."""
        self.said.append(question)
        return {"squares": self.chip.squares, "light": self.chip.lit, "beep": self.chip.tones}[what]()

    # the air and the clock

    def heard(self, nonce, within_ms):
        """Return how strong the board's advert is heard, False when it is not."""
        self.chip.pass_ms(1000)
        return self.chip.advert.endswith(nonce) and -48

    def now_ms(self):
        """Return the PC's time."""
        return self.chip.time_ms

    def rest(self, pause_ms):
        """Let time pass."""
        self.chip.pass_ms(pause_ms)
