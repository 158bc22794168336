"""The serve loop: radio, typed lines, files and view around one Station."""

import asyncio
import contextlib
import logging
import pathlib
import signal
import sqlite3
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any, Protocol, TypeAlias

from host.archive import places, table_shapes
from host.archive.backend import BEAT_MS, Foreign, Undone
from host.backup.backup import BackupSchedule
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.base.tasks import until_one_ends
from host.base.words import amount
from host.collector.alarms import Alarm
from host.collector.beacon_caster import Source
from host.collector.collector import Collector
from host.collector.host_clock import HostClock, KeptTime
from host.desk import troubles
from host.desk.acts.act import Act
from host.desk.station import Station
from host.event import table_rows
from host.event.match_results import Result
from host.reports import exports
from host.server import live_view
from host.server.broadcast import Broadcast
from host.server.console import Console
from host.server.operator_terminal import TICK_S, OperatorTerminal

_log = logging.getLogger(__name__)
_FILES_MS = 2000
_DISK = "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY"
_DISK_RETRY_MS = 5000
_KEEP_MS = 5000
_DISK_FULL = (
    "{path} cannot be written ({why}): make room on its disk and start plusthree serve again; "
    "what a board shows as sent is there, the boards keep the rest and tell it then"
)
_NOT_WRITTEN = (
    "results.csv or results.json is not up to date: close the program that has it open, then:"
    " plusthree export csv"
)
_SUSPICIOUS = ("board", "tag", "version")  # late and repeated frames are normal


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
"""The published round, whether it was started, and whether all its results are in."""


@contextlib.contextmanager
def disk_full_guard(path: places.Place) -> Iterator[None]:
    """Raise a UserError that says what to do if the archive at ``path`` cannot be written."""
    try:
        yield
    except sqlite3.OperationalError as failure:
        if not _is_disk(failure):
            raise
        raise UserError(_DISK_FULL, path=places.display_name(path), why=str(failure)) from None


def _is_disk(failure: sqlite3.Error) -> bool:
    return str(getattr(failure, "sqlite_errorname", "")).startswith(_DISK)


def termination_event() -> asyncio.Event:
    """Return an Event that is set when the system asks this program to end (SIGTERM)."""
    ended = asyncio.Event()
    with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, a thread
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    return ended


