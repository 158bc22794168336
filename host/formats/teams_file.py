"""Reads the teams of an event from a spreadsheet, one line per team (D03 241).

A sheet (``csv_reader``): ``number,name,affiliation,city,number_a,name_a,number_b,name_b``. The
affiliation may be empty; other columns are ignored.
"""

import pathlib
from collections import Counter

from host.archive.roster import Player
from host.archive.teams import Team, require_one_team_each
from host.base.errors import UserError
from host.formats import csv_reader, player_numbers
from host.formats.csv_reader import SheetError

COLUMNS = ("number", "name", "affiliation", "city", "number_a", "name_a", "number_b", "name_b")
_MAY_BE_EMPTY = "affiliation"
_MOST_TEAMS, _LONGEST = 5000, 200


def read(path: str | pathlib.Path, raw: bytes | None = None) -> list[Team]:
    """Return the Teams at ``path``; ``raw``: its bytes, None to read them there.

    Raises SheetError.
    """
    path = pathlib.Path(path)
    rows = csv_reader.read(path, COLUMNS, raw=raw).rows
    teams = [_team(path, line, cell) for line, cell in rows]
    names = Counter(team.name.casefold() for team in teams)
    for team in teams:
        if names[team.name.casefold()] > 1:
            raise SheetError(path, None, "two teams are called {name!r}", name=team.name)
    numbers = Counter(player_numbers.bare(team.number) for team in teams)
    for team in teams:
        if numbers[player_numbers.bare(team.number)] > 1:
            raise SheetError(path, None, "two teams have the number {number}", number=team.number)
    try:
        require_one_team_each(teams)
    except UserError as fault:
        raise SheetError(path, None, fault.sentence) from None
    if not 0 < len(teams) <= _MOST_TEAMS:
        text = "holds {count} teams: from 1 to {most}"
        raise SheetError(path, None, text, count=len(teams), most=_MOST_TEAMS)
    return teams


def _team(path, line, cell):
    for name, text in cell.items():
        if len(text) > _LONGEST or (not text and name != _MAY_BE_EMPTY):
            raise SheetError(path, line, "{column} is empty, or far too long", column=name)
    number, number_a, number_b = (
        player_numbers.read(path, line, cell[name]) for name in ("number", "number_a", "number_b")
    )
    if player_numbers.bare(number_a) == player_numbers.bare(number_b):
        raise SheetError(path, line, "a team has two members")
    a, b = Player(number_a, cell["name_a"]), Player(number_b, cell["name_b"])
    return Team(number, cell["name"], cell["affiliation"], cell["city"], a, b)
