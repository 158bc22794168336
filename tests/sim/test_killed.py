"""A host that is killed, at random moments or at every write of its start: nothing is lost or doubled."""

import asyncio
import itertools
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter

import pytest

from firmware.core import events, frames, intents, payload, phases, seeds
from firmware.core.journal import Journal
from host.archive import audit_log
from host.archive.records import ArchivedRecord
from host.archive.store import Archive
from host.desk.station import Station
from host.event import nonces
from host.sim import clock, stored_records
from host.sim.board import RamStore
from host.sim.people import People
from host.sim.programme import RandomProgramme
from host.sim.pure import PureAir
from host.sim.torture.faulty_venue import GENERATION, FaultyVenue
from host.sim.torture.laptop import Laptop
from host.sim.torture.seed_runs import run_seed
from host.sim.venue import Venue

BUSY = 60_000  # turns of an empty loop: up to some milliseconds, in which the process is at work
PATIENCE_S = 60


class Killed(Exception):
    """The process was killed in the middle of this."""


class Process:
    """The Collector's face of one ``plusthree dev simulate tether`` process."""

    def __init__(self, path, luck):
        self._luck, self.doomed, self.dead, self.busy = luck, False, False, False
        program = pathlib.Path(sys.executable).with_name("plusthree")
        self._child = subprocess.Popen(
            [program, "dev", "simulate", "tether", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def _ask(self, *words):
        if self.dead:
            raise Killed
        self._child.stdin.write(json.dumps(words) + "\n")
        self._child.stdin.flush()
        if self.doomed and (self.busy or self.doomed == "now"):
            for _ in range(self._luck.randrange(BUSY)):
                pass
            self.kill()
            raise Killed
        answer = self._child.stdout.readline()
        if not answer:
            raise AssertionError(self._child.stderr.read())
        return json.loads(answer)

    def kill(self):
        os.kill(self._child.pid, signal.SIGKILL)
        self._child.communicate()
        self.dead = True

    def close(self):
        """Let it end by itself; returns what it said on stderr."""
        self.dead = True
        return self._child.communicate()[1]

    def do(self, line, now_ms):
        return self._ask("do", line, now_ms)

    # what a carrier asks: nothing comes of it once the process is dead

    def _quietly(self, *words):
        try:
            return self._ask(*words)
        except Killed:
            return None

    def on_advert(self, address, frame, now_ms):
        self._quietly("heard", address, frame.hex(), now_ms)

    def on_notification(self, address, frame, now_ms):
        """As the Collector's; the next ``poll`` commits."""
        self._quietly("received", address, frame.hex(), now_ms)
        self.busy = True

    def on_connected(self, address):
        self._quietly("opened", address)

    def on_disconnected(self, address):
        self._quietly("closed", address)

    def poll(self, now_ms):
        actions = self._quietly("poll", now_ms) or []
        self.busy = False
        return [[*action[:2], *map(bytes.fromhex, action[2:])] for action in actions]

    def has_work(self, now_ms):
        """As the Collector's, at its quickest: ``poll`` alone knows."""
        return True

    def due_ms(self, now_ms):
        """As the Collector's, at its quickest."""
        return now_ms + 250


class Host:
    """A process, its carrier, and what happens when it is killed: another takes its place."""

    def __init__(self, loop, air, path, now_ms, seed):
        self._loop, self._air, self._path, self._now_ms = loop, air, path, now_ms
        self._luck = random.Random(f"kills {seed}")
        self.kills = 0
        self._begin()

    def _begin(self):
        self.process = Process(self._path, self._luck)
        self._carrier = self._air.carrier(self.process, self._now_ms)
        self._task = self._loop.create_task(self._carrier.run())

    async def again(self):
        """Wait for the kill that is due, let the links die, and start anew."""
        while not self.process.dead:
            await asyncio.sleep(0.25)
        self.kills += 1
        self._end()
        await asyncio.sleep(self._luck.uniform(0.1, 5))
        self._begin()

    def _end(self):
        self._task.cancel()
        for session in list(self._carrier._sessions.values()):
            session.end()

    async def murder(self, times, until_s):
        """Kill it so many times before ``until_s``; half of them at its commits."""
        moments = sorted(self._luck.uniform(self._loop.time(), until_s) for _ in range(times))
        for moment in moments:
            await asyncio.sleep(max(0, moment - self._loop.time()))
            self.process.doomed = self._luck.choice(("now", "at work"))
            patience = self._loop.call_later(PATIENCE_S, self._now, self.process)
            await self.again()
            patience.cancel()

    @staticmethod
    def _now(process):
        """It had nothing to commit for a while."""
        process.doomed = "now"

    def do(self, line):
        try:
            return self.process.do(line, self._now_ms())
        except Killed:
            return None

    def close(self):
        self._end()
        return self.process.close()


KILLS, TABLES = (50, 8) if os.environ.get("PLUSTHREE_PROVE") else (4, 2)
OUTCOMES = (None, "A", "B", "tie")
LONGEST_S = 3 * 3600
MURDERS_S = 3300  # from the pairings to the last turns after time


class Staff:
    """The desk, typing at whichever process is alive; it sees the tables with its own eyes."""

    def __init__(self, host, tables, people):
        self._host, self._tables, self._people = host, tables, people
        self.ruled = Counter()

    def matches(self):
        return [table.app.match for table in self._tables.values() if table.started]

    async def conduct(self):
        """Publish, start and rule until every result is in and acknowledged."""
        while (
            not all(match.round and match.minutes for match in self.matches()) or not self.matches()
        ):
            self._host.do("publish 1")
            await asyncio.sleep(5)
        while not all(match.start_ms for match in self.matches()):
            self._host.do("start 4")
            await asyncio.sleep(90)
        while not all(table.settled for table in self._tables.values()):
            for number, table in self._tables.items():
                if table.app.match.phase == phases.RESOLVING:
                    won, *games = self._people[number].truth.result
                    said = self._host.do(f"rule {number} {OUTCOMES[won]} {games[0]} {games[1]}")
                    self.ruled[number] += said is not None
            await asyncio.sleep(120)


async def round_with_kills(path, seed):
    """Play a round while the host is killed again and again; return what is needed to judge it."""
    loop = asyncio.get_running_loop()
    air, programme = PureAir(loop, seed, 0.05), RandomProgramme(TABLES, seed)
    venue = Venue(loop, air, path, programme, seed)
    venue.station.archive.roster.store_round(1, programme.format, programme.pairings(1))
    venue.close()
    host = Host(loop, air, path, venue.now_ms, seed)
    people = {
        number: People(table, programme.story(1, number)) for number, table in venue.tables.items()
    }
    playing = [loop.create_task(one.play_round(1)) for one in people.values()]
    staff = Staff(host, venue.tables, people)
    killing = loop.create_task(host.murder(KILLS, MURDERS_S))
    async with asyncio.timeout(LONGEST_S):
        await asyncio.gather(staff.conduct(), killing)
        while not all(table.settled for table in venue.tables.values()):
            await asyncio.sleep(5)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    assert host.close() == ""
    return venue, people, host.kills


def records_of(table):
    ring = table.app.journal.ring
    return [record for _, record in stored_records.walk(ring, ring.oldest) if record]


def judged(venue, people, path):
    """Hold the archive against the boards' own flash and the players' truth."""
    with Station(path) as station:
        held = {entry.id: entry.frame for entry in station.archive.records()}
        assert not station.archive.quarantined
        for number, table in venue.tables.items():
            told = Counter()
            for record in records_of(table):
                kind, device, epoch, counter = frames.head(record)
                told[kind] += 1
                if kind not in events.NOT_NEWS:
                    assert held[device, 1, epoch, counter] == record, (
                        f"table {number} lost {epoch}/{counter}"
                    )
            assert told[events.ROUND_SET] == told[events.FORMAT_SET] == 1, told
            assert told[events.EVENT_JOINED] >= 1, "joining again changes nothing"
            answers = [
                events.of_record(r).counter
                for r in records_of(table)
                if r[0] & 63 == events.ANSWERED
            ]
            assert len(answers) == len(set(answers)), f"table {number} did an order twice"
        results = station.hall.results(1)
        orders = [order for order in station.archive.orders.all if order.state == "pending"]
    assert not orders
    for pairing, result in results.items():
        won, *games = people[pairing].truth.result
        assert (result.outcome, *result.games) == (OUTCOMES[won], *games)
    assert len(results) == TABLES
    return len(held)


def test_killed_at_random_moments_nothing_is_lost_and_nothing_double(tmp_path, printed):
    path = tmp_path / "a.db"
    venue, people, kills = clock.run(round_with_kills(path, 11))
    records = judged(venue, people, path)
    printed("kill -9 of plusthree (real process, virtual hall on this PC)",
            [f"{kills} kills in one round at {TABLES} tables: {records} records, "
             f"{TABLES} results, 0 lost, 0 double"])  # fmt: skip
    assert kills == KILLS


COMMITTED = (*range(seeds.SEED, seeds.SEED + 4), *range(seeds.NONCE))
MOST = 40


def owe_nonces(venue, devices):
    """Leave on the laptop's disk the commitments of some boards, to which no nonce was given."""
    with Archive(venue.laptop._file) as archive:
        archive.audit_log.begin(audit_log.key_of(venue.master))
        for device in devices:
            journal = Journal(
                RamStore(), device, frames.board_key(venue.master, device, GENERATION)
            )
            journal.open_epoch(0)
            journal.append(events.EventJoined(0, 1, 0), events.RoundSet(0, 1, device, device))
            last = journal.append(*(seeds.seed_event(part, bytes(8)) for part in COMMITTED))
            told = [stored_records.read(journal, 1, last - place) for place in (2, 1, 0)]
            heads = [(device, GENERATION, *frames.head(one)[2:]) for one in told]
            archive.commit(
                [
                    ArchivedRecord(*head, 1, 0, frame)
                    for head, frame in zip(heads, told, strict=True)
                ]
            )


def on_laptops(folder, live):
    """Call ``live(make)``; ``make(kill)`` starts a laptop of its own on that disk, to be
    killed so.
    """

    async def main():
        venue = FaultyVenue(asyncio.get_running_loop(), folder, 2, 1)
        owe_nonces(venue, (1, 2))
        numbers = itertools.count()

        def make(kill):
            laptop = Laptop(venue, folder / f"try{next(numbers)}", lambda *told: None)
            shutil.copy(venue.laptop._file, laptop._file)
            kill(laptop)
            laptop.start()
            return laptop

        live(make)
        assert not venue.invariants.violations

    clock.run(main())


def given(laptop):
    """Return the nonces on a laptop's disk, each with the orders that tell it, and let the laptop
    go.
    """
    archive = laptop.station.archive
    orders = [one for one in archive.orders.pending if one.kind == intents.SET_NONCE]
    told = [payload.data_of(one.asks(intents.SetNonce)).hex() for one in orders]
    found = [one.nonce.hex() for one in nonces.all_given(archive)]
    assert found == told and len({one.table for one in orders}) == len(orders)
    laptop.retire()
    return found


@pytest.mark.parametrize("before", [True, False])
def test_a_start_is_killed_at_each_of_its_writes(tmp_path, before):
    deaths = []

    def live(make):
        for left in range(MOST):
            laptop = make(lambda one, left=left: one.kill_after(left, before))
            if laptop.up:  # it writes less than that
                laptop.retire()
                return
            deaths.append(left)
            assert laptop.ended_in_start
            laptop.start()
            assert laptop.up and len(given(laptop)) == 2

    on_laptops(tmp_path, live)
    assert 8 < len(deaths) < MOST


def test_a_start_without_room_on_the_disk_waits_for_room(tmp_path):
    def live(make):
        laptop = make(lambda one: setattr(one, "full", True))
        assert laptop.ended_in_start and not laptop.up
        laptop.cancel_faults()
        laptop.start()
        assert laptop.up and len(given(laptop)) == 2

    on_laptops(tmp_path, live)


def test_runs_kill_hosts_while_they_start():
    assert any(run_seed(seed, 1, 0.3).faults.get("kill at start") for seed in (8, *range(1, 24)))
