"""Imports an event file into an archive: a new event, a new round, or a stored one again."""

import json
import pathlib
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from host.archive import draft_pods
from host.archive.roster import Event, Roster
from host.archive.store import Archive
from host.archive.stored_acts import SHELL
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import event_name, identities, playing_staff, replaced_drafts, round_lengths
from host.event import event_log, event_systems, file_minutes, invalid_notices, overview, points
from host.formats.event_file import EventFile, Staff
from host.formats.round_format import with_round, with_stage
from host.systems import catalogue, round_limits
from host.systems.rules import Catalogue, OwnRules
from host.tournament import event_pack, file_history, pods, rule_packs

_AUTHOR = "event file"


@dataclass(frozen=True)
class Imported:
    """The outcome of an import: its round, sentences for the user, and whether anything changed.

    ``names``: on corrected names and numbers; ``drafts``: on replaced drafts; ``tables``: on tables
    of a published round; ``missing``: on data that an earlier import had and this file lacks.
    """

    round: int
    names: list[Sentence]
    drafts: list[Sentence]
    tables: list[Sentence]
    missing: list[Sentence]
    changed: bool

    @property
    def sentences(self) -> list[Sentence]:
        """All sentences."""
        found = [*self.names, *self.drafts, *self.tables, *self.missing]
        same = Sentence("nothing has changed since it was imported last")
        return found if self.changed else [*found, same]


def import_file(
    archive: Archive,
    file: EventFile,
    unix_ms: int,
    draw: Callable[[int], int] = secrets.randbelow,
    systems: Catalogue | None = None,
    renamed: Collection[str] = (),
    author: str = _AUTHOR,
    reader: str = SHELL,
) -> Imported:
    """Store the data of an EventFile that an archive lacks, also of its earlier rounds.

    A file that names another event opens a new one with the origin ``unix_ms`` and a number drawn
    at random. An unpublished round gets the file's pairings. ``systems`` is the catalogue that the
    file was read with, ``renamed`` the numbers whose new names were confirmed, ``author`` the
    author of data that comes from no file, ``reader`` the person who read the file. Raises
    UserError, and stores nothing, for a published round with other pairings, and for a number that
    is known with another name.
    """
    before = archive.changes
    with archive.transaction():
        event = archive.roster.event
        if event is None or (file.event and not event_name.is_current(archive, file.event)):
            open_event(archive.roster, file.event or "Event", unix_ms, draw)
        source = file.history.source if file.history else author
        file, names = identities.recognise(archive, file, renamed, source, unix_ms)
        stored = replaced_drafts.with_stored_length(archive, file)
        drafts = replaced_drafts.replace_drafts(archive, stored, source, unix_ms)
        announce(archive, file, unix_ms, systems or event_systems.of(archive), author)
        tables: list[Sentence] = []
        if archive.roster.format_of(stored.round) is None:
            archive.roster.store_round(stored.round, stored.format, stored.pairings)
        else:
            tables = replaced_drafts.check_published(archive, stored)
        history, missing = stored.history, list[Sentence]()
        if history is not None:
            missing = file_history.keep(archive, history, unix_ms)
        changed = archive.changes != before
        if changed and file.path:
            facts = {"round": file.round, "file": pathlib.Path(file.path).name}
            archive.notices.add(event_log.IMPORTED, json.dumps(facts), reader, unix_ms)
    return Imported(file.round, names, drafts, tables, missing, changed)


def open_event(
    roster: Roster, name: str, origin_unix_ms: int, draw: Callable[[int], int] = secrets.randbelow
) -> None:
    """Open a new event, which becomes the current one. Raises UserError for the name of an earlier
    event.
    """
    if any(known.name == name for known in roster.events):
        raise UserError("the event {name!r} was followed by another in this archive", name=name)
    roster.open_event(Event(_fresh(roster, draw), name, origin_unix_ms))


