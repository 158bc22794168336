"""What a running second and a drawn screen cost a board's heap, on the 32-bit MicroPython over
stand-in modules.

This build takes the frames of calls from a stack of its own, as boards do
(``MICROPY_ENABLE_PYSTACK``).
"""

import json

import interpreters
import memory_scenes
import pytest
import stand_ins

from host.boards.screens import compiler

SECONDS = 50
MEASURE = """
def spent(one):
    before = gc.mem_alloc()
    for second in range(SECONDS):
        one(second)
    return gc.mem_alloc() - before

def nothing(second):
    pass

base_ms = program.timebase.now_ms(board.clock.now_ms())
view, table = program.view, program.match

def face(second):
    now_ms = base_ms + 1000 * second
    view.read(table, view.passing, now_ms)
    view.show(table, -1, now_ms)
    view.lasts_ms(table, now_ms)

def step(second):
    supervisor.now[0] += 1000
    program.step()

kept = [0] * SECONDS

def second_alone(second):
    supervisor.now[0] += 1  # as the time for a reset is kept once a second
    program.step()
    shown, head = program.sync.air[4], program.journal.ring.head
    supervisor.now[0] += 999
    before = gc.mem_alloc()
    program.step()
    spent = gc.mem_alloc() - before
    rests = program.sync.air[4] is shown and program.journal.ring.head == head
    kept[second] = spent if rests else -1

def seconds_alone():
    for second in range(SECONDS):
        second_alone(second)

def screen(number):
    screens.open(number)
    view.show(table, -1, base_ms)

def read():
    view.changed = True
    view.read(table, view.passing, base_ms)
    view.show(table, -1, base_ms)

def costs():
    spent = []
    for number in range(SCREENS):
        before = gc.mem_alloc()
        screen(number)
        spent.append(gc.mem_alloc() - before)
    return spent

def cost_of_read():
    before = gc.mem_alloc()
    read()
    return gc.mem_alloc() - before
"""
SCREEN_BYTES = 64  # for any picture drawn anew, all its texts included
# for the whole step of a running second, its lights included, on average: the time kept for a reset,
# and the status signed each 10 s
STEP_BYTES = 134
READ_BYTES = 512  # for the words of a match that changed, and its picture


@pytest.fixture(scope="module")
def out():
    """What the measuring calls printed, in their order."""
    face = {"/firmware/ui/face.bin": (interpreters.ROOT / "firmware/ui/face.bin").read_bytes()}
    program = MEASURE.replace("SCREENS", str(len(compiler.names())))
    measured = [program.replace("SECONDS", str(SECONDS)), "print(spent(nothing))",
                "face(0)",
                "costs()", "print(costs())", "cost_of_read()", "print(cost_of_read())",
                "print(spent(nothing), spent(face))", "print(spent(step))",
                "seconds_alone()", "print(kept)"]  # fmt: skip
    scenes = [*memory_scenes.program(), ("a running second", measured)]
    script = "\n".join(["import gc", *(source for _, sources in scenes for source in sources)])
    files = {**stand_ins.drive_files(), **memory_scenes.FILES, **face}
    return interpreters.run_wasm(files, [stand_ins.SET_UP, script])[-1].splitlines()


def test_a_drawn_screen_allocates_next_to_nothing(out, printed):
    by_screen = dict(zip(compiler.names(), json.loads(out[-5])))
    dearest = max(by_screen, key=by_screen.get)
    printed(
        "heap of a drawn screen (bytes, WebAssembly MicroPython, from the second time on)",
        [
            f"{by_screen[dearest]} at most, {dearest}; a match that changed, read and drawn:"
            f" {out[-4]}"
        ],
    )
    assert by_screen[dearest] <= SCREEN_BYTES
    assert int(out[-4]) <= READ_BYTES


def test_a_running_second_allocates_nothing_in_clock_and_face(out, printed):
    idle, used = map(int, out[-3].split())
    printed(
        f"heap of a running second (bytes, WebAssembly MicroPython, mean of {SECONDS})",
        [f"clock and face {(used - idle) / SECONDS:g}, the whole step {int(out[-2]) / SECONDS:g}"],
    )
    assert used == idle
    assert int(out[-2]) <= STEP_BYTES * SECONDS


def test_a_step_that_sends_and_keeps_nothing_allocates_nothing(out, printed):
    """Clock, face and lights of a second between two adverts, whatever else a step looks at."""
    spent = [size for size in json.loads(out[-1]) if size >= 0]
    printed(
        "heap of a step that sends and keeps nothing (bytes, WebAssembly MicroPython)",
        [f"{max(spent)} at most, in {len(spent)} of {SECONDS} seconds"],
    )
    assert len(spent) > SECONDS // 3 and not any(spent)
