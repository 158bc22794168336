"""What the firmware keeps in a board's memory, measured on the 32-bit WebAssembly MicroPython.

Every import is one top-level call, then a collection, then a reading in a later call, because in
this build a collection frees nothing while a call runs. Native modules are stood in for by the
ones in ``modules/``, imported first and subtracted. Figures are bytes retained; this build reads
10-20 % more than the board (BOARD_FACTS, Memory).
"""

import pathlib
import site
import sysconfig

import interpreters
from host.deploy import imports

MODULES = pathlib.Path(__file__).with_name("modules")
LIBRARIES = ("adafruit_ble", "adafruit_bitmap_font", "adafruit_display_text", "adafruit_ili9341")
NATIVE = ("binascii", "collections", "hashlib", "micropython", "os", "struct", "time")  # on boards
READ = "print(gc.mem_alloc())"
SET_UP = "import sys, gc\nsys.path.insert(0, '/p')\nsys.path.append('/p/stubs')"


def library_root():
    """Return the folder that pip installs libraries in."""
    return pathlib.Path(sysconfig.get_path("purelib") or site.getsitepackages()[0])


def ordered(roots_wanted):
    """Return ``{module: path}`` of firmware and library modules needed, deepest first."""
    roots = (interpreters.ROOT, library_root())
    return imports.closure(roots_wanted, roots, ("firmware", *LIBRARIES))


def files_for(modules):
    """Return the files to lay in the interpreter: stand-ins, modules, and the firmware's data."""
    files = interpreters.sources(MODULES.relative_to(interpreters.ROOT), "/p/stubs")
    for name, data in interpreters.sources("firmware", "/p/firmware").items():
        if not name.endswith(".py"):
            files[name] = data
    for path in modules.values():
        root = interpreters.ROOT if path.is_relative_to(interpreters.ROOT / "firmware") else library_root()
        files[f"/p/{path.relative_to(root).as_posix()}"] = path.read_bytes()
    return files


def measure(modules, scenes=(), stubs=None, extra=None):
    """Return ``[(name, bytes retained)]``, one row a module in order and then one a scene.

    ``scenes`` are ``(name, [source, ...])`` run after the imports as top-level calls; ``stubs``
    names the stand-ins to import beforehand (all where None); ``extra`` are more files.
    """
    if stubs is None:
        stubs = sorted(path.stem for path in MODULES.glob("*.py"))
    steps = [(name, [f"import {name}"]) for name in modules] + list(scenes)
    calls = [SET_UP, *(f"import {name}" for name in (*NATIVE, *stubs))]
    readings = []
    for sources in [()] + [sources for _, sources in steps]:
        calls += [*sources, "gc.collect()", "gc.collect()", READ]
        readings.append(len(calls) - 1)
    printed = interpreters.run_wasm({**files_for(modules), **(extra or {})}, calls)
    levels = [int(printed[at].split("\n")[-1]) for at in readings]
    return [(name, levels[i + 1] - levels[i]) for i, (name, _) in enumerate(steps)]


def table(rows, limit):
    """Return the printed lines of ``rows``, their sum and the limit (bytes)."""
    lines = [f"{size:>8}  {name}" for name, size in rows]
    total = sum(size for _, size in rows)
    return [*lines, f"{total:>8}  in all, of {limit} ({total * 100 // limit} %)"]
