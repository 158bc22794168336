"""Reads a list of players as people have it: typed line by line, or pasted from a spreadsheet.

Cells are separated by tabs, semicolons or commas. If the first line names columns (number, name,
first name, last name, family, travel, in English and Italian), it counts as a header; notes above
it and columns of other names are ignored. Without a header there may be a number, and a name in one
column or two; more columns are refused, because their meaning is unknown. A line without columns is
a name, with or without a number before or after it. Numbers may be missing. A sheet of teams
(``teams_file``) is read with their members.
"""

import csv
import pathlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from host.archive.roster import Player
from host.archive.teams import Team
from host.base import plain_text
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.formats import csv_reader, player_numbers, teams_file
from host.formats.csv_reader import SheetError, unguard
from host.formats.people_file import MOST_NAME, MOST_NUMBER, MOST_PEOPLE, Person, parties_of

NUMBER, NAME, FIRST, LAST = "number", "name", "first name", "last name"
_HEADS = {  # a column, and the names that it has in lists
    NUMBER: "number no nr n num id playerid popid playernumber dcinumber numero numerogiocatore"
    " tessera idgiocatore codice",
    NAME: "name player playername fullname giocatore nominativo nomeecognome cognomeenome"
    " nomecognome cognomenome",
    FIRST: "firstname givenname first given forename nome",
    LAST: "lastname surname familyname last cognome",
    "family": "family famiglia",
    "travel": "travel viaggio",
}  # fmt: skip
_COLUMN_OF = {word: column for column, words in _HEADS.items() for word in words.split()}
_DELIMITERS = "\t", ";", ","
_NUMBERED = re.compile(
    r"(?P<before>#?\d\S*?)[.):]?\s+(?P<name_after>\D.*)"
    r"|(?P<name_before>\D.*?)\s+\(?(?P<after>#?\d+)\)?"
)
_MOST_FAULTS = 5


@dataclass(frozen=True)
class PlayerList:
    """The people of a list, "" for a missing number, and the names of the ignored columns. If the
    people are teams, ``teams`` has them with their members.
    """

    people: list[Person]
    left_out: tuple[str, ...] = ()
    teams: tuple[Team, ...] = ()


def read(text: str) -> PlayerList:
    """Return the PlayerList of a text. Raises UserError if any line has a fault."""
    fault = plain_text.fault(text)
    if fault:
        line = text.count("\n", 0, fault.position) + 1
        raise UserError("line {line}: {why}", line=line, why=fault.sentence)
    lines = enumerate(plain_text.clean(text).splitlines(), 1)
    rows = _rows(_without_notes([(number, line) for number, line in lines if line.strip()]))
    _, heads = rows[0] if rows else (0, [])
    if len(rows) > 1 and {*teams_file.COLUMNS} <= {head.casefold() for head in heads}:
        return _in_teams(text, heads)
    columns = _columns(heads)
    left_out: tuple[str, ...] = ()
    if columns is None:
        columns = _guess_columns(rows)
    else:
        rows = rows[1:]
        pairs = zip(heads, columns, strict=True)
        left_out = tuple(head for head, column in pairs if not column and head)
    reading = _Reading(columns)
    for line, cells in rows:
        reading.read_line(line, cells)
    reading.require_players()
    return PlayerList(reading.people, left_out)


def _in_teams(text: str, heads: Sequence[str]) -> PlayerList:
    """Return the PlayerList of a sheet of teams. Raises UserError."""
    try:
        teams = teams_file.read(pathlib.Path(), text.encode())
    except SheetError as fault:
        text = "nothing is taken: {faults}"
        if fault.line is None:
            raise UserError(text, faults=fault.why) from None
        why = Sentence("line {line}: {why}", line=fault.line, why=fault.why)
        raise UserError(text, faults=why) from None
    people = [Person(Player(team.number, team.name), frozenset()) for team in teams]
    left_out = [head for head in heads if head and head.casefold() not in teams_file.COLUMNS]
    return PlayerList(people, tuple(left_out), tuple(teams))


