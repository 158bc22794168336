"""The event file: one round's pairings as a spreadsheet saves them.

A sheet as ``csv_reader`` reads it. Lines that begin with ``#`` are settings of the round; they
come before the header, each at most once, in any order::

    # event: City League Milano
    # round: 1
    # format: p18 swiss bo3 constructed 50
    # rounds: 50 50 50 75
    # points: win 3, draw 1, loss 0
    # cut: 8
    # organiser: 1001
    # second: Bea Neri
    # judges: Ugo Blu, 1007
    # category: premier
    # pods: rochester 1001 1003 / 1002 1004
    # pack: pokemon-swiss
    table,number_a,name_a,number_b,name_b
    1,1001,Zoë Martin,1002,"O'Brien, Liam"
    ,1003,山田 太郎,,

``event`` and ``round`` are optional (default: the archive's event, round 1). ``format``: the system
(p18, d03, xw15, or an organiser's own), then swiss or elimination, bo1 or bo3, constructed or
limited (default: swiss, bo1, constructed), team, turns after time (+3, or +1/10 with a clock of 10
minutes) and the minutes. ``rounds``: the minutes of all rounds, announced before the event and
locked once it begins. ``points``: for win, narrow, draw and loss, where the rules do not define
them. ``cut``: the number of players in an announced elimination after the Swiss rounds.
``organiser``: the number of an organiser who plays; ``second``: the second organiser's name;
``judges``: their names, or their numbers if they play, with commas between them; ``category``:
informal, competitive or premier. ``pods``: how cards are drafted, and the players of
each pod by seat, clockwise; matches from this round on stay inside the pods. ``pack``: the event's
rule pack, by the name of one that comes along, or its file as seen from this one. Numbers identify
players and are text; the given name comes first in a name. A line without a ``b`` is a bye and
needs no table. Other columns are ignored. Seat a sits at ▲, b at ●. At most 5,000 pairings.
"""

import csv
import io
import itertools
import pathlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NoReturn

from host.archive.draft_pods import KINDS, Pods
from host.archive.people import same_name
from host.archive.roster import Format, Pairing, Player
from host.base import plain_text
from host.base.installation import quote
from host.base.sentences import Sentence, SentenceValue
from host.formats import csv_reader, player_numbers
from host.formats.csv_reader import SheetError as EventFileError
from host.formats.csv_reader import guard
from host.formats.history import History, with_numbers
from host.formats.round_format import EXAMPLE, parse_format, with_round, words_of
from host.systems import catalogue
from host.systems.rules import Catalogue
from host.systems.vocabulary import WORTH

CUT_SIZES = (2, 4, 8, 16, 32, 64)  # numbers of players with which an elimination may begin
COLUMNS = ("table", "number_a", "name_a", "number_b", "name_b")
PEOPLE = ("number", "name")  # the columns of a list of players (``people_file``)
_OTHER_PROGRAMS = {".tdf": ("TOM", f' --format "{EXAMPLE}"'), ".json": ("Cryodex", "")}  # by suffix
MOST_PAIRINGS = 5000
_MOST_NAME = 200
_MOST_NUMBER = 32
_MOST_PATH = 1000
_STAFF = ("organiser", "second", "category", "judges")
_NOTES = ("event", "round", "format", "rounds", "points", "cut", "pods", "pack", *_STAFF)
CATEGORIES = ("informal", "competitive", "premier")
_MOST_POINTS = 99


class PlayersAlone(EventFileError):
    """A sheet that lists players and has no pairings (``people_file``)."""


@dataclass(frozen=True)
class Staff:
    """Who organises and judges an event, and its category; empty if the file does not say.

    ``organiser``: a player's number; ``second``: a name; ``judges``: names or players' numbers.
    """

    organiser: str = ""
    second: str = ""
    category: str = ""
    judges: tuple[str, ...] = ()

    def with_numbers(self, new_numbers: Mapping[str, str]) -> "Staff":
        """Return the staff with other player numbers: ``new_numbers`` maps those that change."""
        judges = tuple(new_numbers.get(judge, judge) for judge in self.judges)
        return replace(
            self, organiser=new_numbers.get(self.organiser, self.organiser), judges=judges
        )


