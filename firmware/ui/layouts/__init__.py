"""Where everything lies on a panel, in pixels; each panel has a module here.

A panel's module has the names of its ``FONTS`` (small, medium, large), of its large ``DIGITS`` and
of ``TURNED_DIGITS`` for a clock that is read from the other side (None: there is none), its
``LAYOUT``, and ``FACED``, that of the screens with a clock.
"""

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Any

SMALL = 0  # a place's font
MEDIUM = 1
LARGE = 2

LEFT = 0  # what the x of a place is: the edge or the middle of its text
MIDDLE = 1
RIGHT = 2

PANELS = ("320x240", "480x320", "320x170")


# A panel's places and boxes by name, and its digits. A place: font, alignment, x, y of the line's
# middle, width. A box: x, y, width, height; the y of ``row`` is how far below its line's middle it
# lies. Digits: middle, top, width of the colon; ``turned`` are those for whoever sits opposite
# (None: there are none). ``opposite``: the places of texts that whoever sits there reads, too, as
# seen from there.
Layout = namedtuple("Layout", "places boxes digits turned opposite")


def of_panel(name: str) -> "Any":
    """Return the module of a panel."""
    return __import__("firmware.ui.layouts.panel_" + name, None, None, ("LAYOUT",))
