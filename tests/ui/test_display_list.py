"""The canvas on its other surface: a plain list says all that displayio shows, on any Python."""

import functools
import io
import json
import pathlib
import re
import subprocess
import sys

import interpreters
import listed_scene
import pytest
from commands import plusthree
from PIL import Image, ImageChops, ImageStat

from firmware.ui import layouts
from host.base import installation
from host.boards.models import MODELS
from host.sim.display_list import DisplayList
from host.sim.scenes import ALL
from host.sim.shots import PosedFace, name_of

FONTS = installation.ROOT / "firmware" / "ui" / "fonts"
_SPECIAL = "▲●…✔–►◄"  # in the control codes from 1 on (host/cli/dev/glyphs.py)


class ListPixels:
    """Draws the lists of one panel."""

    def __init__(self, panel):
        module = layouts.of_panel(panel)
        digits = {module.DIGITS, module.TURNED_DIGITS} - {None}
        self._size = tuple(map(int, panel.split("x")))
        self._fonts = {"text": _by_height(module.FONTS), "digit": _by_height(digits)}

    def image(self, listed):
        whole = Image.new("RGB", self._size)
        for part in listed.parts():
            at, size = (part["x"], part["y"]), (part["width"], part["height"])
            mask = Image.new("1", size, part["kind"] == "box")
            left = 0
            for letter in part["text"]:
                font = self._fonts[part["kind"]][part["height"]]
                cell, width = _letter(font, letter)
                over = (width - cell.width) // 2 if part["kind"] == "digit" else 0
                mask.paste(cell, (left + over, 0), cell)
                left += width
            assert left == (0 if part["kind"] == "box" else mask.width), part
            whole.paste(_shown(part["colour"]), at, mask.rotate(180 if part["turned"] else 0))
        return whole.rotate(180 if listed.turned else 0)


def _by_height(names):
    fonts = [(FONTS / f"{name}.font").read_bytes() for name in names]
    return {font[0]: font for font in fonts}


def _shown(colour):
    """Return a colour ("#rrggbb") as RGB565 shows it."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red & 0xF8 | red >> 5, green & 0xFC | green >> 6, blue & 0xF8 | blue >> 5


@functools.cache
def _letter(font, letter):
    """Return a letter's pixels, and how wide it is set."""
    height, _, first, count, row_bytes = font[:5]
    number = (_SPECIAL.index(letter) + 1 if letter in _SPECIAL else ord(letter)) - first
    at = 5 + count + number * row_bytes * height
    rows = font[at : at + row_bytes * height]
    return Image.frombytes("1", (8 * row_bytes, height), rows), font[5 + number]


SCENE = pathlib.Path(listed_scene.__file__)
UI = interpreters.ROOT / "firmware" / "ui"
MOST_SCRIPT_LINES = 40
BOARDS = ("feathers3", "feathers3-35", "lilygo")  # one a panel has pictures


@pytest.fixture(scope="module")
def listed():
    """What listed_scene prints on a CPython without packages."""
    command = (sys.executable, "-S", "-P", SCENE, UI)
    done = subprocess.run(
        command, env={"PYTHONPATH": str(interpreters.ROOT)}, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return lists(done.stdout)


def lists(printed):
    return [json.loads(line) for line in printed.splitlines()]


@pytest.mark.parametrize("model", BOARDS)
def test_a_list_says_every_pixel_that_displayio_shows(model, golden):
    surface, pixels = DisplayList(), ListPixels(MODELS[model].panel)
    posed, differing = PosedFace(model, "en", surface), []
    for screen, case, *told in ALL:
        posed.pose(screen, case, *told)
        if ImageChops.difference(
            golden(model, name_of(screen, case)), pixels.image(surface)
        ).getbbox():
            differing.append(f"{screen}.{case}")
    assert not differing


def test_a_clock_is_drawn_without_displayio(listed):
    first, second, held = listed
    digits = [[one["text"] for one in part if one["kind"] == "digit"] for part in listed]
    assert [digits[0][:4], digits[1][:4]] == [list("4914"), list("4913")]
    assert {one["text"] for one in first if one["kind"] == "text"} == {
        "▲ result", "● result", "hold: judge", "ROUND 3", "▲ Giulia B.", "● Kenji T.", "T12", "0–0",
    }  # fmt: skip
    changed = [new for old, new in zip(first, second, strict=True) if old != new]
    assert [one["text"] for one in changed] == ["3", "3"]  # the player opposite has a small clock
    changed = [new for old, new in zip(second, held, strict=True) if old != new]
    assert changed == [
        {"kind": "box", "x": 0, "y": 210, "width": 106, "height": 30, "colour": "#0072b2",
         "text": "", "turned": False}
    ]  # fmt: skip


def test_the_micropython_program_draws_the_same(listed, micropython_program):
    done = interpreters.run_unix(micropython_program, SCENE, UI, heap="2m", path=interpreters.ROOT)
    assert done.returncode == 0, done.stderr
    assert lists(done.stdout) == listed


def test_the_webassembly_build_draws_the_same(listed):
    files = interpreters.sources("firmware", "/p/firmware")
    for name in ("host/__init__.py", "host/sim/__init__.py", "host/sim/display_list.py"):
        files[f"/p/{name}"] = (interpreters.ROOT / name).read_bytes()
    files["/p/listed_scene.py"] = SCENE.read_bytes()
    calls = ["import sys\nsys.path.insert(0, '/p')", "import listed_scene",
             "listed_scene.draw('/p/firmware/ui')"]  # fmt: skip
    assert lists(interpreters.run_wasm(files, calls)[-1]) == listed


def test_a_page_of_few_lines_draws_the_lists(chromium, tmp_path, golden):
    path = tmp_path / "page.html"
    assert plusthree("dev", "screens", "page", path, "--screen", "clock") == 0
    script = re.search("(?s)<script>\n(.*?)</script>", path.read_text("utf-8")).group(1)
    assert len(script.splitlines()) <= MOST_SCRIPT_LINES
    page = chromium.context().new_page()
    page.goto(path.as_uri())
    for model in BOARDS:
        goldens = {
            scene.case: golden(model, name_of(*scene[:2]))
            for scene in ALL
            if scene.screen == "clock"
        }
        for case in goldens:
            drawn = page.get_by_role("img", name=f"{model} clock.{case}", exact=True).screenshot()
            seen = Image.open(io.BytesIO(drawn)).convert("RGB")
            nearest = min(goldens, key=lambda other: apart(goldens[other], seen))
            assert nearest == case, (
                model, apart(goldens[case], seen), apart(goldens[nearest], seen),
            )  # fmt: skip


def apart(one, other):
    """Return how far apart two pictures are: the mean of their pixels' differences."""
    return sum(ImageStat.Stat(ImageChops.difference(one, other)).mean)
