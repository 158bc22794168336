"""The raw REPL over a model of CircuitPython's: what is sent, what comes back, what goes wrong."""

import contextlib
import io

import pytest

from host.base.errors import UserError
from host.boards.bringup.ports import BoardFailed
from host.boards.bringup.serial_console import Console, open_console

HALF = "class Bench:\n    def two(self):\n        return (2, 'zwei')\n"


class Repl:
    """The board's side of a serial port: runs what it is sent between Ctrl-A and Ctrl-D."""

    def __init__(self, silent=False):
        self.silent, self.raw, self.gone, self.deaf = silent, False, False, 0
        self.space, self.sent, self.answer = {}, b"", b""
        self.longest = 0

    def close(self):
        self.gone = True

    def write(self, data):
        if self.gone:
            raise OSError("the port is gone")
        self.longest = max(self.longest, len(data))
        for byte in data:
            self._take(bytes([byte]))

    def _take(self, byte):
        if self.silent:
            return
        if byte == b"\x01" and self.deaf:
            self.deaf -= 1  # it is still starting
        elif byte == b"\x01":
            self.raw, self.sent = True, b""
            self.answer += b"\r\nAdafruit CircuitPython\r\nraw REPL; CTRL-B to exit\r\n>"
        elif byte == b"\x02":
            self.raw = False
        elif self.raw and byte == b"\x04" and not self.sent:
            self.raw, self.space = False, {}  # a soft reset
            self.answer += b"OK\r\nsoft reboot\r\n"
        elif self.raw and byte == b"\x04":
            self._run()
        elif self.raw:
            self.sent += byte

    def _run(self):
        printed, error = io.StringIO(), ""
        with contextlib.redirect_stdout(printed):
            try:
                exec(self.sent.decode(), self.space)
            except Exception as failure:
                error = f"Traceback\r\n{type(failure).__name__}: {failure}\r\n"
        self.answer += b"OK" + printed.getvalue().encode() + b"\x04" + error.encode() + b"\x04>"
        self.sent = b""

    def read(self, size):
        part, self.answer = self.answer[:size], self.answer[size:]
        return part


@pytest.fixture
def half(tmp_path, monkeypatch):
    path = tmp_path / "selftest.py"
    path.write_text(HALF, encoding="utf-8")
    monkeypatch.setattr("host.boards.bringup.serial_console.SOURCE", path)


def test_values_come_back_as_they_were(half):
    board = Repl()
    console = Console(board)
    assert console.call("bench.two()") == (2, "zwei")
    console.close()
    assert not board.raw
    assert board.longest <= 64


def test_an_error_on_the_board_is_told_by_its_last_line(half):
    with pytest.raises(BoardFailed, match="AttributeError: .*three"):
        Console(Repl()).call("bench.three()")


def test_a_board_that_falls_silent_is_no_success(half):
    board = Repl()
    console = Console(board)
    board.silent = True
    with pytest.raises(BoardFailed, match="silent"):
        console.call("bench.two()")


def test_a_board_out_of_service_mode_is_explained(half):
    with pytest.raises(UserError, match="hold J"):
        Console(Repl(silent=True))


GAUGE = (
    "class Gauge:\n    def __init__(self, bench):\n        self.bench = bench\n    def"
    " four(self):\n        return 2 * self.bench.two()[0]\n"
)


@pytest.fixture
def gauge(half, tmp_path, monkeypatch):
    path = tmp_path / "gauge.py"
    path.write_text(GAUGE, encoding="utf-8")
    monkeypatch.setattr("host.boards.bringup.serial_console.GAUGE", path)


def test_a_restart_empties_the_heap_and_both_halves_are_sent(gauge):
    board = Repl()
    console = Console(board)
    board.deaf = 2
    console.restart()
    assert "bench" not in board.space
    console.load()
    assert console.call("gauge.four()") == 4


def test_after_a_reset_the_port_is_opened_anew(gauge):
    board, after = Repl(), Repl()
    console = Console(board, reopen=lambda: after)
    console.fire("1 / 0")
    console.restart()
    console.load()
    assert board.gone and console.call("gauge.four()") == 4


def test_a_port_that_is_not_there_is_explained():
    with pytest.raises(UserError, match="service mode"):
        open_console("/dev/ttyNOWHERE")
