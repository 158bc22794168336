"""Writes a system's table as a Python file of literals, the form that boards load.

``plusthree dev rules --write`` writes those of our systems (``sources_of``), ``deploy`` those of
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

    ``first_line`` names the writer of the file.
    """
    lines = [f"{name} = {_literal(getattr(rules, name), len(name) + 3)}" for name in names]
    return "\n".join([first_line, *lines]) + "\n"


def sources_of(sources: pathlib.Path = catalogue.SOURCES) -> dict[pathlib.Path, str]:
    """Return ``{path: source}`` of all our systems, as the TOML texts in ``sources`` have them.

    Raises UserError for an invalid text, or a name or number that is taken.
    """
    known: Catalogue = {}
    sources_by_path = {}
    for path in sorted(sources.glob("*.toml")):
        rules = catalogue.compile_system(path.read_text(encoding="utf-8"), path, ours=True)
        if rules.name != path.stem:
            raise UserError(f"{path}: name: must be the file's, {path.stem}")
        catalogue.add(known, rules, path)
        # this program loads the same file, and needs all fields
        sources_by_path[FOLDER / f"{rules.name}.py"] = board_form(
            rules,
            f'"""{rules.name}, written by ``plusthree dev rules --write``'
            f' from host/systems/built_in/{path.name}."""\n',
            fields.NAMES,
        )
    return sources_by_path


def _literal(value: object, column: int, indent: int = 0) -> str:
    """Return a value's literal from ``column`` on, formatted like ``ruff format``."""
    flat = _flat(value)
    if not isinstance(value, tuple) or column + len(flat) <= _COLUMNS:
        return flat
    inner = indent + 4
    lines = [f"{' ' * inner}{_literal(item, inner + 1, inner)},\n" for item in value]
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
