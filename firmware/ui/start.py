"""Builds the face from its file, and the two screens that need no table."""

from firmware.ui import pack
from firmware.ui.face import Face

PATH = "/firmware/ui/face.bin"
PANELS = ("320x240", "240x240", "480x320", "320x170")
LANGUAGES = ("en", "it")
_CRASHED = 1 << 7  # facts
_KEYED = 1 << 9


def face(display, panel, language, path=PATH, kept=None):
    """Return the Face on ``display`` (None: nothing is drawn); ``kept`` as in ``font.Font``."""
    source = pack.Pack(open(path, "rb"))
    drawn = None
    if display is not None:
        from firmware.ui.canvas import Canvas

        drawn = Canvas(display, source, PANELS.index(panel), kept)
    return Face(source, drawn, LANGUAGES.index(language))


def tell(screens, error=None):
    """Show that the program failed with ``error``, or without one that the board has no key."""
    words = [""] * 29
    words[13] = type(error).__name__
    screens.follow(0, 0 if error is None else _CRASHED | _KEYED)
    screens.drawn = False
    screens.show(words, (0, 0, 0, 0, 0))
