"""The archive at the end of a run against all that truly happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.core import events, frames, intents, seeds, sync
from host.audit import seal_check
from host.audit.examination import examined
from host.event import nonces, scores
from host.event.fold import Hall as Folds
from host.sim.audit import _ended_twice
from host.sim.torture.watchman import REPLAYED
from host.tournament import rule_packs
from host.tournament.ranking import ranking

if TYPE_CHECKING:
    from host.desk.station import Station
    from host.sim.torture.types import Expected, Hall, Outcome, Watchman


def reckon(hall: Hall, expected: Expected, outcome: Outcome) -> None:
    """Fill in ``outcome``'s counts, and tell ``hall.watch`` of what does not fit."""
    watch, station = hall.watch, hall.laptop.station
    results(hall, expected, outcome)
    entries = station.archive.records()
    _records(hall, entries)
    entries = [one for one in entries if one.device in hall.boards]
    outcome.duplicated = len(entries) - len({one.id for one in entries}) + _ended_twice(entries)
    _orders(hall, station.archive, entries)
    _seals(watch, entries)
    watch.check(not outcome.duplicated, None, f"{outcome.duplicated} duplicated")


def results(hall: Hall, expected: Expected, outcome: Outcome) -> None:
    """Reckon up the present event and take its rounds out of ``expected``: before another opens."""
    watch, station = hall.watch, hall.laptop.station
    opened = station.archive.roster.event
    assert opened is not None  # the hall has opened one
    event = opened.number
    replayed(watch, station)
    for at, number in [place for place in expected if place[0] == event]:
        _results(
            watch, at, number, expected.pop((at, number)), station.hall.results(number), outcome
        )
    _nonces(watch, station.archive)
    _audit(hall, station)


def replayed(watch: Watchman, station: Station) -> None:
    """What is shown is what the archive replays to, round by round and in the standings."""
    fresh, rounds = Folds(station.archive, station.collector.lost), station.archive.roster.rounds
    for number in rounds:
        alike = fresh.results(number) == station.hall.results(number)
        watch.check(alike, None, f"round {number}: the archive replays otherwise")
    if rounds:
        _standings(watch, station, fresh)


def _standings(watch, station, fresh):
    """The standings that are shown are those that the archive replays to."""
    pack = next(one for one in rule_packs.shipped().values() if one.system == "p18")
    shown, replayed = (
        ranking(scores.rounds_of(station.archive, folds), pack) for folds in (station.hall, fresh)
    )
    watch.check(shown == replayed and shown.lines, None, "the archive replays to other standings")


def _nonces(watch, archive):
    """A commitment has brought one nonce down, however often the host was killed over it, and the
    order with it.
    """
    given, orders = (
        nonces.given(archive),
        [one for one in archive.orders.all if one.kind == intents.SET_NONCE],
    )
    places = [one.commitment for one in given]
    twice = sorted({one for one in places if places.count(one) > 1})
    watch.check(not twice, None, f"more than one nonce was given for a commitment: {twice[:3]}")
    told = [seeds.eight_of((0, one.at_ms, 0, one.b, one.c)).hex() for one in orders]
    untold = [one for one in given if told.count(one.nonce.hex()) != 1]
    watch.check(not untold, None, f"a nonce was given and not ordered once: {untold[:3]}")


def _audit(hall, station):
    """Nobody touched this archive: an audit with its rolls names no fault but what the stolen key
    did.
    """
    report = examined(station.archive, station.keyring)
    thief = f"board {hall.foes.thief} "
    found = [said for said in report.faults if thief not in said]
    hall.watch.check(not found, None, f"the audit names {len(found)} faults: {found[:2]}")


def _records(hall, entries):
    """What is archived at the end is what was stored and committed, and nothing of a board after
    its revocation.
    """
    held = {(one.id, one.frame) for one in entries}
    hall.watch.archived(held)
    for device, known in hall.watch.taken.items():
        late = sorted({one.id for one in entries if one.device == device} - known)
        hall.watch.check(
            not late, hall.boards[device], f"revoked, and its word was taken: {late[:3]}"
        )
    for place, frame in hall.laptop.durable.items():
        hall.watch.check((place, frame) in held, None, f"committed and lost: {place}")


def _orders(hall, archive, entries):
    """No order was done twice, unless two hosts have told it."""
    answers = {one.id[:3] + (event[3],) for one in entries
               if (event := frames.event_of(one.frame))[0] == events.ANSWERED
               and event[2] == sync.DONE and event[4] != intents.JOIN_EVENT}  # fmt: skip
    done = [row[0] for row in archive.query("SELECT * FROM sends") if tuple(row[1:]) in answers]
    twice = sorted({one for one in done if done.count(one) > 1})
    hall.watch.check(not twice or len(hall.laptops) > 1, None, f"orders done twice: {twice[:3]}")


def _seals(watch, entries):
    """Every seal fits, and would not if a record under it were another."""
    boots = {}
    for one in entries:
        boots.setdefault(one.id[:3], {})[one.counter] = one.frame
    for place, records in boots.items():
        found, checked, unchecked = seal_check.check(records)
        watch.check(not found, None, f"board {place[0]}, boot {place[2]}: {found[:1]}")
        if checked and not unchecked:
            changed = {**records, 0: records[0][:-1] + bytes([records[0][-1] ^ 1])}
            watch.check(seal_check.check(changed)[0], None, "a seal fits what it does not cover")


def _results(watch, event, number, seats, results, outcome):
    for table, people in seats.items():
        held = results.get(table)
        if held is None:
            outcome.lost += 1
            watch.check(watch.stopped, None, f"round {number} table {table}: no result")
            continue
        outcome.results += 1
        code = REPLAYED.index(held.outcome)
        shown = watch.saved.get((event, number, table), (code, *held.games))
        watch.check(
            shown == (code, *held.games),
            None,
            f"table {table}: shown as saved {shown}, archived {held}",
        )
        there = (event, number, table, code, *held.games) in watch.agreed
        watch.check(
            there,
            None,
            f"round {number} table {table}: archived {held.outcome} {held.games}, nobody agreed",
        )
        true = people.truth.paired(watch.swapped.get((event, number, table)))
        said = ", ".join(people.said)
        ok = true == (code, *held.games)
        watch.check(
            ok, None, f"table {table}: archived {held.outcome} {held.games}, played {true}: {said}"
        )
    for pairing in set(results) - set(seats):
        watch.check(False, None, f"round {number}: a result of no pairing: {pairing}")
