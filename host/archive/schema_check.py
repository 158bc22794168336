"""Compares a file's whole schema with this program's own, before anything is read or written.

A trigger too many would change what the host stores, and the audit log would sign the change.
"""

import contextlib
import functools
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from host.archive import schema

_MOST = 4  # elements that are named in a sentence
_LONGEST = 60  # letters of a name that are shown: others chose it
_PLAIN = re.compile(r"[\w.(),]+", re.ASCII)
_HOLDERS = "table", "view", "materialized view", "foreign table", "partitioned table"


class Element(NamedTuple):
    """A table, index, trigger or view, its name, its table, its SQL: a row of ``sqlite_master``, or
    what PostgreSQL has of it.
    """

    kind: str
    name: str
    table: str
    sql: str

    @property
    def words(self) -> str:
        """What to call it in a sentence."""
        name = self.name if len(self.name) <= _LONGEST else self.name[:_LONGEST] + "…"
        return f"the {self.kind} {name if _PLAIN.fullmatch(name) else ascii(name)}"


@functools.cache
def expected(version: int) -> Counter[Element]:
    """Return the schema of an archive of ``version``."""
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.executescript(schema.statements(version))
        return _elements(db)


def difference(db: sqlite3.Connection, version: int) -> str | None:
    """Return how the schema of an open file differs from an archive of ``version``, or None.

    Raises sqlite3.DatabaseError for a file that is damaged or no database.
    """
    return compared(expected(version), _elements(db))


def compared(wanted: Counter[Element], there: Counter[Element]) -> str | None:
    """Return how what is ``there`` differs from what is ``wanted``, or None."""
    lacking, strange = list((wanted - there).keys()), list((there - wanted).keys())
    names = {(one.kind, one.name) for one in lacking}
    altered = [one for one in strange if (one.kind, one.name) in names]
    held = {(one.kind, one.name) for one in altered}
    said = [
        _sentence((one for one in lacking if (one.kind, one.name) not in held), "not there"),
        _sentence(altered, "not as this program makes it"),
        _sentence((one for one in strange if one not in altered), "none of this program's"),
    ]
    return "; ".join(one for one in said if one) or None


def _sentence(elements: Iterable[Element], what: str) -> str:
    """Return what is wrong with elements; what belongs to a table named is left out."""
    found = sorted(elements, key=lambda one: (one.kind not in _HOLDERS, one))
    tables = {one.name for one in found if one.kind in _HOLDERS}
    named = [one for one in found if one.kind in _HOLDERS or one.table not in tables]
    more = f" and {len(named) - _MOST} more" if len(named) > _MOST else ""
    return f"{', '.join(one.words for one in named[:_MOST])}{more} is {what}" if named else ""


def _elements(db: sqlite3.Connection) -> Counter[Element]:
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return Counter(Element(*map(str, row)) for row in rows)  # SQLite's own indexes have no SQL
