"""Imports a file while the desk runs, after showing its effects.

The effects are found by importing the file in a transaction, which is rolled back unless the person
has agreed to exactly these effects. So exactly the shown effects are stored; if the archive has
changed meanwhile, the new effects are shown for another decision. A file that was only shown leaves
nothing behind.
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
from host.formats.csv_reader import ColumnMissing, removal_notice
from host.formats.event_file import EventFile, PlayersAlone
from host.formats.import_file import ImportedFile
from host.formats.people_file import Person
from host.formats.round_format import words_of
from host.systems import catalogue
from host.systems.rules import Catalogue
from host.tournament import file_history


@dataclass(frozen=True)
class GivenFile:
    """A file from a person: its name and its bytes."""

    name: str
    raw: bytes


@dataclass(frozen=True)
class Choices:
    """A person's decisions on questions that a file leaves open.

    ``format``: None means that of the last round; ``round`` and ``pod`` of the file: None means the
    open round and all pods; ``renamed``: numbers whose new names are confirmed; ``same_event``: the
    file's other event name means this event.
    """

    format: Format | None = None
    round: int | None = None
    pod: str | None = None
    renamed: tuple[str, ...] = ()
    same_event: bool = False


@dataclass(frozen=True)
class FileRead:
    """A file's effects, as sentences by kind (``file_changes.KINDS``), and whether it was imported.

    ``digest`` identifies the file with these effects; ``round``: the file's round, None for a list
    of players; ``taken``: imported; ``orders``: ids of the orders to tables; ``changed``: False if
    the archive has everything in the file already.
    """

    round: int | None
    changes: Mapping[str, list[Sentence]]
    digest: str
    taken: bool = False
    changed: bool = True
    orders: tuple[int, ...] = ()


class Question(UserError):
    """A question that only a person can answer: whether the number ``renamed`` has a new name, or
    without one whether the file's event is this event.
    """

    def __init__(self, asked: Sentence, renamed: str = ""):
        super().__init__(asked)
        self._renamed = renamed

    def answered(self, choices: Choices) -> Choices:
        """Return ``choices`` after the answer yes."""
        if self._renamed:
            return replace(choices, renamed=(*choices.renamed, self._renamed))
        return replace(choices, same_event=True)


class _NotTaken(Exception):
    """Rolls back the transaction in which a file was tried; ``found``: its effects."""

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
    """Return a file's effects, and import it if ``agreed`` is the digest of exactly these; with
    ``take`` import it in any case.

    Raises UserError for a file that cannot be imported, and Question if a person must decide.
    """
    archive, reading = station.archive, _Reading(station, given, choices, author, unix_ms)
    try:
        with archive.transaction():
            found = reading.try_import()
            confirmed = take or found.digest == agreed
            if not found.changed or not confirmed:
                raise _NotTaken(found)  # so that the transaction is undone
    except _NotTaken as undone:
        if not undone.found.changed:
            reading.store_tom_copy()
        return replace(undone.found, orders=())
    station.refresh()
    reading.store_tom_copy()
    return replace(found, taken=True)


class _Reading:
    """A file while it is read."""

    def __init__(self, station, given, choices, author, unix_ms):
        if station.archive.roster.event is None:
            raise UserError("there is no event yet: begin one, then read its file")
        self._station, self._archive, self._given = station, station.archive, given
        self._choices, self._author, self._unix_ms = choices, author, unix_ms
        self._systems = event_systems.of(station.archive)
        self._path = pathlib.Path(given.name)
        self._incoming: ImportedFile | None = None  # a file with rounds, or of another program
        self._handed: HandedLists | None = None  # a sheet of teams or squads
        self._people: list[Person] | None = None  # a list of players or teams
        try:
            self._incoming = ImportedFile(self._path, self._systems, given.raw)
        except (PlayersAlone, ColumnMissing) as no_round:
            self._read_list(no_round)
        else:
            if not self._incoming.paired and not station.archive.roster.rounds:
                self._people = people_file.read(self._path, given.raw)

    def _read_list(self, no_round: UserError) -> None:
        """Read a file without a round as teams or squads, else as players. Raises ``no_round``, the
        reason why it was not read as a round, if it is none of these.
        """
        self._handed = handed_lists.read(self._path, self._given.raw)
        if self._handed is not None:
            self._require_fitting(self._handed)
            self._people = [*map(_as_person, self._handed.teams)]
        elif isinstance(no_round, PlayersAlone):
            self._people = people_file.read(self._path, self._given.raw)
        else:
            raise no_round

    def try_import(self) -> FileRead:
        """Import the file, in the caller's transaction, and return its effects."""
        before = EventState.of(self._archive)
        if self._people is not None or self._incoming is None:
            return self._import_list(self._people or [], before)
        last = event_plan.last_format(self._archive)
        file, assumed = choose_round(self._incoming, self._choices, last, self._systems)
        self._require_this_event(file)
        file = replace(file, event=None)
        orders = self._pair_again(file)
        imported = self._import(file)
        changes = [*self._changes(file, imported, before)]
        notes = [
            *_format_remark(assumed),
            *self._removed_characters(),
            *remarks(self._archive, file, imported.round),
        ]
        return self._result(
            imported.round, changes, notes, imported.changed or bool(orders), orders
        )

    def store_tom_copy(self) -> None:
        """Store a copy of TOM's file, to write the results into later."""
        if self._is_toms:
            name, raw = self._given.name, self._given.raw
            tom_copy.store(self._archive, name, raw, self._author, self._unix_ms)

    def _require_this_event(self, file: EventFile) -> None:
        """Raise UserError for a file of another event, and Question if it may be of this one."""
        if self._choices.same_event or not file.event:
            return
        if event_name.is_current(self._archive, file.event):
            return
        ours = self._archive.roster.current_event.name
        values = {"theirs": file.event, "ours": ours, "file": self._given.name}
        known = self._archive.roster.players
        our_numbers = identities.numbers_here(self._archive, file)
        if known and not any(our_numbers.get(number, number) in known for number in file.players):
            raise UserError(
                "{file} is of the event {theirs}, and nobody in it plays in {ours}: choose the file"
                " of {ours}",
                **values,
            )
        question = "{file} is of the event {theirs}. Is that this event, {ours}?"
        raise Question(Sentence(question, **values))

    def _pair_again(self, file: EventFile) -> list[int]:
        """Pair a published round as in the file if nobody has played it; return the order ids."""
        if file.round not in self._archive.roster.rounds:
            return []
        if not paired_again.may_be_paired(self._station, file.round):
            return []
        numbered = file.with_numbers(identities.numbers_here(self._archive, file))
        return paired_again.pair(
            self._station, file.round, numbered.pairings, self._author, self._unix_ms
        )

    def _import(self, file: EventFile) -> Imported:
        """Import the file. Raises Question for a number with another name."""
        try:
            return event_import.import_file(
                self._archive, file, self._unix_ms, systems=self._systems,
                renamed=self._choices.renamed, author=self._author, reader=self._author,
            )  # fmt: skip
        except identities.OtherName as other:
            raise _same_person(other.number, other.before, other.after) from None

    def _changes(self, file, imported, before):
        """Yield the changes that the import made."""
        after = EventState.of(self._archive)
        for sentence in imported.missing:
            yield Change(file_changes.MISSING, sentence)
        if file.history:
            for sentence in later(self._archive, imported.round):
                yield Change(file_changes.MISSING, sentence)
        for sentence in imported.names:
            yield Change(file_changes.NAMES, sentence)
        yield from file_changes.between(self._archive, before, after)
        if file.history is not None:
            history = file.history.with_numbers(identities.numbers_here(self._archive, file))
            yield from file_changes.results(self._station.hall, history, before, after)
        for sentence in imported.tables:
            yield Change(file_changes.NOTES, sentence)

    def _require_fitting(self, handed: HandedLists) -> None:
        """Raise UserError for teams or squads that the event's system does not have."""
        form = event_plan.last_format(self._archive)
        rules = catalogue.rules_of(self._systems, form.system) if form else None
        if form is None or rules is None:
            return
        if handed.teams and not team_lines.plays_teams(form):
            refusal = "{file} lists teams, and this event is not played by teams (D03 241)"
            raise UserError(refusal, file=self._given.name)
        if handed.squads is not None and not rules.CAPS:
            refusal = "{file} lists X-Wing squads, and this event is none of Escalation"
            raise UserError(refusal, file=self._given.name)

    def _import_list(self, people: list[Person], before: EventState) -> FileRead:
        """Import a list of players, teams or squads; return its effects."""
        changes, notes = self._enter(people, before), self._removed_characters()
        if self._handed is not None:
            list_changes, remarks = self._store_lists(self._handed)
            changes, notes = changes + list_changes, notes + remarks
        return self._result(None, changes, notes, bool(changes), [])

    def _store_lists(self, handed: HandedLists) -> tuple[list[Change], list[Sentence]]:
        """Store teams or squads; return the changes, and remarks."""
        archive, author_and_time = self._archive, (self._author, self._unix_ms)
        teams_before, squads_before = teams.of(archive), squad_lists.of(archive)
        if handed.squads is not None:
            remarks = handed_lists.store_squads(archive, handed.squads, *author_and_time)
            return [*file_changes.squads(archive, squads_before)], remarks
        try:
            remarks = handed_lists.store_teams(
                archive, handed.teams, *author_and_time, self._choices.renamed
            )
        except teams.OtherName as other:
            raise _same_person(other.number, other.before, other.after) from None
        return [*file_changes.teams(archive, teams_before)], remarks

    def _enter(self, people: list[Person], before: EventState) -> list[Change]:
        """Enter the players of a list who are not known yet; return the changes."""
        known = {player_numbers.bare(number): player for number, player in before.players.items()}
        late = self._archive.orders.last_round(intents.SET_ROUND) is not None
        log, names = People(self._archive), list[Sentence]()
        for person in people:
            player = person.player
            ours = known.get(player_numbers.bare(player.number))
            if ours is None:
                word = LATE if late else ENTERED
                log.add(player, word, self._author, self._unix_ms, self._given.name)
            elif ours.name != player.name:
                names.append(self._rename(log, ours, player))
        after = EventState.of(self._archive)
        beginning.store_parties(self._archive, people, self._author, self._unix_ms)
        changes = [Change(file_changes.NAMES, sentence) for sentence in names]
        return [*changes, *file_changes.between(self._archive, before, after)]

    def _rename(self, log: People, ours: Player, theirs: Player) -> Sentence:
        """Store the file's name of a known player; return the remark. Raises Question."""
        if ours.number not in self._choices.renamed and not same_name(ours.name, theirs.name):
            raise _same_person(ours.number, ours.name, theirs.name)
        log.rename(ours.number, theirs.name, self._author, self._unix_ms)
        values = {"number": ours.number, "before": ours.name, "after": theirs.name}
        return Sentence("player {number} is {after} now, instead of {before}", **values)

    @property
    def _is_toms(self) -> bool:
        return self._incoming is not None and self._incoming.of_tom

    def _removed_characters(self) -> list[Sentence]:
        return [] if self._is_toms else removal_notice(self._path, self._given.raw)

    def _result(self, number, changes, notes, changed, orders) -> FileRead:
        """Return the FileRead for these changes and notes."""
        only_notes = all(change.kind == file_changes.NOTES for change in changes)
        changes = changes + [Change(file_changes.NOTES, note) for note in notes]
        groups = file_changes.by_kind(changes)
        if changed and only_notes:
            note = Sentence("everything in the file is known here already; that it says so is new")
            groups[file_changes.NOTES] = [note, *groups.get(file_changes.NOTES, [])]
        digest = hashlib.sha256(self._given.raw)
        for change in changes:
            digest.update(f"\0{change.kind}\0{change.sentence}".encode())
        return FileRead(
            number, groups, digest.hexdigest(), taken=False, changed=changed, orders=tuple(orders)
        )


