"""The catalogue of systems: ours and those in organisers' TOML files.

Ours are TOML, too (``SOURCES``); boards and this program load the literals made from it
(``board_form``), so that both play by the same. A catalogue maps names to systems
(``rules.Rules``); those from TOML are ``rules.OwnRules``.
"""

import functools
import importlib
import pathlib
import pkgutil
import re
import tomllib
from collections.abc import Iterable, Iterator
from typing import Any, cast

from firmware.core import systems
from host.base import plain_text
from host.base.errors import UserError
from host.systems import fields, value_checks
from host.systems.rules import Catalogue, OwnRules, Rules
from host.systems.value_checks import Toml

SOURCES = pathlib.Path(__file__).parent / "built_in"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,15}")
_LARGEST = 100_000
_HEAD = ("name", "title", "base")


@functools.cache
def _literals() -> tuple[tuple[str, Rules], ...]:
    names = [module.name for module in pkgutil.iter_modules(systems.__path__)]
    # pyright cannot check a module's names; tests/rules/test_language.py compares them with Rules
    modules = [importlib.import_module(f"{systems.__name__}.{name}") for name in names]
    named = zip(names, (cast(Rules, module) for module in modules), strict=True)
    return tuple(sorted(named, key=lambda entry: entry[1].NUMBER))


def built_in() -> Catalogue:
    """Return the catalogue of the built-in systems, in the order of their numbers."""
    return dict(_literals())


def source_of(name: str) -> str:
    """Return the TOML text of a built-in system."""
    return (SOURCES / f"{name}.toml").read_text(encoding="utf-8")


@functools.cache
def _parse(name: str) -> dict[str, Any]:
    return tomllib.loads(source_of(name))


def title_of(name: str, rules: Rules) -> str:
    """Return the title of a catalogue's system for people."""
    if isinstance(rules, OwnRules):
        return rules.title
    return _parse(name)["title"]


def by_number(catalogue: Catalogue, number: int) -> tuple[str, Rules] | tuple[None, None]:
    """Return ``(name, system)`` for a system's number in FORMAT_SET, or ``(None, None)``."""
    for name, rules in catalogue.items():
        if number == rules.NUMBER:
            return name, rules
    return None, None


def rules_of(catalogue: Catalogue, number: int) -> Rules | None:
    """Return the system with a number in FORMAT_SET, None without one."""
    return next((rules for rules in catalogue.values() if rules.NUMBER == number), None)


def known(catalogue: Catalogue, number: int) -> Rules:
    """Return the system with a number that the catalogue is certain to have."""
    rules = rules_of(catalogue, number)
    assert rules is not None, number
    return rules


def load(path: str | pathlib.Path) -> OwnRules:
    """Return the system in a TOML file. Raises UserError with file, field and fault."""
    path = pathlib.Path(path)
    try:
        if path.stat().st_size > _LARGEST:
            raise UserError(f"{path}: is far too large for a system's table")
        source = plain_text.decode(path.read_bytes())
    except OSError as failure:
        raise UserError(f"{path}: {failure.strerror}") from None
    except UnicodeDecodeError as failure:
        raise UserError(f"{path}: byte {failure.start} is not UTF-8") from None
    return compile_system(source, path)


def compile_system(
    source: str, path: str | pathlib.Path, stored: bool = False, ours: bool = False
) -> OwnRules:
    """Return the system of a TOML text. Raises UserError with ``path``, line, field and fault.

    ``stored``: the text of an event that has begun; it may lack outcomes that a new one must have.
    ``ours``: a text of ``SOURCES``, which has a name and a number that organisers cannot take.
    """
    try:
        return _compile(tomllib.loads(source), source, stored, ours)
    except tomllib.TOMLDecodeError as failure:
        raise UserError(f"{path}: is not TOML: {failure}") from None
    except (ValueError, RecursionError) as failure:
        line = _line_of(source, str(failure).partition(": ")[0])
        where = path if line is None else f"{path}:{line}"
        raise UserError(f"{where}: {failure}") from None


