"""The firmware's memory on the 32-bit MicroPython, printed module by module, against its
budgets.
"""

import interpreters
import memory
import memory_evening
import memory_scenes
import pytest

from host.boards.deploy import image

CORE_BYTES = 48 * 1024  # with P18; with codes, too, and seeds are loaded from the start
ANY_CORE_BYTES = 50 * 1024
# Each module in a file of its own, what only builds the parts still there: so nothing leaves
# unseen. What a board keeps, linked and settled, is some 18 KB less; tests/interpreter plays whole
# evenings in that.
ALL_BYTES = 120 * 1024
PROGRAM = (
    "firmware.app",
    "firmware.launch",
    "firmware.radio.link",
    "firmware.board.hardware",
    "firmware.ui.start",
)
# in place of the program; under the other wing; where a team plays (its core is measured below);
# where a draft is conducted, lines about the past are read, or something is taken back; where a
# board listens to the beacon (its own budget: core/test_beacon_memory.py)
NEVER_BESIDE = ("firmware.board.service", "adafruit_hx8357", "firmware.core.team",
                "firmware.core.code", "firmware.core.draft", "firmware.core.judging", "firmware.core.takeback", "firmware.core.unjudged", "firmware.core.standing",
                "firmware.ui.recall", "firmware.ui.rolled", "firmware.ui.conductor",
                "firmware.radio.ear", "firmware.core.listener", "firmware.core.beacon", "firmware.core.beacon_receiver",
                "firmware.core.clock_filter", "firmware.core.anchor")  # fmt: skip
ONLY_IN_FUNCTIONS = ("firmware.core.settings", "firmware.ui.canvas")
FACE = {"/firmware/ui/face.bin": (interpreters.ROOT / "firmware/ui/face.bin").read_bytes()}


def loaded(system="p18"):
    """Return the modules that a program running ``system`` has loaded, deepest first."""
    wanted = [*PROGRAM, *ONLY_IN_FUNCTIONS, f"firmware.core.systems.{system}"]
    return [n for n in memory.ordered(wanted) if n not in NEVER_BESIDE]


def test_everything_with_a_running_match_fits(printed):
    """Also after an evening in which all that is loaded late was loaded, and nothing else is there
    then.
    """
    scenes = [*memory_scenes.program(), *memory_evening.scenes(loaded())]
    rows, words = memory.measure(loaded(), scenes, {**memory_scenes.FILES, **FACE})
    printed(
        "memory: everything (bytes, WebAssembly MicroPython)", memory.table(rows, words, ALL_BYTES)
    )
    evening = [name for name, _ in rows].index(memory_evening.NAMES[0])
    assert sum(size for _, size in rows[:evening]) <= ALL_BYTES
    assert sum(size for _, size in rows) <= ALL_BYTES


@pytest.mark.parametrize(("system", "bits"), memory_scenes.DEAREST)
def test_everything_with_a_dearer_match_fits(system, bits, printed):
    """Team matches bring a module along, miniatures more state; the evening was P18's, above."""
    scenes = memory_scenes.program(system, bits)
    rows, words = memory.measure(loaded(system), scenes, {**memory_scenes.FILES, **FACE})
    shown = [("the modules", sum(size for _, size in rows[:-5])), *rows[-5:]]
    printed(
        f"memory: everything with {system} (bytes, WebAssembly MicroPython)",
        memory.table(shown, words, ALL_BYTES),
    )
    assert sum(size for _, size in rows) <= ALL_BYTES


def core():
    """Return the core's modules that a running program has loaded, without the tables of rules."""
    return [
        n
        for n in loaded()
        if n.startswith("firmware.core") and not n.startswith("firmware.core.systems.")
    ]


@pytest.mark.parametrize(("system", "bits"), memory_scenes.CORE_ACTS)
def test_core_with_a_running_match_fits(system, bits, printed):
    rows, words = memory.measure(
        core(), memory_scenes.core_scenes(system, bits), memory_scenes.FILES
    )
    limit = CORE_BYTES if system == "p18" else ANY_CORE_BYTES
    team = " team" if bits == memory_scenes.TEAMS else ""
    shown = (
        rows
        if system == "p18"
        else [("the core's modules", sum(size for _, size in rows[:-3])), *rows[-3:]]
    )
    lines = memory.table(shown, words, limit)
    printed(f"memory: core with {system}{team} (bytes, WebAssembly MicroPython)", lines)
    assert sum(size for _, size in rows) <= limit


def test_core_and_a_match_run_in_96_kb_of_a_64_bit_heap(micropython_program, tmp_path):
    for name, text in image.unlinked("feather").items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    imports = [f"import {name}" for name in core()]
    scenes = memory.spoken(memory_scenes.core_scenes("p18", memory_scenes.BEST_OF_THREE))
    steps = [*imports, *(source for _, sources in scenes for source in sources)]
    script = tmp_path / "match.py"
    script.write_text(
        "\n".join(["import gc", *(f"{step}\ngc.collect()" for step in steps), "print('over')"])
    )
    done = interpreters.run_unix(micropython_program, script, heap="96k", path=tmp_path)
    assert done.stdout == "over\n", done.stdout + done.stderr
