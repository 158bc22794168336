"""What bring-up measures on the virtual board is what the model assumes."""

import ast
import re
import subprocess
import sys

import pytest
import tree
from commands import plusthree

from host.base import installation
from host.boards.bringup import figures as bringup_figures
from host.boards.bringup import ports, serial_console
from host.boards.bringup import resets as bringup_resets
from host.boards.bringup.bench import Person
from host.boards.deploy import bytecode, image, imports
from host.boards.models import IMAGES
from host.sim import prices

NEAR = 0.05  # the gauge's own bytecodes are part of what it measures


@pytest.fixture(scope="module")
def brought(tmp_path_factory):
    """(report, file) of a virtual feather's bring-up."""
    folder = tmp_path_factory.mktemp("bringup")
    report, out = folder / "report.txt", folder / "sent.toml"
    code = plusthree("board", "bringup", "--virtual", "--out", out, "--report", report)
    assert code == 0
    return report.read_text("utf-8"), out


def test_the_virtual_board_measures_what_the_model_assumes(brought):
    ours, measured = (
        prices.load().prices_of("feathers3"),
        prices.load([brought[1]]).prices_of("feathers3"),
    )
    found = {name for name, price in measured.items() if price.basis == "measured"}
    # those are the doctor's
    assert found == {name for name in ours if not name.startswith("pc_")} - NOT_ASKED
    for name in found - {
        "recover_ms"
    }:  # which is the core's bytecodes of today, and the flash's time
        value = ours[name].value
        assert abs(measured[name].value - value) <= max(30, NEAR * value), name


# no board says these: a rate and a debouncing time that are set, the areas' sum, parts of a whole
NOT_ASKED = {
    "spi_khz", "key_scan_ms", "heap_bytes", "flash_read_us", "fat_seek_us", "fat_open_us",
    "open_ms", "idle_ma", "loader_ms", "uf2_ms", "heap_alive_bytes", "heap_alive_permille",
    "heap_walk_ns_per_block", "alloc_permille", "alloc_ns_per_byte", "psram_line_ns",
    "import_us_per_kb", "crc_us", "flash_program_us",
}  # fmt: skip


@pytest.mark.parametrize("line", [
    "free at the REPL", "free after all imports", "free in a match",
    "Store.write, nothing loaded",
    "Store.write, the program loaded", "journal.recover() on a full ring", "a full refresh",
    "a refresh of one digit",
    "the advert's flags", "pieces that the journals lie in", "the battery's voltage",
    "plain calls within each other",
    "current while nobody plays", "seconds from reset to play, cold",
    "seconds from reset to play, warm",
    "seconds from reset to play, crash", "seconds from reset to play, armed",
    "sleep memory after that, cold",
])  # fmt: skip
def test_the_report_has_it_beside_the_models(brought, line):
    (found,) = [one for one in brought[0].splitlines() if one.strip().startswith(line)]
    assert "model" in found


def test_a_file_sent_back_is_what_the_simulator_takes(brought, capsys):
    assert plusthree("dev", "simulate", "--tables", "1", "--prices", brought[1], "--json") == 0
    assert plusthree("dev", "simulate", "--tables", "1", "--prices", "nothing.toml") == 2
    assert "cannot read nothing.toml" in capsys.readouterr().err


def test_another_price_is_another_figure(tmp_path, capsys):
    file = tmp_path / "worn.toml"
    file.write_text('[flash_erase_us]\nvalue = 200_000\nbasis = "guess"\nsource = "a worn chip"\n')
    words = "bringup --virtual --no-resets --prices"
    assert plusthree(*words.split(), file, "--report", tmp_path / "r") == 0
    (line,) = [one for one in capsys.readouterr().out.splitlines() if "a sector erased" in one]
    assert re.search(r" 2000\d\d us \(model 200000\)", line), "but for the call itself"