def _as_person(team: Team) -> Person:
    return Person(Player(team.number, team.name), frozenset())


def _same_person(number: str, before: str, after: str) -> Question:
    """Return the Question whether a number with another name in the file is the same player."""
    question = (
        "Number {number} is {before} here, and the file has {after} for it. Is that one person,"
        " whose name was corrected?"
    )
    return Question(Sentence(question, number=number, before=before, after=after), number)


def _format_remark(words: str) -> list[Sentence]:
    """Return the remark on a format (in words) that nothing states; none for ""."""
    text = 'nothing says what is played, so it is "{words}"'
    return [Sentence(text, words=words)] if words else []


def choose_round(
    incoming: ImportedFile, choices: Choices, last: Format | None, systems: Catalogue | None
) -> tuple[EventFile, str]:
    """Return the round to read from a file, and its format in words if that is only assumed, as
    neither the file nor a person states one; else "".

    ``last``: the format of the event's last round, for a file that states none. Raises UserError.
    """
    assumed = None
    form = choices.format
    if form is None and incoming.needs_format:
        form = last
    if form is None:
        form = assumed = incoming.proposed(choices.round)
    own_minutes = choices.format is not None or assumed is not None
    file = incoming.event_file(form, choices.round, choices.pod, own_minutes)
    return file, words_of(assumed, systems) if assumed else ""


def remarks(archive: Archive, file: EventFile, number: int) -> list[Sentence]:
    """Return remarks on an imported file's round, and on the parts of the file that were
    skipped.
    """
    unread = file.history.remarks if file.history else ()
    return [*event_import.remarks(archive, number), *unread]


def differences(archive: Archive, hall: Hall, file: EventFile) -> list[Sentence]:
    """Return a Sentence on each contradiction between an imported file and the archive."""
    if file.history is None:
        return []
    history = file.history.with_numbers(identities.numbers_here(archive, file))
    return [*file_history.differences(archive, hall, history)]


def later(archive: Archive, number: int) -> list[Sentence]:
    """Return a remark if the archive has a round after the file's newest one, ``number``."""
    last = archive.roster.rounds[-1]
    if last <= number:
        return []
    text = (
        "round {later} is stored here, and the file was read up to round {number}: if it is an"
        " older copy, import the newest one; if round {later} was taken back, discard its draft"
        " at the desk (Rounds)"
    )
    return [Sentence(text, later=last, number=number)]
