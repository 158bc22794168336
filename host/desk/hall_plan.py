"""The layout of the hall: a plan written by hand, or a number of tables per row.

A plan is text: a line per row, table numbers from left to right, ``.`` for an aisle or a pillar. An
empty line is a cross aisle; ``#`` begins a comment, but not before a digit. The plan is stored as a
notice of the event; the newest counts.
"""

import json
import pathlib
import re
from typing import TypedDict

from host.archive.store import Archive
from host.base import json_values
from host.base.errors import UserError
from host.formats import csv_reader

PLAN = "plan"  # the notice's name
AISLE = 0
_WIDEST, _DEEPEST = 60, 60


class HallPlan(TypedDict):
    """The layout: ``rows`` of table numbers and ``AISLE``; without rows, ``wide`` tables per row.

    ``wide`` 0: as many as fit on the screen. ``turning``: every other row is numbered backwards.
    """

    rows: list[list[int]]
    wide: int
    turning: bool


NONE: HallPlan = {"rows": [], "wide": 0, "turning": False}


def parse(text: str) -> list[list[int]]:
    """Return a plan's rows, each a list of table numbers and ``AISLE``; [] for an empty text.

    Raises UserError, with the line, for an invalid plan.
    """
    rows: list[list[int]] = []
    line_of: dict[int, int] = {}  # by table
    for number, line in enumerate(text.splitlines(), 1):
        line = re.split(r"#(?!\d)", line)[0].strip()
        words = re.split(r"[\s,;]+", line)
        rows.append([_position(word, number, line_of) for word in words if word])
        if len(rows[-1]) > _WIDEST:
            raise UserError(
                "plan, line {line}: more than {most} places in a row", line=number, most=_WIDEST
            )
    while rows and not any(rows[-1]):
        rows.pop()
    while rows and not any(rows[0]):
        rows.pop(0)
    if len(rows) > _DEEPEST:
        raise UserError("the plan has more than {most} rows", most=_DEEPEST)
    return rows


def _position(word: str, line: int, line_of: dict[int, int]) -> int:
    """Return the table at a position, or ``AISLE``; note the table's line in ``line_of``. Raises
    UserError.
    """
    if word == ".":
        return AISLE
    if not re.fullmatch(r"[0-9]{1,5}", word) or not 0 < int(word) < 65536:
        raise UserError(
            "plan, line {line}: {word!r} is neither a table's number nor a dot",
            line=line,
            word=word[:20],
        )
    number = int(word)
    if number in line_of:
        refusal = "plan, line {line}: table {table} stands in line {before} already"
        raise UserError(refusal, line=line, table=number, before=line_of[number])
    line_of[number] = line
    return number


def read(path: pathlib.Path) -> list[list[int]]:
    """Return the rows of a plan's file. Raises UserError, with its name, if it is invalid."""
    try:
        rows = parse(csv_reader.text_of(path))
    except csv_reader.SheetError:
        raise
    except UserError as error:
        raise UserError("{path}: {said}", path=str(path), said=error.sentence) from None
    if not rows:
        raise UserError("{path}: there is no table on this plan", path=str(path))
    return rows


def store(archive: Archive, plan: HallPlan, author: str, unix_ms: int) -> None:
    """Store a plan if it differs from the current one."""
    if plan != current(archive):
        archive.notices.add(PLAN, json.dumps(plan), author, unix_ms)


def current(archive: Archive) -> HallPlan:
    """Return the last stored plan, or ``NONE``."""
    found = archive.notices.understood(PLAN, _read)
    return found[-1] if found else NONE


def _read(text: str) -> HallPlan:
    """Return a stored plan. Raises ValueError, TypeError or LookupError if it is invalid."""
    plan = json_values.parse(text)
    rows = [[int(table) for table in row] for row in plan["rows"]]
    return {"rows": rows, "wide": int(plan["wide"]), "turning": bool(plan["turning"])}
