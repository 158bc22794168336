"""What the firmware keeps in a board's memory, measured on the 32-bit WebAssembly MicroPython.

What runs is what ``plusthree deploy`` lays on a Feather, but each module in a file of its own, so
that each has a figure; linked, as a board gets them (``host/boards/deploy/linking.py``), they keep
less. Every import is one top-level call, then a collection, then a reading in a later call, because
in this build a collection frees nothing while a call runs. Native modules are stood in for by the
ones in ``modules/``, imported first and subtracted. Figures are bytes retained; a board reads the
same (CircuitPython's own interpreter at 32 bits was within 1 %). This build keeps the docstrings of
modules and classes, which boards do not: the image has none.

Words are counted apart: every distinct one is interned for ever, in pools that double. The words of
the stand-ins lie in a board's flash, so a pool is charged as if they had not been here.
"""

import pathlib
import re

import interpreters

from host.boards.deploy import image, imports

MODULES = pathlib.Path(__file__).with_name("modules")
NATIVE = ("binascii", "collections", "hashlib", "micropython", "os", "struct", "time")  # on boards
SET_UP = "import sys, gc\nsys.path[:0] = ['/p', '/p/stubs']\nsys.path.append('/p/lib')"
READ = "print(gc.mem_alloc())\nmicropython.qstr_info()"
_READING = re.compile(r"(\d+)\s+qstr pool: n_pool=\d+, n_qstr=(\d+)")
_FIRST_POOL = 20
_POOL_ENTRY_BYTES = 7


def ordered(wanted):
    """Return the names of the modules on the drive that ``wanted`` need, deepest first."""
    roots = (interpreters.ROOT, *image.library_roots())
    laid = {imports.module_of(name.removeprefix("lib/")) for name in image.unlinked("feather")}
    return [
        name
        for name in imports.closure(wanted, roots, ("firmware", *image.LIBRARIES))
        if name in laid
    ]


def drive_files():
    """Return ``{path inside: bytes}`` of a Feather's drive and the stand-ins, by
    ``image.unlinked``.
    """
    laid = image.unlinked("feather")
    files = {f"/p/{name}": text.encode() for name, text in laid.items()}
    stubs = interpreters.sources(MODULES.relative_to(interpreters.ROOT), "/p/stubs")
    return {**files, **stubs}


def laid_files():
    """Return ``{path inside: bytes}`` of a Feather's drive as it is laid, in source, and the
    stand-ins.
    """
    stubs = interpreters.sources(MODULES.relative_to(interpreters.ROOT), "/p/stubs")
    return {f"/p/{name}": text.encode() for name, text in image.programs("feather").items()} | stubs


def pool_bytes(words):
    """Return the bytes of the pools that hold so many interned words."""
    size, total = _FIRST_POOL, 0
    while words > 0:
        total += size
        words -= size
        size *= 2
    return total * _POOL_ENTRY_BYTES


def levels_of(readings, base_words):
    """Return the bytes in use at each reading, its pools charged for our words alone."""
    return [
        used - pool_bytes(words) + pool_bytes(max(0, words - base_words))
        for used, words in readings
    ]


def spoken(scenes):
    """Return ``scenes`` in the short words that a board's image uses, by ``image.plan``."""
    before, done, words = "", [], image.plan("feather")
    for name, sources in scenes:
        done.append((name, []))
        for source in sources:
            done[-1][1].append(words.applied(source, before=before))
            before += "\n" + source
    return done


def measure(modules, scenes=(), extra=None):
    """Return ``(rows, words)``: ``(name, bytes retained)`` of each module, then of each scene.

    ``scenes`` are ``(name, [source, ...])`` run after the imports, each source one top-level call;
    one without a name is scaffolding and not counted. ``extra`` are more files. ``words`` is how
    many distinct ones of ours are interned.
    """
    stubs = sorted(path.stem for path in MODULES.glob("*.py"))
    steps = [(name, [f"import {name}"]) for name in modules] + spoken(scenes)
    calls = [SET_UP, *(f"import {name}" for name in (*NATIVE, *stubs))]
    at = []
    for sources in [()] + [sources for _, sources in steps]:
        calls += [*sources, "gc.collect()", "gc.collect()", READ]
        at.append(len(calls) - 1)
    printed = interpreters.run_wasm({**drive_files(), **(extra or {})}, calls)
    readings = [tuple(map(int, _READING.search(printed[i]).groups())) for i in at]
    levels = levels_of(readings, readings[0][1])
    rows = [(name, levels[i + 1] - levels[i]) for i, (name, _) in enumerate(steps) if name]
    return rows, readings[-1][1] - readings[0][1]


def table(rows, words, limit):
    """Return the printed lines of ``rows``, their sum and the limit (bytes)."""
    lines = [f"{size:>8}  {name}" for name, size in rows]
    total = sum(size for _, size in rows)
    return [
        *lines,
        f"{total:>8}  in all, of {limit} ({total * 100 // limit} %); {words} words of ours",
    ]