def announce(
    archive: Archive, file: EventFile, unix_ms: int, systems: Catalogue, author: str
) -> None:
    """Store a file's settings for the whole event. Raises UserError, also for lengths that are
    invalid: those in the file, and that of its round unless that is stored already.
    """
    name, rules = catalogue.by_number(systems, file.format.system)
    if rules is None:
        raise UserError(
            "the system with number {system} is not known: give --system FILE.toml",
            system=file.format.system,
        )
    begun = round_lengths.begun(archive)
    if isinstance(rules, OwnRules):
        event_systems.store(archive, rules, author, unix_ms, begun)
    if file.pack is not None:
        _choose_pack(archive, file.pack, name, author, unix_ms)
    if file.pods is not None:
        draft_pods.store(archive, file.pods, author, unix_ms)
    if file.cut is not None:
        round_lengths.announce_cut(archive, file.cut, author, unix_ms)
    if file.staff != Staff():
        playing_staff.announce(archive, file.staff, author, unix_ms)
    if file.lengths:
        swiss_rounds = len(rules.CAPS)  # a cap for each; none: the system sets no number of rounds
        cut = swiss_rounds and round_lengths.announced_cut(archive)
        for number, minutes in enumerate(file.lengths, 1):
            after_swiss = bool(cut) and number > swiss_rounds
            form = with_stage(file.format, elimination=True) if after_swiss else file.format
            _check_length(rules, replace(form, minutes=minutes), number, file.lengths, begun)
        round_lengths.announce(archive, file.lengths, author, unix_ms)
    if file.points is not None:
        points.store(archive, file.points, author, unix_ms)
    if archive.roster.format_of(file.round) is None:
        announced = round_lengths.announced_minutes(archive)
        _check_length(rules, file.format, file.round, announced, begun)


def _choose_pack(archive: Archive, word: str, name: str | None, author: str, unix_ms: int) -> None:
    """Store the event's rule pack. Raises UserError for a pack of another system."""
    pack = rule_packs.load(word)
    event_pack.require_system(pack, name)
    if event_pack.pack_of(archive) != event_pack.of_event(archive, pack):
        event_pack.choose(archive, pack, author, unix_ms)


def _check_length(rules, form, number, announced, begun):
    """Raise UserError if a round's length is not allowed (``round_lengths.check``)."""
    try:
        round_lengths.check(rules, with_round(form, number, rules), number, announced, begun)
    except ValueError as error:
        raise UserError(error.args[0]) from None


def remarks(archive: Archive, number: int) -> list[Sentence]:
    """Return remarks on a stored round: deviations from its rules text, and open questions."""
    form = archive.roster.stored_format(number)
    rules = event_systems.rules_of(archive, form)
    on_round = (
        round_limits.remark(rules, form.bits, form.minutes),
        round_lengths.cut_remark(rules, form.bits, round_lengths.announced_cut(archive)),
        file_minutes.remark(archive, form),
        round_lengths.match_length_remark(archive, rules, number),
        event_pack.points_remark(archive),
        *playing_staff.remarks(archive, rules, number),
        *_pod_remarks(archive, number),
    )
    found = [
        Sentence("round {number}: {said}", number=number, said=sentence)
        for sentence in on_round
        if sentence
    ]
    found += identities.namesakes(archive, number)
    gaps = overview.unread_remark(archive)
    if gaps:
        found.append(gaps)
    damaged = sum(invalid_notices.counts(archive).values())
    singular = (
        "{count} note in the archive cannot be read and counts for nothing: plusthree audit says"
        " which"
    )
    plural = (
        "{count} notes in the archive cannot be read and count for nothing: plusthree audit says"
        " which"
    )
    if damaged:
        found.append(Sentence.counted(singular, plural, count=damaged))
    return found


def _pod_remarks(archive: Archive, number: int) -> list[Sentence]:
    """Return remarks on a round's pods that deviate from the text of its draft."""
    drawn, swiss = draft_pods.in_force(archive, number), _swiss_until(archive, number)
    if drawn is None:
        return []
    mixed = [
        str(pairing.table)
        for pairing in archive.roster.pairings_of(number)
        if pairing.b is not None and drawn.of(pairing.a.number) != drawn.of(pairing.b.number)
    ]
    found = pods.remarks(drawn, number, swiss)
    if mixed and number in swiss:
        text = "matches stay inside the pod, and those at table {tables} do not (D03 App. A 1)"
        found.append(Sentence(text, tables=", ".join(mixed)))
    return found


def _swiss_until(archive: Archive, number: int) -> list[int]:
    """Return the numbers of the stored Swiss rounds up to ``number``."""
    roster = archive.roster
    stored = [round for round in roster.rounds if round <= number]
    return [round for round in stored if not roster.stored_format(round).elimination]


def _fresh(roster: Roster, draw: Callable[[int], int]) -> int:
    """Return a random event number that is not used yet."""
    used = {event.number for event in roster.events}
    while True:
        number = 1 + draw(65535)
        if number not in used:
            return number
