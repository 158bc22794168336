"""Recorded evenings played on a real interpreter: the laid drive's own ``code.py``, and what it
took.

Two kinds of interpreter: the 64-bit MicroPython program that ``make test`` always has, and those
that somebody names in ``PLUSTHREE_CIRCUITPYTHON`` (paths, separated as in PATH): unix programs that
they built from CircuitPython. A heap of a given size is asked for with ``-X heapsize=``.
"""

import ast
import os
import pathlib
import re
import subprocess
from dataclasses import dataclass

from host.boards.deploy import bytecode, edits, image, interned, shortening

HERE = pathlib.Path(__file__).parent
NAMED = "PLUSTHREE_CIRCUITPYTHON"
BLANK = b"\xff" * 256 * 1024
ROOMY = 16 * 1024 * 1024
OUT_OF_MEMORY = "MemoryError"


def circuitpythons():
    """Return the paths of the CircuitPython programs that were named."""
    return [os.path.abspath(path) for path in os.environ.get(NAMED, "").split(os.pathsep) if path]


@dataclass
class Played:
    """How an evening went: what was printed, and whether the journal is the recorded one."""

    printed: str
    same: bool

    @property
    def over(self):
        """Whether the program came through to the tape's end."""
        return self.printed.endswith(" is over\n")

    @property
    def starved(self):
        """Whether it ended for want of memory."""
        return OUT_OF_MEMORY in self.printed

    def number(self, name):
        """Return the number printed after ``name``."""
        return int(re.search(rf"^{name} (\d+)", self.printed, re.MULTILINE)[1])

    def line(self, name):
        """Return what was printed on the line that ``name`` begins."""
        return re.search(rf"^{name} .*", self.printed, re.MULTILINE)[0]

    @property
    def steps(self):
        """The most costly steps, ``(bytes, uptime in ms)``, worst first."""
        return [
            tuple(map(int, row))
            for row in re.findall(r"^step (\d+) (\d+)", self.printed, re.MULTILINE)
        ]


def laid_player(folder):
    """Lay the player and its doubles in ``folder``, in few and short words; return the player's
    path.

    Every distinct word costs an interpreter memory for ever, and the table of them doubles in one
    jump. Those of a chip's own modules lie in a board's flash, so the doubles' must be no more than
    the program asks for anyhow: what it does not know has words that lie in every flash.
    """
    sources = {path.stem: path.read_text("utf-8") for path in (HERE / "playback").glob("*.py")}
    sources = {name: edits.untexted(text) for name, text in sources.items()}
    programs = image.build("feather")
    programs = [data.decode() for name, data in programs.items() if name.endswith(".py")]
    passed = shortening.keywords([*sources.values(), *programs])
    short = {name: shortening.shorten(text, passed) for name, text in sources.items()}
    words = interned.standing_in(short.values(), own_names(short, programs))
    (folder / "playback").mkdir(parents=True)
    for name, text in short.items():
        (folder / "playback" / f"{name}.py").write_text(interned.applied(text, words))
    (folder / "modules").symlink_to(HERE / "modules")  # drawing, for interpreters without displayio
    return folder / "playback" / "player.py"


def own_names(sources, programs):
    """Return the names that ``sources`` define and no program of a board mentions."""
    defined = set()
    for node in (node for text in sources.values() for node in ast.walk(ast.parse(text))):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            defined.add(node.name)
        elif isinstance(node, (ast.Attribute, ast.Name)) and isinstance(node.ctx, ast.Store):
            defined.add(node.attr if isinstance(node, ast.Attribute) else node.id)
    told = set().union(*(edits.mentioned(ast.parse(text)) for text in programs))
    return sorted(name for name in defined - told if not name.startswith("__"))


class Stage:
    """A Feather's drive in ``folder`` with a recording beside it, played as often as wanted.

    ``laid`` makes of the image what is laid: its sources as they are, ``bytecode.laid`` for
    CircuitPython or ``compiled`` for MicroPython.
    """

    def __init__(self, folder, recording, laid=dict):
        self._folder, self._recording = pathlib.Path(folder), recording
        for name, data in laid(image.build("feather")).items():
            path = self._folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        recording.write(folder)
        self._player = laid_player(self._folder / "doubles").relative_to(self._folder)

    def play(self, program, *watches, heap=ROOMY):
        """Play it on ``program`` with ``heap`` bytes; ``watches`` as in ``player.py``.

        Return a Played. Paths are relative: on an interpreter they are words that take heap.
        """
        for copy in (0, 1):
            (self._folder / f"journal{copy}.bin").write_bytes(BLANK)
        command = [program, "-X", f"heapsize={heap}", self._player, ".", *watches]
        done = subprocess.run(
            command, cwd=self._folder, capture_output=True, text=True, timeout=600, check=False
        )
        written = [(self._folder / f"journal{copy}.bin").read_bytes() for copy in (0, 1)]
        return Played(done.stdout + done.stderr, written == [self._recording.journal] * 2)

    def passes(self, program, heap):
        """Return whether the evening leads to the recorded journal in a heap of that size."""
        played = self.play(program, heap=heap)
        return played.over and played.same

    def smallest(self, program, low=40 * 1024, high=512 * 1024, step=1024):
        """Return the bytes of the smallest heap in which the evening passes, in steps of
        ``step``.
        """
        while high - low > step:
            middle = (low + high) // 2
            low, high = (low, middle) if self.passes(program, middle) else (middle, high)
        return high


def compiled(files):
    """Return an image laid in bytecode that MicroPython loads, too: under its own first byte."""
    laid = {
        name: b"M" + data[1:] if name.endswith(bytecode.SUFFIX) else data
        for name, data in bytecode.laid(files).items()
    }
    return laid | {bytecode.LIST: bytecode.listed(laid)}
