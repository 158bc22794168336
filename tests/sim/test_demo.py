"""``plusthree demo``: the round of the event file and all that it leaves; and the window, a board in real time."""

import contextlib
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest
from commands import plusthree
from PIL import Image

from host.base.errors import UserError
from host.cli import demo
from host.cli import window as command
from host.sim.evening import Evening
from host.sim.pure import PureAir

SCREENS = {
    "seated", "pregame", "clock", "result", "proposed", "agreed", "refuse", "resolving", "ruled",
    "frozen", "extension", "tell", "turn", "finish", "overtime",
}  # fmt: skip


@pytest.fixture(scope="module")
def left(tmp_path_factory, proving):
    """The folder of one demo that went well; a PC's whole Bluetooth is for `make prove`."""
    folder = tmp_path_factory.mktemp("demo") / "out"
    folder.mkdir()
    (folder / "mine.txt").write_text("not the demo's")
    (folder / "table-1-99-old.png").write_text("an earlier demo's")
    with contextlib.redirect_stdout(io.StringIO()) as said, pytest.MonkeyPatch.context() as patch:
        if not proving:
            patch.setattr(demo, "BleAir", PureAir)
        assert plusthree("demo", "--out", folder) == 0
    (folder / "said.txt").write_text(said.getvalue())
    return folder


def test_it_says_where_pages_exports_and_paper_are(left):
    said = (left / "said.txt").read_text()
    lines = re.findall(r"^(?:Pages:)? +(\S*plusthree serve .*?)   \(", said, re.M)
    assert f"serve {left / demo.ARCHIVE}" in lines[0] and "--virtual 16" in lines[1]
    for line in lines:  # as they are pasted into the same shell
        done = subprocess.run(
            line, shell=True, input="open\nshow tables\nquit\n", capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0 and len(re.findall(r"^ +\d+  ", done.stdout, re.M)) in (8, 16)
    assert str(left / "exports") in said and str(left / "paper") in said
    assert {path.name for path in (left / "exports").iterdir()} == {
        "results.csv", "everything.json", "cryodex.json", "listfortress.json", "penalties.csv",
    }  # fmt: skip
    assert len(list((left / "paper").glob("*.html"))) == 5
    assert len(list((left / "paper").glob("*.pdf"))) == 5


def test_every_table_has_its_outcome_and_section(left):
    lines = list(csv.DictReader((left / "results.csv").open(encoding="utf-8-sig")))
    assert len(lines) == 8 and all(line["outcome"] and line["state"] == "final" for line in lines)
    assert {line["section"] for line in lines} == {"", "9.2.3"}
    assert [line["table"] for line in lines if line["by"] == "ruled"] == ["2"]


def test_judges_froze_extended_and_ruled(left):
    orders = json.loads((left / "results.json").read_text())["orders"]
    kinds = {(order["kind"], order["table"]) for order in orders if order["author"] == "judge"}
    assert kinds == {(12, 4), (13, 4), (14, 5), (16, 2)}
    assert {order["state"] for order in orders} == {"done"}


def test_the_screens_are_drawn_at_their_moments(left):
    pictures = sorted(left.glob("table-*.png"))
    screens = {path.stem.split("-")[3] for path in pictures}
    assert SCREENS <= screens
    sizes = {path.stem.split("-")[1]: Image.open(path).size for path in pictures}
    assert sizes["1"] == (320, 240) and sizes["8"] == (320, 170)
    assert all(len(Image.open(path).getcolors(4096)) > 1 for path in pictures)
    assert Image.open(left / "contact-sheet.png").width > 320 * 8


def test_it_clears_away_its_own_things_alone(left):
    assert (left / "mine.txt").exists() and not (left / "table-1-99-old.png").exists()


def test_it_fails_with_the_difference(tmp_path, capsys, monkeypatch):
    class Cheated(Evening):
        async def play(self, rounds):
            self.venue.station.hall.results = lambda number: {}
            self.facts.expected, self.facts.lost = 8, 8
            self.facts.check(False, "table 3: archived nothing")
            return self.facts

    monkeypatch.setattr(demo, "Evening", Cheated)
    monkeypatch.setattr(demo, "_leave", lambda *parts: None)
    assert plusthree("demo", "--out", tmp_path) == 1
    assert "DIFFERS" in (said := capsys.readouterr().out) and "table 3: archived nothing" in said


def test_a_folder_that_cannot_be_is_a_mistake(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert plusthree("demo", "--out", tmp_path / "file") == 2
    assert "file" in capsys.readouterr().err


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
