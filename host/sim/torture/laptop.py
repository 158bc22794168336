"""The host's PC: a Station that may be killed at any write, sleep, run out of disk, or have a twin.

A kill copies what lies in the archive's files at that moment and goes on from the copy: nothing
is closed politely. What COMMIT has promised is kept beside it, to be compared. Where a program ends
as soon as it has stored what a seed's nonce is owed for, the next one writes while it starts, and
may end in that.
"""

from __future__ import annotations

import asyncio
import pathlib
import random
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeAlias, TypeVar

from firmware.core import events, frames, seeds
from host.archive import audit_log
from host.archive.store import Archive
from host.backup import restore
from host.base.errors import UserError
from host.collector.host_clock import HostClock
from host.desk.station import Station
from host.sim.pure import PureCarrier
from host.sim.torture import origin
from host.sim.torture.rough import SUPERVISION_S
from host.sim.torture.wire import DiskFull, Killed, Wire

if TYPE_CHECKING:
    from host.archive.database import SqlValue
    from host.sim.torture.types import Hall, RecordPlace, RoughAir, Spoken


_PARTS = ("", "-wal")
_COMMITTED = seeds.NONCE - 1  # the last part of a commitment


CallP = ParamSpec("CallP")
ResultT = TypeVar("ResultT")
End: TypeAlias = tuple[int, bool]  # after how many more writes, and whether before the next one


