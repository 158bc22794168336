"""What the tables of an archive must look like, so that a file from anywhere can be looked at without a stumble."""

import contextlib
import functools
import sqlite3

from host.archive import schema
from host.base.errors import UserError


class Unfit(UserError):
    """An archive of ours whose tables are not as this program makes them."""


@functools.cache
def tables():
    """Return ``{table: {column: (kind, whether it may be empty)}}`` of an archive of this version."""
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.executescript(schema.statements())
        return _tables(db)


def _tables(db):
    names = db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    return {name: _columns(db, name) for (name,) in names}


def _columns(db, table):
    quoted = table.replace('"', '""')
    found = db.execute(f'PRAGMA table_info("{quoted}")').fetchall()
    return {
        name: (kind.lower(), not (required or key)) for _, name, kind, required, _, key in found
    }


def recognize(path, name):
    """Bring the file at ``path`` to this version's tables, or say what it is not.

    It is called ``name``. Raises UserError where it is no archive of ours, Unfit where its tables are others.
    """
    with contextlib.closing(sqlite3.connect(path)) as db:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        there = _tables(db)
        if not there.keys() & tables().keys():
            raise UserError(f"{name} is no archive of plusthree")
        if version != schema.VERSION and not schema.upgrade(version):
            raise UserError(
                f"{name} is not an archive of this plusthree (it says version {version})"
            )
        try:
            db.executescript(schema.upgrade(version) or "")
        except sqlite3.DatabaseError as failure:
            raise Unfit(f"{name}: its tables are not those of its version ({failure})") from None
        wrong = _wrong(tables(), _tables(db))
    if wrong:
        raise Unfit(f"{name}: {wrong}; nothing else was looked at")


def _wrong(wanted, there):
    lacking = sorted(wanted.keys() - there.keys())
    if lacking:
        return f"the table {', '.join(lacking)} is not there"
    others = sorted(table for table in wanted if wanted[table] != there[table])
    return (
        f"the table {', '.join(others)} has other columns than this program makes"
        if others
        else None
    )


def oddities(archive):
    """Return sentences on rows that SQLite takes and this program never writes; nothing else can be looked at then."""
    found = []
    for table, columns in tables().items():
        count = archive.query(f"SELECT count(*) FROM {table} WHERE {' OR '.join(_odd(columns))}")[
            0
        ][0]
        count += sum(
            _garbled(archive, table, name)
            for name, (kind, _) in columns.items()
            if kind == "text" and not count
        )
        if count:
            found.append(
                f"{count} rows of {table} are none that this program writes; nothing else was looked at"
            )
    return found


def _odd(columns):
    for name, (kind, empty) in columns.items():
        yield f"typeof({name}) NOT IN ('{kind}'{', ' + repr('null') if empty else ''})"


def _garbled(archive, table, column):
    """Return how many texts are no UTF-8."""
    return sum(
        not _is_text(held)
        for (held,) in archive.query(f"SELECT CAST({column} AS BLOB) FROM {table}")
    )


def _is_text(held):
    try:
        (held or b"").decode()
    except UnicodeDecodeError:
        return False
    return True