@dataclass(frozen=True)
class EventFile:
    """An event file as read; ``event`` is None if the file does not name it."""

    event: str | None
    round: int
    format: Format
    pairings: list[Pairing]
    lengths: tuple[int, ...] = ()  # minutes of all rounds, if the file announces them
    points: dict[str, int] | None = None  # those that the rules do not define
    cut: int | None = None  # players in the announced elimination
    pods: Pods | None = None  # of a draft, from this round on
    staff: Staff = Staff()
    pack: str | None = None  # the event's rule pack: a shipped one's word, or a path
    history: History | None = None  # earlier rounds, from another program's file
    remarks: tuple[Sentence, ...] = ()  # on how a draft was paired
    # the file's path, and the line of each player in it, by number
    path: str = field(default="", compare=False)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)
    numbered: bool = True  # False: its numbers are only places in its list of players

    @property
    def players(self) -> dict[str, Player]:
        """Every player who is paired in the file, in any round, by number."""
        rounds = [each.pairings for each in self.history.rounds] if self.history else []
        return {
            player.number: player
            for pairings in (*rounds, self.pairings)
            for pairing in pairings
            for player in (pairing.a, pairing.b)
            if player is not None
        }

    def with_numbers(self, new_numbers: Mapping[str, str]) -> "EventFile":
        """Return the file with other player numbers: ``new_numbers`` maps those that change."""
        pods = self.pods
        if pods is not None:
            circles = tuple(
                tuple(new_numbers.get(number, number) for number in circle)
                for circle in pods.circles
            )
            pods = replace(pods, circles=circles)
        return replace(
            self,
            pairings=with_numbers(self.pairings, new_numbers),
            history=self.history.with_numbers(new_numbers) if self.history else None,
            pods=pods,
            staff=self.staff.with_numbers(new_numbers),
        )


def read(
    path: str | pathlib.Path, systems: Catalogue | None = None, raw: bytes | None = None
) -> EventFile:
    """Return the EventFile at ``path``. Raises EventFileError.

    ``systems``: the catalogue that its format is looked up in; None: the built-in one. ``raw``: its
    bytes, None to read them at ``path``; a file that came as bytes can only name a shipped rule
    pack, as no other file came along.
    """
    path = pathlib.Path(path)
    sheet = _sheet(path, raw)
    reading = _Reading(path, systems or catalogue.built_in(), raw is not None)
    for reading.line, text in sheet.notes:  # refusals name this line
        reading.note(text)
    reading.line = sheet.header  # named if no pairing follows
    for reading.line, cells in sheet.rows:
        reading.pairing(cells)
    return reading.finish()


def _sheet(path: pathlib.Path, raw: bytes | None) -> csv_reader.Sheet:
    """Return the sheet at ``path``; a file of another kind is refused, naming the command that
    imports it.
    """
    other = _OTHER_PROGRAMS.get(path.suffix.casefold())
    if other:
        program, form = other
        step = f"plusthree import {quote(path)}{form} (then start serve without a file)"
        raise EventFileError(
            path,
            None,
            "this is a file of {program}; take it in with: {step}",
            program=program,
            step=step,
        )
    try:
        return csv_reader.read(path, COLUMNS, raw=raw)
    except csv_reader.ColumnMissing as missing:
        if not set(PEOPLE) <= set(missing.columns):
            raise
        step = f'plusthree pair round-1.csv --players {quote(path)} --format "{EXAMPLE}"'
        text = "this is a list of players; draft a round of them with: {step} --pack pokemon-swiss"
        raise PlayersAlone(path, None, text, step=step) from None


