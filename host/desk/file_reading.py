"""A file read while the desk runs: what it would change is shown first, and then that is taken.

Nothing is kept of a file that was only shown. What it changes is found by importing it in a
transaction, which is undone unless the person has agreed to just that: so what was shown is what is
taken, and where the archive has changed meanwhile it is shown again.
"""

import hashlib
import pathlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from firmware.core import intents
from host.archive import teams
from host.archive.people import ENTERED, LATE, People, same_name
from host.archive.roster import Format, Player
from host.archive.store import Archive
from host.archive.teams import Team
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import (
    beginning,
    event_import,
    event_name,
    file_changes,
    handed_lists,
    identities,
    paired_again,
    tom_copy,
)
from host.desk.event_import import Imported
from host.desk.file_changes import Change, EventState
from host.desk.handed_lists import HandedLists
from host.desk.station import Station
from host.event import event_plan, event_systems, squad_lists, team_lines
from host.event.fold import Hall
from host.formats import people_file, player_numbers
from host.formats.csv_reader import ColumnMissing, left_out
from host.formats.event_file import EventFile, PlayersAlone
from host.formats.import_file import ImportedFile
from host.formats.people_file import Person
from host.formats.round_format import words_of
from host.systems import catalogue
from host.systems.rules import Catalogue
from host.tournament import file_history


@dataclass(frozen=True)
class GivenFile:
    """A file as a person gives it: its name and its bytes."""

    name: str
    raw: bytes


@dataclass(frozen=True)
class Choices:
    """What a person decides where a file leaves it open.

    ``format``: what is played, None: as the last round; ``round`` and ``pod`` of the file, None:
    the open round, all pods; ``renamed``: numbers whose new names are right; ``same_event``: the
    file's other name means this event.
    """

    format: Format | None = None
    round: int | None = None
    pod: str | None = None
    renamed: tuple[str, ...] = ()
    same_event: bool = False


@dataclass(frozen=True)
class FileRead:
    """What a file changes: sentences by kind (``file_changes.KINDS``), and whether it was taken.

    ``digest`` stands for the file and all that was shown of it; ``round``: of the file, None for a
    list of players; ``orders``: ids of what tables are told; ``changed``: False where everything in
    the file is known already.
    """

    round: int | None
    changes: Mapping[str, list[Sentence]]
    digest: str
    taken: bool = False
    changed: bool = True
    orders: tuple[int, ...] = ()


class Question(UserError):
    """What only a person knows: whether a number was ``renamed``, or another name means this
    event.
    """

    def __init__(self, asked: Sentence, renamed: str = ""):
        super().__init__(asked)
        self._renamed = renamed

    def answered(self, choices: Choices) -> Choices:
        """Return the Choices with the answer yes."""
        if self._renamed:
            return replace(choices, renamed=(*choices.renamed, self._renamed))
        return replace(choices, same_event=True)


class _NotTaken(Exception):
    """Undoes the transaction in which a file was tried; ``found`` is what it came to."""

    def __init__(self, found: FileRead):
        super().__init__()
        self.found = found


def read(
    station: Station,
    given: GivenFile,
    choices: Choices,
    agreed: str | None,
    author: str,
    unix_ms: int,
    take: bool = False,
) -> FileRead:
    """Return what a file changes, and take it if ``agreed`` is the digest of just that, or for
    ``take`` whatever it changes.

    Raises UserError for a file that cannot be taken, and Question where a person must decide.
    """
    archive, reading = station.archive, _Reading(station, given, choices, author, unix_ms)
    try:
        with archive.transaction():
            found = reading.tried()
            if not found.changed or not take and found.digest != agreed:
                raise _NotTaken(found)
    except _NotTaken as undone:
        if not undone.found.changed:
            reading.keep_toms()
        return replace(undone.found, orders=())
    station.refresh()
    reading.keep_toms()
    return replace(found, taken=True)


