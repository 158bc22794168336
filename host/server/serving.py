"""The serve loop: radio, typed lines, files and view around one Station."""

import asyncio
import contextlib
import logging
import os
import pathlib
import signal
import sqlite3
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Protocol, TextIO, TypeAlias

from host.archive import places, table_shapes
from host.archive.backend import BEAT_MS, Foreign, Undone
from host.backup.backup import BackupSchedule
from host.base import prompt
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.base.standard_streams import printable
from host.base.tasks import until_one_ends
from host.base.words import amount
from host.collector.alarms import Alarm
from host.collector.beacon_caster import Source
from host.collector.collector import Collector
from host.collector.host_clock import HostClock, KeptTime
from host.desk import troubles
from host.desk.station import Station
from host.event import table_rows
from host.event.match_results import Result
from host.reports import exports
from host.server import live_view
from host.server.act_completion import ActCompleter
from host.server.broadcast import Broadcast
from host.server.console import Console
from host.server.terminal_desk import TerminalDesk

_log = logging.getLogger(__name__)
TICK_S = 0.5
_FILES_MS = 2000
_DISK = "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY"
_ROOM_MS = 5000
_KEEP_MS = 5000
_NO_ROOM = (
    "{path} cannot be written ({why}): make room on its disk and start plusthree serve again; "
    "what a board shows as sent is there, the boards keep the rest and tell it then"
)
SILENT = "nobody can type here, so acts come from the web desk; to stop serve, end its process, {}"
GOES_ON = "the typed lines have ended, and serve goes on; to stop it, end its process, {}"
_ENDS = "the typed lines have ended, and so does serve: it has no radio to wait for"
_NOT_WRITTEN = (
    "results.csv or results.json is not up to date: close the program that has it open, then:"
    " plusthree export csv"
)
_STRANGE = ("board", "tag", "version")  # late and repeated frames are normal


class Carrier(Protocol):
    """Transports frames; ``delay_s`` is the delay of a changed advert, None while unknown."""

    delay_s: float | None

    @property
    def gateways(self) -> Source | None:
        """What sends the beacon, None without any."""
        ...

    async def run(self) -> None:
        """Carry until cancelled."""
        ...


MakeCarrier: TypeAlias = Callable[
    [Collector, Callable[[], int], Callable[[Sentence], None]], Carrier
]
Progress: TypeAlias = tuple[int | None, bool, bool]
"""The published round, whether it has its start, and whether all its results are there."""


@contextlib.contextmanager
def disk_full_guard(path: places.Place) -> Iterator[None]:
    """Raise a UserError that says what to do where the archive at ``path`` cannot be written."""
    try:
        yield
    except sqlite3.OperationalError as failure:
        if not _is_disk(failure):
            raise
        raise UserError(_NO_ROOM, path=places.shown(path), why=str(failure)) from None


def _is_disk(failure: sqlite3.Error) -> bool:
    return str(getattr(failure, "sqlite_errorname", "")).startswith(_DISK)


def asked_to_end() -> asyncio.Event:
    """Return what is set when the system asks this program to end: ``kill``, a service stopped."""
    asked = asyncio.Event()
    with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, a thread
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, asked.set)
    return asked


