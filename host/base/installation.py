"""The program's installation on this PC: the paths of its files, and its commands as typed here.

In a checkout the packages are at its root, beside a board's first files and the examples. A wheel
has those in ``host/shipped`` (``setup.py``).
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable

NAME = "plusthree"
ROOT = pathlib.Path(__file__).resolve().parents[2]
_SHIPPED = ROOT / "host" / "shipped"


def file(name: str) -> pathlib.Path:
    """Return the path of a file or folder of the program, by its ``name`` in a checkout."""
    shipped = _SHIPPED / name
    return shipped if shipped.exists() else ROOT / name


def command() -> str:
    """Return the command that starts this program in the shell that it was started from."""
    script = pathlib.Path(sys.argv[0])
    if script.stem != NAME:  # called by a test or another program
        script = pathlib.Path(sys.executable).with_name(NAME)
    found = shutil.which(NAME)
    if found and _is_same(found, script):
        return NAME
    there = script.exists() or script.with_suffix(".exe").exists()
    return quote(display_path(script)) if there else NAME


def as_typed(sentence: str, names: Iterable[str]) -> str:
    """Return a sentence with its commands (``plusthree`` and one of ``names``) as typed here."""
    commands = rf"(?<![\w/\\.-]){NAME} (?=(?:{'|'.join(names)})\b)"
    return re.sub(commands, lambda found: f"{command()} ", sentence)


def _is_same(found, script):
    names = [os.path.normcase(os.path.realpath(path)) for path in (found, script)]
    return names[0].removesuffix(".exe") == names[1].removesuffix(".exe")


def display_path(path: pathlib.Path) -> str:
    """Return a path as a person in the current folder would type it."""
    path = pathlib.Path(os.path.abspath(path))
    try:
        near = path.relative_to(pathlib.Path.cwd())
    except ValueError:
        return str(path)
    return str(near) if len(near.parts) > 1 else os.path.join(".", near)


def quote(word: str | os.PathLike[str]) -> str:
    """Return a word of a command as the shells of this system read it."""
    word = str(word)
    return subprocess.list2cmdline([word]) if os.name == "nt" else shlex.quote(word)


def version() -> str:
    """Return this program's version."""
    import importlib.metadata  # a fifth of the time in which a command starts

    return importlib.metadata.version(NAME)


def to_install(package: str) -> str | None:
    """Return the command that installs a ``package`` of this program's requirements, None if it is
    not among them.
    """
    import importlib.metadata  # a fifth of the time in which a command starts

    rows = importlib.metadata.requires(NAME) or []
    row = next((row for row in rows if re.split(r"[\[=;]", row)[0] == package), None)
    if row is None:
        return None
    wanted = quote(row.partition(";")[0].strip())
    return f"{quote(display_path(pathlib.Path(sys.executable)))} -m pip install {wanted}"