class Radio(PureCarrier):
    """A carrier that survives nothing of what its program does not survive."""

    def __init__(self, air: RoughAir, laptop: Laptop, spoken: Spoken):
        self._laptop, self._spoken = laptop, spoken
        super().__init__(air, laptop.station.collector, laptop.now_ms)
        self._ear = self._heard
        self._missed: list[int] = []

    def _guard(self, call, *args):
        if self._laptop.has(self):  # what an ended program had put off is never done
            self._laptop.guard(call, *args)
            self._laptop.watch.waiting(self._collector)

    def die(self) -> None:
        """Fall silent; the boards find out."""
        self._air.deafen(self._ear)
        self._waiting = []
        for session in list(self._sessions.values()):
            session.fade(self._in_time)

    def doze(self) -> None:
        """The PC sleeps: its links are lost, which it learns when it wakes."""
        for session in list(self._sessions.values()):
            session.fade(self._in_time)

    def _in_time(self, gone):
        self._air.loop.call_later(SUPERVISION_S, gone)

    def wake(self) -> None:
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

    def received(self, address: int, frame: bytes) -> None:
        """As the carrier's."""
        self._guard(super().received, address, frame)

    def gone(self, address: int) -> None:
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

    def __init__(self, hall: Hall, path: Path, spoken: Spoken):
        self._hall, self._path, self._spoken = hall, pathlib.Path(path), spoken
        self.watch = hall.watch
        self._life = 0
        self._station: Station | None = None
        self._radio: Radio | None = None
        self._task: asyncio.Task[None] | None = None
        self._clock: HostClock | None = None
        self.durable: dict[RecordPlace, bytes] = {}  # the frames that COMMIT has promised
        self.awake, self.full = True, False
        self.wall_ms = 0  # what the wall clock is off
        self.offsets_ms = {0}  # by how much this PC's event time has ever been off
        self._left: int | None = (
            None  # writes until the program is killed, None while nobody kills it
        )
        self._before: bool | None = None  # whether it then ends before the write
        self._twice: End | None = (
            None  # how the life after this one is to end, once a nonce is owed
        )
        self._next: End | None = None
        self._kept = False  # the files lie already as the end left them
        self.falls = 0
        self.retired = self.unborn = False  # unborn: it has ended while it started

    @property
    def up(self) -> bool:
        """Whether its program runs and can be asked."""
        return self.running and self.awake

    @property
    def running(self) -> bool:
        """Whether its program runs; the PC may sleep."""
        return self._station is not None

    @property
    def station(self) -> Station:
        """The program; AssertionError while none runs."""
        assert self._station is not None
        return self._station

    def now_ms(self) -> int:
        """Return this PC's event time."""
        assert self._clock is not None
        return self._clock.now_ms()

    def has(self, radio: Radio) -> bool:
        """Whether a radio is the running program's, and not an ended one's."""
        return self._radio is radio

    def start(self) -> None:
        """Start the program on what the disk holds."""
        if self.running or self.retired:
            return
        randbytes = random.Random(f"nonces {self._hall.loop.time()}").randbytes
        try:
            self._station = station = Station(
                self._file, self._hall.master, randbytes=randbytes, connect=self._connect
            )
        except (Killed, DiskFull):
            self.unborn = True
            self._ended()
            return
        self.awake = True
        event = station.archive.roster.event
        assert event is not None  # the hall has opened one
        steady = lambda: round(self._hall.loop.time() * 1000)  # noqa: E731
        wall_ms = self._hall.unix_ms() + self.wall_ms
        self._clock = HostClock(event.origin_unix_ms, wall_ms, steady, station.archive.latest_ms)
        station.collector.now_ms = self.now_ms()
        self.offsets_ms.add(self.now_ms() - self._hall.now_ms())
        self._radio = Radio(self._hall.air, self, self._spoken)
        self._task = self._hall.loop.create_task(self._radio.run())

    def _connect(self, path):
        return Wire(path, self)

    @property
    def _file(self):
        return self._path.with_name(f"{self._path.name}.{self._life}")

    def adopt(self, other: Laptop) -> None:
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

    def guard(
        self, call: Callable[CallP, ResultT], *args: CallP.args, **named: CallP.kwargs
    ) -> ResultT | None:
        """Call into the program; what ends it ends here: a kill, a full disk, or its own mistake,
        which is told.
        """
        if not self.up:
            return None
        station = self.station
        try:
            return call(*args, **named)
        except UserError:
            raise
        except (Killed, DiskFull):
            pass
        except Exception as error:
            self.watch.check(
                self._station is not station, None, origin.broke("the host's program", error)
            )
        if self._station is station:
            self.fall()
        return None

    def write(self, before: bool) -> None:
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

    def keeps(self, places: Mapping[RecordPlace, bytes]) -> None:
        """COMMIT has promised these {(device, generation, epoch, counter): frame}."""
        self.durable |= places
        self.watch.archived(places.items())
        if self._twice is not None and any(_owes_nonce(frame) for frame in places.values()):
            self._twice, self._next = None, self._twice
            self._end()

    def holds(self, sql: str, *values: SqlValue) -> bool:
        """Whether a count of the archive's rows, with nothing unwritten among them, finds any."""
        archive = self.station.archive
        return not archive._db.in_transaction and bool(archive.query(sql, *values)[0][0])

    def generation_of(self, device: int) -> int:
        """Return the generation of the key with which a board is spoken to."""
        return self.station.collector.statuses[device].generation

    def kill(self, left: int, before: bool) -> None:
        """Let the program end ``before`` or after the write that comes after ``left`` more."""
        self._left, self._before = left, before

    def kill_twice(self, left: int, before: bool) -> None:
        """Let it end when it has come to owe a nonce, and again so many writes into the
        next life.
        """
        self._twice = left, before

    def spare(self) -> None:
        """Let it live, and its disk have room."""
        self.full, self._left, self._twice, self._next = False, None, None, None

    def fall(self) -> None:
        """The program has ended: keep what the disk holds, and nothing else."""
        station, self._station = self.station, None
        assert self._task is not None and self._radio is not None
        self._keep()
        self._task.cancel()
        self._radio.die()
        assert isinstance(station.archive._db, Wire)
        station.archive._db.dead = True
        station.archive.close()
        self._ended()

    def _ended(self):
        self.falls += 1
        self._left, self._before = self._next or (None, None)
        self._next, self._kept = None, False
        self._hall.fallen(self)

    def sleep(self) -> None:
        """Close the lid."""
        if self.up and self._radio is not None:
            self.awake = False
            self._radio.doze()

    def wake(self) -> None:
        """Open it."""
        if self._radio is not None and self.running and not self.awake:
            self.awake = True
            self._radio.wake()

    def retire(self) -> None:
        """Be carried away for good."""
        if self.running:
            self.fall()
        self.retired = True


def _owes_nonce(frame):
    kind, _, part, _, _ = frames.event_of(frame)
    return kind == events.SEED_TOLD and part == _COMMITTED
