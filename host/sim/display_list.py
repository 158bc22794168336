"""A list as the surface of a canvas: boxes, texts and digits as plain values, without displayio.

A page or a test draws it. It runs wherever the firmware does, as MicroPython too.
"""

from firmware.ui import colours
from firmware.ui.digits import Digits
from firmware.ui.font import Font

TYPE_CHECKING = False
if TYPE_CHECKING:
    from host.sim.types import ListedPart


class Thing:
    """A box, a digit or a text, with the attributes that a canvas sets, by displayio's names."""

    hidden, text = False, ""
    x = y = width = height = color = color_index = 0

    def __init__(self, kind: str, font: "Font | None" = None, turned: bool = False):
        self._kind, self._font, self._turned = kind, font, turned

    @property
    def location(self) -> "tuple[int, int]":
        """Its left upper corner."""
        return self.x, self.y

    @location.setter
    def location(self, at: "tuple[int, int]") -> None:
        self.x, self.y = at

    def part(self, x: int = 0) -> "ListedPart":
        """Return this as a part of a display list, moved to the right by ``x`` pixels."""
        top, width, height, font = self.y, self.width, self.height, self._font
        colour = colours.ALL[self.color_index]
        if font is not None:
            width, height = font.width_px(self.text), font.height
            if self._kind == "text":
                top -= font.ascent  # its y is the line's base
                colour = self.color
        return {
            "kind": self._kind, "x": x + self.x, "y": top, "width": width, "height": height,
            "colour": f"#{colour:06x}", "text": self.text, "turned": self._turned,
        }  # fmt: skip


class ListedDigits(Digits):
    """Digits that are things of a list."""

    def __init__(self, font: "Font", turned: bool):
        self.group = Thing("group")
        super().__init__(font, turned, font.width_px("0"))

    def _grid(self):
        return Thing("digit", self._font, self._turned)

    def _dot(self):
        return Thing("box")

    def _set(self, grid, digit):
        grid.text = digit

    def _paint(self, colour):
        for thing in self._grids + self._dots:
            thing.color_index = colours.ALL.index(colour)

    def parts(self) -> "list[ListedPart]":
        """Return those of them that are not hidden."""
        things = self._grids + self._dots
        return [thing.part(self.group.x) for thing in things if not thing.hidden]


class DisplayList:
    """Keeps the parts that a canvas makes; ``turned``: the whole picture faces the other side."""

    font = Font

    def __init__(self):
        self.turned = False
        self._ground: list[Thing] = []
        self._digits: list[ListedDigits] = []
        self._patches: list[Thing] = []
        self._labels: list[Thing] = []

    def box(self, x: int, y: int, width: int, height: int, over: bool) -> "Thing":
        """Return a new box above the ones before; ``over``: above all digits, too."""
        box = Thing("box")
        box.x, box.y, box.width, box.height = x, y, width, height
        boxes = self._patches if over else self._ground
        boxes.append(box)
        return box

    def digits(self, font: "Font", turned: bool) -> "ListedDigits":
        """Return new digits above the boxes before, all hidden."""
        digits = ListedDigits(font, turned)
        self._digits.append(digits)
        return digits

    def label(self, font: "Font", turned: bool) -> "Thing":
        """Return a new label above all else; its y is the line's base."""
        label = Thing("text", font, turned)
        self._labels.append(label)
        return label

    def turn(self, seat: int) -> None:
        """Turn the picture towards a seat."""
        self.turned = seat == 1

    def refresh(self) -> None:
        """Do nothing: ``parts`` are computed when they are read."""

    def parts(self) -> "list[ListedPart]":
        """Return the parts that are not hidden, from the lowest on, in the panel's pixels.

        Each has its ``kind`` (box, digit, text), the ``x`` and ``y`` of its left upper corner, its
        ``width``, ``height``, ``colour`` and ``text``, and whether it is ``turned``, that is
        upside down where it stands. A text is as high as its font: about 1.2 of the letters' em.
        """
        parts = [part.part() for part in self._ground if not part.hidden]
        for digits in self._digits:
            parts += digits.parts()
        return parts + [part.part() for part in self._patches + self._labels if not part.hidden]
