"""Checks an archive: tags, records that came twice and differ, seals, gaps, orders and folds.

Faults are contradictions; remarks name what is only missing. Nothing is written.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from firmware.core import events, frames, outcome
from host.archive.decoded_frames import head_of
from host.archive.orders import DONE, DROPPED, PENDING, REFUSED
from host.archive.records import ArchivedRecord, BoardKey, BootId, Position, RecordId
from host.archive.store import Archive
from host.audit import announcement_check, log_check, seal_check
from host.audit.announcement_check import MatchPlaces
from host.base.words import amount, amount_is
from host.event import invalid_notices, typed_results
from host.event.fold import Hall
from host.event.holdings import Holdings
from host.event.match_results import PAPER, Result
from host.event.typed_results import RoundAndPairing
from host.event.unrevealed_seeds import UnrevealedSeeds
from host.keys import signatures
from host.keys.keyring import Keyring


@dataclass
class Report:
    """The findings of an inspection: counts, and sentences.

    ``remarks`` name what is missing. ``closed``: the event was closed; ``sealed``: it was, and the
    archive is complete. ``taken_up``: how many records were stored before the audit log began.
    """

    records: int = 0
    seals: int = 0
    results: int = 0
    rolls: int = 0
    sealed: bool = False
    closed: bool = False
    faults: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    # what no key proves, and who is responsible for it
    notes: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)  # against an earlier copy
    taken_up: int = 0


def completeness(report: Report) -> str:
    """Return in words whether the event is over and the archive complete."""
    if report.sealed:
        return "the event is closed and this is all of it"
    if report.closed:
        return "the event is closed, and its program had not ended"
    return "the event is not closed"


def inspect(archive: Archive, keyring: Keyring, older: bool = False) -> Report:
    """Return the Report on an open Archive, its records verified; ``older`` as in ``log_check``."""
    proof, entries = log_check.gather(archive, keyring.audit_log, older), archive.records()
    report = Report(
        sealed=proof.sealed,
        closed=archive.audit_log.event_closed,
        faults=proof.faults,
        taken_up=proof.taken_up,
    )
    report.remarks += _coverage_remarks(proof)
    if not archive.backend.typed:  # PostgreSQL lets no such row in
        for table, *_ in archive.query("PRAGMA foreign_key_check"):
            report.faults.append(f"a row of {table} refers to nothing")
    for entry in entries:
        report.records += 1
        if not _is_genuine(entry, keyring):
            report.faults.append(f"{log_check.name(entry.id)}: the tag or the place does not fit")
    for entry in archive.quarantined:
        report.faults.append(
            f"{log_check.name(entry.id)}: another record claims this place (in quarantine)"
        )
    _check_epochs(entries, proof.heads, archive.roster.numbers, report)
    _check_orders(archive, entries, report)
    if archive.roster.event:
        for what, count in invalid_notices.counts(archive).items():
            name = invalid_notices.NAMES[what]
            report.faults += [f"a note of {name} cannot be read: it counts for nothing"] * count
        _check_codes(archive, keyring, report)
        report.faults += announcement_check.forged_announcements(archive, keyring)
        _check_folds(archive, entries, report)
    return report


def _coverage_remarks(proof: log_check.Evidence) -> list[str]:
    """Return remarks on what the audit log does not cover."""
    remarks = []
    if proof.taken_up:
        remarks.append(
            f"the audit log began over {proof.taken_up} records: it says nothing about what was"
            " there before"
        )
    if not proof.covers:
        remarks.append(
            "the audit log of players, pairings, orders and the desk's notes: a plusthree of before"
            " kept none"
        )
    return remarks


def _is_genuine(entry: ArchivedRecord, keyring: Keyring) -> bool:
    if not keyring.known(entry.device):
        return False
    key = keyring.stream(entry.device, entry.generation, entry.event, frames.UP, entry.epoch)
    place = entry.device, entry.epoch, entry.counter
    head = head_of(entry.frame)
    return head is not None and head[1:] == place and signatures.verify(key, entry.frame)


def _check_epochs(
    records: Iterable[ArchivedRecord],
    heads: Mapping[BootId, int],
    own: Collection[int],
    report: Report,
) -> None:
    """Check each boot that has records, or of which the audit log or a later boot tells."""
    boots: dict[BootId, dict[int, bytes]] = {boot: {} for boot in heads}
    arrivals: dict[BootId, int] = {}
    closed_with: dict[BootId, int] = {}
    seeds: dict[BoardKey, UnrevealedSeeds] = {}
    for record in records:
        seeds.setdefault(record.board, UnrevealedSeeds()).add(*record.position, record.frame)
        boots.setdefault(record.boot, {})[record.counter] = record.frame
        event = record.board_event
        if record.came_from_another(own):
            arrivals[record.boot] = record.counter
        if isinstance(event, events.EpochClosed):
            before = BootId(*record.board, event.epoch)
            closed_with[before] = event.records
            if record.event and event.records:  # the board had joined an event before this boot
                boots.setdefault(before, {})
    for boot, boot_records in sorted(boots.items()):
        unrevealed = seeds.get(BoardKey(boot.device, boot.generation))
        withheld = unrevealed.withheld if unrevealed else set()
        sizes = _BootSizes(closed_with.get(boot), heads.get(boot, 0), arrivals.get(boot, 0))
        _check_boot(boot, boot_records, sizes, withheld, report)


class _BootSizes(NamedTuple):
    """How many records a boot has: by the next boot, and by the audit log; and the counter of its
    arrival from another archive's event, which has the records before.
    """

    held: int | None  # None without a next boot
    head: int
    arrival: int


def _check_boot(
    boot: BootId,
    records: Mapping[int, bytes],
    sizes: _BootSizes,
    withheld: Iterable[Position],
    report: Report,
) -> None:
    """Report on one boot's seals and on how many of its records are here."""
    held, head, arrival = sizes
    seals = seal_check.check(records)
    board = f"board {boot.device} (key {boot.generation}), boot {boot.epoch}"
    report.faults += [f"{board}: {sentence}" for sentence in seals.faults]
    report.seals += seals.checked
    written = max(max(records, default=-1) + 1, head)  # at least; counters begin at 0
    if held is not None and written > held:
        report.faults.append(
            f"{board}: {amount(written, 'record')}, more than the {held} that it closed with"
        )
    withheld_here = [
        position
        for position in withheld
        if position.epoch == boot.epoch and position.counter not in records
    ]
    elsewhere = arrival - sum(counter < arrival for counter in records)
    missing = max(held or 0, written) - len(records) - len(withheld_here) - elsewhere
    if elsewhere:
        report.remarks.append(
            f"{board}: {amount_is(elsewhere, 'record')} in another event's archive"
        )
    if withheld_here:
        report.remarks.append(
            f"{board}: {amount_is(len(withheld_here), 'record')} withheld until a match is over"
        )
    if missing > 0:
        report.remarks.append(f"{board}: {amount_is(missing, 'record')} not here")
    if seals.unchecked:
        report.remarks.append(f"{board}: {seals.unchecked} seals cover records that are not here")


