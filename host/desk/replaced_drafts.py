"""A round that is imported again: an unpublished draft gets the file's pairings.

Of a published round the file may name other tables, but not other pairings.
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
from host.desk.round_seating import Row, row_of
from host.event import event_systems, missed_rounds
from host.event.imported_results import ImportedRounds
from host.formats.event_file import EventFile
from host.formats.round_format import words_of


def with_stored_length(archive: Archive, file: EventFile) -> EventFile:
    """Return the file with the length that the desk gave its round. Raises UserError if the file
    has neither that length nor an earlier one.
    """
    before = archive.roster.format_of(file.round)
    earlier = round_lengths.lengths_before(archive, file.round)
    if before is None or not earlier:
        return file
    same_except_length = replace(file.format, minutes=before.minutes) == before
    if not same_except_length or file.format.minutes not in (before.minutes, *earlier):
        raise _other_format(archive, file, before)
    return replace(file, format=before)


def replace_drafts(archive: Archive, file: EventFile, author: str, unix_ms: int) -> list[Sentence]:
    """Delete each draft that differs from the file's round; return a Sentence on each.

    Players who sat in no other round are deleted, too. Raises UserError for a draft of other
    people.
    """
    roster, sentences = archive.roster, list[Sentence]()
    seated: set[str] = set()  # in the drafts that are deleted
    last_published = archive.orders.last_round(intents.SET_ROUND) or 0
    played = file.history.rounds if file.history else ()
    theirs = {round.number: round.pairings for round in played}
    theirs[file.round] = file.pairings
    for number in sorted(theirs.keys() & set(roster.rounds)):
        if number <= last_published:
            continue
        same = _rows(roster.pairings_of(number)) == _rows(theirs[number])
        if number == file.round:
            same = same and roster.format_of(number) == file.format
        if same:
            continue
        _require_known(archive, file, number)
        seated |= _numbers(roster.pairings_of(number))
        delete_draft(archive, number, author, unix_ms)
        values = {"number": number, "file": pathlib.Path(file.path).name or author}
        now = "round {number} was not published yet: its pairings are those of {file} now"
        sentences.append(Sentence(now, **values))
    kept = {str(entry["player"]) for entry in People(archive).log}  # of whom something is noted
    if seated:
        kept.update(*(_numbers(roster.pairings_of(number)) for number in roster.rounds))
    roster.forget_players(sorted(seated - kept))
    return sentences


def delete_draft(archive: Archive, number: int, author: str, unix_ms: int) -> None:
    """Delete a drafted round with its pods and the missed rounds that count in it."""
    archive.roster.forget_round(number)
    draft_pods.withdraw(archive, number, author, unix_ms)
    missed_rounds.withdraw(archive, number, author, unix_ms)


def _require_known(archive: Archive, file: EventFile, number: int) -> None:
    """Raise UserError if the file has none of the round's players, or lacks its known results."""
    known = ImportedRounds(archive).get(number)
    if known is not None and known.matches and file.history is None:
        refusal = "round {number} has results from {source}: import its pairings from that file"
        raise UserError(refusal, number=number, source=known.source)
    before = archive.roster.pairings_of(number)
    if not _numbers(before) & file.players.keys():
        refusal = (
            "round {number} of {event!r} is stored with other people: give this file an archive of"
            " its own (name it after the file)"
        )
        raise UserError(refusal, number=number, event=archive.roster.current_event.name)


def check_published(archive: Archive, file: EventFile) -> list[Sentence]:
    """Return remarks on a published round that the file has, too. Raises UserError if the file
    has other pairings or another format.
    """
    number, ours = file.round, archive.roster.pairings_of(file.round)
    before = archive.roster.stored_format(number)
    if _opponents(ours) != _opponents(file.pairings):
        raise _other_pairings(archive, file, ours)
    if before != file.format:
        raise _other_format(archive, file, before)
    tables = {pairing.a.number: pairing.table for pairing in file.pairings}
    moved = any(
        pairing.a.number in tables and tables[pairing.a.number] != pairing.table for pairing in ours
    )
    text = "round {number} is published: its tables stay as they are, and the file names others"
    return [Sentence(text, number=number)] if moved else []


def _other_format(archive: Archive, file: EventFile, before: Format) -> UserError:
    """Return the refusal of another format, with the remedy."""
    systems = event_systems.of(archive)
    words = {"ours": words_of(before, systems), "theirs": words_of(file.format, systems)}
    if file.history:
        refusal = (
            'round {number} is stored as "{ours}", and the file says something else ("{theirs}"):'
            ' import it with --format "{ours}"'
        )
    else:
        refusal = (
            'round {number} is stored as "{ours}", and the file says something else ("{theirs}"):'
            " write # format: {ours} in it"
        )
    return UserError(refusal, number=file.round, **words)


def _other_pairings(archive: Archive, file: EventFile, ours: Iterable[Pairing]) -> UserError:
    """Return the refusal of other pairings, with the first difference and the remedy."""
    theirs = _opponents(file.pairings)
    changed = [pairing for pairing in ours if pairing.numbers not in theirs]
    where = _in_words(changed[0]) if changed else "–"
    if archive.orders.started(file.round) or ImportedRounds(archive).finished(file.round):
        refusal = (
            "round {number} has begun, and the file says something else ({where}): it is played as"
            " it is stored here. Pair it so in the file, too"
        )
    else:
        refusal = (
            "round {number} is published, and the file says something else ({where}): let players"
            " change places as in the file (Rounds on the desk's page), then import it again"
        )
    return UserError(refusal, number=file.round, where=where)


def _in_words(pairing: Pairing) -> Sentence:
    a, b = pairing.a, pairing.b
    if b is None:
        return Sentence("{a} has a bye here", a=a.name)
    return Sentence("table {table}: {a} and {b} here", table=pairing.table, a=a.name, b=b.name)


def _rows(pairings: Iterable[Pairing]) -> list[Row]:
    """Return the seating by numbers only; ``identities`` compares the names."""
    return [row_of(pairing) for pairing in pairings]


def _opponents(pairings: Iterable[Pairing]) -> set[frozenset[str]]:
    """Return who meets whom, by numbers."""
    return {pairing.numbers for pairing in pairings}


def _numbers(pairings: Iterable[Pairing]) -> set[str]:
    return {number for pairing in pairings for number in pairing.numbers}
