"""The host's PC: a Station that may be killed at any write, sleep, run out of disk, or have a twin.

A kill copies what lies in the archive's files at that moment and goes on from the copy: nothing
is closed politely. What COMMIT has promised is kept beside it, to be compared. Where a program ends
as soon as it has stored what a seed's nonce is owed for, the next one writes while it starts, and
may end in that.
"""

import pathlib
import random
import shutil
import sqlite3

from firmware.core import events, frames, seeds
from host.archive import audit_log
from host.archive.store import Archive
from host.backup import restore
from host.base.errors import UserError
from host.collector.host_clock import HostClock
from host.desk.station import Station
from host.sim.pure import PureCarrier
from host.sim.torture.rough import SUPERVISION_S
from host.sim.torture.wire import DiskFull, Killed, Wire

_PARTS = ("", "-wal")
_COMMITTED = seeds.NONCE - 1  # the last part of a commitment


class Radio(PureCarrier):
    """A carrier that survives nothing of what its program does not survive."""

    def __init__(self, air, laptop, spoken):
        self._laptop, self._spoken = laptop, spoken
        super().__init__(air, laptop.station.collector, laptop.now_ms)
        self._ear, self._missed = self._heard, []

    def _guard(self, call, *args):
        if self._laptop.radio is self:  # what an ended program had put off is never done
            self._laptop.guard(call, *args)
            self._laptop.watch.waiting(self._collector)

    def die(self):
        """Fall silent; the boards find out."""
        self._air.deafen(self._ear)
        self._waiting = []
        for session in list(self._sessions.values()):
            session.fade(lambda gone: self._air.loop.call_later(SUPERVISION_S, gone))

    def doze(self):
        """The PC sleeps: its links are lost, which it learns when it wakes."""
        for session in list(self._sessions.values()):
            session.fade(lambda gone: self._air.loop.call_later(SUPERVISION_S, gone))

    def wake(self):
        """It wakes, and its links are gone."""
        for address in list(self._sessions):
            self.gone(address)
        missed, self._missed = self._missed, []
        for address in missed:
            self._settle(address, True)

    def _act(self):
        self._guard(super()._act)

    def _heard(self, address, frame):
        self._guard(super()._heard, address, frame)

    def received(self, address, frame):
        """As the carrier's."""
        self._guard(super().received, address, frame)

    def gone(self, address):
        """As the carrier's."""
        self._guard(super().gone, address)

    def _settle(self, address, fails):
        if not self._laptop.awake:  # the adapter gives it up, which is learnt at waking
            self._missed.append(address)
            return
        link = self._air.links[address]
        self._guard(super()._settle, address, fails or link.connected)

    def _write(self, address, frame):
        self._spoken(self._laptop, frame)
        super()._write(address, frame)


