"""Compares the archive at the end of an event or a run with the true course of play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.core import answers, events, intents, payload
from host.audit import seal_check
from host.audit.examination import examine
from host.event import nonces, scores
from host.event.fold import Hall as Folds
from host.sim.evening import _ended_twice
from host.sim.torture.invariants import REPLAYED
from host.tournament import rule_packs
from host.tournament.ranking import ranking

if TYPE_CHECKING:
    from host.desk.station import Station
    from host.sim.torture.types import Expected, FaultyVenue, InvariantChecker, Outcome


def check_run(venue: FaultyVenue, expected: Expected, outcome: Outcome) -> None:
    """Fill in ``outcome``'s counts and report violations to ``venue.invariants``."""
    invariants, station = venue.invariants, venue.laptop.station
    check_event(venue, expected, outcome)
    entries = station.archive.records()
    _records(venue, entries)
    entries = [entry for entry in entries if entry.device in venue.boards]
    outcome.duplicated = len(entries) - len({entry.id for entry in entries}) + _ended_twice(entries)
    _orders(venue, station.archive, entries)
    _seals(invariants, entries)
    invariants.check(not outcome.duplicated, None, f"{outcome.duplicated} duplicated")


def check_event(venue: FaultyVenue, expected: Expected, outcome: Outcome) -> None:
    """Check the current event and remove its rounds from ``expected``, before another event
    opens.
    """
    invariants, station = venue.invariants, venue.laptop.station
    opened = station.archive.roster.event
    assert opened is not None  # the venue opens one at the start
    event = opened.number
    check_replay(invariants, station)
    for number in [number for of_event, number in expected if of_event == event]:
        seats, results = expected.pop((event, number)), station.hall.results(number)
        _results(invariants, event, number, seats, results, outcome)
    _nonces(invariants, station.archive)
    _audit(venue, station)


def check_replay(invariants: InvariantChecker, station: Station) -> None:
    """Check that results and standings are those that a replay of the archive gives."""
    fresh, rounds = Folds(station.archive, station.collector.lost), station.archive.roster.rounds
    for number in rounds:
        alike = fresh.results(number) == station.hall.results(number)
        invariants.check(alike, None, f"round {number}: the archive replays otherwise")
    if rounds:
        _standings(invariants, station, fresh)


def _standings(invariants, station, fresh):
    """The standings shown are those that the archive replays to."""
    pack = next(pack for pack in rule_packs.shipped_packs().values() if pack.system == "p18")
    shown, replayed = (
        ranking(scores.rounds_of(station.archive, folds), pack) for folds in (station.hall, fresh)
    )
    invariants.check(
        shown == replayed and shown.lines, None, "the archive replays to other standings"
    )


def _nonces(invariants, archive):
    """Each commitment got exactly one nonce and one order that carries it, however often the host
    was killed meanwhile.
    """
    given = nonces.all_given(archive)
    orders = [order for order in archive.orders.all if order.kind == intents.SET_NONCE]
    commitments = [nonce.commitment for nonce in given]
    twice = sorted({place for place in commitments if commitments.count(place) > 1})
    invariants.check(
        not twice, None, f"more than one nonce was given for a commitment: {twice[:3]}"
    )
    ordered = [payload.eight(order.asks(intents.SetNonce)).hex() for order in orders]
    wrong = [nonce for nonce in given if ordered.count(nonce.nonce.hex()) != 1]
    invariants.check(not wrong, None, f"a nonce was given and not ordered once: {wrong[:3]}")


def _audit(venue, station):
    """Nobody changed this archive: an audit with its rolls reports no fault except those of the
    stolen key.
    """
    report = examine(station.archive, station.keyring)
    stolen = f"board {venue.attackers.stolen_device} "
    faults = [fault for fault in report.faults if stolen not in fault]
    venue.invariants.check(not faults, None, f"the audit names {len(faults)} faults: {faults[:2]}")


def _records(venue, entries):
    """The archive holds exactly what was stored and committed, and nothing from a board after its
    revocation.
    """
    held = {(entry.id, entry.frame) for entry in entries}
    venue.invariants.check_archived(held)
    for device, known in venue.invariants.revoked_records.items():
        late = sorted({entry.id for entry in entries if entry.device == device} - known)
        venue.invariants.check(
            not late, venue.boards[device], f"revoked, and its word was taken: {late[:3]}"
        )
    for place, frame in venue.laptop.durable.items():
        venue.invariants.check((place, frame) in held, None, f"committed and lost: {place}")


def _orders(venue, archive, entries):
    """No order was carried out twice, unless two hosts sent it."""
    carried_out = set()  # the frames down
    for entry in entries:
        answer = entry.board_event
        if not isinstance(answer, events.Answered) or answer.refusal != answers.DONE:
            continue
        if answer.broadcast or answer.asked != intents.JOIN_EVENT:
            carried_out.add((*entry.boot, answer.counter))
    sends = archive.query("SELECT command, device, generation, epoch, counter FROM sends")
    done = [order for order, *frame in sends if tuple(frame) in carried_out]
    twice = sorted({order for order in done if done.count(order) > 1})
    venue.invariants.check(
        not twice or len(venue.laptops) > 1, None, f"orders done twice: {twice[:3]}"
    )


def _seals(invariants, entries):
    """Every seal fits, and would not fit if a record under it were changed."""
    boots = {}
    for entry in entries:
        boots.setdefault(entry.boot, {})[entry.counter] = entry.frame
    for boot, records in boots.items():
        faults, checked, unchecked = seal_check.check(records)
        invariants.check(not faults, None, f"board {boot.device}, boot {boot.epoch}: {faults[:1]}")
        if checked and not unchecked:
            changed = {**records, 0: records[0][:-1] + bytes([records[0][-1] ^ 1])}
            invariants.check(
                seal_check.check(changed)[0], None, "a seal fits what it does not cover"
            )


def _results(invariants, event, number, people_by_table, results, outcome):
    for table, people in people_by_table.items():
        result = results.get(table)
        if result is None:
            outcome.lost += 1
            invariants.check(invariants.stopped, None, f"round {number} table {table}: no result")
            continue
        outcome.results += 1
        place = event, number, table
        archived = REPLAYED.index(result.outcome), *result.games
        words = f"archived {result.outcome} {result.games}"
        shown = invariants.saved.get(place, archived)
        sentence = f"table {table}: shown as saved {shown}, archived {result}"
        invariants.check(shown == archived, None, sentence)
        agreed = (*place, *archived) in invariants.agreed
        invariants.check(agreed, None, f"round {number} table {table}: {words}, nobody agreed")
        played = people.truth.paired(invariants.swapped.get(place))
        story = ", ".join(people.said)
        sentence = f"table {table}: {words}, played {played}: {story}"
        invariants.check(played == archived, None, sentence)
    for pairing in set(results) - set(people_by_table):
        invariants.check(False, None, f"round {number}: a result of no pairing: {pairing}")