class Serving:
    """Runs a Station until its console quits. Lines go to ``file``, exports to ``folder``.

    ``keeper`` copies the archive, if there is one. ``beside(lines)`` shows lines where several
    events share a terminal (``several_serving``); None where this one has it alone.
    """

    def __init__(
        self,
        station: Station,
        console: Console,
        clock: HostClock,
        folder: pathlib.Path,
        file: TextIO,
        keeper: BackupSchedule | None = None,
        beside: Callable[[Sequence[str]], None] | None = None,
    ):
        self._beside = beside
        self._log = places.own_log(_log, station.archive.path)
        self._station, self._console, self._clock, self._folder = station, console, clock, folder
        self._terminal = live_view.terminal(file, soft_wrap=True)
        self._said: list[str] = []
        self._answer = 0
        self._screen: TerminalDesk | None = None
        self._exported: list[dict[int, Result]] | None = None
        self._exported_ms = self._alarms = self._tried_ms = self._beaten_ms = self._kept_ms = 0
        self._kept = KeptTime(station.archive.path)
        self._forged_tables: set[int] = set()  # tables that hear false frames of the beacon
        self._keeper, self._carrier = keeper, None
        self._broadcast = Broadcast(station, clock.now_ms)
        self._version = station.archive.version
        self._foreign: Sentence | None = None
        station.archive.on_outage(self._outage)

    async def run(
        self,
        make_carrier: MakeCarrier | None,
        web: Callable[[], Coroutine[None, None, None]] | None = None,
    ) -> None:
        """Serve; ``make_carrier`` is None for no radio, ``web()`` serves the web desk.

        It goes on without an adapter, on a full disk and without the backup's stick; pages and
        terminal say so (``host.desk.troubles``). Raises UserError once another program has put
        rows into the archive that no plusthree writes: nothing may be read from it any more.
        """
        self._begin(make_carrier is not None)
        carrying = self._carry(make_carrier) if make_carrier else self._wait()
        works = [carrying, *([web()] if web else []), self._tell()]
        if self._beside is None:
            works += [self._listen(bool(make_carrier)), asked_to_end().wait()]
        else:
            works += [self._keep_ticking()]
        try:
            with disk_full_guard(self._station.archive.shown):
                await until_one_ends(*works)
        except BaseException as failure:
            self._log.error("ends by an error", exc_info=failure)
            self._explain()
            raise
        finally:
            self._end()

    def _explain(self):
        """Raise UserError where odd rows caused a failure: they raise wherever they are read."""
        with contextlib.suppress(sqlite3.Error):  # else the failure itself is told
            self._refuse_odd()

    def _refuse_odd(self):
        archive = self._station.archive
        table_shapes.refuse_odd(archive, archive.shown)

    def _end(self):
        """Make the last copy, and write the files, unless the rows are none of ours."""
        self._log.info("ends")
        archive = self._station.archive
        archive.look()
        if table_shapes.odd_rows(archive) or archive.audit_log.foreign:
            return
        if self._keeper:
            self._say(self._keeper.finish())
        self._files(force=True)
        if troubles.FILES in self._station.troubles:
            self._say([_NOT_WRITTEN])

    def _begin(self, radio: bool):
        """Say and log what is served, and write the files."""
        self._say([self._headline()])
        self._files(force=True)
        roster, number = self._station.archive.roster, self._station.desk.round
        rounds, boards = len(roster.rounds), len(roster.current_boards)
        self._log.info(
            "begins: round %s, %d rounds, %d boards, radio %s", number, rounds, boards, radio
        )

    def remark(self, lines: Sequence[str]) -> None:
        """Show lines that people should read before the first act."""
        self._say(lines)

    def overhear(self, lines: Sequence[str]) -> None:
        """Keep lines of another event for the view, which shows one event at a time."""
        self._said = [*self._said, *lines][-100:]

    async def _carry(self, make_carrier: MakeCarrier):
        """Run a carrier; one that a full disk ended is followed by another when there is room."""
        collector = self._station.collector
        while True:
            self._carrier = make_carrier(collector, self._clock.now_ms, self._trouble)
            try:
                return await self._carrier.run()
            except Undone:
                self._log.warning("what was heard last is not stored: the boards tell it again")
            except sqlite3.OperationalError as failure:
                self._pause(failure)
            collector.drop_carrier(self._clock.now_ms())
            await self._until_disk_has_space()
            self._station.refresh()

    async def _tell(self):
        """Broadcast; results that a full disk refused are announced again."""
        while True:
            try:
                await self._broadcast.run(self._gateways)
            except Undone:
                self._log.warning("what was announced last is not stored: it is tried again")
            except sqlite3.OperationalError as failure:
                self._pause(failure)
            await self._until_disk_has_space()

    async def _until_disk_has_space(self):
        log = self._station.archive.audit_log
        while troubles.DISK in self._station.troubles or log.foreign:  # ``_tick`` looks after both
            await asyncio.sleep(TICK_S)

    def _pause(self, failure: sqlite3.OperationalError):
        """Say why nothing can be stored for now. Raises ``failure`` where that is for good."""
        if isinstance(failure, Foreign):
            self._look_for_others()
        elif _is_disk(failure):
            self._no_disk()
        else:
            raise failure

    def _outage(self, said: Sentence, over: bool):
        """Show that the database went away, or is back: nothing else happens in between."""
        if over:  # the set-up was compared already
            self._refuse_odd()
            self._version = self._station.archive.version
        self._trouble(said)

    def _no_disk(self):
        if self._station.troubles.begin(troubles.DISK, self._clock.now_ms(), troubles.NO_DISK):
            self._trouble(troubles.NO_DISK)

    def _look_at_clock(self):
        """Keep the time that this event has run, and say what is wrong with the PC's clock."""
        now_ms, station = self._clock.now_ms(), self._station
        if now_ms - self._kept_ms >= _KEEP_MS:
            self._kept_ms = now_ms
            if station.archive.roster.event is not None:
                self._kept.write(station.origin_unix_ms, now_ms)
        said = station.clock_check.update() if station.clock_check is not None else None
        if said is not None:
            self._log.warning("this PC's clock: %s", said.template)
            self._say([str(said), "answer with: clock passed, or: clock wrong"])

    def _check_disk_space(self):
        """Try a full disk again from time to time."""
        now_ms = self._clock.now_ms()
        if troubles.DISK not in self._station.troubles or now_ms - self._tried_ms < _ROOM_MS:
            return
        self._tried_ms = now_ms
        if self._station.archive.has_disk_space():
            self._station.troubles.end(troubles.DISK)
            self._trouble(troubles.DISK_BACK)

    def _trouble(self, sentence: Sentence):
        """Show a report of the radio, here and on pages."""
        self._log.warning("this PC: %s", sentence.template)
        self._station.collector.alarms.append(Alarm(self._clock.now_ms(), None, sentence))
        self._say([table_rows.alarm(None, sentence)])

    def _gateways(self) -> Source | None:
        return self._carrier.gateways if self._carrier else None

    async def _wait(self):
        await asyncio.Event().wait()

    async def _listen(self, radio: bool):
        """Take typed lines until the console quits."""
        if live_view.whole_screen(self._terminal) and sys.stdin.isatty():
            await self._show()
        elif prompt.silent(sys.stdin):
            self._say([SILENT.format(os.getpid())])
            await self._read(asyncio.Queue(), radio)
        else:
            await self._read(prompt.lines(asyncio.get_running_loop(), sys.stdin), radio)

    async def _keep_ticking(self):
        """Look after everything until the console quits; who types is heard elsewhere."""
        while not self._console.quitting:
            self._tick()
            await asyncio.sleep(TICK_S)

    def stop(self) -> None:
        """End soon, as if somebody had typed ``quit``."""
        self._console.operator.quitting = True

    @property
    def console(self) -> Console:
        """What is typed for this event goes there (``do``)."""
        return self._console

    async def _show(self):
        completer = ActCompleter(self._console.acts, self.seated)
        self._screen = TerminalDesk(completer, self.drawn, self.do)
        try:
            await self._screen.run(self._tick, TICK_S)
        finally:
            self._screen = None

    async def _read(self, queue: asyncio.Queue[str | None], radio: bool):
        while not self._console.quitting:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK_S):
                    line = await queue.get()
                if line is None:
                    self._say([GOES_ON.format(os.getpid()) if radio else _ENDS])
                    if not radio:
                        return
                if line is not None:
                    self.do(line)
            self._tick()

    def do(self, line: str) -> bool:
        """Carry out a typed line; return whether it was refused."""
        self._station.collector.now_ms = self._clock.now_ms()
        self._log.info("typed: %s", self._console.word(line))
        try:
            answer = self._console.run(line)
        except sqlite3.OperationalError as failure:
            self._pause(failure)
            self._console.refused, answer = True, ["not done"]
        self._say(answer)
        self._answer = len(answer)  # it stays whole on the screen until the next line is typed
        if self._console.quitting and self._screen:
            self._screen.close()
        return self._console.refused

    def _tick(self):
        self._say(self._console.news())
        alarms = list(self._station.collector.alarms)
        for one in alarms[self._alarms :]:
            if one.device is not None:
                self._log.warning("board %d: %s", one.device, one.sentence.template)
        self._say(
            [
                table_rows.alarm(device, text)
                for _, device, text in alarms[self._alarms :]
                if device is not None
            ]
        )
        self._alarms = len(alarms)
        self._look_at_clock()
        self._check_disk_space()
        self._look_for_others()
        self._beat()
        if self._station.archive.audit_log.foreign:
            return  # neither shown nor copied
        tables = self._broadcast.forged_at
        more = not self._forged_tables.issuperset(tables)  # fewer are no news
        self._forged_tables = {*tables}
        self._note(troubles.BEACON, troubles.forged(tables) if tables else None, more)
        self._files()
        if self._keeper:
            self._say(self._keeper.step(self._rounds(), self._clock.now_ms()))
            self._note(troubles.BACKUP, troubles.NO_BACKUP if self._keeper.failure else None)

    def _beat(self):
        """Tell a standby that this program lives; ends it where one has taken over."""
        now_ms = self._clock.now_ms()
        if now_ms - self._beaten_ms >= BEAT_MS:
            self._beaten_ms = now_ms
            self._station.archive.beat()

    def _look_for_others(self):
        """Say that another program has written, and which row of the set-up it changed."""
        archive, log = self._station.archive, self._station.archive.audit_log
        archive.look()
        written = archive.version != self._version
        if not written and log.foreign == self._foreign:
            return
        self._version, self._foreign = archive.version, log.foreign
        self._refuse_odd()
        if log.foreign:
            self._note(troubles.ARCHIVE, troubles.changed(log.foreign, log.believable))
        elif written or troubles.ARCHIVE in self._station.troubles:
            self._note(troubles.ARCHIVE, troubles.WRITTEN)

    def _files(self, force: bool = False):
        try:
            self._export(force)
        except OSError as failure:
            self._exported_ms = self._clock.now_ms()  # tried again later
            self._note(troubles.FILES, troubles.no_files(failure))
        else:
            self._note(troubles.FILES, None)

    def _note(self, kind: str, why: Sentence | None, new: bool = True):
        """Note what a trouble is now, None for over; the keeper says what it did by itself, and
        what is not ``new`` is not said.
        """
        if why is None:
            self._station.troubles.end(kind)
        elif self._station.troubles.begin(kind, self._clock.now_ms(), why) and new:
            self._log.warning("this PC: %s", why.template)
            self._say([] if kind == troubles.BACKUP else [str(why)])

    def _rounds(self) -> Progress:
        """Return a value that changes when a round is published, started or over."""
        station, number = self._station, self._station.desk.round
        tables = len(station.desk.tables) if number else 0
        if not number:
            return number, False, False
        over = 0 < tables <= len(station.hall.results(number))
        return number, station.archive.orders.started(number), over

    def _say(self, lines: Sequence[str]):
        self._said = [*self._said, *lines][-100:]
        if self._beside is not None:
            self._beside(lines)
        elif self._screen is None:
            with contextlib.suppress(OSError):  # the terminal is gone, or its file's disk is full
                for line in lines:
                    self._terminal.print(printable(line))

    def _headline(self) -> str:
        roster, number = self._station.archive.roster, self._station.desk.round
        event, rounds = roster.event, roster.rounds
        parts = [event.name if event else "no event yet, the organiser's page begins one"]
        parts += [f"round {number or rounds[-1]}"] if rounds else []
        parts.append(amount(len(roster.current_boards), "board"))
        strange = sum(
            n for (_, why), n in self._station.collector.refused.items() if why in _STRANGE
        )
        if strange:
            parts.append(f"{amount(strange, 'frame')} refused (try: boards)")
        if self._carrier and self._carrier.delay_s:
            parts.append(f"adverts within {self._carrier.delay_s:g} s")
        return ", ".join(parts) + "; try: help"

    def drawn(self, height: int) -> str:
        """Return the view above the typed line, as text with ANSI colours."""
        station, number = self._station, self._station.desk.round
        now_ms = self._clock.now_ms()
        collector, rows = station.collector, []
        if number:
            rows = table_rows.rows(station.archive, station.hall, collector, number, now_ms)
        view = live_view.whole_view(rows, self._headline(), self._said, height, self._answer)
        with self._terminal.capture() as drawn:
            self._terminal.print(view)
        return drawn.get()

    def seated(self) -> dict[int, list[str]]:
        """Return {table: the players' names} of the published round."""
        number = self._station.desk.round
        pairings = self._station.archive.roster.pairings_of(number) if number else []
        return {
            one.table: [player.name for player in (one.a, one.b) if player]
            for one in pairings
            if one.table is not None
        }

    def _export(self, force: bool):
        """Write the files again when results have changed, at most every two seconds."""
        station, now_ms = self._station, self._clock.now_ms()
        if station.archive.roster.event is None:
            return
        found = [station.hall.results(number) for number in station.archive.roster.rounds]
        if force or (found != self._exported and now_ms - self._exported_ms >= _FILES_MS):
            exports.write_results(station.archive, station.hall, self._folder)
            self._exported, self._exported_ms = found, now_ms
