"""A board's whole program, as it is laid, plays a recorded evening in 1 MB of heap, byte for byte.

On the 64-bit MicroPython program, whose objects are twice a board's size, and on any CircuitPython
that somebody names: ``make circuitpython INTERPRETER="PROGRAM ..."`` (docs/board.md). Those also
run the portable tests.
"""

import itertools
import os
import pathlib
import re
import subprocess

import interpreters
import pytest
import recording

from host.boards.deploy import bytecode, image

SUPPORT = interpreters.ROOT / "tests" / "support"
RUNNER = SUPPORT / "portable_runner.py"
PORTABLE = sorted((interpreters.ROOT / "tests").glob("*/portable/*.py"))
PLAYER = "doubles/playback/player.py"
BLANK = b"\xff" * 256 * 1024
HEAP = 1024 * 1024
NAMED = os.environ.get("PLUSTHREE_CIRCUITPYTHON", "").split(os.pathsep)
PROGRAMS = [os.path.abspath(path) for path in NAMED if path]


@pytest.fixture(params=[None, *PROGRAMS], ids=lambda path: pathlib.Path(path or "micropython").name)
def program(request):
    """MicroPython, or a program that was named."""
    return request.param or request.getfixturevalue("micropython_program")


@pytest.fixture(scope="module")
def recorded():
    """An evening of P18 with rolls."""
    return recording.record("p18", seed=1)


def laid(folder, program):
    """Lay a board's drive in ``folder``, its bytecode under the first byte that ``program`` asks
    for.
    """
    first = b"C" if program in PROGRAMS else b"M"
    files = {
        name: first + data[1:] if name.endswith(bytecode.SUFFIX) else data
        for name, data in bytecode.laid(image.build("feathers3")).items()
    }
    rows = [line.split() for line in files[bytecode.LIST].decode().splitlines()]
    order = [path[1:] for _, path, *module in rows if module]
    for name, data in {**files, bytecode.LIST: bytecode.listed(files, order)}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (folder / "doubles").symlink_to(SUPPORT)  # the player, and what stands in for the chip


def played(folder, program, recorded, *watches):
    """Return what was printed, and both copies of the journal."""
    laid(folder, program)
    recorded.write(folder)
    copies = [folder / f"journal{copy}.bin" for copy in (0, 1)]
    for copy in copies:
        copy.write_bytes(BLANK)
    done = subprocess.run(
        [program, "-X", f"heapsize={HEAP}", PLAYER, ".", *watches],
        cwd=folder, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr, [copy.read_bytes() for copy in copies]


def test_writes_the_journal_that_was_recorded(program, recorded, tmp_path, printed):
    said, journals = played(tmp_path, program, recorded, "kept")
    assert said.endswith("the tape is over\n"), said
    assert journals == [recorded.journal] * 2
    kept = re.search(r"^kept (\d+)", said, re.MULTILINE)[1]
    row = f"{kept} bytes in use at the most after a collection, the doubles among them, of {HEAP}"
    printed(f"an evening of P18 on {pathlib.Path(program).name}", [row])


def test_a_program_that_does_otherwise_is_found(micropython_program, recorded, tmp_path):
    """The journal of another evening is not the one that this evening leads to."""
    _, journals = played(tmp_path, micropython_program, recorded)
    assert journals != [recording.record("p18", seed=4).journal] * 2


@pytest.mark.parametrize("program, path", list(itertools.product(PROGRAMS, PORTABLE)))
def test_a_named_program_passes_the_portable_tests(program, path):
    done = interpreters.run_unix(program, RUNNER, path, heap="1m")
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stdout.startswith("0 passed")
