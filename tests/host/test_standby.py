"""A standby takes over from a collector that is silent, and two never write."""

import itertools
import os
import random
import signal
import subprocess
import sys
from typing import NamedTuple

import pytest
from commands import plusthree

from host.archive.backend import BEAT_MS, Fenced, Lost
from host.archive.records import ArchivedRecord
from host.archive.store import Archive
from host.base.errors import UserError
from host.hall.postgres.reconnection import PAUSES_S
from host.hall.standby import LOOK_MS, PATIENCE_MS, Standby, wait

STEP_MS = 100
IDLE_MS = 3000  # after which the server ends a transaction that does nothing
REPEAT_MS = 2000
QUIET_MS = 120_000  # faults end before; then everything must come to rest
MOST_MS = 600_000


class Stopped(Exception):
    """A writer that must end: fenced, or its session is gone."""


class Busy(Exception):
    """A take-over that must be tried again."""


class Sight(NamedTuple):
    epoch: int
    beats: int
    ended: bool
    alive: bool


class ModelStore:
    """PostgreSQL as the fence uses it: one row, sessions, transactions that lock the row."""

    def __init__(self):
        self.epoch = self.beats = 0
        self.now_ms = 0
        self.holder = self.open = None  # the session of the epoch; (session, begun, rows)
        self.log = []  # (epoch, record) of each that was committed, in order

    def claim(self, after):
        if self.open:
            session, begun_ms, _ = self.open
            if self.now_ms - begun_ms < IDLE_MS:
                raise Busy
            session.alive, self.open = False, None
        if after is None and self.holder and self.holder.alive:
            raise Busy
        if after is not None and after != self.epoch:
            raise Busy
        self.epoch, self.beats = self.epoch + 1, 0
        self.holder = ModelWriter(self, self.epoch)
        return self.holder

    def seen(self):
        return Sight(self.epoch, self.beats, False, bool(self.holder and self.holder.alive))

    @property
    def stored(self):
        return [record for _, record in self.log]


class ModelWriter:
    """A session; ``torn`` leaves its transaction open, as a program that stops within."""

    def __init__(self, store, epoch):
        self._store, self.epoch, self.alive = store, epoch, True

    def commit(self, records, torn=False):
        self.begin()
        self._store.open = (self, self._store.now_ms, records)
        if not torn:
            self.end()

    def begin(self):
        if not self.alive or self._store.epoch != self.epoch:
            raise Stopped

    def end(self):
        if not self.alive or not self._store.open or self._store.open[0] is not self:
            raise Stopped
        known = set(self._store.stored)
        records = dict.fromkeys(self._store.open[2])
        self._store.log += [(self.epoch, one) for one in records if one not in known]
        self._store.open = None

    def beat(self):
        self.begin()
        self._store.beats += 1

    def close(self):
        self.alive = False
        if self._store.open and self._store.open[0] is self:
            self._store.open = None


class Program:
    """One ``plusthree serve``: it stands by, collects, sleeps, or is dead."""

    def __init__(self, hall, name, after=None):
        self.hall, self.name = hall, name
        self.standby, self.writer, self.torn = Standby(), None, []
        self.asleep_ms = self.cut_ms = self.beaten_ms = self.looked_ms = 0
        self.inbox = []

    @property
    def awake(self):
        return self.hall.now_ms >= self.asleep_ms

    def step(self):
        if not self.awake:
            return
        try:
            self.collect() if self.writer else self.look()
        except Stopped:
            self.writer.close()
            self.writer, self.torn, self.standby = None, [], Standby()  # systemd starts it again
            self.hall.ended += 1

    def look(self):
        if self.hall.now_ms - self.looked_ms < LOOK_MS:
            return
        self.looked_ms = self.hall.now_ms
        epoch = self.standby.step(self.hall.store.seen(), self.hall.now_ms)
        if epoch is not None:
            try:
                self.writer = self.hall.store.claim(epoch)
                self.hall.taken += 1
            except Busy:
                self.standby = Standby()

    def collect(self):
        if self.torn:
            self.writer.end()
            self.acknowledge(self.torn)
            self.torn = []
        if self.hall.now_ms - self.beaten_ms >= BEAT_MS:
            self.writer.beat()
            self.beaten_ms = self.hall.now_ms
        heard, self.inbox = self.inbox, []
        if not heard:
            return
        if self.hall.tears and self.hall.luck.random() < 0.02:
            self.writer.commit(heard, torn=True)
            self.torn, self.asleep_ms = (
                heard,
                self.hall.now_ms + self.hall.luck.randint(500, 20_000),
            )
            return
        self.writer.commit(heard)
        self.acknowledge(heard)

    def acknowledge(self, records):
        for one in records:
            assert one in self.hall.store.stored, f"{one} is acknowledged and not stored"
            self.hall.send(("ack", one), self)


