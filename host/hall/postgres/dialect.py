"""Where PostgreSQL's SQL differs from SQLite's: the archive's statements and tables, translated."""

import functools
import re
from typing import NamedTuple

from host.archive import audited_tables, schema

_TYPES = (  # in SQLite, and in PostgreSQL
    ("AUTOINCREMENT", ""),
    ("INTEGER", "BIGINT"),
    ("BLOB", "BYTEA"),
    ("TEXT", 'TEXT COLLATE "C"'),  # as SQLite sorts: by code points, on every system
    ("WITHOUT ROWID", ""),
)
_NUMBERED = re.compile(r"CREATE TABLE (\w+) \(\s*id INTEGER PRIMARY KEY(?! REFERENCES)")
_BYTES = re.compile(r"X'([0-9A-Fa-f]*)'")
_INSERT = re.compile(r"\s*INSERT INTO (\w+)")
_TABLES = "".join((schema.TABLES, schema.NOTICES, schema.MOVES, schema.DESK, schema.COUNTERFOILS))
NUMBERED = frozenset(_NUMBERED.findall(_TABLES))
"""The tables whose rows get the next number as their id."""

# what triggers call: ``next_id`` gives ids without gaps, as SQLite does (there is one writer, and
# no numbered row is ever deleted), ``only_added`` refuses a change, ``told`` reports one
_TRIGGER_FUNCTIONS = """
CREATE FUNCTION next_id() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.id IS NULL THEN
        EXECUTE format('SELECT coalesce(max(id), 0) + 1 FROM %s', TG_RELID::regclass) INTO NEW.id;
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION only_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION '% are only ever added', TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE FUNCTION told() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_notify('plusthree', TG_TABLE_SCHEMA);
    RETURN NULL;
END $$;
"""

# the rows that a transaction changes go into a table of the writer's own session: whoever has none
# cannot change the set-up past the audit log
SESSION = (
    "DISCARD TEMP; CREATE TEMP TABLE touched"
    " (place BIGINT GENERATED ALWAYS AS IDENTITY, sheet TEXT, key JSONB)"
)
TAKEN = "SELECT sheet, key FROM pg_temp.touched GROUP BY sheet, key ORDER BY min(place)"
FORGOTTEN = "DELETE FROM pg_temp.touched"


class Statement(NamedTuple):
    """A statement as psycopg takes it; ``numbered``: it returns the ids that its rows get."""

    sql: str
    numbered: bool


@functools.lru_cache(maxsize=1024)
def translate(sql: str) -> Statement:
    """Return a statement of the archive for PostgreSQL."""
    marked = sql.replace("%", "%%").replace("?", "%s")
    statement = _BYTES.sub(r"'\\x\1'::bytea", marked)
    into = _INSERT.match(sql)
    numbered = bool(into and into[1] in NUMBERED and "RETURNING" not in sql)
    if numbered:
        statement += " RETURNING id"
    return Statement(statement, numbered)


@functools.cache
def script() -> str:
    """Return the script that makes an empty schema an archive: the server takes it in one go."""
    parts = [
        _tables(),
        _TRIGGER_FUNCTIONS,
        *(
            f"CREATE TRIGGER numbered BEFORE INSERT ON {table} FOR EACH ROW"
            " EXECUTE FUNCTION next_id()"
            for table in sorted(NUMBERED)
        ),
        *(
            f"CREATE TRIGGER kept BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT"
            " EXECUTE FUNCTION only_added()"
            for table in sorted(schema.GUARDED)
        ),
        *(
            f"CREATE TRIGGER told AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION told()"
            for table in re.findall(r"CREATE TABLE (\w+)", _TABLES)
        ),
        *_change_triggers(),
        # who may write: see ``fence``
        "CREATE TABLE writer (one BOOLEAN PRIMARY KEY DEFAULT true CHECK (one), version BIGINT NOT"
        " NULL, epoch BIGINT NOT NULL, beats BIGINT NOT NULL, ended BOOLEAN NOT NULL, name TEXT NOT"
        " NULL)",
        "INSERT INTO writer (version, epoch, beats, ended, name)"
        f" VALUES ({schema.VERSION}, 0, 0, true, '')",
    ]
    return ";\n".join(parts)


def _tables() -> str:
    """Return the statements that make the tables, with PostgreSQL's types."""
    tables = _TABLES
    for in_sqlite, in_postgres in _TYPES:
        tables = re.sub(rf"\b{in_sqlite}\b", in_postgres, tables)
    return tables


def _change_triggers() -> list[str]:
    """Return the triggers that note which rows of the set-up a transaction changes."""
    statements = list[str]()
    for sheet, (key, rest) in audited_tables.SHEETS.items():
        columns = ", ".join(f"{key} {rest}".split())
        new, old = (_note_of(sheet, key.split(), row) for row in ("NEW", "OLD"))
        for act, event, notes in (
            ("insert", "INSERT", new),
            ("delete", "DELETE", old),
            ("update", f"UPDATE OF {columns}", f"{old} {new}"),
        ):
            name = f"{sheet}_{act}"
            statements.append(
                f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS"
                f" $$ BEGIN {notes} RETURN NULL; END $$; CREATE TRIGGER {name} AFTER {event} ON"
                f" {audited_tables.table_of(sheet)} FOR EACH ROW EXECUTE FUNCTION {name}()"
            )
    return statements


def _note_of(sheet: str, key_columns: list[str], row: str) -> str:
    """Return the SQL that notes a trigger's ``row`` (OLD or NEW) as touched."""
    key = ", ".join(f"{row}.{column}" for column in key_columns)
    return f"INSERT INTO pg_temp.touched (sheet, key) VALUES ('{sheet}', jsonb_build_array({key}));"