class Serving:
    """Runs a Station until its console quits. Lines go to ``terminal``, exports to ``folder``.

    ``keeper`` copies the archive, if there is one. ``beside(lines)`` shows lines if several events
    share a terminal (``several_serving``); None if this event has it alone.
    """

    def __init__(
        self,
        station: Station,
        console: Console,
        clock: HostClock,
        folder: pathlib.Path,
        terminal: OperatorTerminal,
        keeper: BackupSchedule | None = None,
        beside: Callable[[Sequence[str]], None] | None = None,
    ):
        self._beside = beside
        self._log = places.own_log(_log, station.archive.path)
        self._station, self._console, self._clock, self._folder = station, console, clock, folder
        self._terminal = terminal
        self._lines: list[str] = []
        self._answer_size = 0  # lines of the answer to the last typed line
        self._exported: list[dict[int, Result]] | None = None
        self._alarms_shown = 0
        self._exported_ms = self._disk_tried_ms = self._beat_ms = self._time_stored_ms = 0
        self._kept_time = KeptTime(station.archive.path)
        self._forged_tables: set[int] = set()  # tables that receive forged frames of the beacon
        self._keeper = keeper
        self._carrier: Carrier | None = None
        self._broadcast = Broadcast(station, clock.now_ms)
        # of other programs' writes, as ``_check_foreign_writes`` last saw them
        self._version = station.archive.version
        self._foreign: Sentence | None = None
        station.archive.backend.on_outage(self._on_outage)

    async def run(
        self,
        make_carrier: MakeCarrier | None,
        web: Callable[[], Coroutine[None, None, None]] | None = None,
    ) -> None:
        """Serve; ``make_carrier`` is None for no radio, ``web()`` serves the web desk.

        It goes on without an adapter, on a full disk and without the backup's stick; pages and
        terminal report that (``host.desk.troubles``). Raises UserError once another program has put
        rows into the archive that no plusthree writes, because nothing may be read from it then.
        """
        self._begin(make_carrier is not None)
        works: list[Coroutine[Any, Any, object]] = [self._run_broadcast()]
        if make_carrier:
            works.append(self._carry(make_carrier))
        if web:
            works.append(web())
        if self._beside is None:
            typed = self._terminal.run(self, self._tick, radio=make_carrier is not None)
            works += [typed, termination_event().wait()]
        else:
            works += [self._keep_ticking()]
        try:
            with disk_full_guard(self._station.archive.shown):
                await until_one_ends(*works)
        except BaseException as failure:
            self._log.error("ends by an error", exc_info=failure)
            with contextlib.suppress(sqlite3.Error):
                self._refuse_odd()  # odd rows raise wherever they are read: then say that instead
            raise
        finally:
            self._end()

    def _refuse_odd(self):
        archive = self._station.archive
        table_shapes.refuse_odd(archive, archive.shown)

    def _end(self):
        """Make the last copy, and write the files, unless another program's rows are there."""
        self._log.info("ends")
        archive = self._station.archive
        archive.backend.poll_writers()
        if table_shapes.odd_rows(archive) or archive.audit_log.foreign:
            return
        if self._keeper:
            self.show(self._keeper.finish())
        self._files(force=True)
        if troubles.FILES in self._station.troubles:
            self.show([_NOT_WRITTEN])

    def _begin(self, radio: bool):
        """Print and log what is served, and write the files."""
        self.show([self._headline()])
        self._files(force=True)
        roster, number = self._station.archive.roster, self._station.desk.round
        rounds, boards = len(roster.rounds), len(roster.current_boards)
        self._log.info(
            "begins: round %s, %d rounds, %d boards, radio %s", number, rounds, boards, radio
        )

    def add_lines(self, lines: Sequence[str]) -> None:
        """Add lines of another event to the view, which shows one event at a time."""
        self._lines = [*self._lines, *lines][-100:]

    async def _carry(self, make_carrier: MakeCarrier):
        """Run a carrier; after one that a full disk ended, run another once there is space."""
        collector = self._station.collector
        while True:
            self._carrier = make_carrier(collector, self._clock.now_ms, self._report)
            try:
                return await self._carrier.run()
            except Undone:
                self._log.warning("what was heard last is not stored: the boards tell it again")
            except sqlite3.OperationalError as failure:
                self._pause(failure)
            collector.drop_carrier(self._clock.now_ms())
            await self._until_disk_has_space()
            self._station.refresh()

    async def _run_broadcast(self):
        """Run the broadcast; results that a full disk refused are announced again."""
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
        while troubles.DISK in self._station.troubles or log.foreign:  # ``_tick`` ends both
            await asyncio.sleep(TICK_S)

    def _pause(self, failure: sqlite3.OperationalError):
        """Report why nothing can be stored for now. Raises ``failure`` if it is permanent."""
        if isinstance(failure, Foreign):
            self._check_foreign_writes()
        elif not _is_disk(failure):
            raise failure
        elif self._station.troubles.begin(troubles.DISK, self._clock.now_ms(), troubles.NO_DISK):
            self._report(troubles.NO_DISK)

    def _on_outage(self, sentence: Sentence, over: bool):
        """Report that the database went away, or is back; nothing else happens in between."""
        if over:  # the set-up was compared already
            self._refuse_odd()
            self._version = self._station.archive.version
        self._report(sentence)

    def _check_clock(self):
        """Store how long this event has run, and report a wrong clock of the PC."""
        now_ms, station = self._clock.now_ms(), self._station
        if now_ms - self._time_stored_ms >= _KEEP_MS:
            self._time_stored_ms = now_ms
            if station.archive.roster.event is not None:
                self._kept_time.write(station.origin_unix_ms, now_ms)
        question = station.clock_check.update() if station.clock_check is not None else None
        if question is not None:
            self._log.warning("this PC's clock: %s", question.template)
            self.show([str(question), "answer with: clock passed, or: clock wrong"])

    def _check_disk_space(self):
        """Try a full disk again every ``_DISK_RETRY_MS``."""
        now_ms = self._clock.now_ms()
        if troubles.DISK not in self._station.troubles:
            return
        if now_ms - self._disk_tried_ms < _DISK_RETRY_MS:
            return
        self._disk_tried_ms = now_ms
        if self._station.archive.has_disk_space():
            self._station.troubles.end(troubles.DISK)
            self._report(troubles.DISK_BACK)

    def _report(self, sentence: Sentence):
        """Log and show a report on this PC, here and on pages."""
        self._log.warning("this PC: %s", sentence.template)
        self._station.collector.alarms.append(Alarm(self._clock.now_ms(), None, sentence))
        self.show([table_rows.alarm(None, sentence)])

    def _gateways(self) -> Source | None:
        return self._carrier.gateways if self._carrier else None

    async def _keep_ticking(self):
        """Call ``_tick`` until the console quits; typed lines come from elsewhere."""
        while not self._console.quitting:
            self._tick()
            await asyncio.sleep(TICK_S)

    def stop(self) -> None:
        """End soon, as if somebody had typed ``quit``."""
        self._console.operator.quitting = True

    @property
    def quitting(self) -> bool:
        """Whether ``quit`` was typed for this event."""
        return self._console.quitting

    @property
    def acts(self) -> tuple[Act, ...]:
        """The acts that can be typed."""
        return self._console.acts

    def do(self, line: str) -> bool:
        """Carry out a typed line; return whether it was refused."""
        self._station.collector.now_ms = self._clock.now_ms()
        self._log.info("typed: %s", self._console.word(line))
        try:
            answer = self._console.run(line)
        except sqlite3.OperationalError as failure:
            self._pause(failure)
            self._console.refused, answer = True, ["not done"]
        self.show(answer)
        self._answer_size = len(answer)  # shown whole until the next line is typed
        return self._console.refused

    def _tick(self):
        self.show(self._console.news())
        self._show_alarms()
        self._check_clock()
        self._check_disk_space()
        self._check_foreign_writes()
        self._beat()
        if self._station.archive.audit_log.foreign:
            return  # neither show nor copy
        self._check_forged_frames()
        self._files()
        if self._keeper:
            self.show(self._keeper.step(self._progress(), self._clock.now_ms()))
            self._set_trouble(troubles.BACKUP, troubles.NO_BACKUP if self._keeper.failure else None)

    def _show_alarms(self):
        """Log and show new alarms about boards; those about this PC are shown by ``_report``."""
        alarms = list(self._station.collector.alarms)
        for _, device, sentence in alarms[self._alarms_shown :]:
            if device is not None:
                self._log.warning("board %d: %s", device, sentence.template)
                self.show([table_rows.alarm(device, sentence)])
        self._alarms_shown = len(alarms)

    def _check_forged_frames(self):
        tables = self._broadcast.forged_at
        is_news = not self._forged_tables.issuperset(tables)  # fewer tables are no news
        self._forged_tables = {*tables}
        sentence = troubles.forged_frames(tables) if tables else None
        self._set_trouble(troubles.BEACON, sentence, is_news)

    def _beat(self):
        """Send a standby a heartbeat; ends this program if the standby has taken over."""
        now_ms = self._clock.now_ms()
        if now_ms - self._beat_ms >= BEAT_MS:
            self._beat_ms = now_ms
            self._station.archive.backend.beat()

    def _check_foreign_writes(self):
        """Report that another program has written, and which row of the set-up it changed."""
        archive, log = self._station.archive, self._station.archive.audit_log
        archive.backend.poll_writers()
        written = archive.version != self._version
        if not written and log.foreign == self._foreign:
            return
        self._version, self._foreign = archive.version, log.foreign
        self._refuse_odd()
        if log.foreign:
            self._set_trouble(troubles.ARCHIVE, troubles.changed_row(log.foreign, log.believable))
        elif written or troubles.ARCHIVE in self._station.troubles:
            self._set_trouble(troubles.ARCHIVE, troubles.WRITTEN)

    def _files(self, force: bool = False):
        try:
            self._export(force)
        except OSError as failure:
            self._exported_ms = self._clock.now_ms()  # tried again later
            self._set_trouble(troubles.FILES, troubles.no_files(failure))
        else:
            self._set_trouble(troubles.FILES, None)

    def _set_trouble(self, kind: str, sentence: Sentence | None, is_news: bool = True):
        """Begin or end a trouble; ``sentence`` None ends it. It is logged and printed if
        ``is_news``, except that the keeper prints a failed backup itself.
        """
        if sentence is None:
            self._station.troubles.end(kind)
            return
        changed = self._station.troubles.begin(kind, self._clock.now_ms(), sentence)
        if changed and is_news:
            self._log.warning("this PC: %s", sentence.template)
            if kind != troubles.BACKUP:
                self.show([str(sentence)])

    def _progress(self) -> Progress:
        """Return a value that changes when a round is published, started or finished."""
        station, number = self._station, self._station.desk.round
        if not number:
            return number, False, False
        finished = 0 < len(station.desk.tables) <= len(station.hall.results(number))
        return number, station.archive.orders.started(number), finished

    def show(self, lines: Sequence[str]) -> None:
        """Show lines at the terminal."""
        self._lines = [*self._lines, *lines][-100:]
        if self._beside is not None:
            self._beside(lines)
        else:
            self._terminal.print(lines)

    def _headline(self) -> str:
        """Return the first line of the view: event, round, boards, and what is wrong."""
        roster, number = self._station.archive.roster, self._station.desk.round
        event, rounds = roster.event, roster.rounds
        parts = [event.name if event else "no event yet, the organiser's page begins one"]
        if rounds:
            parts.append(f"round {number or rounds[-1]}")
        parts.append(amount(len(roster.current_boards), "board"))
        refused = self._station.collector.refused
        suspicious = sum(count for (_, why), count in refused.items() if why in _SUSPICIOUS)
        if suspicious:
            parts.append(f"{amount(suspicious, 'frame')} refused (try: boards)")
        if self._carrier and self._carrier.delay_s:
            parts.append(f"adverts within {self._carrier.delay_s:g} s")
        return ", ".join(parts) + "; try: help"

    def render(self, height: int) -> str:
        """Return the view above the typed line, as text with ANSI colours."""
        station, number = self._station, self._station.desk.round
        now_ms = self._clock.now_ms()
        collector, rows = station.collector, []
        if number:
            rows = table_rows.rows(station.archive, station.hall, collector, number, now_ms)
        headline = self._headline()
        view = live_view.whole_view(rows, headline, self._lines, height, self._answer_size)
        return self._terminal.ansi(view)

    def seated(self) -> dict[int, list[str]]:
        """Return {table: the players' names} of the published round."""
        number = self._station.desk.round
        pairings = self._station.archive.roster.pairings_of(number) if number else []
        return {
            pairing.table: [player.name for player in pairing.players]
            for pairing in pairings
            if pairing.table is not None
        }

    def _export(self, force: bool):
        """Write the files again when results have changed, at most every two seconds."""
        station, now_ms = self._station, self._clock.now_ms()
        if station.archive.roster.event is None:
            return
        results = [station.hall.results(number) for number in station.archive.roster.rounds]
        if force or (results != self._exported and now_ms - self._exported_ms >= _FILES_MS):
            exports.write_results(station.archive, station.hall, self._folder)
            self._exported, self._exported_ms = results, now_ms
