"""Reads the players of an event before round 1, from CSV or from TOM's or Cryodex's file.

A sheet (``csv_reader``) with ``number,name,family,travel``. ``family`` and ``travel`` are optional;
players with the same entry there are not paired in round 1 if the rules ask for it (XW15
Abbinamenti). Other columns are ignored.
"""

import pathlib
from collections.abc import Mapping
from dataclasses import dataclass

from host.archive.roster import Player
from host.base.installation import quote
from host.base.sentences import Sentence
from host.formats import cryodex, csv_reader, event_file, player_numbers, tom_file
from host.formats.csv_reader import SheetError

NEEDED = event_file.PEOPLE
PARTIES = ("family", "travel")
MOST_PEOPLE = 10_000
MOST_NUMBER, MOST_NAME = 32, 200


@dataclass(frozen=True)
class Person:
    """A player, with the families and travel groups of that player."""

    player: Player
    parties: frozenset[str]


def read(path: str | pathlib.Path, raw: bytes | None = None) -> list[Person]:
    """Return the Persons in the file at ``path``, in its order; ``raw``: its bytes, None to read
    them there. Raises SheetError.
    """
    path = pathlib.Path(path)
    match path.suffix.casefold():
        case ".tdf":
            people = _of_tom(path, raw)
        case ".json":
            numbers = cryodex.read(path, raw).numbers
            people = [Person(Player(number, name), frozenset()) for name, number in numbers.items()]
        case _:
            people = _of_sheet(path, raw)
    if not 2 <= len(people) <= MOST_PEOPLE:
        one = "names one player: from 2 to {most} can be paired"
        several = "names {count} players: from 2 to {most} can be paired"
        counted = Sentence.counted(one, several, count=len(people), most=MOST_PEOPLE)
        raise SheetError(path, None, counted)
    return people


def _of_sheet(path: pathlib.Path, raw: bytes | None) -> list[Person]:
    """Return the Persons in a sheet. Raises SheetError, also for a number that is there twice."""
    people: list[Person] = []
    lines: dict[str, int] = {}
    for line, cell in _sheet(path, raw).rows:
        person = _person(path, line, cell)
        bare = player_numbers.bare(person.player.number)
        if bare in lines:
            text = "player {number} is there already in line {before}"
            raise SheetError(path, line, text, number=person.player.number, before=lines[bare])
        lines[bare] = line
        people.append(person)
    return people


def _sheet(path: pathlib.Path, raw: bytes | None) -> csv_reader.Sheet:
    """Return the sheet at ``path``; an event file is refused, naming the command that imports
    it.
    """
    try:
        return csv_reader.read(path, NEEDED, PARTIES, raw)
    except csv_reader.ColumnMissing as missing:
        if not set(event_file.COLUMNS) <= set(missing.columns):
            raise
        step = f"plusthree import {quote(path)}"
        text = "this is an event file, which has its pairings; take it in with: {step}"
        raise SheetError(path, None, text, step=step) from None


def _of_tom(path: pathlib.Path, raw: bytes | None) -> list[Person]:
    """Return the players of TOM's file who have not dropped."""
    staying = [
        player for player in tom_file.read(path, raw).players.values() if player.dropped is None
    ]
    return [Person(Player(player.number, player.name), frozenset()) for player in staying]


def _person(path, line, cell):
    number, name = player_numbers.read(path, line, cell["number"]), cell["name"]
    if not number or not name:
        raise SheetError(path, line, "every player needs a number and a name")
    if len(number) > MOST_NUMBER or len(name) > MOST_NAME:
        raise SheetError(path, line, "a number or a name is far too long")
    return Person(Player(number, name), parties_of(cell))


def parties_of(cell: Mapping[str, str]) -> frozenset[str]:
    """Return the families and travel groups in a line's cells, by column."""
    return frozenset(f"{word} {cell[word]}" for word in PARTIES if cell.get(word))
