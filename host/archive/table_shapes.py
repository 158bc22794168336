"""Checks that a file's tables and rows are those of an archive, before anything else is read.

Each column has bounds: a time that fits into no frame would stop the radio, a name of 50 MB a
printer. They are wide; no row that this program writes comes near.
"""

import contextlib
import functools
import os
import sqlite3
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from host.archive import schema, schema_check
from host.archive.database import Database, SqlValue
from host.base.errors import UserError

_BYTE, _WORD, _TIME_MS = (1 << 8) - 1, (1 << 16) - 1, (1 << 32) - 1  # as frames carry them
_ANY = 1 << 53  # either way
NUMBERS = {
    **dict.fromkeys(("kind", "a", "system"), _BYTE),
    **dict.fromkeys(
        ("device", "generation", "epoch", "counter", "event", "b", "c", "round", "bits", "minutes"),
        _WORD,
    ),
    "table_number": 1 << 17,  # 65536 and more: a spare; -1: its board was revoked, -2: handed on
    "at_ms": _TIME_MS,
    "below": 1 << 16,
    **dict.fromkeys(("received_ms", "asked_ms"), 1 << 42),
}
_LEAST = {"table_number": -2}
_TEXTS = {"value": 1 << 22}  # of a notice: a file of rules, a list
_TEXT = 1 << 16
_BLOBS = {"frame": 256, "digest": 256, "mark": 16}


class SchemaMismatch(UserError):
    """An archive whose schema is not as this program makes it."""


class Column(NamedTuple):
    """A column's type in lower case, and whether it may be NULL."""

    kind: str
    optional: bool


_LAST = 1 << 40  # of a row's number: far above any event's, and far below the last that counts
_NUMBERED_OUT = (
    "SELECT count(*) FROM sqlite_sequence"
    f" WHERE typeof(seq) != 'integer' OR NOT seq BETWEEN 0 AND {_LAST}"
)
_FULL = "its rows were numbered up to the end: nothing more could be added"
Tables: TypeAlias = dict[str, dict[str, Column]]  # by the table's name and the column's


@functools.cache
def tables() -> Tables:
    """Return the tables of an archive of this version."""
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.executescript(schema.statements())
        return _tables(db)


def _tables(db: sqlite3.Connection) -> Tables:
    names = db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    return {name: _columns(db, name) for (name,) in names}


def _columns(db: sqlite3.Connection, table: str) -> dict[str, Column]:
    quoted = table.replace('"', '""')
    rows = db.execute(f'PRAGMA table_info("{quoted}")').fetchall()
    return {
        name: Column(kind.lower(), not (required or key))
        for _, name, kind, required, _, key in rows
    }


def upgrade(path: str | os.PathLike[str], name: str | os.PathLike[str]) -> None:
    """Upgrade the archive at ``path`` to this version's tables and check them.

    Errors name it ``name``.

    Raises UserError if it is no archive of ours, SchemaMismatch if its schema differs.
    """
    with contextlib.closing(sqlite3.connect(path)) as db:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if not _tables(db).keys() & tables().keys():
            raise UserError(f"{name} is no archive of plusthree")
        if version != schema.VERSION and not schema.upgrade(version):
            raise UserError(
                f"{name} is not an archive of this plusthree (it says version {version})"
            )
        wrong = schema_check.difference(db, version)
        if wrong:
            raise SchemaMismatch(f"{name}: {wrong}; nothing else was looked at")
        db.executescript(schema.upgrade(version) or "")


def odd_rows(archive: Database) -> list[str]:
    """Return sentences on rows that the database accepts and this program never writes.

    An archive with such rows must not be read any further.
    """
    typed = archive.backend.typed
    sentences: list[str] = []
    for table in _filled(archive):
        columns = tables()[table]
        count = archive.number(_count_of_odd(table, typed))
        if not count and not typed:
            texts = [name for name, (kind, _) in columns.items() if kind == "text"]
            count = sum(_garbled_texts(archive, table, name) for name in texts)
        if count:
            sentences.append(
                f"{count} rows of {table} are none that this program writes; nothing else was"
                " looked at"
            )
        elif "id" in columns and archive.query(f"SELECT 1 FROM {table} WHERE id > {_LAST} LIMIT 1"):
            sentences.append(_FULL)
    if not typed and archive.number(_NUMBERED_OUT):
        sentences.append(_FULL)
    return sentences


def _filled(archive: Database) -> list[str]:
    """Return the tables that hold a row; an archive of an older version does not have them all."""
    names = [*tables()]
    if not archive.backend.typed:
        there = archive.select(str, "SELECT name FROM sqlite_master WHERE type = 'table'")
        names = [name for name in names if name in there]
    looks = (f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {name})" for name in names)
    return archive.select(str, " UNION ALL ".join(looks))


@functools.cache
def _count_of_odd(table: str, typed: bool) -> str:
    odd = " OR ".join(_odd(tables()[table], typed))
    return f"SELECT count(*) FROM {table} WHERE {odd}"


def refuse_odd(archive: Database, name: str | os.PathLike[str]) -> None:
    """Raise UserError, which calls the archive ``name``, if it has such rows."""
    odd = odd_rows(archive)
    if odd:
        raise UserError(
            f"{name} was changed by another program: {odd[0]}; keep it, and bring the newest copy"
            " back with: plusthree restore"
        )


def _odd(columns: dict[str, Column], typed: bool) -> Iterator[str]:
    """Yield the SQL conditions that hold for an odd row; ``typed``: the database checks types
    itself, so ranges alone are tested.

    SQLite sorts texts and blobs above numbers, so the test of a number's range finds them, too. The
    type of all integers is tested at once, by that of their sum: three times as fast as one by one,
    and a day has records by the hundred thousand.
    """
    numbers: list[str] = []
    for name, (kind, optional) in columns.items():
        outside = _outside(name, kind)
        if outside:
            yield outside
        if typed:
            continue
        if kind == "integer":
            numbers.append(f"coalesce({name}, 0)" if optional else name)
        elif optional:
            yield f"typeof({name}) NOT IN ('{kind}', 'null')"
        else:
            yield f"typeof({name}) != '{kind}'"
    if numbers:
        yield f"typeof({' + '.join(numbers)}) != 'integer'"


def _garbled_texts(archive: Database, table: str, column: str) -> int:
    """Return how many texts are not UTF-8."""
    return sum(
        not _is_text(value)
        for (value,) in archive.query(f"SELECT CAST({column} AS BLOB) FROM {table}")
    )


def _is_text(value: SqlValue) -> bool:
    if value is None:
        return True
    if not isinstance(value, bytes):
        return False
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


def _outside(column: str, kind: str) -> str | None:
    """Return the SQL condition for a value out of bounds, None where there is no bound.

    ``kind`` is the column's type in lower case.
    """
    if kind == "integer":
        least, most = -_ANY, _ANY
        if column in NUMBERS:
            least, most = _LEAST.get(column, 0), NUMBERS[column]
        return f"{column} NOT BETWEEN {least} AND {most}"
    most = _TEXTS.get(column, _TEXT) if kind == "text" else _BLOBS.get(column)
    return None if most is None else f"length({column}) > {most}"
