"""Writes a system's table as a Python file of literals, the form that boards load.

``plusthree dev rules --write`` writes those of our systems (``committed``), ``deploy`` those of
organisers.
"""

import json
import pathlib
from collections.abc import Iterable

from firmware.core import systems
from host.base.errors import UserError
from host.systems import catalogue, fields
from host.systems.rules import Catalogue, Rules

FOLDER = pathlib.Path(systems.__path__[0])
MOST_BYTES = 8 * 1024  # compiling takes twice the file's size of a board's heap
FOR_BOARDS = tuple(name for name in fields.NAMES if name not in fields.HOST_ONLY)
_COLUMNS = 100


def board_form(rules: Rules, first_line: str, names: Iterable[str] = FOR_BOARDS) -> str:
    """Return the source of ``firmware/core/systems/NAME.py`` with the fields ``names``.

    ``first_line`` says by what it was written.
    """
    lines = [f"{name} = {_laid(getattr(rules, name), len(name) + 3)}" for name in names]
    return "\n".join([first_line, *lines]) + "\n"


def committed(sources: pathlib.Path = catalogue.SOURCES) -> dict[pathlib.Path, str]:
    """Return ``{path: source}`` of all our systems, as the TOML texts in ``sources`` have them.

    Raises UserError for a text that is wrong, or has another's name or number.
    """
    known: Catalogue = {}
    found = {}
    for path in sorted(sources.glob("*.toml")):
        rules = catalogue.compiled(path.read_text(encoding="utf-8"), path, ours=True)
        if rules.name != path.stem:
            raise UserError(f"{path}: name: must be the file's, {path.stem}")
        catalogue.add(known, rules, path)
        # this program loads the same file, and needs all fields
        found[FOLDER / f"{rules.name}.py"] = board_form(
            rules,
            f'"""{rules.name}, written by ``plusthree dev rules --write``'
            f' from host/systems/built_in/{path.name}."""\n',
            fields.NAMES,
        )
    return found


def _laid(value: object, column: int, indent: int = 0) -> str:
    """Return a value's literal from ``column`` on, laid out as ``ruff format`` does."""
    flat = _flat(value)
    if not isinstance(value, tuple) or column + len(flat) <= _COLUMNS:
        return flat
    inner = indent + 4
    lines = [f"{' ' * inner}{_laid(one, inner + 1, inner)},\n" for one in value]
    return "(\n" + "".join(lines) + " " * indent + ")"


def _flat(value: object) -> str:
    if isinstance(value, tuple):
        inner = ", ".join(map(_flat, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, bytes):
        return f'b"{"".join(map(_character, value))}"'
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _character(byte: int) -> str:
    plain = 32 <= byte < 127 and chr(byte) not in '"\\'
    return chr(byte) if plain else f"\\x{byte:02x}"
