"""The demo: eight different tables of one round, and the files that it writes.

It shows the desk's live view in the terminal, and leaves every export, the paper as
HTML and (with Chromium) as PDF, and the tables' screens at their key moments with one contact sheet
of them all. Panels are drawn only for a picture.
"""

from __future__ import annotations

import asyncio
import random
from asyncio import AbstractEventLoop
from collections import namedtuple
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Self

from rich.live import Live
from rich.table import Table as RichTable

from host.base import installation
from host.base.private_files import write_whole
from host.event import table_rows
from host.formats import event_file
from host.reports.export_forms import FORMS
from host.reports.paper import pdf
from host.reports.paper.content import Content
from host.reports.paper.pages import page
from host.server.live_view import table_view, terminal
from host.sim.faces import picture, save_png, sheet
from host.sim.programme import extension_act, freeze_acts
from host.sim.story import Story

if TYPE_CHECKING:
    from host.archive.roster import Pairing
    from host.desk.station import Station
    from host.sim.types import Table, TimedAct, Venue

KINDS = ("pairings", "names", "slips", "outstanding", "incidents")
EXPORTS, PAPER = "exports", "paper"
EVERY_S = {True: 1, False: 60}  # of virtual time: live or not
SETTLED_S = 1.5  # a person needs this long to read a screen; names have arrived by then
LATER_S = {"seated": 12, "clock": 700, "agreed": 20}
QUICK, SLOW, ENDLESS = (260, 520), (1250, 1420), (2100, 2300)
STORIES = {
    1: {"game_s": QUICK},
    2: {"game_s": (500, 800), "refuses": True},  # the desk rules, then both confirm
    3: {"game_s": SLOW, "late_win": 0},
    4: {"game_s": (1000, 1150), "late_win": 0},  # frozen
    5: {"game_s": ENDLESS, "late_win": 0},  # extended
    6: {"game_s": ENDLESS, "late_win": 0, "diligent": False},  # asked everything at time
    7: {"game_s": (400, 900), "diligent": False},
    8: {"game_s": (1300, 1500), "late_win": 0.4},
}
SMALL = (7, 8)  # boards with a panel of their own
FROZEN, EXTENDED = 4, 5


def write_files(station: Station, folder: Path) -> list[str]:
    """Write exports and paper below ``folder``; return lines that say where they are."""
    files = [FORMS[form](station.archive, station.hall, None) for form in FORMS]
    for name, text in files:
        write_whole(folder / EXPORTS / name, text, new_folder=True)
    content = Content(station.archive, station.hall)
    sheets = [folder / PAPER / f"{kind}.html" for kind in KINDS]
    for kind, path in zip(KINDS, sheets, strict=True):
        write_whole(path, page(kind, content), new_folder=True)
    browser = pdf.chromium()
    for path in sheets:
        pdf.print_page(path, path.with_suffix(".pdf"), browser)
    return [
        f"Exports: {folder / EXPORTS} ({', '.join(name for name, _ in files)})",
        f"Paper:   {folder / PAPER} ({len(sheets)} pages as HTML, {len(sheets)} PDFs)",
    ]


def desk_hint(archive: Path) -> list[str]:
    """Return lines that say how to open the web desk over an archive and over a virtual venue."""
    start, path = f"{installation.command()} serve", installation.quote(archive)
    return [
        f"Pages:   {start} {path} --no-radio   (the desk, over what was played here)",
        f"         {start} --virtual 16   (the same over a hall at play; type: open)",
    ]


