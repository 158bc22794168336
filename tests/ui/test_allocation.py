"""What a running second costs a board's heap, on the 32-bit MicroPython over stand-in modules."""

import interpreters
import memory
import memory_scenes
import pytest

SECONDS = 50
MEASURE = f"""
def spent(one):
    before = gc.mem_alloc()
    for second in range({SECONDS}):
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
    view.glow(table, 1000 * second)
    view.lasts_ms(table, now_ms)

def step(second):
    supervisor.now[0] += 1000
    program.step()
"""


def test_a_running_second_allocates_nothing_in_clock_and_face(printed):
    reason = interpreters.missing("wasm")
    if reason:
        pytest.skip(reason)
    face = {"/firmware/ui/face.bin": (interpreters.ROOT / "firmware/ui/face.bin").read_bytes()}
    stubs = sorted(path.stem for path in memory.MODULES.glob("*.py"))
    calls = [memory.SET_UP, *(f"import {name}" for name in (*memory.NATIVE, *stubs))]
    measured = [MEASURE, "print(spent(nothing))", "face(0)", "print(spent(nothing), spent(face))"]
    scenes = [*memory_scenes.program(), ("a running second", [*measured, "print(spent(step))"])]
    calls += [source for _, sources in memory.spoken(scenes) for source in sources]
    out = interpreters.run_wasm({**memory.drive_files(), **memory_scenes.FILES, **face}, calls)
    idle, used = map(int, out[-2].split())
    printed(
        f"heap of a running second (bytes, WebAssembly MicroPython, mean of {SECONDS})",
        [f"clock and face {(used - idle) / SECONDS:g}, the whole step {int(out[-1]) / SECONDS:g}"],
    )
    assert used == idle
