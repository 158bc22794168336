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
_TABLE_LIKE = "table", "view", "materialized view", "foreign table", "partitioned table"


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
    missing, strange = wanted - actual, actual - wanted
    # an element with another SQL is both missing and strange
    altered = {_name(element) for element in missing} & {_name(element) for element in strange}
    sentences = (
        _sentence([each for each in missing if _name(each) not in altered], "not there"),
        _sentence(
            [each for each in strange if _name(each) in altered], "not as this program makes it"
        ),
        _sentence(
            [each for each in strange if _name(each) not in altered], "none of this program's"
        ),
    )
    return "; ".join(sentence for sentence in sentences if sentence) or None


def _name(element: Element) -> tuple[str, str]:
    return element.kind, element.name


def _sentence(elements: Iterable[Element], what: str) -> str:
    """Return a sentence on elements ("" for none); those of a table that is named are left out."""
    elements = sorted(elements)
    tables = [element for element in elements if element.kind in _TABLE_LIKE]
    table_names = {table.name for table in tables}
    others = [element for element in elements if element.kind not in _TABLE_LIKE]
    named = [*tables, *(element for element in others if element.table not in table_names)]
    if not named:
        return ""
    listed = ", ".join(element.words for element in named[:_MOST])
    more = f" and {len(named) - _MOST} more" if len(named) > _MOST else ""
    return f"{listed}{more} is {what}"


def _elements(db: sqlite3.Connection) -> Counter[Element]:
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return Counter(Element(*map(str, row)) for row in rows)  # SQLite's own indexes have no SQL