class _Reading:
    """One file while it is read."""

    def __init__(self, station, given, choices, author, unix_ms):
        if station.archive.roster.event is None:
            raise UserError("there is no event yet: begin one, then read its file")
        self._station, self._archive, self._given = station, station.archive, given
        self._choices, self._author, self._unix_ms = choices, author, unix_ms
        self._systems = event_systems.of(station.archive)
        self._path = pathlib.Path(given.name)
        self._incoming: ImportedFile | None = None
        self._handed: HandedLists | None = None
        self._people: list[Person] | None = None
        try:
            self._incoming = ImportedFile(self._path, self._systems, given.raw)
        except (PlayersAlone, ColumnMissing) as other:
            self._handed = handed_lists.read(self._path, given.raw)
            if self._handed is not None:
                self._require_fitting(self._handed)
                self._people = [*map(_as_person, self._handed.teams)]
            elif isinstance(other, PlayersAlone):
                self._people = people_file.read(self._path, given.raw)
            else:
                raise
        else:
            if not self._incoming.paired and not station.archive.roster.rounds:
                self._people = people_file.read(self._path, given.raw)

    def tried(self) -> FileRead:
        """Import the file inside a transaction; return what that changed."""
        before = EventState.of(self._archive)
        if self._people is not None or self._incoming is None:
            return self._listed(self._people or [], before)
        last = event_plan.last_format(self._archive)
        file, usual = chosen(self._incoming, self._choices, last, self._systems)
        self._require_this_event(file)
        file = replace(file, event=None)
        orders = self._follow(file)
        imported = self._imported(file)
        changes = [*self._changes(file, imported, before)]
        notes = [*_usual(usual), *self._left_out(), *remarks(self._archive, file, imported.round)]
        return self._found(imported.round, changes, notes, imported.changed or bool(orders), orders)

    def keep_toms(self) -> None:
        """Keep TOM's file, to be filled in."""
        if self._is_toms:
            name, raw = self._given.name, self._given.raw
            tom_copy.keep(self._archive, name, raw, self._author, self._unix_ms)

    def _require_this_event(self, file: EventFile) -> None:
        """Raise UserError for a file of another event, and Question where it may be this one."""
        if self._choices.same_event or not file.event:
            return
        if event_name.is_of(self._archive, file.event):
            return
        here = self._archive.roster.current_event.name
        values = {"theirs": file.event, "ours": here, "file": self._given.name}
        known = self._archive.roster.players
        who = identities.numbers_here(self._archive, file)
        if known and not any(who.get(one, one) in known for one in file.players):
            raise UserError(
                "{file} is of the event {theirs}, and nobody in it plays in {ours}: choose the file"
                " of {ours}",
                **values,
            )
        said = "{file} is of the event {theirs}. Is that this event, {ours}?"
        raise Question(Sentence(said, **values))

    def _follow(self, file: EventFile) -> list[int]:
        """Have a published round's tables follow the file while nobody has played."""
        if file.round not in self._archive.roster.rounds:
            return []
        if not paired_again.may_follow(self._station, file.round):
            return []
        here = file.with_numbers(identities.numbers_here(self._archive, file))
        return paired_again.follow(
            self._station, file.round, here.pairings, self._author, self._unix_ms
        )

    def _imported(self, file: EventFile) -> Imported:
        try:
            return event_import.import_file(
                self._archive, file, self._unix_ms, systems=self._systems,
                renamed=self._choices.renamed, author=self._author, reader=self._author,
            )  # fmt: skip
        except identities.OtherName as other:
            raise _one_person(other.number, other.before, other.after) from None

    def _changes(self, file, imported, before):
        after = EventState.of(self._archive)
        for said in imported.less:
            yield Change(file_changes.LESS, said)
        for said in later(self._archive, imported.round) if file.history else ():
            yield Change(file_changes.LESS, said)
        for said in imported.names:
            yield Change(file_changes.NAMES, said)
        yield from file_changes.between(self._archive, before, after)
        if file.history is not None:
            history = file.history.with_numbers(identities.numbers_here(self._archive, file))
            yield from file_changes.results(self._station.hall, history, before, after)
        for said in imported.tables:
            yield Change(file_changes.NOTES, said)

    def _require_fitting(self, handed: HandedLists) -> None:
        """Raise UserError for teams or squads where none play."""
        form = event_plan.last_format(self._archive)
        rules = catalogue.numbered(self._systems, form.system)[1] if form else None
        if form is None or rules is None:
            return
        if handed.teams and not team_lines.plays_teams(form):
            said = "{file} lists teams, and this event is not played by teams (D03 241)"
            raise UserError(said, file=self._given.name)
        if handed.squads is not None and not rules.CAPS:
            said = "{file} lists X-Wing squads, and this event is none of Escalation"
            raise UserError(said, file=self._given.name)

    def _listed(self, people: list[Person], before: EventState) -> FileRead:
        """Take a list: of players who may not be here yet, of teams or of squads."""
        changes, notes = self._entered(people, before), self._left_out()
        if self._handed is not None:
            more, remarks = self._kept(self._handed)
            changes, notes = changes + more, notes + remarks
        return self._found(None, changes, notes, bool(changes), [])

    def _kept(self, handed: HandedLists) -> tuple[list[Change], list[Sentence]]:
        """Keep teams or squads; return what that changes, and remarks."""
        archive, terms = self._archive, (self._author, self._unix_ms)
        known, flown = teams.of(archive), squad_lists.of(archive)
        if handed.squads is not None:
            remarks = handed_lists.keep_squads(archive, handed.squads, *terms)
            return [*file_changes.squads(archive, flown)], remarks
        try:
            renamed = self._choices.renamed
            remarks = handed_lists.keep_teams(archive, handed.teams, *terms, renamed)
        except teams.OtherName as other:
            raise _one_person(other.number, other.before, other.after) from None
        return [*file_changes.teams(archive, known)], remarks

    def _entered(self, people: list[Person], before: EventState) -> list[Change]:
        """Enter the players of a list who are not here yet."""
        known = {player_numbers.bare(one): player for one, player in before.players.items()}
        late = self._archive.orders.last_round(intents.SET_ROUND) is not None
        log, names = People(self._archive), list[Sentence]()
        for one in people:
            here = known.get(player_numbers.bare(one.player.number))
            if here is None:
                word = LATE if late else ENTERED
                log.add(one.player, word, self._author, self._unix_ms, self._given.name)
            elif here.name != one.player.name:
                names.append(self._renamed(log, here, one.player))
        after = EventState.of(self._archive)
        beginning.keep_parties(self._archive, people, self._author, self._unix_ms)
        changes = [Change(file_changes.NAMES, one) for one in names]
        return [*changes, *file_changes.between(self._archive, before, after)]

    def _renamed(self, log: People, here: Player, there: Player) -> Sentence:
        if here.number not in self._choices.renamed and not same_name(here.name, there.name):
            raise _one_person(here.number, here.name, there.name)
        log.rename(here.number, there.name, self._author, self._unix_ms)
        values = {"number": here.number, "before": here.name, "after": there.name}
        return Sentence("player {number} is {after} now, instead of {before}", **values)

    @property
    def _is_toms(self) -> bool:
        return self._incoming is not None and self._incoming.of_tom

    def _left_out(self) -> list[Sentence]:
        return [] if self._is_toms else left_out(self._path, self._given.raw)

    def _found(self, number, changes, notes, changed, orders) -> FileRead:
        changes = changes + [Change(file_changes.NOTES, one) for one in notes]
        groups = file_changes.grouped(changes)
        if changed and not any(one.kind != file_changes.NOTES for one in changes):
            said = Sentence("everything in the file is known here already; that it says so is new")
            groups[file_changes.NOTES] = [said, *groups.get(file_changes.NOTES, [])]
        digest = hashlib.sha256(self._given.raw)
        for one in changes:
            digest.update(f"\0{one.kind}\0{one.said}".encode())
        return FileRead(number, groups, digest.hexdigest(), False, changed, tuple(orders))


