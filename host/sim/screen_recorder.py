"""Pictures of the tables' screens at their key moments, and one contact sheet of them all.

Panels are drawn only for a picture.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop
from collections import namedtuple
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont

from host.sim.faces import picture, save_png

if TYPE_CHECKING:
    from host.sim.types import Table


Picture = namedtuple("Picture", "table number screen virtual_s image")
SETTLED_S = 1.5  # a person needs this long to read a screen; names have arrived by then
LATER_S = {"seated": 12, "clock": 700, "agreed": 20}
GAP_PX, TITLE_PX, MARGIN_PX = 8, 18, 10
GROUND, INK = (72, 72, 72), (255, 255, 255)


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
            for one in taken:
                name = f"table-{one.table}-{one.number:02}-{one.screen}.png"
                save_png(one.image, folder / name)
                count += 1
        save_png(sheet(self.pictures), folder / "contact-sheet.png")
        return count


def sheet(pictures: Mapping[int, list[Picture]]) -> Image.Image:
    """Return one image with a row per table and its pictures in the order of time."""
    columns = max(len(taken) for taken in pictures.values())
    wide = max(one.image.width for taken in pictures.values() for one in taken) + GAP_PX
    high = max(one.image.height for taken in pictures.values() for one in taken) + GAP_PX + TITLE_PX
    whole = Image.new(
        "RGB", (2 * MARGIN_PX + columns * wide, 2 * MARGIN_PX + len(pictures) * high), GROUND
    )
    pen, font = ImageDraw.Draw(whole), ImageFont.load_default(13)
    for row, taken in enumerate(pictures.values()):
        for column, one in enumerate(taken):
            x, y = MARGIN_PX + column * wide, MARGIN_PX + row * high
            minutes, seconds = divmod(round(one.virtual_s), 60)
            pen.text(
                (x, y), f"table {one.table} · {one.screen} · {minutes}:{seconds:02}", INK, font
            )
            whole.paste(one.image, (x, y + TITLE_PX))
    return whole
