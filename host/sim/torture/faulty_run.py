"""One run: people play rounds while the planned faults happen, and the result is checked.

The desk's laptop can fail at any moment. At the end of each event and of the run the archive is
compared with the true course of play.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from firmware.core import answers, events, intents, payload
from host.audit import seal_check
from host.audit.examination import examine
from host.event import nonces, scores
from host.event.fold import Hall as Folds
from host.formats.round_format import parse_format
from host.sim.evening import _ended_twice
from host.sim.people import People
from host.sim.programme import RandomProgramme, extension_act
from host.sim.staff import Staff
from host.sim.story import Story
from host.sim.torture.fault_injector import FaultInjector
from host.sim.torture.invariants import REPLAYED, describe, is_harness
from host.tournament import rule_packs
from host.tournament.ranking import ranking

if TYPE_CHECKING:
    from host.desk.station import Station
    from host.sim.torture.types import Expected, Fault, FaultyVenue, InvariantChecker
    from host.sim.types import PlayTable

DRAIN_S = 60
REBOOT_S = 9
SWAP_S = 300
CLOCKS_S = 60
EXTENDED_S = (60, 1000)
_SHORT = "p18 swiss bo3 constructed 20"
_LONG = "p18 swiss bo3 constructed 50"


@dataclass
class Outcome:
    """The counts and violations of a run."""

    results: int = 0
    lost: int = 0
    duplicated: int = 0
    violations: list[str] = field(default_factory=list)
    faults: dict[str, int] = field(default_factory=dict)
    virtual_s: float = 0


class FaultyRun:
    """A run in ``venue`` with ``seed`` and ``faults`` (see ``fault_plan``) over ``hours`` hours of
    play; it closes the venue.
    """

    def __init__(self, venue: FaultyVenue, hours: float, seed: int, faults: Sequence[Fault]):
        self.venue, self._loop = venue, venue.loop
        self._seed, self._faults, self._span_s = seed, faults, hours * 3600
        self._injector = FaultInjector(self.venue, seed)
        self._programme = RandomProgramme(len(venue.tables), seed)
        self._luck = random.Random(f"ordeal {seed}")
        self.outcome = Outcome()
        self._event = 1
        self._expected: Expected = {}  # (event, round) -> people by table

    async def run(self) -> Outcome:
        """Run, and return the Outcome; an exception of the simulator is a violation, too."""
        try:
            await self._play()
        except Exception as error:  # any exception: the remaining seeds still have to run
            self.venue.invariants.check(False, None, describe("the program", error))
        outcome = self.outcome
        outcome.violations, outcome.faults = self.venue.invariants.violations, self._injector.counts
        outcome.virtual_s = self._loop.time()
        self.venue.close()
        return outcome

    async def _play(self):
        self._loop.set_exception_handler(self._report_loop_error)
        venue = self.venue
        venue.laptop.start()
        for fault in self._faults:
            self._loop.call_at(fault.at_s, self._injector.begin, fault)
        ending = self._loop.create_task(self._end_faults())
        ticking = self._loop.create_task(self._tick())
        await self._rounds()
        ending.cancel()
        ticking.cancel()
        self._injector.end_faults()
        await self._check_drained()
        self._check_end()

    def _report_loop_error(self, loop, what):
        error = what.get("exception")
        text = f"{what.get('message')}"
        if isinstance(error, Exception):
            text = f"{describe('a program', error)}; {text}"
        self.venue.invariants.check(False, None, text)

    async def _tick(self):
        while True:
            await asyncio.sleep(CLOCKS_S)
            self.venue.invariants.check_clocks()
            self.venue.invariants.check_replays()

    async def _end_faults(self):
        await asyncio.sleep(self._span_s)
        self._injector.end_faults()
        await self._check_drained()

    # rounds

    def _formats(self):
        """Yield (format, whether it opens a new event) of each round."""
        opened = False
        while self._loop.time() < self._span_s * 0.7:
            short = self._luck.random() < 0.5
            yield _SHORT if short else _LONG, opened and self._luck.random() < 0.6
            opened = True

    async def _rounds(self):
        number = 0
        for form, opens_event in self._formats():
            number = 1 if opens_event else number + 1
            self._event += opens_event
            if not await self._round(number, form):
                return

    async def _round(self, number, form):
        """Play a round; return whether all invariants held."""
        venue = self.venue
        stored = False
        while not stored:
            stored = venue.laptop.guard(self._store, number, form)
            await asyncio.sleep(1)
        event = max(venue.origins)
        seats = {
            table: People(
                cast("PlayTable", place), Story.drawn(f"{self._seed} {event} {number} {table}")
            )
            for table, place in venue.places.items()
        }
        self._expected[event, number] = seats
        playing = [self._loop.create_task(people.play_round(number)) for people in seats.values()]
        staff = Staff(venue, seats, f"{self._seed} {event} {number}", self._desk_acts(number))
        for task in playing:
            task.add_done_callback(self._report_error)
        done = await staff.conduct(number, len(seats))
        venue.invariants.check(
            done or venue.invariants.stopped, None, f"round {number} did not end"
        )
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        if venue.laptop.up:
            check_replay(venue.invariants, venue.laptop.station)
        return not venue.invariants.stopped

    def _report_error(self, task):
        """Report an error that ended the play at a table, if one did."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            who = "the harness broke, " if is_harness(error) else ""
            self.venue.invariants.check(False, None, f"{who}somebody at a table: {error!r}")

    def _desk_acts(self, number):
        """Return the desk's acts in a round: it allows rolls, and gives some tables extra time
        twice.
        """
        acts = self._programme.acts(number) + [(1, lambda desk: desk.set_policy(None, 3))]
        tables = sorted(self.venue.tables)
        for table in self._luck.sample(tables, 1 + len(tables) // 4):
            for minutes in (1, 2):
                acts.append(extension_act(table, self._luck.uniform(*EXTENDED_S), minutes))
        return acts

    def _store(self, number, form):
        station = self.venue.laptop.station
        roster = station.archive.roster
        opened = roster.event
        assert opened is not None  # the venue opens one at the start
        if opened.number < self._event:
            check_event(self.venue, self._expected, self.outcome)
            self.venue.open_event(station.archive)
            self.venue.laptop.end_program()  # opening an event restarts the program
            self.venue.laptop.start()
            return False
        if roster.format_of(number) is None:
            roster.store_round(number, parse_format(form), self._programme.pairings(number))
        station.refresh()
        return True

    # the end of the run

    async def _check_drained(self):
        """Check that everything arrives within a minute of the last restart, once faults end."""
        venue = self.venue
        await asyncio.sleep(REBOOT_S)
        await self._switched_on()
        for _ in range(DRAIN_S):
            if self._is_drained():
                break
            await asyncio.sleep(1)
        for table in venue.tables.values():
            waits = table.down or table.app.sync.waiting
            venue.invariants.check(not waits, table, f"not drained in {DRAIN_S} s")
        if venue.laptop.up:
            left = self._pending()
            venue.invariants.check(
                not left, None, f"orders not answered in {DRAIN_S} s: {left[:2]}"
            )
        venue.invariants.check(venue.laptop.up, None, "the host is not up again")
        venue.invariants.check_clocks()
        if not venue.invariants.stopped:  # what is missing already would be reported again
            venue.invariants.check_folds()

    async def _switched_on(self):
        """Wait for boards that somebody has still to switch on, such as in a swap that goes on."""
        for _ in range(SWAP_S):
            if not any(table.down for table in self.venue.tables.values()):
                return
            await asyncio.sleep(1)

    def _pending(self):
        """Return the orders that tables have still to answer; a stolen board never answers."""
        orders = self.venue.laptop.station.archive.orders.pending
        return [order for order in orders if order.table in self.venue.tables]

    def _lacks_records(self):
        """Return whether the host lacks records, such as another host has acknowledged."""
        collector = self.venue.laptop.station.collector
        return any(
            collector._scheduler.missing(collector.statuses[table.device])
            for table in self.venue.tables.values()
        )

    def _is_drained(self):
        """Return whether no board is off and no record or order is still under way."""
        venue = self.venue
        if not venue.laptop.up or any(table.down for table in venue.tables.values()):
            return False
        if self._pending() or self._lacks_records():
            return False
        return not any(table.app.sync.waiting for table in venue.tables.values())

    def _check_end(self):
        venue = self.venue
        if venue.laptop.up:
            check_run(venue, self._expected, self.outcome)
        for table in venue.boards.values():
            for place in table.link.reused:
                venue.invariants.check(False, table, f"number used twice: {place}")


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
    ordered = [payload.data_of(order.asks(intents.SetNonce)).hex() for order in orders]
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