def _check_orders(archive: Archive, records: Iterable[ArchivedRecord], report: Report) -> None:
    """Compare the state of each order with the boards' answers."""
    answers: dict[RecordId, int] = {}  # by the down frame that is answered
    for record in records:
        answer = record.board_event
        if isinstance(answer, events.Answered):
            answers[RecordId(*record.boot, answer.counter)] = answer.refusal
    uncertain = archive.uncertain_order  # a restore may have settled these from other answers
    for order in archive.orders.all:
        sql = "SELECT device, generation, epoch, counter FROM sends WHERE command = ?"
        sent = archive.select(RecordId, sql, order.id)
        refusals = [answers[frame] for frame in sent if frame in answers]
        answered = None
        if refusals:
            answered = DONE if 0 in refusals else REFUSED
        if order.id > uncertain and not _fits(order.state, answered):
            why = f"an answer says that it is {answered}" if answered else "no answer says so"
            place = f"order {order.id} at table {order.table}"
            report.faults.append(f"{place} is {order.state}, and {why}")


def _fits(state: str, answered: str | None) -> bool:
    """Return whether an order can be in a state after what its board has answered, None for
    nothing.
    """
    if state == PENDING:
        return answered is None
    if state == DROPPED:
        return answered != DONE
    return state == answered


