"""Faces for virtual boards: the board's own, drawn on an emulated panel or on nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL.Image import Image

from firmware.ui import start
from firmware.ui.canvas import Canvas
from firmware.ui.face import Face
from firmware.ui.pack import Pack
from host.boards.screens.pack import TARGET, opened
from host.sim.board import VirtualBoard

if TYPE_CHECKING:
    from host.sim.types import App, MakeFace


def blank_face(board: VirtualBoard) -> Face:
    """Return a face that nobody sees: it says which screen is on and draws nothing."""
    return start.face(None, board.panel, board.settings["language"], str(TARGET))


def drawn_faces() -> MakeFace:
    """Return a function like ``blank_face`` that gives each board an emulated panel.

    The face stays dark, and costs nothing, until ``picture`` looks at it.
    """
    from host.sim.panel import Panel

    kept = {}  # letters already read

    def face(board):
        glass = board.glass = Panel(board.panel)
        board.display = glass.display
        file, language = opened(board.settings["language"], board.panel)
        source = Pack(file)
        drawn = Canvas(glass.display, source, start.PANELS.index(board.panel), kept)
        made = Face(source, drawn, language)
        made.dark = True
        return made

    return face


def uncover(app: App) -> None:
    """Let a drawn face be seen: the program's next step draws it, though nothing else may be due
    then.
    """
    app.face.dark = False
    app.view.changed = True


def picture(app: App) -> Image:
    """Return what a board with a drawn face shows at this moment (PIL, RGB): its program's next
    step draws it.
    """
    uncover(app)
    app.step()
    app.face.dark = True
    board = app.board
    assert isinstance(board, VirtualBoard) and board.glass is not None  # the face is a drawn one
    return board.glass.image()
