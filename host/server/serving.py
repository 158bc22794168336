"""The serve loop: radio, typed lines, files and view around one Station."""

import asyncio
import contextlib
import sqlite3
import sys

from rich.console import Console as Terminal
from rich.live import Live

from host.base import prompt
from host.base.errors import UserError
from host.collector.carriers.pump import BluetoothMissing
from host.event import table_rows
from host.reports import exports
from host.server import live_view

_TICK_S = 0.5
_FILES_MS = 2000
_DISK = "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY"
_NO_ROOM = (
    "{path} cannot be written ({why}): make room on its disk and start plusthree serve again; "
    "what a board shows as sent is there, the boards keep the rest and tell it then"
)
_NO_RADIO = "{why}; what was collected so far stays usable (plusthree serve --no-radio looks at it)"
_STRANGE = ("board", "tag", "version")  # late and repeated frames are everyday


@contextlib.contextmanager
def room(path):
    """Raise a UserError that says what to do where the archive at ``path`` cannot be written."""
    try:
        yield
    except sqlite3.OperationalError as failure:
        if not str(getattr(failure, "sqlite_errorname", "")).startswith(_DISK):
            raise
        raise UserError(_NO_ROOM, path=str(path), why=str(failure)) from None


class Serving:
    """Runs a Station until its console quits. Lines go to ``file``, exports to ``folder``.

    ``keeper`` (``backup.Keeper``) copies the archive, if there is one.
    """

    def __init__(self, station, console, clock, folder, file, keeper=None):
        self._station, self._console, self._clock, self._folder = station, console, clock, folder
        self._terminal = Terminal(file=file, highlight=False, soft_wrap=True)
        self._prompt, self._said, self._live = prompt.Prompt(), [], None
        self._written = None, 0
        self._alarms, self._keeper, self._carrier = 0, keeper, None

    async def run(self, make_carrier, web=None):
        """Serve; ``make_carrier(collector, now_ms, report)`` is None for no radio, ``web()`` is the web desk.

        Raises UserError when there is no radio to begin with.
        """
        self._say([self._headline()])
        self._export(force=True)
        carrying = self._carry(make_carrier) if make_carrier else self._wait()
        works = [carrying, self._listen(bool(make_carrier)), *([web()] if web else [])]
        tasks = [asyncio.ensure_future(work) for work in works]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            with room(self._station.archive.path):
                for task in done:
                    task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self._keeper:
                self._say(self._keeper.finish())
            with contextlib.suppress(OSError):  # the files are made anew at the next start
                self._export(force=True)

    def remark(self, lines):
        """Say lines that people should read before the first act."""
        self._say(lines)

    async def _carry(self, make_carrier):
        self._carrier = make_carrier(self._station.collector, self._clock.now_ms, self._trouble)
        try:
            await self._carrier.run()
        except BluetoothMissing as missing:
            raise UserError(_NO_RADIO, why=missing.args[0]) from None

    def _trouble(self, sentence):
        """The radio has something to say; pages show it, too."""
        self._station.collector.alarms.append((self._clock.now_ms(), None, sentence))
        self._say([table_rows.alarm(None, sentence)])

    async def _wait(self):
        await asyncio.Event().wait()

    async def _listen(self, radio):
        """Take typed lines until the console quits."""
        loop = asyncio.get_running_loop()
        whole = self._terminal.is_terminal and sys.stdin.isatty() and radio
        with prompt.keys(loop, self._typed) if whole else contextlib.nullcontext(False) as by_key:
            if by_key:
                await self._show()
            else:
                await self._read(prompt.lines(loop, sys.stdin), radio)

    async def _show(self):
        with Live(console=self._terminal, auto_refresh=False, screen=True) as self._live:
            while not self._console.quitting:
                self._tick()
                self._draw()
                await asyncio.sleep(_TICK_S)
        self._live = None

    async def _read(self, queue, radio):
        while not self._console.quitting:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_TICK_S):
                    line = await queue.get()
                if line is None and not radio:
                    return
                if line is not None:
                    self._do(line)
            self._tick()

    def _typed(self, text):
        for line in self._prompt.feed(text):
            self._do(line)
        self._draw()

    def _do(self, line):
        self._station.collector.now_ms = self._clock.now_ms()
        self._say(self._console.run(line))

    def _tick(self):
        self._say(self._console.news())
        alarms = list(self._station.collector.alarms)
        self._say(
            [
                table_rows.alarm(device, text)
                for _, device, text in alarms[self._alarms :]
                if device is not None
            ]
        )
        self._alarms = len(alarms)
        self._export()
        if self._keeper:
            self._say(self._keeper.step(self._rounds(), self._clock.now_ms()))

    def _rounds(self):
        """Return what differs when a round is told, begun or over."""
        station, number = self._station, self._station.desk.round
        tables = len(station.desk.tables) if number else 0
        over = tables and len(station.hall.results(number)) >= tables
        return number, bool(number and station.archive.orders.started(number)), bool(over)

    def _say(self, lines):
        self._said = (self._said + lines)[-100:]
        if self._live is None:
            for line in lines:
                self._terminal.print(line, markup=False)

    def _headline(self):
        roster, number = self._station.archive.roster, self._station.desk.round
        parts = [roster.event.name, f"round {number or roster.rounds[-1]}"]
        parts.append(f"{len(roster.current_boards)} boards")
        strange = sum(
            n for (_, why), n in self._station.collector.refused.items() if why in _STRANGE
        )
        if strange:
            parts.append(f"{strange} frames refused (try: boards)")
        if self._carrier and self._carrier.delay_s:
            parts.append(f"adverts within {self._carrier.delay_s:g} s")
        return ", ".join(parts) + "; try: help"

    def _draw(self):
        if self._live is None:
            return
        station, number = self._station, self._station.desk.round
        now_ms = self._clock.now_ms()
        rows = number and table_rows.rows(
            station.archive, station.hall, station.collector, number, now_ms
        )
        said, typed, height = self._said, self._prompt.typed, self._terminal.height
        view = live_view.whole_view(rows or [], self._headline(), said, typed, height)
        self._live.update(view, refresh=True)

    def _export(self, force=False):
        """Write the files again when results have changed, at most every two seconds."""
        station, now_ms = self._station, self._clock.now_ms()
        found = [station.hall.results(number) for number in station.archive.roster.rounds]
        before, at_ms = self._written
        if force or (found != before and now_ms - at_ms >= _FILES_MS):
            exports.write_results(station.archive, station.hall, self._folder)
            self._written = found, now_ms
