"""Changes to an archive behind its program's back, as somebody with any tool makes them."""

import contextlib
import sqlite3

from host.archive import places

_TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"


@contextlib.contextmanager
def without_triggers(db):
    """Drop all triggers of an open connection while this lasts, and put them back as they were."""
    there = dict(db.execute(_TRIGGERS).fetchall())
    for name in there:
        db.execute(f"DROP TRIGGER {name}")
    try:
        yield
    finally:
        for sql in there.values():
            # its table may be gone
            with contextlib.suppress(sqlite3.OperationalError):
                db.execute(sql)


@contextlib.contextmanager
def unguarded(path):
    """Yield a connection to an archive without its triggers; they are put back after it."""
    if places.is_address(path):
        import psycopg

        with psycopg.connect(path) as db:
            db.execute("SET session_replication_role = replica")
            yield db
        return
    with contextlib.closing(sqlite3.connect(path)) as db, db, without_triggers(db):
        yield db


def change(path, sql, *values):
    """Change an archive by one statement; return how many rows it changed, -1: is about none."""
    with unguarded(path) as db:
        told = sql.replace("?", "%s") if places.is_address(path) else sql
        return db.execute(told, values).rowcount