def _without_notes(lines: Sequence[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    """Return the lines without those that a spreadsheet's file has above its header: Excel's
    separator, and notes with ``#``. Without a header a number may begin with ``#``.
    """
    texts = [line for _, line in lines]
    if texts and csv_reader.is_separator(texts[0]):
        lines = lines[1:]
    for index, (_, line) in enumerate(lines):
        if not line.lstrip('" \t').startswith("#"):
            below = lines[index:]
            return below if _has_header(below) else lines
    return lines


def _has_header(lines: Sequence[tuple[int, str]]) -> bool:
    """Whether the first line names columns, of players or of teams."""
    _, heads = _rows(lines)[0]
    of_teams = {*teams_file.COLUMNS} <= {head.casefold() for head in heads}
    return of_teams or _columns(heads) is not None


def _rows(lines: Sequence[tuple[int, str]]) -> list[tuple[int, list[str]]]:
    """Return the cells of each line, with its number."""
    text = "\n".join(line for _, line in lines)
    delimiter = next((each for each in _DELIMITERS if each in text), None)
    if delimiter is None or (delimiter == "," and _are_names(lines)):
        return [(number, _number_and_name(line)) for number, line in lines]
    rows = []
    for number, line in lines:
        reader = csv.reader([line], delimiter=delimiter, skipinitialspace=True, strict=True)
        try:
            cells = next(reader)
        except csv.Error:
            message = "line {line}: a quotation mark is open: close it, or leave it out"
            raise UserError(message, line=number) from None
        rows.append((number, [unguard(" ".join(cell.split())) for cell in cells]))
    return rows


def _are_names(lines: Sequence[tuple[int, str]]) -> bool:
    """Whether the commas of all lines only separate surnames and given names."""
    rows = [[cell.strip() for cell in line.split(",")] for _, line in lines]
    if _columns(rows[0]) is not None:
        return False  # a header
    return all(len(row) <= 2 and not any(map(_is_number, row)) for row in rows)


def _number_and_name(line: str) -> list[str]:
    """Return the number, "" for none, and the name of a line without columns; the given name comes
    first.
    """
    line = " ".join(line.split())
    if _is_number(line):
        return [line, ""]
    match = _NUMBERED.fullmatch(line)
    number, name = "", line
    if match:
        number = match["before"] or match["after"]
        name = match["name_after"] or match["name_before"]
    surname, comma, given = name.partition(",")
    return [number, f"{given.strip()} {surname}" if comma else name]


def _columns(cells: Sequence[str]) -> list[str] | None:
    """Return the column that each cell of a header names, "" for one of another name; None for a
    line that is no header.
    """
    columns = [_COLUMN_OF.get(_key(cell), "") for cell in cells]
    # Italian: "nome" alone is the whole name
    if FIRST in columns and LAST not in columns and NAME not in columns:
        columns[columns.index(FIRST)] = NAME
    has_name = NAME in columns or LAST in columns
    if not has_name or any(map(_is_number, cells)):
        return None
    repeated = next((column for column in columns if column and columns.count(column) > 1), None)
    if repeated:
        raise UserError(
            "two columns are called {name}: delete one, and paste the list again",
            name=Sentence(repeated),
        )
    return columns


def _key(cell: str) -> str:
    """Return a column's name without accents, capitals and signs."""
    plain = unicodedata.normalize("NFKD", cell).casefold()
    return "".join(char for char in plain if char.isalnum() and char.isascii())


def _guess_columns(rows: Sequence[tuple[int, Sequence[str]]]) -> list[str]:
    """Return the columns of a list without a header. Raises UserError if they are ambiguous."""
    width = max((len(cells) for _, cells in rows), default=0)
    filled = [index for index in range(width) if _cells_at(rows, index)]
    numbers = [index for index in filled if _mostly_numbers(_cells_at(rows, index))]
    texts = [index for index in filled if index not in numbers]
    if filled and (len(numbers) > 1 or not 1 <= len(texts) <= 2):
        raise UserError(
            "nobody can tell which of the {count} columns is the name: put a line above the list"
            " that says it (number, name), or paste those columns alone",
            count=len(filled),
        )
    columns = dict.fromkeys(numbers, NUMBER)
    if len(texts) == 2:
        columns[texts[0]], columns[texts[1]] = FIRST, LAST
    elif texts:
        columns[texts[0]] = NAME
    return [columns.get(index, "") for index in range(width)]


def _cells_at(rows: Sequence[tuple[int, Sequence[str]]], index: int) -> list[str]:
    """Return the cells of a column that are not empty."""
    return [cells[index] for _, cells in rows if index < len(cells) and cells[index]]


def _mostly_numbers(cells: Sequence[str]) -> bool:
    return 2 * sum(map(_is_number, cells)) > len(cells)


def _is_number(cell: str) -> bool:
    """Whether a cell is a word of at least half digits: a number, perhaps with letters."""
    chars = [char for char in cell if char.isalnum()]
    digits = sum(char.isdecimal() for char in chars)
    is_word = len(cell.split()) == 1
    return is_word and bool(chars) and 2 * digits >= len(chars)


class _Reading:
    """The people read so far, and the faults."""

    def __init__(self, columns: Sequence[str]):
        self._columns = columns
        self.people: list[Person] = []
        self._lines: dict[str, int] = {}  # of each number
        self._faults: list[Sentence] = []

    def read_line(self, line: int, cells: Sequence[str]) -> None:
        """Read a line's cells, or record its fault."""
        try:
            self.people.append(self._person(line, cells))
        except ValueError as mistake:
            reason = mistake.args[0]
            self._faults.append(Sentence("line {line}: {why}", line=line, why=reason))

    def require_players(self) -> None:
        """Raise UserError if a line has a fault, or if there are no players or too many."""
        if len(self.people) > MOST_PEOPLE:
            raise UserError("a list has at most {most} players", most=MOST_PEOPLE)
        if not self._faults and not self.people:
            raise UserError("there is no player in this list: a line for each")
        if not self._faults:
            return
        if len(self._faults) == 1:
            raise UserError("nothing is taken: {faults}", faults=_join(self._faults))
        raise UserError(
            "nothing is taken, {count} lines need a look: {faults}",
            count=len(self._faults), faults=_join(self._faults[:_MOST_FAULTS]),
        )  # fmt: skip

    def _person(self, line: int, cells: Sequence[str]) -> Person:
        """Return a line's Person. Raises ValueError, with a Sentence."""
        width = len(self._columns)
        if any(cells[width:]):
            raise ValueError(Sentence("{cell!r} stands in no column", cell=cells[width]))
        values = dict(zip(self._columns, cells, strict=False))
        name = values.get(NAME) or " ".join(filter(None, (values.get(FIRST), values.get(LAST))))
        number = player_numbers.restore(values.get(NUMBER, ""))
        if not name:
            raise ValueError(Sentence("a player has no name here: type it, or delete the line"))
        if len(name) > MOST_NAME or len(number) > MOST_NUMBER:
            raise ValueError(Sentence("a number or a name is far too long"))
        bare = player_numbers.bare(number)
        if bare and bare in self._lines:
            text = "number {number} stands in line {before} already: give one of them another"
            raise ValueError(Sentence(text, number=number, before=self._lines[bare]))
        self._lines[bare] = line
        return Person(Player(number, name), parties_of(values))


def _join(faults: Iterable[Sentence]) -> Sentence:
    """Return faults as a part of a sentence."""
    joined, *rest = faults
    for fault in rest:
        joined = Sentence("{one}; {more}", one=joined, more=fault)
    return joined
