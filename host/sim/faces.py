"""Faces for virtual boards: the board's own, drawn on an emulated panel or on nothing."""

from firmware.ui import start
from firmware.ui.canvas import Canvas
from firmware.ui.face import Face
from firmware.ui.pack import Pack
from host.boards.screens.pack import TARGET, opened


def blank_face(board):
    """Return a face that nobody sees: it says which screen is on and draws nothing."""
    return start.face(None, board.panel, board.settings["language"], TARGET)


def drawn_faces():
    """Return a function like ``blank_face`` that gives each board an emulated panel.

    The face stays dark, and costs nothing, until ``picture`` looks at it.
    """
    from host.sim.panel import Panel

    kept = {}  # letters already read

    def face(board):
        board.glass = Panel(board.panel)
        board.display = board.glass.display
        file, language = opened(board.settings["language"], board.panel)
        source = Pack(file)
        drawn = Canvas(board.display, source, start.PANELS.index(board.panel), kept)
        made = Face(source, drawn, language)
        made.dark = True
        return made

    return face


def uncover(app):
    """Let a drawn face be seen: the program's next step draws it, though nothing else may be due
    then.
    """
    app.face.dark = False
    app.view.changed = True


def picture(app):
    """Return what a board with a drawn face shows at this moment (PIL, RGB): its program's next
    step draws it.
    """
    uncover(app)
    app.step()
    app.face.dark = True
    return app.board.glass.image()