def _as_person(team: Team) -> Person:
    return Person(Player(team.number, team.name), frozenset())


def _one_person(number: str, before: str, after: str) -> Question:
    said = (
        "Number {number} is {before} here, and the file has {after} for it. Is that one person,"
        " whose name was corrected?"
    )
    return Question(Sentence(said, number=number, before=before, after=after), number)


def _usual(words: str) -> list[Sentence]:
    said = 'nothing says what is played, so it is "{words}"'
    return [Sentence(said, words=words)] if words else []


def chosen(
    incoming: ImportedFile, choices: Choices, last: Format | None, systems: Catalogue | None
) -> tuple[EventFile, str]:
    """Return the round that is read of a file, and its format in words where nothing says what is
    played, so that the usual one was taken.

    ``last``: the format of the event's last round, for a file that states none. Raises UserError.
    """
    form = choices.format or (last if incoming.formless else None)
    usual = incoming.proposed(choices.round) if form is None else None
    told = choices.format is not None or usual is not None
    file = incoming.event_file(form or usual, choices.round, choices.pod, told)
    return file, words_of(usual, systems) if usual else ""


def remarks(archive: Archive, file: EventFile, number: int) -> list[Sentence]:
    """Return remarks on the round that a file brought, and on what was not read of the file."""
    unread = file.history.remarks if file.history else ()
    return [*event_import.remarks(archive, number), *unread]


def differences(archive: Archive, hall: Hall, file: EventFile) -> list[Sentence]:
    """Return where an imported file and the archive say different things."""
    if file.history is None:
        return []
    history = file.history.with_numbers(identities.numbers_here(archive, file))
    return [*file_history.differences(archive, hall, history)]


def later(archive: Archive, number: int) -> list[Sentence]:
    """Return a sentence on a round here that comes after the file's newest one."""
    last = archive.roster.rounds[-1]
    if last <= number:
        return []
    said = (
        "round {later} is stored here, and the file was read up to round {number}: if it is an"
        " older copy, import the newest one; if round {later} was taken back, discard its draft"
        " at the desk (Rounds)"
    )
    return [Sentence(said, later=last, number=number)]
