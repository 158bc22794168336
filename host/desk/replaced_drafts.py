"""A round that is imported again: a draft that nobody published takes the file's pairings.

Once it is published its tables know it: the file may name other tables, but nobody else may meet.
"""

import pathlib
from collections.abc import Iterable
from dataclasses import replace

from firmware.core import intents
from host.archive import draft_pods
from host.archive.people import People
from host.archive.roster import Format, Pairing
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import round_lengths
from host.event import event_systems, missed_rounds
from host.event.imported_results import ImportedRounds
from host.formats.event_file import EventFile
from host.formats.round_format import words_of


def with_stored_length(archive: Archive, file: EventFile) -> EventFile:
    """Return the file with the length that the desk gave its round; raises UserError for a file
    with neither that nor the one before.
    """
    before = archive.roster.format_of(file.round)
    olds = round_lengths.changed_from(archive, file.round)
    if before is None or not olds:
        return file
    if replace(before, minutes=0) != replace(file.format, minutes=0) or (
        file.format.minutes not in (before.minutes, *olds)
    ):
        raise _other_format(archive, file, before)
    return replace(file, format=before)


def give_way(archive: Archive, file: EventFile, author: str, unix_ms: int) -> list[Sentence]:
    """Forget each draft that the file has otherwise; return a Sentence on each.

    Whoever sat nowhere else is forgotten, too. Raises UserError for a draft of other people.
    """
    roster, said = archive.roster, []
    seated: set[str] = set()
    last = archive.orders.last_round(intents.SET_ROUND) or 0
    told = {one.number: one.pairings for one in file.history.rounds} if file.history else {}
    told[file.round] = file.pairings
    for number in sorted(one for one in told.keys() & set(roster.rounds) if one > last):
        same = _seats(roster.pairings_of(number)) == _seats(told[number])
        if number == file.round:
            same = same and roster.format_of(number) == file.format
        if same:
            continue
        _require_known(archive, file, number)
        seated |= _numbers(roster.pairings_of(number))
        roster.forget_round(number)
        draft_pods.withdraw(archive, number, author, unix_ms)
        missed_rounds.withdraw(archive, number, author, unix_ms)
        values = {"number": number, "file": pathlib.Path(file.path).name or author}
        now = "round {number} was not published yet: its pairings are those of {file} now"
        said.append(Sentence(now, **values))
    kept = {str(one["player"]) for one in People(archive).log}
    for number in roster.rounds if seated else ():
        kept |= _numbers(roster.pairings_of(number))
    roster.forget_players(sorted(seated - kept))
    return said


def _require_known(archive: Archive, file: EventFile, number: int) -> None:
    """Raise UserError where the file has other people, or none of the results that are known."""
    told = ImportedRounds(archive).get(number)
    if told is not None and told.matches and file.history is None:
        said = "round {number} has results from {source}: import its pairings from that file"
        raise UserError(said, number=number, source=told.source)
    before = archive.roster.pairings_of(number)
    if not _numbers(before) & file.players.keys():
        said = (
            "round {number} of {event!r} is stored with other people: give this file an archive of"
            " its own (name it after the file)"
        )
        raise UserError(said, number=number, event=archive.roster.current_event.name)


def published(archive: Archive, file: EventFile) -> list[Sentence]:
    """Return what to say of a stored round that the file has, too; raises UserError if the file
    has other people meet, or another format.
    """
    number, ours = file.round, archive.roster.pairings_of(file.round)
    before = archive.roster.format_of(number)
    assert before is not None  # the round is stored
    if _meetings(ours) != _meetings(file.pairings):
        raise _other_pairings(archive, file, ours)
    if before != file.format:
        raise _other_format(archive, file, before)
    tables = {one.a.number: one.table for one in file.pairings}
    moved = [one for one in ours if one.table != tables.get(one.a.number, one.table)]
    said = "round {number} is published: its tables stay as they are, and the file names others"
    return [Sentence(said, number=number)] if moved else []


def _other_format(archive: Archive, file: EventFile, before: Format) -> UserError:
    """Return the refusal of another format, with what can be done."""
    systems = event_systems.of(archive)
    words = {"ours": words_of(before, systems), "theirs": words_of(file.format, systems)}
    if file.history:
        said = (
            'round {number} is stored as "{ours}", and the file says something else ("{theirs}"):'
            ' import it with --format "{ours}"'
        )
    else:
        said = (
            'round {number} is stored as "{ours}", and the file says something else ("{theirs}"):'
            " write # format: {ours} in it"
        )
    return UserError(said, number=file.round, **words)


def _other_pairings(archive: Archive, file: EventFile, ours: Iterable[Pairing]) -> UserError:
    """Return the refusal of a published round, with the first difference and what can be done."""
    theirs = _meetings(file.pairings)
    one = next((one for one in ours if frozenset(_numbers([one])) not in theirs), None)
    where = _named(one) if one else "–"
    if archive.orders.started(file.round) or ImportedRounds(archive).finished(file.round):
        said = (
            "round {number} has begun, and the file says something else ({where}): it is played as"
            " it is stored here. Pair it so in the file, too"
        )
    else:
        said = (
            "round {number} is published, and the file says something else ({where}): let players"
            " change places as in the file (Rounds on the desk's page), then import it again"
        )
    return UserError(said, number=file.round, where=where)


def _named(one: Pairing) -> Sentence:
    if one.b is None:
        return Sentence("{a} has a bye here", a=one.a.name)
    said = "table {table}: {a} and {b} here"
    return Sentence(said, table=one.table, a=one.a.name, b=one.b.name)


def _seats(pairings: Iterable[Pairing]) -> list[tuple[int, int | None, str, str | None]]:
    """Return the seating by numbers only: names are compared by ``identities``."""
    return [(one.pairing, one.table, one.a.number, one.b and one.b.number) for one in pairings]


def _meetings(pairings: Iterable[Pairing]) -> set[frozenset[str]]:
    return {frozenset(_numbers([one])) for one in pairings}


def _numbers(pairings: Iterable[Pairing]) -> set[str]:
    return {p.number for one in pairings for p in (one.a, one.b) if p is not None}