def _compile(data: dict[str, Toml], source: str, stored: bool, ours: bool) -> OwnRules:
    """Return the system of the ``data`` of ``source``; all else as in ``compile_system``."""
    needed = ("name", "number") if ours else ("name",)
    value_checks.table(data, "", _HEAD + fields.KEYS, needed)
    name = _name_of(data["name"], ours)
    least, most = fields.BUILT_IN_NUMBERS if ours else fields.OWN_NUMBERS
    values = _base(data) | {"number": least} | _given_fields(data)  # the file's own fields win
    value_checks.whole(values["number"], "number", least, most)
    for key in fields.KEYS:
        known = ", ".join(built_in())
        value_checks.need(key in values, key, f"is missing (or say base = one of {known})")
    title = value_checks.text(data.get("title", name), "title", 60)
    rules = fields.read(values, OwnRules(name, title, source), stored)
    if "number" not in data:
        rules.NUMBER = fields.number_of(rules)
    return rules


def _given_fields(data: dict[str, Toml]) -> dict[str, Toml]:
    return {key: data[key] for key in fields.KEYS if key in data}


def _name_of(value: Toml, ours: bool) -> str:
    """Return a valid name for a system. Raises ValueError if it is invalid or a built-in
    system's.
    """
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise ValueError("name: must be 1 to 16 of a-z, 0-9 and _, a letter first")
    free = ours or value not in built_in()
    value_checks.need(free, "name", f"{value} is one of this project's own systems")
    return value


def _base(data: dict[str, Toml]) -> dict[str, Toml]:
    """Return the TOML data of the system's base, empty without one."""
    base, known = data.get("base"), built_in()
    if base is None:
        return {}
    if not isinstance(base, str) or base not in known:
        raise ValueError(f"base: {base!r} is none of {', '.join(known)}")
    data_of_base = _parse(base)
    return _base(data_of_base) | _given_fields(data_of_base)


def choose(word: str) -> tuple[str, Rules]:
    """Return ``(name, system)`` for a built-in system's name or the path of a TOML file."""
    ours = built_in().get(word.casefold())
    if ours is not None:
        return word.casefold(), ours
    rules = load(word)
    return rules.name, rules


def with_files(paths: Iterable[str | pathlib.Path] | None) -> Catalogue:
    """Return the built-in catalogue with TOML files' systems. Raises UserError if two clash."""
    catalogue = built_in()
    for path in paths or ():
        add(catalogue, load(path), path)
    return catalogue


def join(catalogue: Catalogue, path: str | None) -> Catalogue:
    """Return a catalogue with the system of a TOML file, if any, in place of one with its name.

    Storing it in an event checks whether the event may still change it. Raises UserError like
    ``load``.
    """
    if path is None:
        return catalogue
    rules = load(path)
    known = {name: system for name, system in catalogue.items() if name != rules.name}
    add(known, rules, path)
    return known


def add(catalogue: Catalogue, rules: OwnRules, path: str | pathlib.Path) -> None:
    """Add an organiser's system to a catalogue. Raises UserError if name or number is taken."""
    same_name = catalogue.get(rules.name)
    if same_name is not None and same_name is not rules:
        raise UserError(f"{path}: name: there is another system {rules.name}")
    owner, same_number = by_number(catalogue, rules.NUMBER)
    if owner is not None and same_number is not rules:
        raise UserError(f"{path}: number: {rules.NUMBER} is {owner}'s already")
    catalogue[rules.name] = rules


def _line_of(source: str, place: str) -> int | None:
    """Return the line (from 1) of the field ``place``, such as ``trees.swiss_bo1.last``, or None.

    For a missing field it is the line of the table that lacks it: the one that has most of the
    place's path.
    """
    wanted = re.sub(r"\[\d+\]", "", place).split(".")
    nearest: list[str] = []
    line = None
    for number, path in _paths(source):
        is_on_the_way = path == wanted[: len(path)]
        if is_on_the_way and len(path) > len(nearest):
            nearest, line = path, number
    return line


def _paths(source: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the path of each table's head and each key of a TOML text."""
    table: list[str] = []
    for number, text in enumerate(source.splitlines(), 1):
        head = re.fullmatch(r"\s*\[\[?\s*([\w.]+)\s*\]\]?\s*(?:#.*)?", text)
        key = re.match(r"\s*([\w.]+)\s*=", text)
        if head:
            table = head[1].split(".")
            yield number, table
        elif key:
            yield number, table + key[1].split(".")