class _Reading:
    """The state while reading, with the checks that depend on earlier lines."""

    def __init__(self, path: pathlib.Path, systems: Catalogue, detached: bool):
        self.path, self.line, self.systems, self._detached = path, 0, systems, detached
        self.notes = {}  # the settings before the header, by the word before the colon
        self.pairings: list[tuple[int, int | None, Player, Player | None]] = []
        self.players: dict[str, tuple[str, int]] = {}  # bare number → the number and its line
        self.tables: dict[int, int] = {}

    def refuse(self, sentence: str, **values: SentenceValue) -> NoReturn:
        """Raise EventFileError for the current line."""
        raise EventFileError(self.path, self.line, sentence, **values)

    def finish(self) -> EventFile:
        """Return the EventFile after the last line. Raises EventFileError if it is incomplete."""
        if not self.pairings:
            self.refuse("has no pairings")
        if "format" not in self.notes:
            self.line = 1
            self.refuse("has no format line, such as: # format: p18 swiss bo3 constructed 50")
        number = self.notes.get("round", 1)
        pairings = [Pairing(number, *rest) for rest in self.pairings]
        form, notes = self.notes["format"], self.notes
        try:
            # the format was read with these systems
            form = with_round(form, number, catalogue.known(self.systems, form.system))
        except ValueError as mistake:
            self.refuse(mistake.args[0])
        return EventFile(
            notes.get("event"),
            number,
            form,
            pairings,
            notes.get("rounds", ()),
            notes.get("points"),
            notes.get("cut"),
            self._pods_of(notes.get("pods"), number),
            Staff(**{name: notes[name] for name in _STAFF if name in notes}),
            pack=notes.get("pack"),
            path=str(self.path),
            lines=dict(self.players.values()),
        )

    def note(self, text: str) -> None:
        """Read a setting; any other note is a comment. Raises EventFileError."""
        name, colon, value = text.lstrip("# ").partition(":")
        name, value = name.strip().casefold(), value.strip()
        if not colon or name not in _NOTES:
            return  # a comment
        if name in self.notes:
            self.refuse("says a second time what the {name} is", name=name)
        if not value:
            self.refuse("does not say what the {name} is", name=name)
        self.notes[name] = getattr(self, f"_{name}")(value)

    def _event(self, value):
        return self._clean(value, _MOST_NAME, Sentence("the event's name"))

    def _round(self, value):
        number = plain_text.whole_number(value) if value.isascii() else None
        if number is None or not 1 <= number <= 255:
            self.refuse("{value!r} is not a round: a number from 1 to 255", value=value)
        return number

    def _format(self, value):
        try:
            return parse_format(value, self.systems)
        except ValueError as mistake:
            self.refuse(mistake.args[0])

    def _rounds(self, value):
        minutes = [plain_text.whole_number(word) for word in value.replace(",", " ").split()]
        valid = [number for number in minutes if number is not None and 1 <= number <= 999]
        if len(valid) < len(minutes):
            self.refuse(
                "{value!r} are no rounds' minutes, such as: # rounds: 50 70 90 120", value=value
            )
        return tuple(valid)

    def _points(self, value):
        words = value.casefold().replace(",", " ").split()
        points = {}
        for word, text in itertools.zip_longest(words[::2], words[1::2], fillvalue=""):
            number = plain_text.whole_number(text)
            if word not in WORTH or word in points or number is None or number > _MOST_POINTS:
                self.refuse(
                    "{value!r} are no points, such as: # points: win 3, draw 1, loss 0", value=value
                )
            points[word] = number
        return points

    def _cut(self, value):
        if value not in map(str, CUT_SIZES):
            self.refuse(
                "{value!r} is no cut: one of {listed} players",
                value=value,
                listed=", ".join(map(str, CUT_SIZES)),
            )
        return int(value)

    def _pods(self, value):
        kind, _, numbers = " ".join(value.replace(",", " ").split()).partition(" ")
        if kind.casefold() not in KINDS:
            self.refuse("{kind!r} is no draft: one of {kinds}", kind=kind, kinds=", ".join(KINDS))
        circles = [tuple(circle.split()) for circle in numbers.split("/")]
        seated = [number for circle in circles for number in circle]
        if not all(circles) or len(set(seated)) < len(seated):
            self.refuse("every pod has players, and nobody sits in two")
        return kind.casefold(), tuple(circles)

    def _pods_of(self, draft, number):
        """Return the Pods. Refuses a player in no pod, and a match across pods."""
        if draft is None:
            return None
        kind, circles = draft
        pods = Pods(kind, number, circles)
        for _, table, a, b in self.pairings:
            if pods.of(a.number) is None:
                self._refuse_seats(table, a.number)
            if b is not None and pods.of(b.number) != pods.of(a.number):
                self._refuse_seats(table, Sentence("{a} and {b}", a=a.number, b=b.number))
        return pods

    def _refuse_seats(self, table: int | None, who: str) -> NoReturn:
        """Refuse a player in no pod, or two in different ones."""
        where = Sentence("table {table}", table=table) if table else Sentence("a bye")
        self.refuse("{where}: {lone} must sit in one pod, as # pods: says", where=where, lone=who)

    def _pack(self, value):
        value = self._clean(value, _MOST_PATH, Sentence("the rule pack"))
        path = pathlib.PurePath(value)
        if not path.suffix and len(path.parts) == 1:
            return value  # a pack that comes along
        if self._detached:
            self.refuse(
                "names the file of a rule pack, which is not here: name a pack that comes along"
            )
        return str(self.path.parent / value)

    def _organiser(self, value):
        return self._number(value)

    def _second(self, value):
        return self._clean(value, _MOST_NAME, Sentence("the second organiser's name"))

    def _judges(self, value):
        judges: list[str] = []
        for text in _split_names(value):
            name_or_number = player_numbers.read(self.path, self.line, text)
            judge = self._clean(name_or_number, _MOST_NAME, Sentence("a judge's name"))
            if any(same_name(judge, other) for other in judges):
                self.refuse("names the judge {judge} twice", judge=judge)
            judges.append(judge)
        if not judges:
            self.refuse(
                "{value!r} are no judges, such as: # judges: Ugo Blu, Bea Neri", value=value
            )
        return tuple(judges)

    def _category(self, value):
        if value.casefold() not in CATEGORIES:
            self.refuse(
                "{value!r} is no category: one of {categories}",
                value=value,
                categories=", ".join(CATEGORIES),
            )
        return value.casefold()

    def pairing(self, cell: dict[str, str]) -> None:
        """Read the cells of a pairing. Raises EventFileError."""
        if len(self.pairings) >= MOST_PAIRINGS:
            self.refuse("there are more than {most} pairings", most=MOST_PAIRINGS)
        pairing = len(self.pairings) + 1
        a = self._player(cell["number_a"], cell["name_a"])
        if cell["number_b"] or cell["name_b"]:
            b = self._player(cell["number_b"], cell["name_b"])
            self.pairings.append((pairing, self._table(cell["table"]), a, b))
            return
        if cell["table"]:
            self._table(cell["table"])  # a bye needs none, but must not name one that is taken
        self.pairings.append((pairing, None, a, None))

    def _number(self, text):
        number = player_numbers.read(self.path, self.line, text)
        return self._clean(number, _MOST_NUMBER, Sentence("the player number"))

    def _player(self, number, name):
        number = self._number(number)
        name = self._clean(name, _MOST_NAME, Sentence("the name"))
        if not number or not name:
            self.refuse("every player needs a number and a name")
        bare = player_numbers.bare(number)
        if bare in self.players:
            before, line = self.players[bare]
            zeros = "" if before == number else Sentence(", as {before}", before=before)
            self.refuse(
                "player {number} ({name}) is paired already in line {line}{zeros}",
                number=number,
                name=name,
                line=line,
                zeros=zeros,
            )
        self.players[bare] = number, self.line
        return Player(number, name)

    def _table(self, text):
        text = player_numbers.read(self.path, self.line, text)  # 1.0 where a cell above is empty
        table = plain_text.whole_number(text) if text.isascii() else None
        if table is None or not 1 <= table <= 65535:
            self.refuse("{text!r} is not a table number: from 1 to 65535", text=text)
        if table in self.tables:
            self.refuse(
                "table {table} is given already in line {line}",
                table=table,
                line=self.tables[table],
            )
        self.tables[table] = self.line
        return table

    def _clean(self, text, most, what):
        if len(text) > most:
            self.refuse("{what} is longer than {most} characters", what=what, most=most)
        return text


def _split_names(text: str) -> Iterator[str]:
    """Yield names and numbers separated by commas; numbers need no commas."""
    for part in text.replace(";", ",").split(","):
        words = part.split()
        if all(word.isdecimal() for word in words):
            yield from words
        else:
            yield " ".join(words)


def text_of(file: EventFile, systems: Catalogue | None = None) -> str:
    """Return the CSV of an EventFile, guarding cells that a spreadsheet could take for formulas.

    ``systems``: the event's catalogue; None: the built-in one.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    if file.event:
        writer.writerow([f"# event: {file.event}"])
    writer.writerow([f"# round: {file.round}"])
    writer.writerow([f"# format: {words_of(file.format, systems)}"])
    if file.pods:
        circles = " / ".join(" ".join(circle) for circle in file.pods.circles)
        writer.writerow([f"# pods: {file.pods.kind} {circles}"])
    if file.pack:
        writer.writerow([f"# pack: {file.pack}"])
    writer.writerow(COLUMNS)
    for pairing in file.pairings:
        a, b = pairing.a, pairing.b or Player("", "")
        cells = pairing.table, a.number, a.name, b.number, b.name
        writer.writerow([guard(cell) for cell in cells])
    return text.getvalue()
