"""What a running second costs a board's heap, on the 32-bit MicroPython over stand-in modules."""

import interpreters
import memory_scenes
import stand_ins

SECONDS, MOST_BYTES = 50, 2048
MEASURE = f"""
def second():
    for poll in range(50):
        supervisor.now[0] += 20
        program.step()

def spent():
    before = gc.mem_alloc()
    for passed in range({SECONDS}):
        second()
    return gc.mem_alloc() - before

second()
print(spent())
"""


def test_a_running_second_allocates_2_kb_at_the_most(printed):
    """On average: fifty polls, a picture, a status signed each 10 s, the time kept for a reset."""
    ui = interpreters.ROOT / "firmware" / "ui"
    face = {
        f"/{path.relative_to(interpreters.ROOT).as_posix()}": path.read_bytes()
        for folder in ("fonts", "texts")
        for path in (ui / folder).iterdir()
    }
    scenes = [*memory_scenes.program(), ("a running second", [MEASURE])]
    script = "\n".join(["import gc", *(source for _, sources in scenes for source in sources)])
    files = {**stand_ins.drive_files(), **memory_scenes.FILES, **face}
    spent = int(interpreters.run_wasm(files, [stand_ins.SET_UP, script])[-1]) / SECONDS
    printed(
        "heap of a running second (bytes, WebAssembly MicroPython)", [f"{spent:.0f}, on average"]
    )
    assert spent <= MOST_BYTES
