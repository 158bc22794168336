"""Builds the face from its file, and the two screens that need no table."""

from firmware.ui import fact, pack, word
from firmware.ui.face import Face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Display, Kept, Words

PATH = "/firmware/ui/face.bin"
PANELS = ("320x240", "480x320", "320x170")
LANGUAGES = ("en", "it")


def face(
    display: "Display | None",
    panel: str,
    language: str,
    path: str = PATH,
    kept: "Kept | None" = None,
) -> Face:
    """Return the Face on ``display`` (None: nothing is drawn); ``kept`` as in ``font.Font``."""
    source = pack.Pack(open(path, "rb"))
    drawn = None
    if display is not None:
        from firmware.ui.canvas import Canvas

        drawn = Canvas(display, source, PANELS.index(panel), kept)
    return Face(source, drawn, LANGUAGES.index(language))


def tell(screens: Face, error: BaseException | None = None) -> None:
    """Show that the program failed with ``error``, or (None) that the board has no key."""
    words: "Words" = [0] * word.COUNT
    words[word.CODE] = type(error).__name__
    screens.news[fact.CRASHED] = screens.news[fact.KEYED] = error is not None
    screens.follow(0)
    screens.drawn = False
    screens.show(words, (0, 0, 0, 0, 0))
