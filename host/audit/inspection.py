"""An archive looked at from outside: tags, seals, gaps, orders and folds, and what does not fit.

Faults are contradictions; remarks are what is only missing. Nothing is written.
"""

from dataclasses import dataclass, field

from firmware.core import events, frames, outcome
from host.archive.orders import DONE, REFUSED
from host.audit import log_check, seal_check
from host.event import invalid_notices, result_codes, typed_results
from host.event.fold import Hall
from host.event.holdings import Holdings
from host.event.unrevealed_seeds import UnrevealedSeeds


@dataclass
class Report:
    """What an inspection found: counts, and sentences."""

    records: int = 0
    seals: int = 0
    results: int = 0
    rolls: int = 0
    sealed: bool = False  # the event was closed, and this is all of it
    faults: list = field(default_factory=list)
    remarks: list = field(default_factory=list)


def inspect(archive, keyring, older=False):
    """Return the Report on an open Archive; ``keyring`` verifies its records, ``older`` as in ``log_check``."""
    proof, entries = log_check.gathered(archive, keyring.audit_log, older), archive.records()
    report = Report(sealed=proof.sealed, faults=proof.faults)
    if not proof.covers:
        report.remarks.append(
            "the audit log of players, pairings, orders and the desk's notes: a plusthree of before kept none"
        )
    for row in archive.query("PRAGMA foreign_key_check"):
        report.faults.append(f"a row of {row[0]} refers to nothing")
    for entry in entries:
        report.records += 1
        if not _genuine(entry, keyring):
            report.faults.append(f"{log_check.name(entry.id)}: the tag or the place does not fit")
    for entry in archive.quarantined:
        report.faults.append(
            f"{log_check.name(entry.id)}: another record claims this place (in quarantine)"
        )
    _epochs(entries, proof.heads, report)
    _orders(archive, entries, report)
    if archive.roster.event:
        for what, count in invalid_notices.counted(archive).items():
            report.faults += [
                f"a note of {invalid_notices.NAMES[what]} cannot be read: it counts for nothing"
            ] * count
        _codes(archive, keyring, report)
        _folds(archive, entries, report)
    return report


def _genuine(entry, keyring):
    if not keyring.known(entry.device):
        return False
    key = keyring.stream(entry.device, entry.generation, entry.event, frames.UP, entry.epoch)
    place = entry.device, entry.epoch, entry.counter
    head = frames.head(entry.frame)
    return head is not None and head[1:] == place and frames.verify(key, entry.frame)


def _epochs(entries, heads, report):
    boots, closed, withheld = {place: {} for place in heads}, {}, {}
    for entry in entries:
        place = entry.id[:3]
        withheld.setdefault(place[:2], UnrevealedSeeds()).add(*entry.id[2:], entry.frame)
        boots.setdefault(place, {})[entry.counter] = entry.frame
        kind, _, _, before, count = frames.event_of(entry.frame)
        if kind == events.EPOCH_CLOSED:
            closed[(*place[:2], before)] = count
            if entry.event and count:  # it was in an event before this boot, too
                boots.setdefault((*place[:2], before), {})
    for place, records in sorted(boots.items()):
        back = withheld[place[:2]].now if place[:2] in withheld else ()
        _boot(place, records, (closed.get(place), heads.get(place, 0)), back, report)


def _boot(place, records, told, back, report):
    held, head = told
    found, checked, unchecked = seal_check.faults(records)
    board = f"board {place[0]} (key {place[1]}), boot {place[2]}"
    report.faults += [f"{board}: {sentence}" for sentence in found]
    report.seals += checked
    last = max(records, default=-1)
    if held is not None and max(last + 1, head) > held:
        report.faults.append(
            f"{board}: {max(last + 1, head)} records, more than the {held} that it closed with"
        )
    back = [counter for epoch, counter in back if epoch == place[2] and counter not in records]
    missing = max(held or 0, head, last + 1) - len(records) - len(back)
    if back:
        report.remarks.append(f"{board}: {len(back)} records are withheld until a match is over")
    if missing > 0:
        report.remarks.append(f"{board}: {missing} records are not here")
    if unchecked:
        report.remarks.append(f"{board}: {unchecked} seals cover records that are not here")


def _orders(archive, entries, report):
    answers = {}
    for entry in entries:
        kind, _, reason, counter, _ = frames.event_of(entry.frame)
        if kind == events.ANSWERED:
            answers[(*entry.id[:3], counter)] = reason
    uncertain = archive.uncertain_order  # a restore may have settled them by other answers
    for order in archive.orders.all:
        sql = "SELECT device, generation, epoch, counter FROM sends WHERE command = ?"
        given = [answers[row] for row in archive.query(sql, order.id) if row in answers]
        says = DONE if 0 in given else REFUSED if given else None
        if order.id <= uncertain or order.state == says:
            continue
        if order.state in (DONE, REFUSED) or says == DONE:
            why = "an answer says that it is done" if says == DONE else "no answer says so"
            report.faults.append(
                f"order {order.id} at table {order.table} is {order.state}, and {why}"
            )


def _codes(archive, keyring, report):
    """A typed result is worth its code: who changed it cannot make one that says so."""
    tables = {
        (number, one.pairing): one.table
        for number in archive.roster.rounds
        for one in archive.roster.pairings_of(number)
    }
    for told in typed_results.every(archive):
        if told is None:
            continue
        number, pairing, won, games, _, plain = told
        proven = _proven(archive, keyring, (number, pairing), tables.get((number, pairing)), plain)
        if (won, games) not in proven:
            report.faults.append(
                f"round {number}, pairing {pairing}: the code that was typed does not say this result"
            )


def _proven(archive, keyring, place, table, plain):
    """Return what a code says under the key of each board that ever stood at a table."""
    event, adopted = archive.roster.event.number, typed_results.adoptions(archive)
    return [
        result_codes.proven(
            keyring.board(*board), event, _places(place, adopted.get(board, ())), plain
        )
        for board, tables in archive.roster.stood.items()
        if table in tables and keyring.known(board[0])
    ]


def _places(place, adopted):
    return [place, typed_results.BY_HAND] if place in adopted else [place]


def _folds(archive, entries, report):
    hall = Hall(archive, Holdings(entries).gone)
    for number in archive.roster.rounds:
        results, typed = hall.results(number), typed_results.results(archive, number)
        report.results += len(results)
        for pairing, (won, games, _) in typed.items():
            if (results[pairing].outcome, results[pairing].games) != (outcome.NAMES[won], games):
                report.faults.append(
                    f"round {number}, pairing {pairing}: the board says other than its code did"
                )
        for pairing, result in results.items():
            if result.incomplete:
                report.remarks.append(
                    f"round {number}, pairing {pairing}: the board lost records of it"
                )
    for board, odd in sorted(hall.odd.items()):
        for place, kind in sorted(odd.items()):
            said = f"an event {kind} with numbers that no board writes there; it was not counted"
            report.faults.append(f"{log_check.name((*board, *place))}: {said}")
    for device, waiting in hall.waiting.items():
        report.remarks.append(
            f"board {device}: {waiting} records lie behind a gap and are not counted"
        )