class Laptop:
    """One PC.

    ``hall`` gives ``loop``, ``air``, ``master`` and ``unix_ms()``; ``spoken`` hears it and every
    frame written.
    """

    def __init__(self, hall, path, spoken):
        self._hall, self._path, self._spoken = hall, pathlib.Path(path), spoken
        self.watch = hall.watch
        self._life = 0
        self.station = self.radio = self._task = self._clock = None
        # (device, generation, epoch, counter) -> the frame that COMMIT has promised
        self.durable = {}
        self.awake, self.full = True, False
        self.wall_ms = 0  # what the wall clock is off
        self.offsets_ms = {0}  # by how much this PC's event time has ever been off
        self._left = self._before = None
        self._twice = self._next = None  # how the next life is to end
        self._kept = False  # the files lie already as the end left them
        self.falls = 0
        self.retired = self.unborn = False  # unborn: it has ended while it started

    @property
    def up(self):
        """Whether its program runs and can be asked."""
        return self.station is not None and self.awake

    def now_ms(self):
        """Return this PC's event time."""
        return self._clock.now_ms()

    def start(self):
        """Start the program on what the disk holds."""
        if self.station is not None or self.retired:
            return
        randbytes = random.Random(f"nonces {self._hall.loop.time()}").randbytes
        try:
            self.station = Station(
                self._file, self._hall.master, randbytes=randbytes, connect=self._connect
            )
        except (Killed, DiskFull):
            self.unborn = True
            self._ended()
            return
        self.awake = True
        event = self.station.archive.roster.event
        steady = lambda: round(self._hall.loop.time() * 1000)  # noqa: E731
        wall_ms = self._hall.unix_ms() + self.wall_ms
        self._clock = HostClock(
            event.origin_unix_ms, wall_ms, steady, self.station.archive.latest_ms
        )
        self.station.collector.now_ms = self.now_ms()
        self.offsets_ms.add(self.now_ms() - self._hall.now_ms())
        self.radio = Radio(self._hall.air, self, self._spoken)
        self._task = self._hall.loop.create_task(self.radio.run())

    def _connect(self, path):
        return Wire(sqlite3.connect(path, isolation_level=None), self)

    @property
    def _file(self):
        return self._path.with_name(f"{self._path.name}.{self._life}")

    def adopt(self, other):
        """Begin with a copy of another laptop's files."""
        for part in _PARTS:
            source = pathlib.Path(f"{other._file}{part}")
            if source.exists():
                shutil.copy(source, f"{self._file}{part}")
        with Archive(self._file) as archive:
            archive.audit_log.begin(audit_log.key_of(self._hall.master))
            restore.leap(archive, self._hall.unix_ms())
        self.offsets_ms, self.wall_ms = other.offsets_ms, other.wall_ms
        self.durable = dict(other.durable)

    def guard(self, call, *args):
        """Call into the program; what ends it ends here: a kill, a full disk, or its own mistake,
        which is told.
        """
        if not self.up:
            return None
        station = self.station
        try:
            return call(*args)
        except UserError:
            raise
        except (Killed, DiskFull):
            pass
        except Exception as error:
            self.watch.check(
                self.station is not station, None, f"the host's program broke: {error!r}"
            )
        if self.station is station:
            self.fall()
        return None

    def write(self, before):
        """A statement that writes is about to run, or has run."""
        if before and self.full:
            raise DiskFull("database or disk is full")
        if self._left is not None and before == self._before:
            self._left -= 1
            if self._left < 0:
                self._end()

    def _end(self):
        self._keep()
        raise Killed

    def _keep(self):
        """The program ends here: what the files hold now is all that there is."""
        if self._kept:
            return
        self._left, old = None, self._file
        self._life, self._kept = self._life + 1, True
        for part in _PARTS:
            if pathlib.Path(f"{old}{part}").exists():
                shutil.copy(f"{old}{part}", f"{self._file}{part}")

    def keeps(self, places):
        """COMMIT has promised these {(device, generation, epoch, counter): frame}."""
        self.durable |= places
        self.watch.archived(places.items())
        if self._twice is not None and any(_owes_nonce(frame) for frame in places.values()):
            self._twice, self._next = None, self._twice
            self._end()

    def holds(self, sql, *values):
        """Whether a count of the archive's rows, with nothing unwritten among them, finds any."""
        archive = self.station.archive
        return not archive._db.in_transaction and archive.query(sql, *values)[0][0] > 0

    def generation_of(self, device):
        """Return the generation of the key with which a board is spoken to."""
        return self.station.collector.statuses[device].generation

    def kill(self, left, before):
        """Let the program end ``before`` or after the write that comes after ``left`` more."""
        self._left, self._before = left, before

    def kill_twice(self, left, before):
        """Let it end when it has come to owe a nonce, and again so many writes into the
        next life.
        """
        self._twice = left, before

    def spare(self):
        """Let it live, and its disk have room."""
        self.full, self._left, self._twice, self._next = False, None, None, None

    def fall(self):
        """The program has ended: keep what the disk holds, and nothing else."""
        station, self.station = self.station, None
        self._keep()
        self._task.cancel()
        self.radio.die()
        station.archive._db.dead = True
        station.archive.close()
        self._ended()

    def _ended(self):
        self.falls += 1
        self._left, self._before = self._next or (None, None)
        self._next, self._kept = None, False
        self._hall.fallen(self)

    def sleep(self):
        """Close the lid."""
        if self.up:
            self.awake = False
            self.radio.doze()

    def wake(self):
        """Open it."""
        if self.station is not None and not self.awake:
            self.awake = True
            self.radio.wake()

    def retire(self):
        """Be carried away for good."""
        if self.station is not None:
            self.fall()
        self.retired = True


def _owes_nonce(frame):
    kind, _, part, _, _ = frames.event_of(frame)
    return kind == events.SEED_TOLD and part == _COMMITTED
