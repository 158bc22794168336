"""The teams of an event as a spreadsheet saves them, read: a line each (D03 241).

UTF-8 CSV: ``number,name,affiliation,city,number_a,name_a,number_b,name_b``. The affiliation may be
empty; other columns are ignored.
"""

import csv
import pathlib

from host.archive.roster import Player
from host.archive.teams import Team
from host.formats.csv_reader import SheetError, rows_of, text_of

COLUMNS = ("number", "name", "affiliation", "city", "number_a", "name_a", "number_b", "name_b")
_MAY_BE_EMPTY = "affiliation"
_MOST_TEAMS, _LONGEST = 5000, 200


def read(path: str | pathlib.Path) -> list[Team]:
    """Return the Teams at ``path``; raises SheetError."""
    path = pathlib.Path(path)
    rows, found = rows_of(text_of(path)), []
    try:
        _, head = next(rows, (1, []))
        places = _places(path, [cell.casefold() for cell in head])
        for line, cells in rows:
            found.append(_team(path, line, places, cells))
    except csv.Error as failure:
        raise SheetError(path, None, f"is not CSV: {failure}") from None
    names = [one.name.casefold() for one in found]
    twice = next((one for one in found if names.count(one.name.casefold()) > 1), None)
    if twice is not None:
        raise SheetError(path, None, f"two teams are called {twice.name!r}")
    if not 0 < len(found) <= _MOST_TEAMS:
        raise SheetError(path, None, f"holds {len(found)} teams: from 1 to {_MOST_TEAMS}")
    return found


def _places(path, head):
    for name in COLUMNS:
        if head.count(name) != 1:
            raise SheetError(path, 1, f"needs one column {name!r}: {','.join(COLUMNS)}")
    return [head.index(name) for name in COLUMNS]


def _team(path, line, places, cells):
    told = [" ".join(cells[at].split()) if at < len(cells) else "" for at in places]
    for name, text in zip(COLUMNS, told, strict=True):
        if len(text) > _LONGEST or not text and name != _MAY_BE_EMPTY:
            raise SheetError(path, line, f"{name} is empty, or far too long")
    number, name, affiliation, city, number_a, name_a, number_b, name_b = told
    if number_a == number_b:
        raise SheetError(path, line, "a team has two members")
    return Team(number, name, affiliation, city, Player(number_a, name_a), Player(number_b, name_b))
