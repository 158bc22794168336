"""Makes a database's schema an archive, and compares it with what this program makes."""

import sqlite3
from collections import Counter
from typing import NamedTuple

from host.archive import schema
from host.archive.postgres import dialect
from host.archive.postgres.connection import PostgresConnection
from host.base.errors import UserError

_EXPECTED = "plusthree_expected"
_MOST = 4  # elements that are named in a sentence
# everything that a schema may hold and that changes what is stored
_ELEMENTS = """
SELECT 'table', relname, relkind::text || relpersistence::text || relrowsecurity::text
    FROM pg_class WHERE relnamespace = n AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
UNION ALL SELECT 'column', c.relname || '.' || attname, format('%s %s %s %s', format_type(atttypid,
    atttypmod), attnotnull, attcollation::regcollation, pg_get_expr(adbin, adrelid))
    FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef d
    ON (adrelid, adnum) = (attrelid, attnum)
    WHERE relnamespace = n AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
UNION ALL SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = n
UNION ALL SELECT 'index', indexrelid::regclass::text, pg_get_indexdef(indexrelid)
    FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE relnamespace = n
UNION ALL SELECT 'trigger', tgname || ' of ' || tgrelid::regclass, pg_get_triggerdef(t.oid)
    || tgenabled::text
    FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid WHERE relnamespace = n AND NOT tgisinternal
UNION ALL SELECT 'function', proname, prosrc || prosecdef::text FROM pg_proc WHERE pronamespace = n
UNION ALL SELECT 'sequence', relname, format('%s %s %s %s %s %s', seqtypid::regtype, seqstart,
    seqincrement, seqmax, seqmin, seqcycle) FROM pg_sequence JOIN pg_class c ON c.oid = seqrelid
    WHERE relnamespace = n
UNION ALL SELECT 'rule', rulename || ' of ' || ev_class::regclass, pg_get_ruledef(r.oid)
    FROM pg_rewrite r JOIN pg_class c ON c.oid = ev_class WHERE relnamespace = n
"""


class Element(NamedTuple):
    """A table, column, constraint, index, trigger, function or rule: its name, and what it does."""

    kind: str
    name: str
    body: str


def prepare(db: PostgresConnection) -> None:
    """Make an empty schema an archive, in the caller's transaction. Raises UserError for a schema
    that holds something else.
    """
    if not _there(db):
        if _elements(db, "current_schema()"):
            raise UserError(f"{db.shown} is not an archive of plusthree, nor empty")
        _make(db)
    require(db)


def require(db: PostgresConnection) -> None:
    """Raise UserError where there is no archive of this version."""
    found = db.run("SELECT version FROM writer").fetchone() if _there(db) else None
    if found is None:
        raise UserError(
            f"{db.shown} holds no archive yet; make one with: plusthree import EVENT.csv"
        )
    if found[0] != schema.VERSION:
        raise UserError(
            f"{db.shown} is not an archive of this plusthree (it says version {found[0]})"
        )


def difference(db: PostgresConnection) -> str | None:
    """Return how the schema differs from what this program makes, or None, in the caller's
    transaction; what is made to compare is undone.
    """
    there = _elements(db, "current_schema()")
    db.run("SAVEPOINT compared")
    db.run(f"CREATE SCHEMA {_EXPECTED}; SET LOCAL search_path = {_EXPECTED}")
    _make(db)
    wanted = _elements(db, f"'{_EXPECTED}'")
    db.run("ROLLBACK TO compared")
    odd = sorted({one[:2] for one in ((wanted - there) | (there - wanted))})
    names = ", ".join(f"{kind} {name if name.isascii() else ascii(name)}" for kind, name in odd)
    return (
        (", ".join(names.split(", ")[:_MOST]) + " is not as this program makes it") if odd else None
    )


def tables(copy: sqlite3.Connection) -> dict[str, list[str]]:
    """Return the columns of each table of an SQLite archive, those first that others refer to."""
    names = copy.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        " ORDER BY rowid"
    ).fetchall()
    return {
        name: [row[1] for row in copy.execute(f"PRAGMA table_info({name})").fetchall()]
        for (name,) in names
    }


def _make(db: PostgresConnection) -> None:
    for statement in dialect.statements():
        db.run(statement)
    db.run(
        "INSERT INTO writer (version, epoch, beats, ended, name)"
        f" VALUES ({schema.VERSION}, 0, 0, true, '')"
    )


def _there(db: PostgresConnection) -> bool:
    sql = "SELECT to_regclass(quote_ident(current_schema()) || '.writer') IS NOT NULL"
    return bool(db.row(sql)[0])


def _elements(db: PostgresConnection, name: str) -> Counter[Element]:
    """Return what is in the schema ``name`` (SQL)."""
    number = db.run(
        f"SELECT oid::bigint, nspname FROM pg_namespace WHERE nspname = {name}"
    ).fetchone()
    if number is None:
        raise UserError(f"{db.shown}: this user has no schema there to write in")
    rows = db.run(_ELEMENTS.replace("= n", f"= {number[0]}")).fetchall()
    return Counter(
        Element(*(str(part).replace(f"{number[1]}.", "") for part in row)) for row in rows
    )
