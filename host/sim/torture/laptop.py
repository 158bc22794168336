"""The host's PC: a Station that can be killed at any write, sleep, run out of disk space or be
duplicated.

A kill copies the archive's files as they are at that moment and continues from the copy; nothing is
closed properly. Committed frames are kept beside it for comparison. A program can be killed after
storing what obliges it to send a nonce, and the next one while it writes that nonce during its
start.
"""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeAlias, TypeVar

from firmware.core import events, seeds
from host.archive import audit_log
from host.archive.store import Archive
from host.backup import restore
from host.base.errors import UserError
from host.collector.host_clock import HostClock
from host.desk.station import Station
from host.sim.pure import SUPERVISION_S, PureCarrier
from host.sim.torture import invariants
from host.sim.torture.faulty_database import DiskFull, FaultyConnection, Killed

if TYPE_CHECKING:
    from host.archive.database import SqlValue
    from host.sim.torture.types import FaultyAir, FaultyVenue, FrameSent, RecordPlace

_PARTS = ("", "-wal")
_COMMITTED = seeds.NONCE - 1  # the last part of a commitment
CallP = ParamSpec("CallP")
ResultT = TypeVar("ResultT")
Kill: TypeAlias = tuple[int, bool]  # after how many more writes; whether before the next one


class LaptopRadio(PureCarrier):
    """A carrier that ends with its program."""

    def __init__(self, air: FaultyAir, laptop: Laptop, frame_sent: FrameSent):
        self._laptop, self._frame_sent = laptop, frame_sent
        super().__init__(air, laptop.station.collector, laptop.now_ms)
        self._missed: list[int] = []

    def _guard(self, call, *args):
        if self._laptop.runs(self):  # an ended program's timers do nothing
            self._laptop.guard(call, *args)
            self._laptop.invariants.check_queues(self._collector)

    def close(self) -> None:
        """Stop; the boards notice after the supervision time-out."""
        self._waiting = []
        for session in list(self._sessions.values()):
            session.fade(self._in_time)

    def sleep(self) -> None:
        """The PC sleeps: its connections are lost, which the program learns after waking."""
        for session in list(self._sessions.values()):
            session.fade(self._in_time)

    def _in_time(self, gone):
        self._air.loop.call_later(SUPERVISION_S, gone)

    def wake(self) -> None:
        """Tell the program about the connections lost while the PC slept."""
        for address in list(self._sessions):
            self.gone(address)
        missed, self._missed = self._missed, []
        for address in missed:
            self._settle(address, fails=True)

    def _act(self):
        self._guard(super()._act)

    def _heard(self, address, frame):
        self._guard(super()._heard, address, frame)

    def received(self, address: int, frame: bytes) -> None:
        """As ``PureCarrier.received``."""
        self._guard(super().received, address, frame)

    def gone(self, address: int) -> None:
        """As ``PureCarrier.gone``."""
        self._guard(super().gone, address)

    def _settle(self, address, fails):
        if not self._laptop.awake:  # the attempt fails, which the program learns after waking
            self._missed.append(address)
            return
        link = self._air.links[address]
        self._guard(super()._settle, address, fails or link.connected)

    def _write(self, address, frame):
        self._frame_sent(self._laptop, frame)
        super()._write(address, frame)