class Progress:
    """A context that shows the ``venue``'s tables while time passes."""

    def __init__(self, loop: AbstractEventLoop, venue: Venue, live: bool):
        self._loop, self._venue, self._every_s = loop, venue, EVERY_S[live]
        self._round: int | None = None
        self._task: asyncio.Task[None] | None = None
        self._view = Live(console=terminal(), auto_refresh=False, transient=True)

    def __enter__(self) -> Self:
        self._view.start()
        self._task = self._loop.create_task(self._run())
        return self

    def __exit__(self, *failure):
        assert self._task is not None
        self._task.cancel()
        self._view.stop()

    def begin(self, number: int) -> None:
        """Show round ``number`` from now on."""
        self._round = number

    async def _run(self):
        while True:
            if self._round is not None:
                self._view.update(self.tables(), refresh=True)
            await asyncio.sleep(self._every_s)

    def tables(self) -> RichTable:
        """Return the round's tables as they are now."""
        station, now_ms, number = self._venue.station, self._venue.now_ms(), self._round
        event = station.archive.roster.event
        assert event is not None and number is not None  # the venue has opened it
        rows = table_rows.rows(station.archive, station.hall, station.collector, number, now_ms)
        minutes, seconds = divmod(int(self._loop.time()), 60)
        return table_view(rows, f"{event.name}, round {number} · {minutes}:{seconds:02}")


Picture = namedtuple("Picture", "table number screen virtual_s image")


class ScreenRecorder:
    """Takes a picture of every screen the first time a table shows it."""

    def __init__(self, loop: AbstractEventLoop, tables: Mapping[int, Table]):
        self._loop = loop
        self.pictures = {number: [] for number in tables}
        self._due = {number: set() for number in tables}
        for table in tables.values():
            table.changed.append(self._look)

    def _look(self, table):
        screen = table.face.screen
        if screen and screen not in self._due[table.number]:
            self._due[table.number].add(screen)
            self._loop.call_later(LATER_S.get(screen, SETTLED_S), self._take, table, screen)

    def _take(self, table, screen):
        if table.face.screen != screen:
            self._due[table.number].discard(screen)
            return
        taken = self.pictures[table.number]
        image = picture(table.app)
        taken.append(Picture(table.number, len(taken) + 1, screen, self._loop.time(), image))

    def save(self, folder: Path) -> int:
        """Write one PNG per picture and ``contact-sheet.png``; return how many pictures there
        are.
        """
        rows = []
        for pictures in self.pictures.values():
            for shot in pictures:
                name = f"table-{shot.table}-{shot.number:02}-{shot.screen}.png"
                save_png(shot.image, folder / name)
            rows.append([(_title(shot), shot.image) for shot in pictures])
        save_png(sheet(rows), folder / "contact-sheet.png")
        return sum(len(row) for row in rows)


def _title(shot):
    minutes, seconds = divmod(round(shot.virtual_s), 60)
    return f"table {shot.table} · {shot.screen} · {minutes}:{seconds:02}"


class Showcase:
    """The round of an event file (``path``), played as ``STORIES`` says.

    Raises what ``event_file.read`` raises, and ValueError unless the tables are 1 to 8.
    """

    def __init__(self, path: Path, seed: int):
        self.file, self._seed = event_file.read(path), seed
        self.event = self.file.event or "Demo"
        self.format = self.file.format
        self.tables = len(STORIES)
        if sorted(pairing.table or 0 for pairing in self.file.pairings) != sorted(STORIES):
            raise ValueError(f"{path} does not have tables 1 to {self.tables}")

    def model(self, table: int) -> str:
        """Return the model of the board at a table."""
        return "lilygo" if table in SMALL else "feathers3"

    def pairings(self, number: int) -> list[Pairing]:
        """Return the file's Pairings."""
        return self.file.pairings

    def story(self, number: int, table: int) -> Story:
        """Return the Story of a table."""
        luck = random.Random(f"showcase {self._seed} {table}")
        return Story(luck, fumbles=0, **STORIES[table])

    def acts(self, number: int) -> list[TimedAct]:
        """Return the judges' acts: one freeze of five minutes, and an extension of four."""
        return [*freeze_acts(FROZEN, 1200, 300), extension_act(EXTENDED, 1800, 4)]