class Hall:
    """The whole: ``play`` runs it, and raises AssertionError for what must never be."""

    def __init__(self, seed, store, tears=True, records=30):
        self.luck, self.store, self.tears = random.Random(seed), store, tears
        self.now_ms = self.taken = self.ended = 0
        self.broker_ms = 0  # down until then
        self.flying = []  # (due, message, from a program or None)
        self.left = {}  # records that no board has an acknowledgement for: when each is sent again
        self.unborn = [(board, n) for n in range(records) for board in range(4)]
        self.programs = [Program(self, name) for name in ("first", "second", "third")]
        self.programs[0].writer = store.claim(None)
        self.programs[0].writer.beat()

    def send(self, message, program=None):
        """Put a message into the broker: it may be late, come twice, or be lost with a client."""
        if self.now_ms < self.broker_ms or (program and self.now_ms < program.cut_ms):
            return
        for _ in range(1 + (self.luck.random() < 0.1)):
            if self.luck.random() > 0.1:
                self.flying.append((self.now_ms + self.luck.randint(0, 3000), message))

    def play(self):
        total = len(self.unborn)
        while self.unborn or self.left:
            self.now_ms += STEP_MS
            assert self.now_ms < MOST_MS, f"{len(self.left)} records are never acknowledged"
            self.store.now_ms = self.now_ms
            if self.now_ms < QUIET_MS:
                self.harm()
            self.boards()
            self.deliver()
            for one in self.programs:
                one.step()
        stored = self.store.stored
        assert len(stored) == len(set(stored)) == total, "lost, or stored twice"
        epochs = [epoch for epoch, _ in self.store.log]
        assert epochs == sorted(epochs), "an older writer has written after a younger one"
        return self

    def boards(self):
        for _ in range(min(len(self.unborn), self.luck.random() < 0.15)):
            self.left[self.unborn.pop(0)] = 0
        for record, due_ms in self.left.items():
            if due_ms <= self.now_ms:
                self.left[record] = self.now_ms + REPEAT_MS
                self.send(("up", record))

    def deliver(self):
        if self.now_ms < self.broker_ms:
            return
        due = [message for at_ms, message in self.flying if at_ms <= self.now_ms]
        self.flying = [one for one in self.flying if one[0] > self.now_ms]
        for kind, record in due:
            if kind == "ack":
                self.left.pop(record, None)
                continue
            for one in self.programs:
                if one.writer and self.now_ms >= one.cut_ms:  # a stopped one's waits for it
                    one.inbox.append(record)

    def harm(self):
        if self.luck.random() >= 0.008:
            return
        one, long_ms = self.luck.choice(self.programs), self.luck.randint(500, 25_000)
        what = self.luck.choice(("kill", "sleep", "cut", "broker", "session"))
        if what == "broker":
            self.broker_ms = self.now_ms + long_ms
        elif what == "cut":
            one.cut_ms = self.now_ms + long_ms
        elif what == "sleep":
            one.asleep_ms = self.now_ms + long_ms
        else:
            if one.writer:
                one.writer.close()
            if what == "kill":  # and it is started again as a standby
                one.writer, one.torn, one.standby, one.inbox = None, [], Standby(), []


assert PATIENCE_MS > IDLE_MS, "a transaction that was left open has ended by a take-over"