class Laptop:
    """One PC with its files at ``path``; ``frame_sent(laptop, frame)`` gets every frame it
    sends.
    """

    def __init__(self, venue: FaultyVenue, path: Path, frame_sent: FrameSent):
        self._venue, self._path, self._frame_sent = venue, pathlib.Path(path), frame_sent
        self.invariants = venue.invariants
        self._life = 0
        self._station: Station | None = None
        self._radio: LaptopRadio | None = None
        self._task: asyncio.Task[None] | None = None
        self._clock: HostClock | None = None
        self.durable: dict[RecordPlace, bytes] = {}  # committed frames
        self.awake, self.full = True, False
        self.wall_ms = 0  # error of the wall clock
        self.offsets_ms = {0}  # every error that this PC's event time has had
        # writes until the program is killed (None: no kill is planned), and whether it is killed
        # before that write or after it
        self._writes_left: int | None = None
        self._killed_before: bool | None = None
        # how the program after this one is killed: planned until a nonce is owed, then due
        self._kill_at_nonce: Kill | None = None
        self._next_kill: Kill | None = None
        self._files_copied = False  # the files have already been copied as the kill left them
        self.endings = 0
        self.retired = self.ended_in_start = False

    @property
    def up(self) -> bool:
        """Whether the program runs and the PC is awake."""
        return self.running and self.awake

    @property
    def running(self) -> bool:
        """Whether the program runs; the PC may be asleep."""
        return self._station is not None

    @property
    def station(self) -> Station:
        """The running program; AssertionError if none runs."""
        assert self._station is not None
        return self._station

    def now_ms(self) -> int:
        """Return this PC's event time."""
        assert self._clock is not None
        return self._clock.now_ms()

    def runs(self, radio: LaptopRadio) -> bool:
        """Return whether a radio belongs to the running program, not to an ended one."""
        return self._radio is radio

    def start(self) -> None:
        """Start the program on the files on disk."""
        if self.running or self.retired:
            return
        try:
            self._station = station = Station(self._file, self._venue.master, connect=self._connect)
        except (Killed, DiskFull):
            self.ended_in_start = True
            self._ended()
            return
        self.awake = True
        event = station.archive.roster.event
        assert event is not None  # the venue opens one at the start
        steady = lambda: round(self._venue.loop.time() * 1000)  # noqa: E731
        wall_ms = self._venue.unix_ms() + self.wall_ms
        self._clock = HostClock(event.origin_unix_ms, wall_ms, steady, station.archive.latest_ms)
        station.collector.now_ms = self.now_ms()
        self.offsets_ms.add(self.now_ms() - self._venue.now_ms())
        self._radio = LaptopRadio(self._venue.air, self, self._frame_sent)
        self._task = self._venue.loop.create_task(self._radio.run())

    def _connect(self, path):
        return FaultyConnection(path, self)

    @property
    def _file(self):
        return self._path.with_name(f"{self._path.name}.{self._life}")

    def copy_from(self, other: Laptop) -> None:
        """Start with a restored copy of another laptop's files."""
        for part in _PARTS:
            source = pathlib.Path(f"{other._file}{part}")
            if source.exists():
                shutil.copy(source, f"{self._file}{part}")
        with Archive(self._file) as archive:
            archive.audit_log.begin(audit_log.key_of(self._venue.master))
            restore.leap_counters(archive, self._venue.unix_ms())
        self.offsets_ms, self.wall_ms = other.offsets_ms, other.wall_ms
        self.durable = dict(other.durable)

    def guard(
        self, call: Callable[CallP, ResultT], *args: CallP.args, **named: CallP.kwargs
    ) -> ResultT | None:
        """Call into the program; a kill, a full disk or an exception ends the program and returns
        None. UserError passes; other exceptions are reported as violations.
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
            ended = self._station is not station  # by an inner call, which has reported it
            self.invariants.check(ended, None, invariants.describe("the host's program", error))
        if self._station is station:
            self.end_program()
        return None

    def at_write(self, before: bool) -> None:
        """Raise DiskFull or Killed if that fault is due ``before`` or after this write."""
        if before and self.full:
            raise DiskFull("database or disk is full")
        if self._writes_left is not None and before == self._killed_before:
            self._writes_left -= 1
            if self._writes_left < 0:
                self._kill()

    def _kill(self):
        self._copy_files()
        raise Killed

    def _copy_files(self):
        """Keep the files as they are now for the next start: what the program writes from here on
        is lost.
        """
        if self._files_copied:
            return
        self._files_copied = True
        self._writes_left = None
        old = self._file
        self._life += 1  # names the files anew
        for part in _PARTS:
            if pathlib.Path(f"{old}{part}").exists():
                shutil.copy(f"{old}{part}", f"{self._file}{part}")

    def committed(self, places: Mapping[RecordPlace, bytes]) -> None:
        """Note that COMMIT has stored these {(device, generation, epoch, counter): frame}."""
        self.durable |= places
        self.invariants.check_archived(places.items())
        if self._kill_at_nonce is not None and any(_owes_nonce(frame) for frame in places.values()):
            self._kill_at_nonce, self._next_kill = None, self._kill_at_nonce
            self._kill()

    def has_rows(self, sql: str, *values: SqlValue) -> bool:
        """Return whether a count query finds committed rows."""
        archive = self.station.archive
        return not archive._db.in_transaction and bool(archive.query(sql, *values)[0][0])

    def generation_of(self, device: int) -> int:
        """Return the key generation that the host uses for a board."""
        return self.station.collector.statuses[device].generation

    def kill_after(self, left: int, before: bool) -> None:
        """Kill the program ``before`` or after the write that follows ``left`` more writes."""
        self._writes_left, self._killed_before = left, before

    def kill_when_nonce_owed(self, left: int, before: bool) -> None:
        """Kill the program once it owes a nonce, and the next one after ``left`` more writes."""
        self._kill_at_nonce = left, before

    def cancel_faults(self) -> None:
        """Cancel planned kills and give the disk space again."""
        self.full = False
        self._writes_left = self._kill_at_nonce = self._next_kill = None

    def end_program(self) -> None:
        """End the program; only the files on the disk survive."""
        station, self._station = self.station, None
        assert self._task is not None and self._radio is not None
        self._copy_files()
        self._task.cancel()
        self._radio.close()
        assert isinstance(station.archive._db, FaultyConnection)
        station.archive._db.dead = True
        with contextlib.suppress(Killed):  # a killed program keeps no head of the audit log
            station.archive.close()
        self._ended()

    def _ended(self):
        self.endings += 1
        self._writes_left, self._killed_before = self._next_kill or (None, None)
        self._next_kill, self._files_copied = None, False
        self._venue.program_ended(self)

    def sleep(self) -> None:
        """Put the PC to sleep."""
        if self.up and self._radio is not None:
            self.awake = False
            self._radio.sleep()

    def wake(self) -> None:
        """Wake the PC."""
        if self._radio is not None and self.running and not self.awake:
            self.awake = True
            self._radio.wake()

    def retire(self) -> None:
        """End the program and never start it again."""
        if self.running:
            self.end_program()
        self.retired = True


def _owes_nonce(frame):
    event = events.of_record(frame)
    return isinstance(event, events.SeedStored) and event.part == _COMMITTED
