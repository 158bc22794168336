"""A collector, its standbys, boards and a broker in virtual time, with faults by a seed; the store
is a model, or a real PostgreSQL.

What is real is ``standby.Standby``, and with PostgreSQL the fence. Boards repeat each record until
it is acknowledged; the broker loses what a client missed for long, repeats and delays.
"""

import random
from typing import NamedTuple

from host.archive.backend import BEAT_MS
from host.hall.standby import LOOK_MS, PATIENCE_MS, Standby

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
    """What a standby sees."""

    epoch: int
    beats: int
    ended: bool
    held: bool


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
        """Commit what is open."""
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
        """Run until everything is stored and acknowledged."""
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
        """Do something bad now and then."""
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
