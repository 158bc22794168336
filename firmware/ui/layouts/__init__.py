"""Where everything lies on a panel, in pixels; each panel has a module here.

A panel's module has the names of its ``FONTS`` (small, medium, large), of its large ``DIGITS`` and
of ``TURNED_DIGITS`` for a clock that is read from the other side (None: there is none), its
``LAYOUT``, and ``FACED``, that of the screens with a clock.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Any, Box, DigitsPlace, Place

SMALL = 0  # a place's font
MEDIUM = 1
LARGE = 2

LEFT = 0  # what the x of a place is: the edge or the middle of its text
MIDDLE = 1
RIGHT = 2

PANELS = ("320x240", "480x320", "320x170")


class Layout:
    """A panel's places and boxes by name, and its digits.

    A place: font, alignment, x, y of the line's middle, width. A box: x, y, width, height; the y of
    ``row`` is how far below its line's middle it lies. Digits: middle, top, width of the colon;
    ``turned`` are those for whoever sits opposite (None: there are none). ``opposite``: the places
    of texts that whoever sits there reads, too, as seen from there.
    """

    def __init__(
        self,
        places: "dict[str, Place]",
        boxes: "dict[str, Box]",
        digits: "DigitsPlace",
        turned: "DigitsPlace | None" = None,
        opposite: "dict[str, Place] | None" = None,
    ):
        self.places, self.boxes = places, boxes
        self.digits, self.turned = digits, turned
        self.opposite = opposite or {}


def of_panel(name: str) -> "Any":
    """Return the module of a panel."""
    return __import__("firmware.ui.layouts.panel_" + name, None, None, ("LAYOUT",))
