"""Faces for virtual boards: the board's own, drawn on an emulated panel or not drawn at all."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from PIL.Image import Image

from firmware.ui.canvas import Canvas
from firmware.ui.face import PANELS, Face
from firmware.ui.pack import Pack
from host.base.private_files import write_whole
from host.boards.screens.pack import opened
from host.sim.board import VirtualBoard
from host.sim.panel import Panel  # which ends the thread of Blinka's displayio: see there

if TYPE_CHECKING:
    from host.sim.types import App, MakeFace


def blank_face(board: VirtualBoard) -> Face:
    """Return a face that says which screen is on and draws nothing. Its pack is in memory, as a
    hall would otherwise hold a thousand open files.
    """
    file, language = opened(board.settings["language"])
    return Face(Pack(file), None, language)


def drawn_faces() -> MakeFace:
    """Return a function like ``blank_face`` that gives each board an emulated panel."""
    kept = {}  # letters already read

    def face(board):
        glass = board.glass = Panel(board.panel)
        board.display = glass.display
        file, language = opened(board.settings["language"])
        source = Pack(file)
        drawn = Canvas(glass.display, source, PANELS.index(board.panel), kept)
        made = Face(source, drawn, language)
        made.dark = True
        return made

    return face


def uncover(app: App) -> None:
    """Let a drawn face be drawn: the program's next step draws it even if nothing else is due."""
    app.face.dark = False
    app.view.changed = True


def picture(app: App) -> Image:
    """Return what a board with a drawn face shows now (PIL image, RGB)."""
    uncover(app)
    app.step()
    while not app.face.drawn:  # an act had the step to itself
        app.step()
    app.face.dark = True
    board = app.board
    assert isinstance(board, VirtualBoard) and board.glass is not None  # the face is a drawn one
    return board.glass.image()


def save_png(image: Image, path: Path) -> None:
    """Write a picture as a PNG. Raises OSError."""
    packed = io.BytesIO()
    image.save(packed, "PNG", optimize=True)
    write_whole(path, packed.getvalue())
