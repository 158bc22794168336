"""Which systems there are: the literals of ``firmware.core.systems``, and organisers' TOML files.

A system here is any object with the table's names; those from TOML also have ``name``. A catalogue
is a dict from name to system.
"""

import functools
import importlib
import pathlib
import pkgutil
import re
import tomllib
import types

from firmware.core import systems
from host.base.errors import UserError
from host.systems import fields, places, value_checks

_NAME = re.compile(r"[a-z][a-z0-9_]{0,15}")
_LARGEST = 100_000


@functools.cache
def _literals():
    names = [module.name for module in pkgutil.iter_modules(systems.__path__)]
    found = [(name, importlib.import_module(f"{systems.__name__}.{name}")) for name in names]
    return tuple(sorted(found, key=lambda one: one[1].NUMBER))


def built_in():
    """Return the catalogue of the project's own systems, by number."""
    return dict(_literals())


def numbered(catalogue, number):
    """Return ``(name, system)`` of the system with this number on the air, or ``(None, None)``."""
    for name, rules in catalogue.items():
        if number == rules.NUMBER:
            return name, rules
    return None, None


def load(path):
    """Return the system in a TOML file; UserError names the file, the field and the fault."""
    path = pathlib.Path(path)
    try:
        if path.stat().st_size > _LARGEST:
            raise UserError(f"{path}: is far too large for a system's table")
        source = path.read_bytes().decode("utf-8")
    except OSError as failure:
        raise UserError(f"{path}: {failure.strerror}") from None
    except UnicodeDecodeError as failure:
        raise UserError(f"{path}: byte {failure.start} is not UTF-8") from None
    return compiled(source, path)


def compiled(source, path, stored=False):
    """Return the system that a TOML text says; UserError names ``path``, the line, the field and the fault.

    ``stored``: the text of an event that has begun, which may lack outcomes that are asked of new ones.
    """
    try:
        return _compiled(tomllib.loads(source), source, stored)
    except tomllib.TOMLDecodeError as failure:
        raise UserError(f"{path}: is not TOML: {failure}") from None
    except (ValueError, RecursionError) as failure:
        line = places.line_of(source, str(failure).partition(": ")[0])
        where = path if line is None else f"{path}:{line}"
        raise UserError(f"{where}: {failure}") from None


def _compiled(data, source, stored):
    keys = tuple(name.lower() for name in fields.NAMES)
    value_checks.table(data, "", ("name", "title", "base", *keys), ("name",))
    name = data["name"]
    value_checks.need(
        isinstance(name, str) and _NAME.fullmatch(name),
        "name",
        "must be 1 to 16 of a-z, 0-9 and _, a letter first",
    )
    value_checks.need(
        name not in built_in(), "name", f"{name} is one of this project's own systems"
    )
    base = data.get("base")
    known = ", ".join(built_in())
    value_checks.need(
        base is None or base in list(built_in()), "base", f"{base!r} is none of {known}"
    )
    given = {key: data[key] for key in keys if key in data}
    whole = (
        (fields.write(built_in()[base]) if base else {}) | {"number": fields.OWN_NUMBERS[0]} | given
    )
    value_checks.whole(whole["number"], "number", *fields.OWN_NUMBERS)
    for key in keys:
        value_checks.need(key in whole, key, f"is missing (or say base = one of {known})")
    title = value_checks.text(data.get("title", name), "title", 60)
    found = fields.read(whole, stored)
    if "number" not in data:
        found["NUMBER"] = fields.number_of(found)
    return types.SimpleNamespace(name=name, title=title, source=source, **found)


def chosen(word):
    """Return ``(name, system)``: one of ours by name, or the TOML file of that path."""
    ours = built_in().get(word.casefold())
    if ours is not None:
        return word.casefold(), ours
    rules = load(word)
    return rules.name, rules


def with_files(paths):
    """Return the built-in catalogue and the systems of TOML files; UserError where two clash."""
    found = built_in()
    for path in paths or ():
        add(found, load(path), path)
    return found


def add(catalogue, rules, path):
    """Put an organiser's system into a catalogue; UserError when its name or number is taken."""
    other, same = numbered(catalogue, rules.NUMBER)
    if rules.name in catalogue and catalogue[rules.name] is not rules:
        raise UserError(f"{path}: name: there is another system {rules.name}")
    if other is not None and same is not rules:
        raise UserError(f"{path}: number: {rules.NUMBER} is {other}'s already")
    catalogue[rules.name] = rules
