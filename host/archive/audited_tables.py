"""The set-up of an archive that its audit log covers row by row: who plays whom and where, what was asked, by whom.

SQLite itself notes which of these rows a transaction changes, so that no writer can forget to say so.
"""

import json

from firmware.core import digest

_SIZE = 16
_MOST_KEYS = 4
SHEETS = {
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
}  # table: its key, and what of it is covered (an order's state is not: the boards' answers prove it)


def watch():
    """Return the SQL script with which a connection notes the rows that it changes, in memory alone."""
    keys = ", ".join(f"k{number}" for number in range(_MOST_KEYS))
    parts = ["PRAGMA temp_store = MEMORY;", f"CREATE TEMP TABLE touched (sheet, {keys});"]
    for sheet, (key, rest) in SHEETS.items():
        columns = ", ".join(f"{key} {rest}".split())
        for act, rows in (
            ("INSERT", "NEW"),
            ("DELETE", "OLD"),
            (f"UPDATE OF {columns}", "OLD NEW"),
        ):
            notes = " ".join(
                f"INSERT INTO touched VALUES ({_noted(sheet, key, row)});" for row in rows.split()
            )
            parts.append(
                f"CREATE TEMP TRIGGER {sheet}_{act[:6]} AFTER {act} ON main.{sheet} BEGIN {notes} END;"
            )
    return "\n".join(parts)


def _noted(sheet, key, row):
    values = [f"{row}.{column}" for column in key.split()]
    return ", ".join([f"'{sheet}'", *values, *["NULL"] * (_MOST_KEYS - len(values))])


def touched(archive):
    """Return ``(sheet, key)`` of the rows that were changed since this was asked last, in order, and forget them."""
    rows = archive.query("SELECT DISTINCT * FROM touched")
    if rows:
        archive.write("DELETE FROM touched")
    return [(sheet, tuple(keys[: len(SHEETS[sheet][0].split())])) for sheet, *keys in rows]


def state(archive):
    """Return the digest of every covered row, by ``(sheet, key)``."""
    found = {}
    for sheet, (key, rest) in SHEETS.items():
        size = len(key.split())
        for row in archive.query(
            f"SELECT {_columns(key, rest)} FROM {sheet} ORDER BY {_columns(key)}"
        ):
            found[sheet, row[:size]] = _digest(row)
    return found


def seen(archive, sheet, key):
    """Return the digest of a row as it is now, None where there is none."""
    where = " AND ".join(f"{column} = ?" for column in SHEETS[sheet][0].split())
    rows = archive.query(f"SELECT {_columns(*SHEETS[sheet])} FROM {sheet} WHERE {where}", *key)
    return _digest(rows[0]) if rows else None


def packed(found):
    """Return the body of an audit row of rows ``{(sheet, key): digest or None}``."""
    return json.dumps([[sheet, key, told] for (sheet, key), told in found.items()]).encode()


def unpacked(body):
    """Return what ``packed`` was given."""
    return {(sheet, tuple(key)): told for sheet, key, told in json.loads(body)}


def _columns(*words):
    return ", ".join(" ".join(words).split())


def _digest(row):
    text = json.dumps(row, default=lambda value: {"bytes": value.hex()})
    return digest.sha256(text.encode())[:_SIZE].hex()