class Answering:
    """A console whose board answers from a table, and fails where there is an exception."""

    def __init__(self, **answers):
        self.answers, self.begun = answers, []

    def restart(self):
        self.begun.append("restart")

    def load(self):
        self.begun.append("load")

    def fire(self, text):
        self.begun.append(text)

    def call(self, text):
        answer = self.answers.get(text.removeprefix("gauge.").partition("(")[0], 0)
        if isinstance(answer, Exception):
            raise answer
        return answer


BOOK = prices.load().on("lilygo")
GOOD = {"write": (1700, 52_000), "hashing": (200, 2900), "refresh": (1, 1, 1),
        "imports": (0, 0, ()), "playing": (0, 0),
        "recovery": (0, 0), "__import__": 1}  # fmt: skip


def test_what_a_board_fails_in_is_told_and_the_rest_is_measured():
    console = Answering(
        **GOOD | {"hashing": ports.BoardFailed("MemoryError: "), "imports": (9, 5, ())}
    )
    found = {}
    figures = list(bringup_figures.Figures(console, BOOK, (320, 170), {}, found).run())
    assert [f.note for f in figures if "MemoryError" in f.note] == ["the board said: MemoryError: "]
    assert "hmac_us" not in found and found["advert_restart_us"] == 0
    assert console.begun == ["restart", "load"] * 2


def test_a_board_with_another_program_says_nothing_of_loading():
    found = {}
    figures = list(bringup_figures.Figures(Answering(**GOOD), BOOK, (320, 170), {}, found).run())
    assert [f.note for f in figures if f.title == "imports"] == ["none of them is as laid"]
    assert "load_us_per_kb" not in found


def resets(trace, ready=True):
    class Operator:
        def ready(self, text, name):
            return ready

        def back(self, name):
            pass

    console, found = Answering(trace=trace), {}
    return list(bringup_resets.Resets(console, Operator(), BOOK, 5000, found).run()), found, console


def test_a_board_that_never_came_on_is_said_to():
    figures, found, _ = resets((True, 5, bringup_resets.NEVER, "WATCHDOG"))
    assert "it never came on; last reset: WATCHDOG" in str(figures[0]) and not found


def test_time_over_a_reset_is_counted_over_the_counters_wrap():
    figures, found, _ = resets((True, bringup_resets.TICKS - 1000, 6000, "SOFTWARE"))
    assert figures[0].value == 7.0 and found["start_warm_ms"] == 2000


def test_a_reset_that_nobody_wants_is_not_made():
    figures, found, console = resets((True, 0, 0, ""), ready=False)
    assert not found and not console.begun and {f.value for f in figures} == {None}


def test_who_has_no_meter_presses_enter():
    said = []
    answers = iter(["much", "", "s", ""])
    person = Person(lambda text: next(answers), said.append)
    assert person.measured("How much?", "current") is None
    assert not person.ready("It starts anew.", "warm") and person.back("warm") is None
    assert said == ["  A whole number, please, or nothing.", "  It starts anew."]


@pytest.mark.parametrize("model", IMAGES)
def test_what_the_gauge_imports_is_laid_and_the_gauge_is_not(model):
    asked = [
        node
        for node in ast.walk(tree.running(serial_console.GAUGE))
        if isinstance(node, ast.ImportFrom) and node.module.startswith("firmware")
    ]
    modules = {imports.module_of(path) for path in image.build(model)}
    assert not [name for name in modules if name.endswith(".gauge")]
    assert asked and not [
        n.module
        for n in asked
        for name in n.names
        if not {n.module, f"{n.module}.{name.name}"} & modules
    ]


def test_what_is_loaded_at_boot_is_what_importing_the_program_loads():
    script = "import sys, firmware.app, firmware.launch, firmware.ui.face; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=installation.ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    ours = {name for name in done.stdout.split() if name.partition(".")[0] == "firmware"}
    assert len(ours) > 40 and ours <= set(bytecode.loaded_at_start("feathers3"))
