"""The demo: eight different tables of one round, and the files that it writes.

It shows the desk's live view and the results in the terminal, and leaves every export, the paper as
HTML and (with Chromium) as PDF, and the tables' screens at their key moments with one contact sheet
of them all. Panels are drawn only for a picture.
"""

from __future__ import annotations

import asyncio
import random
from asyncio import AbstractEventLoop
from collections import namedtuple
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from PIL import Image, ImageDraw, ImageFont
from rich import table as rich_tables
from rich.live import Live
from rich.text import Text

from host.base import installation
from host.base.private_files import write_whole
from host.event import table_rows
from host.formats import event_file
from host.reports.export_forms import FORMS
from host.reports.exports import ResultLine, tally
from host.reports.paper import pdf
from host.reports.paper.content import Content
from host.reports.paper.pages import page
from host.server.live_view import table_view, terminal
from host.sim.faces import picture, save_png
from host.sim.programme import extended, frozen
from host.sim.story import Story

if TYPE_CHECKING:
    from host.archive.roster import Pairing
    from host.desk.station import Station
    from host.sim.types import Table, TimedAct, Venue

KINDS = ("pairings", "names", "slips", "outstanding", "incidents")
EXPORTS, PAPER = "exports", "paper"
EVERY_S = {True: 1, False: 60}  # of virtual time: live or not
WORDS = {"A": "▲ wins", "B": "● wins", "tie": "tie", None: "open"}
SETTLED_S = 1.5  # a person needs this long to read a screen; names have arrived by then
LATER_S = {"seated": 12, "clock": 700, "agreed": 20}
GAP_PX, TITLE_PX, MARGIN_PX = 8, 18, 10
GROUND, INK = (72, 72, 72), (255, 255, 255)
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
        pdf.made(path, path.with_suffix(".pdf"), browser)
    printed = f"{len(sheets)} PDFs"
    return [
        f"Exports: {folder / EXPORTS} ({', '.join(name for name, _ in files)})",
        f"Paper:   {folder / PAPER} ({len(sheets)} pages as HTML, {printed})",
    ]


def desk_hint(archive: Path) -> list[str]:
    """Return lines that say how to open the web desk over an archive and over a virtual venue."""
    start, path = f"{installation.command()} serve", installation.quoted(archive)
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
                self._show(self._round)
            await asyncio.sleep(self._every_s)

    def _show(self, number: int):
        station, now_ms = self._venue.station, self._venue.now_ms()
        event = station.archive.roster.event
        assert event is not None  # the venue has opened it
        rows = table_rows.rows(station.archive, station.hall, station.collector, number, now_ms)
        minutes, seconds = divmod(int(self._loop.time()), 60)
        title = f"{event.name}, round {number} · {minutes}:{seconds:02}"
        self._view.update(table_view(rows, title), refresh=True)


def report(lines: Sequence[ResultLine], pictures: int) -> None:
    """Print each table's outcome with its section, and wins, losses and ties by player."""
    console = terminal()
    console.print(_outcomes(lines))
    console.print(_tally(lines))
    console.print(f"{pictures} screens drawn.")


def _outcomes(lines):
    table = rich_tables.Table(title="Outcomes")
    for column in ("Table", "▲", "●", "Outcome", "Games", "Section", "By"):
        table.add_column(column, justify="right" if column == "Table" else "left")
    for line in sorted(lines, key=lambda line: line["table"]):
        games = "" if line["outcome"] is None else f"{line['games_a']}–{line['games_b']}"
        cells = (str(line["table"]), line["name_a"], line["name_b"], WORDS[line["outcome"]], games,
                 line["section"] or "in time", line["by"] or "")  # fmt: skip
        table.add_row(*(Text(cell) for cell in cells))
    return table


def _tally(lines):
    names = {line[f"number_{seat}"]: line[f"name_{seat}"] for line in lines for seat in "ab"}
    table = rich_tables.Table(title="Wins, losses, ties (no points: the rules leave them open)")
    for column in ("Player", "Name", "W", "L", "T"):
        table.add_column(column, justify="right" if len(column) == 1 else "left")
    ranked = sorted(tally(lines).items(), key=lambda item: (-item[1][0], item[1][1], item[0]))
    for number, sums in ranked:
        table.add_row(number, Text(names[number]), *map(str, sums))
    return table


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
        count = 0
        for taken in self.pictures.values():
            for snapshot in taken:
                name = f"table-{snapshot.table}-{snapshot.number:02}-{snapshot.screen}.png"
                save_png(snapshot.image, folder / name)
                count += 1
        save_png(sheet(self.pictures), folder / "contact-sheet.png")
        return count


def sheet(pictures: Mapping[int, list[Picture]]) -> Image.Image:
    """Return one image with a row per table and its pictures in the order of time."""
    columns = max(len(taken) for taken in pictures.values())
    wide = max(snapshot.image.width for taken in pictures.values() for snapshot in taken) + GAP_PX
    tallest = max(snapshot.image.height for taken in pictures.values() for snapshot in taken)
    high = tallest + GAP_PX + TITLE_PX
    whole = Image.new(
        "RGB", (2 * MARGIN_PX + columns * wide, 2 * MARGIN_PX + len(pictures) * high), GROUND
    )
    pen, font = ImageDraw.Draw(whole), ImageFont.load_default(13)
    for row, taken in enumerate(pictures.values()):
        for column, snapshot in enumerate(taken):
            x, y = MARGIN_PX + column * wide, MARGIN_PX + row * high
            minutes, seconds = divmod(round(snapshot.virtual_s), 60)
            pen.text(
                (x, y),
                f"table {snapshot.table} · {snapshot.screen} · {minutes}:{seconds:02}",
                INK,
                font,
            )
            whole.paste(snapshot.image, (x, y + TITLE_PX))
    return whole


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
        return [*frozen(FROZEN, 1200, 300), extended(EXTENDED, 1800, 4)]
