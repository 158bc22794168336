"""The board's console over USB: CircuitPython's raw REPL, which runs the board's half of each test.

The board must be in service mode (J held while reset is pressed): otherwise it shows no console.
Protocol: Ctrl-C twice interrupts, Ctrl-A enters; text and Ctrl-D runs; the answer is ``OK``, what
was printed, Ctrl-D, the error, Ctrl-D, ``>``. Ctrl-B leaves.
"""

from __future__ import annotations

import ast
import contextlib
import pathlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from host.base import installation
from host.base.errors import UserError
from host.boards.bringup.ports import Answer, BoardFailed

if TYPE_CHECKING:
    from serial import Serial

SOURCE = installation.file("hw/bench/selftest.py")
GAUGE = installation.file("hw/bench/gauge.py")
SOAK = installation.file("hw/bench/soak.py")
CHUNK = 64  # more at once overruns a board's input
INTERRUPT, RAW, RUN, FRIENDLY = b"\x03", b"\x01", b"\x04", b"\x02"
PROMPT = b"raw REPL; CTRL-B to exit\r\n>"
START_S, ANSWER_S = 3, 20
_SILENT = "the board does not answer: hold J (on a T-Display-S3: ▲), press its reset, and try again"
TRIES = 5  # at entering: a board that has just been reset is not listening yet


class Console:
    """A raw REPL on ``port``, whose reads time out; ``reopen()`` opens it again after a reset."""

    def __init__(self, port: Serial, reopen: Callable[[], Serial] | None = None):
        self._port, self._reopen = port, reopen
        self._enter(1)
        self._send_bench()

    def _send_bench(self) -> None:
        self._send(SOURCE)
        self.execute("bench = Bench()")

    def _send(self, path: pathlib.Path) -> None:
        self.execute(path.read_text(encoding="utf-8"))

    def _enter(self, tries):
        for _ in range(tries):
            # the third byte answers "press any key to enter the REPL"
            self._port.write(b"\r" + INTERRUPT + INTERRUPT + b"\r\n")
            self._port.write(b"\r" + RAW)
            with contextlib.suppress(TimeoutError):
                self._until(PROMPT)
                return
        raise UserError(_SILENT)

    def restart(self) -> None:
        """Empty the heap by a soft reset; after a reset that closed the port, reopen it instead."""
        try:
            self._port.write(RUN)
        except OSError:
            if self._reopen is None:
                raise
            self._port = self._reopen()
        self._enter(TRIES)

    def load(self) -> None:
        """Send both of the board's halves."""
        self._send_bench()
        self._send(GAUGE)
        self.execute("gauge = Gauge(bench)")

    def soak(self, both: bool) -> None:
        """Load the soak's modules on the board, and begin it."""
        self._send(SOAK)
        self.execute(f"soak = Soak(gauge, {both})")

    def fire(self, text: str) -> None:
        """Run a statement that ends in a reset, without waiting for an answer."""
        for data in (text.encode(), RUN):
            self._port.write(data)
        self._port.close()

    def _until(self, end):
        """Return the bytes before ``end``; TimeoutError if that does not come."""
        data = b""
        while not data.endswith(end):
            byte = self._port.read(1)
            if not byte:
                raise TimeoutError(data)
            data += byte
        return data[: -len(end)]

    def execute(self, text: str) -> str:
        """Run ``text`` on the board and return its output. BoardFailed: it raised an error."""
        data = text.encode()
        for at in range(0, len(data), CHUNK):
            self._port.write(data[at : at + CHUNK])
        self._port.write(RUN)
        try:
            self._until(b"OK")
            printed, error = self._until(RUN), self._until(RUN)
            self._until(b">")
        except TimeoutError:
            raise BoardFailed("it fell silent") from None
        if error:
            raise BoardFailed(error.decode(errors="replace").strip().splitlines()[-1])
        return printed.decode(errors="replace")

    def call(self, text: str) -> Answer:
        """Return the value of an expression."""
        return ast.literal_eval(self.execute(f"print(repr({text}))").strip())

    def close(self) -> None:
        """Leave the raw REPL; the board stays in service mode."""
        self._port.write(FRIENDLY)


def open_console(name: str) -> Console:
    """Return the Console on the serial port ``name``; UserError: nobody answers there."""
    return Console(_port(name), lambda: _port(name))


def _port(name):
    import serial

    try:
        return serial.Serial(name, 115200, timeout=ANSWER_S, write_timeout=START_S)
    except (OSError, ValueError) as error:
        message = f"{name} cannot be opened ({error}): is the board in service mode?"
        raise UserError(message) from error
