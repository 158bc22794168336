"""The window: a board in real time on a Tk root, under a virtual screen where there is one."""

import os
import pathlib
import subprocess
import sys

import pytest

from host.base.errors import UserError
from host.cli import window as command

LIFE = pathlib.Path(__file__).parents[1] / "support" / "window_life.py"


@pytest.fixture(scope="module")
def tk():
    return pytest.importorskip(
        "tkinter", reason="this Python has no Tk (Debian: apt-get install python3-tk)"
    )


@pytest.fixture(scope="module")
def screen(tk, xvfb_program):
    reading, writing = os.pipe()
    served = subprocess.Popen(
        [xvfb_program, "-displayfd", str(writing), "-screen", "0", "1100x800x24"], pass_fds=(writing,),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    with os.fdopen(reading) as told:
        number = told.readline().strip()
    yield f":{number}"
    served.kill()
    served.wait()


@pytest.mark.parametrize("model", command.NAMES)
def test_a_board_lives_in_a_window(screen, model, root):
    environment = {**os.environ, "DISPLAY": screen, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, LIFE, model], env=environment, text=True, capture_output=True, check=False
    )
    assert done.stdout == "lived\n", done.stdout + done.stderr


def test_no_screen_is_one_sentence(tk, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)

    class Args:
        board, lang, minutes, start, scale = "feathers3", "en", 50, 130, 2

    with pytest.raises(UserError, match="no screen"):
        command.run(Args)
