"""Faces for virtual boards: the board's own, drawn on an emulated panel or not drawn at all."""

from __future__ import annotations

import functools
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont

from firmware.ui.canvas import Canvas
from firmware.ui.displayio_surface import DisplayioSurface
from firmware.ui.face import Face
from firmware.ui.table import Table
from host.base import installation
from host.base.private_files import write_whole
from host.boards import texts
from host.sim.board import VirtualBoard
from host.sim.panel import Panel  # which ends the thread of Blinka's displayio: see there

if TYPE_CHECKING:
    from host.sim.types import App, MakeFace

GAP_PX, TITLE_PX = 10, 18
GROUND, INK = (88, 88, 88), (255, 255, 255)
FOLDER = str(installation.ROOT / "firmware" / "ui")
texts_of = functools.cache(texts.texts)  # by language; shared by all boards of a hall


def blank_face(board: VirtualBoard) -> Face:
    """Return a face that knows which screen is on and draws nothing."""
    return Face(Table(texts_of(board.settings["language"])))


def drawn_faces() -> MakeFace:
    """Return a function like ``blank_face`` that gives each board an emulated panel."""
    files = {}  # fonts already open

    def face(board):
        board.glass = Panel(board.panel)
        board.display = board.glass.display
        canvas = Canvas(DisplayioSurface(board.display), board.panel, FOLDER, files)
        drawn_face = Face(Table(texts_of(board.settings["language"])), canvas)
        drawn_face.dark = True  # drawing costs much: ``uncover`` asks for it
        return drawn_face

    return face


def uncover(app: App) -> None:
    """Let a drawn face be drawn: the program's next step draws it even if nothing else is due."""
    app.face.dark = False
    app.view.changed = True


def picture(app: App) -> Image.Image:
    """Return the picture that a board with a drawn face shows now (PIL image, RGB)."""
    uncover(app)
    app.step()
    while not app.face.drawn:  # a step that carries something out draws nothing
        app.step()
    app.face.dark = True
    board = app.board
    assert isinstance(board, VirtualBoard) and board.glass is not None  # the face is a drawn one
    return board.glass.image()


def sheet(rows: Sequence[Sequence[tuple[str, Image.Image]]]) -> Image.Image:
    """Return one picture of rows of pictures, a title above each."""
    cell_width = max(image.width for row in rows for _, image in row) + GAP_PX
    cell_height = max(image.height for row in rows for _, image in row) + GAP_PX + TITLE_PX
    columns = max(len(row) for row in rows)
    size = GAP_PX + columns * cell_width, GAP_PX + len(rows) * cell_height
    contact_sheet = Image.new("RGB", size, GROUND)
    pen, font = ImageDraw.Draw(contact_sheet), ImageFont.load_default(13)
    for row_index, row in enumerate(rows):
        for column, (title, image) in enumerate(row):
            x, y = GAP_PX + column * cell_width, GAP_PX + row_index * cell_height
            pen.text((x, y), title, INK, font)
            contact_sheet.paste(image, (x, y + TITLE_PX))
    return contact_sheet


def save_png(image: Image.Image, path: Path) -> None:
    """Write a picture as a PNG. Raises OSError."""
    packed = io.BytesIO()
    image.save(packed, "PNG", optimize=True)
    write_whole(path, packed.getvalue())
