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
_LONGEST = 60  # letters of a name that are shown: another program chose it
_PLAIN = re.compile(r"[\w.(),]+", re.ASCII)
_HOLDERS = "table", "view", "materialized view", "foreign table", "partitioned table"


class Element(NamedTuple):
    """A table, index, trigger or view, its name, its table, its SQL: a row of ``sqlite_master``, or
    the same from PostgreSQL.
    """

    kind: str
    name: str
    table: str
    sql: str

    @property
    def words(self) -> str:
        """Its name for a sentence."""
        name = self.name if len(self.name) <= _LONGEST else self.name[:_LONGEST] + "…"
        return f"the {self.kind} {name if _PLAIN.fullmatch(name) else ascii(name)}"


@functools.cache
def expected_schema(version: int) -> Counter[Element]:
    """Return the schema of an archive of ``version``."""
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.executescript(schema.statements(version))
        return _elements(db)


def difference(db: sqlite3.Connection, version: int) -> str | None:
    """Return how the schema of an open file differs from an archive of ``version``, or None.

    Raises sqlite3.DatabaseError for a file that is damaged or no database.
    """
    return compare(expected_schema(version), _elements(db))


def compare(wanted: Counter[Element], actual: Counter[Element]) -> str | None:
    """Return how the ``actual`` schema differs from the ``wanted`` one, or None."""
    missing, strange = list((wanted - actual).keys()), list((actual - wanted).keys())
    names = {(element.kind, element.name) for element in missing}
    altered = [element for element in strange if (element.kind, element.name) in names]
    altered_names = {(element.kind, element.name) for element in altered}
    sentences = [
        _sentence(
            (element for element in missing if (element.kind, element.name) not in altered_names),
            "not there",
        ),
        _sentence(altered, "not as this program makes it"),
        _sentence(
            (element for element in strange if element not in altered), "none of this program's"
        ),
    ]
    return "; ".join(sentence for sentence in sentences if sentence) or None


def _sentence(elements: Iterable[Element], what: str) -> str:
    """Return a sentence on elements; an element of a table that is named is left out."""
    ordered = sorted(elements, key=lambda element: (element.kind not in _HOLDERS, element))
    tables = {element.name for element in ordered if element.kind in _HOLDERS}
    named = [
        element for element in ordered if element.kind in _HOLDERS or element.table not in tables
    ]
    more = f" and {len(named) - _MOST} more" if len(named) > _MOST else ""
    return (
        f"{', '.join(element.words for element in named[:_MOST])}{more} is {what}" if named else ""
    )


def _elements(db: sqlite3.Connection) -> Counter[Element]:
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return Counter(Element(*map(str, row)) for row in rows)  # SQLite's own indexes have no SQL