def _check_codes(archive: Archive, keyring: Keyring, report: Report) -> None:
    """Check each typed result against its code, which cannot be made without the key."""
    where = MatchPlaces(archive)
    for typed in typed_results.every(archive):
        if typed is None:
            continue
        place = typed.round, typed.pairing
        proven = _proven(archive, keyring, place, where.tables.get(place), typed.code)
        if (typed.won, typed.games) not in proven:
            report.faults.append(
                f"{where.of(*place)}: the code that was typed does not say this result"
            )


def _proven(
    archive: Archive, keyring: Keyring, place: RoundAndPairing, table: int | None, plain: str
) -> list[typed_results.CodedResult | None]:
    """Return the outcome that a code proves under the key of each board that was ever at a
    table.
    """
    event, adopted = archive.roster.current_event.number, typed_results.adoptions(archive)
    outcomes = []
    for board, tables in archive.roster.tables_by_board.items():
        if table in tables and keyring.known(board.device):
            places = _places(place, adopted.get(board, ()))
            outcomes.append(typed_results.proven(keyring.board(*board), event, places, plain))
    return outcomes


def _places(place: RoundAndPairing, adopted: Collection[RoundAndPairing]) -> list[RoundAndPairing]:
    """Return the rounds and pairings that a code may name: of a match set up by hand none, too."""
    return [place, typed_results.BY_HAND] if place in adopted else [place]


def _of_paper(where: str, result: Result) -> list[str]:
    """Return notes on a result typed from paper at ``where``, which no key proves."""
    if result.by != PAPER:
        return []
    notes = [f"{where}: typed from paper by {result.author} ({result.reason})"]
    if result.against is not None:
        other, (a, b) = result.against
        notes.append(f"{where}: paper and board differ; the board says {other} {a}–{b}")
    return notes


def _check_folds(archive: Archive, records: Iterable[ArchivedRecord], report: Report) -> None:
    """Compare the results with the records, and report what could not be folded."""
    hall = Hall(archive, Holdings(records).lost)
    where = MatchPlaces(archive)
    for number in archive.roster.rounds:
        results, typed = hall.results(number), typed_results.results(archive, number)
        report.results += len(results)
        for pairing, typed_result in typed.items():
            board_result = hall.boards_results(number)[pairing]
            typed_outcome = outcome.NAMES[typed_result.won], typed_result.games
            if (board_result.outcome, board_result.games) != typed_outcome:
                report.faults.append(
                    f"{where.of(number, pairing)}: the board says other than its code did"
                )
        for pairing, result in results.items():
            report.notes += _of_paper(where.of(number, pairing), result)
            if result.incomplete:
                report.remarks.append(f"{where.of(number, pairing)}: the board lost records of it")
        report.remarks += announcement_check.contradictions(hall, number, where)
    _report_unfolded(hall, report)


def _report_unfolded(hall: Hall, report: Report) -> None:
    """Report the invalid records, and those behind a gap."""
    known_kinds = {known.kind for known in events.CLASSES}
    for board, invalid in sorted(hall.invalid_records.items()):
        for position, kind in sorted(invalid.items()):
            reason = "with numbers that no board writes there"
            if kind not in known_kinds:
                reason = "of a newer board; audit it with the program that ran the event"
            sentence = f"an event {kind} {reason}; it was not counted"
            report.faults.append(f"{log_check.name(RecordId(*board, *position))}: {sentence}")
    for device, waiting in hall.waiting.items():
        report.remarks.append(
            f"board {device}: {waiting} records lie behind a gap and are not counted"
        )