EVENT_FILE = (
    "# event: Cup\n# format: p18 swiss bo3 constructed 50\n"
    "table,number_a,name_a,number_b,name_b\n1,10,Ann,11,Bo\n"
)
FEW, MANY, REAL = 25, 1000, 5
FIT_MS = 2000  # until a busy machine has a session again
PROGRAM = "import sys; from host.cli import main; sys.exit(main(sys.argv[1:]))"


def looks(*sights):
    """Return what a standby says to sights 500 ms apart."""
    one = Standby()
    return [one.step(sight, 500 * n) for n, sight in enumerate(sights)]


def test_a_collector_that_beats_is_let_be():
    assert set(looks(*(Sight(3, n // 2, False, True) for n in range(100)))) == {None}


def test_a_silent_one_is_taken_over_after_the_patience_and_not_before():
    told = looks(*[Sight(3, 7, False, True)] * 20)
    assert told.index(3) == PATIENCE_MS // 500 and set(told[: told.index(3)]) == {None}


def test_one_whose_session_is_gone_is_taken_over_at_once():
    assert looks(Sight(3, 7, False, True), Sight(3, 7, False, False)) == [None, 3]


def test_after_a_server_that_was_away_the_writer_may_come_back_first():
    gone, there = Sight(3, 7, False, False), Sight(3, 8, False, True)
    told = looks(there, None, *[gone] * 20)
    assert told.index(3) == PATIENCE_MS // 500 + 1 and set(told[: told.index(3)]) == {None}
    assert looks(there, None, gone, there, gone)[-2:] == [None, 3]


@pytest.mark.parametrize("away_ms", range(250, 29_000, 1750))
def test_however_long_a_server_was_away_the_writer_is_back_before_a_standby(away_ms):
    gone, there = Sight(3, 7, False, False), Sight(3, 8, False, True)
    tries_ms = itertools.accumulate(round(pause_s * 1000) for pause_s in PAUSES_S)
    back_ms = next(at_ms for at_ms in tries_ms if at_ms >= away_ms) + FIT_MS
    one = Standby()
    for now_ms in range(-LOOK_MS, back_ms + 2 * PATIENCE_MS, LOOK_MS):
        up = gone if now_ms < back_ms else there._replace(beats=now_ms)
        sight = there if now_ms < 0 else None if now_ms < away_ms else up
        assert one.step(sight, now_ms) is None


def test_one_that_a_person_ended_is_let_be():
    assert set(looks(*[Sight(3, 7, True, False)] * 40)) == {None}


def test_a_standby_that_slept_or_saw_nothing_begins_to_count_anew():
    one = Standby()
    assert one.step(Sight(3, 7, False, True), 0) is None
    assert one.step(Sight(3, 7, False, True), 60_000) is None
    assert one.step(None, 60_500) is None
    assert one.step(Sight(3, 7, False, True), 60_500 + PATIENCE_MS // 3) is None


def test_a_server_that_is_away_is_asked_again_and_said_once():
    class Look:
        def __init__(self):
            self.left = 2 if looked[0] < 3 else 100

        def seen(self):
            self.left -= 1
            if self.left < 0:
                raise UserError("gone")
            return Sight(4, self.left, False, looked[0] < 3)

        def close(self):
            closed.append(self)

    def watch():
        looked[0] += 1
        if looked[0] == 2:
            raise UserError("refused")
        return Look()

    looked, closed, said = [0], [], []
    steps = itertools.count(0, 500)
    assert wait(watch, said.append, lambda: next(steps), lambda s: None) == 4 and len(closed) == 2
    by, off = "standing by: the collector of epoch 4 collects", "waiting: "
    over = "the collector of epoch 4 is silent: taking over"
    assert said == [by, off + "gone", off + "refused", by, over]


def test_nothing_is_lost_nothing_double_and_no_two_write(proving, printed):
    seeds = range(MANY if proving else FEW)
    halls = [Hall(seed, ModelStore()).play() for seed in seeds]
    taken, ended = sum(one.taken for one in halls), sum(one.ended for one in halls)
    printed("take-overs", [f"{len(halls)} seeds: {taken} take-overs, {ended} writers ended"])
    assert taken > len(halls) and ended


def test_a_network_that_is_cut_for_five_minutes_loses_nothing():
    for seed in range(3):
        hall = Hall(seed, ModelStore())
        hall.harm = lambda hall=hall: setattr(hall, "broker_ms", 300_000)
        assert hall.play().now_ms > 300_000, "a board tells until it is answered"


def test_without_the_fence_the_same_story_finds_two_that_write():
    class Unfenced(ModelStore):
        def claim(self, after):
            made = super().claim(after)
            made.begin = lambda: None
            return made

    def broken(seed):
        try:
            Hall(seed, Unfenced()).play()
        except AssertionError:
            return True
        return False

    assert any(broken(seed) for seed in range(FEW))


class RealStore:
    def __init__(self, address):
        from host.hall.postgres import postgres_backend

        self.address, self.log, self.now_ms = address, [], 0
        Archive(address).close()
        self.watch = postgres_backend.Watch(address)

    def claim(self, after):
        try:
            return RealWriter(self, Archive(self.address, after=after))
        except UserError:
            raise Busy from None

    def seen(self):
        return self.watch.seen()

    @property
    def stored(self):
        return [record for _, record in self.log]


class RealWriter:
    def __init__(self, store, archive):
        self._store, self._archive = store, archive
        self.epoch = archive.number("SELECT epoch FROM writer")

    def commit(self, records):
        made = [
            ArchivedRecord(board + 1, 1, 1, n, 0, self.epoch, bytes(24))
            for board, n in dict.fromkeys(records)
        ]
        fates = self._try(lambda: self._archive.commit(made))
        self._store.log += [
            (self.epoch, one) for one, fate in zip(dict.fromkeys(records), fates) if fate == "added"
        ]

    def beat(self):
        self._try(self._archive.backend.beat)

    def _try(self, act):
        try:
            return act()
        except (Fenced, Lost):
            raise Stopped from None

    def close(self):
        self._archive._db.close()


def test_the_same_over_a_real_server(postgres, proving, here):
    taken = 0
    for seed in range(REAL if proving else 1):
        store = RealStore(postgres.database())
        hall = Hall(seed, store, tears=False, records=30 if proving else 4).play()
        with Archive(store.address, after=store.seen().epoch) as archive:
            held = [(one.device - 1, one.counter) for one in archive.records()]
            epochs = {one.received_ms for one in archive.records()}
        assert sorted(held) == sorted(store.stored) and epochs == {epoch for epoch, _ in store.log}
        taken += hall.taken
    assert taken >= REAL or not proving


def test_a_file_has_no_standby(here, capsys):
    assert plusthree("serve", "--standby") == 2
    assert "with its archive on a server" in capsys.readouterr().err


class Served:
    def __init__(self, root, folder, address, *more):
        said = [sys.executable, "-u", "-c", PROGRAM, "serve", *more]
        self.process = subprocess.Popen(
            [*said, address, "--no-radio", "--no-web"],
            cwd=folder, env={**os.environ, "PYTHONPATH": str(root)}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def until(self, words):
        found = []
        for line in self.process.stdout:
            found.append(line)
            if words in line:
                return found
        raise AssertionError("".join(found))

    def send(self, sign):
        os.kill(self.process.pid, sign)

    def end(self):
        self.process.kill()
        self.process.communicate()


@pytest.mark.prove
def test_a_stopped_collector_is_taken_over_and_says_so_when_it_wakes(postgres, tmp_path, root):
    address = postgres.database()
    (tmp_path / "e.csv").write_text(EVENT_FILE)
    first = Served(root, tmp_path, address, "e.csv")
    first.until("try: help")
    second = Served(root, tmp_path, address, "--standby")
    third = None
    try:
        second.until("collects")
        first.send(signal.SIGSTOP)
        second.until("taking over")
        second.until("try: help")
        first.send(signal.SIGCONT)
        assert "has written nothing since" in first.until("has taken")[-1]
        assert first.process.wait() == 2
        third = Served(root, tmp_path, address, "--standby")
        third.until("collects")
        second.send(signal.SIGKILL)
        third.until("try: help")
        third.process.communicate("quit\n")
        assert third.process.returncode == 0
    finally:
        for one in filter(None, (first, second, third)):
            one.end()
