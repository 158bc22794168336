"""The tables of an archive's set-up that its audit log covers row by row.

SQLite triggers note which of these rows a transaction changes, so no writer can bypass it.
"""

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from firmware.core import digest
from host.archive.database import Database, SqlRow, SqlValue
from host.base.json_values import Json, parse

_SIZE = 16
_MOST_KEYS = 4
SHEETS = {  # a table: its key, and its other covered columns
    "boards": ("device generation", "table_number since_unix_ms"),
    "events": ("number", "name origin_unix_ms opened"),
    "rounds": ("event round", "system bits minutes"),
    "players": ("event number", "name"),
    "pairings": ("event round pairing", "table_number player_a player_b"),
    "commands": ("id", "event round table_number kind at_ms a b c author reason asked_ms"),
    "sends": ("device generation epoch counter", "command"),
    "notices": ("id", "event what value author unix_ms"),
    "moves": ("id", "device generation table_number author reason unix_ms"),
    "restores": ("id", "floor last_order unix_ms"),
    "entries": ("id", "event player what author reason unix_ms"),
    "links": ("id", "role name digest author made_unix_ms"),
    "revoked_links": ("id", "author unix_ms"),
    "settled": ("id", "state refusal"),
    "reserved": ("device generation epoch", "below"),
}
LATER = ("settled", "reserved")  # the archives of older programs name none of these
_TABLES = {"settled": "commands"}  # where a sheet is not called like its table


class RowKey(NamedTuple):
    """One row of the set-up: its table, and the values of that table's key."""

    sheet: str
    key: tuple[SqlValue, ...]


Digests: TypeAlias = dict[RowKey, str | None]  # hexadecimal; None for a row that is gone


def table_of(sheet: str) -> str:
    """Return the table that a sheet's rows are in."""
    return _TABLES.get(sheet, sheet)


def _key_columns(sheet: str) -> list[str]:
    key, _ = SHEETS[sheet]
    return key.split()


def differing(named: Digests, held: Digests) -> dict[RowKey, tuple[str | None, str | None]]:
    """Return ``{row: (digest named, digest held)}`` where the two differ.

    A sheet of LATER that was never named is left out.
    """
    unnamed = {*LATER} - {row.sheet for row in named}
    every = named.keys() | {row for row in held if row.sheet not in unnamed}
    pairs = ((row, (named.get(row), held.get(row))) for row in every)
    return {row: pair for row, pair in pairs if pair[0] != pair[1]}


def row_name(row: RowKey) -> str:
    """Return the words for a row: its table, and the values of its key."""
    columns = _key_columns(row.sheet)
    values = [f"{column} {value}" for column, value in zip(columns, row.key, strict=True)]
    return f"{row.sheet}, {', '.join(values)}"


def change_triggers() -> str:
    """Return the SQL script that makes a connection note, in memory only, which rows it changes."""
    keys = ", ".join(f"k{number}" for number in range(_MOST_KEYS))
    parts = ["PRAGMA temp_store = MEMORY; BEGIN;", f"CREATE TEMP TABLE touched (sheet, {keys});"]
    for sheet, (key, rest) in SHEETS.items():
        for act, timing, rows in (
            ("INSERT", "INSERT", ("NEW",)),
            ("DELETE", "DELETE", ("OLD",)),
            ("UPDATE", f"UPDATE OF {_columns(key, rest)}", ("OLD", "NEW")),
        ):
            values = (_noted_values(sheet, key, row) for row in rows)
            notes = " ".join(f"INSERT INTO touched VALUES ({each});" for each in values)
            parts.append(
                f"CREATE TEMP TRIGGER {sheet}_{act} AFTER {timing} ON main.{table_of(sheet)}"
                f" BEGIN {notes} END;"
            )
    return "\n".join([*parts, "COMMIT;"])


def _noted_values(sheet: str, key: str, row: str) -> str:
    values = [f"{row}.{column}" for column in key.split()]
    return ", ".join([f"'{sheet}'", *values, *["NULL"] * (_MOST_KEYS - len(values))])


def take_changes(archive: Database) -> list[RowKey]:
    """Return the rows that were changed since the last call, in order, and forget them."""
    return [*dict.fromkeys(_row_key(*row) for row in archive.backend.take_changes())]


def _row_key(sheet: SqlValue, *keys: SqlValue) -> RowKey:
    return RowKey(str(sheet), keys[: len(_key_columns(str(sheet)))])


def row_digests(archive: Database, sheets: Iterable[str] | None = None) -> Digests:
    """Return the digest of every covered row, or of those of some sheets."""
    digests: Digests = {}
    for sheet in SHEETS if sheets is None else sheets:
        key, rest = SHEETS[sheet]
        size = len(key.split())
        for row in archive.query(
            f"SELECT {_columns(key, rest)} FROM {table_of(sheet)} ORDER BY {_columns(key)}"
        ):
            digests[RowKey(sheet, row[:size])] = _digest(row)
    return digests


def row_digest(archive: Database, sheet: str, key: tuple[SqlValue, ...]) -> str | None:
    """Return the digest of a row as it is now, None if the row does not exist."""
    where = " AND ".join(f"{column} = ?" for column in _key_columns(sheet))
    columns = _columns(*SHEETS[sheet])
    rows = archive.query(f"SELECT {columns} FROM {table_of(sheet)} WHERE {where}", *key)
    return _digest(rows[0]) if rows else None


def pack(digests: Mapping[RowKey, str | None]) -> bytes:
    """Return the JSON body of an audit log entry: the table, key and digest (None: deleted) of each
    changed row.
    """
    return json.dumps(
        [[sheet, key, row_digest] for (sheet, key), row_digest in digests.items()]
    ).encode()


def unpack(body: bytes) -> Digests:
    """Return the argument of ``pack``, without the sheets that only a later program has.

    Raises ValueError for an invalid body.
    """
    rows = parse(body)
    if not isinstance(rows, list):
        raise ValueError("not a list of rows")
    digests = [_unpack(row) for row in rows]
    return {row: digest for row, digest in digests if row.sheet in SHEETS}


def _unpack(value: Json) -> tuple[RowKey, str | None]:
    match value:
        case [str(sheet), list(parts), (None | str()) as digest]:
            key = tuple(part for part in parts if isinstance(part, int | float | str | None))
            size = len(_key_columns(sheet)) if sheet in SHEETS else len(parts)
            if len(key) == len(parts) == size:
                return RowKey(sheet, key), digest
    raise ValueError("not a row and its digest")


def _columns(*words: str) -> str:
    return ", ".join(" ".join(words).split())


def _digest(row: SqlRow) -> str:
    text = json.dumps(row, default=lambda value: {"bytes": value.hex()})
    return digest.sha256(text.encode())[:_SIZE].hex()
