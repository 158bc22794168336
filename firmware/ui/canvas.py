"""The pool: every label, box and digit a screen can use, built once, then only written to."""

import struct

from adafruit_display_text.bitmap_label import Label
from displayio import Group, Palette
from vectorio import Rectangle

from firmware.ui import pack, text
from firmware.ui.digits import Digits
from firmware.ui.font import Font

# places and boxes that the code itself writes to; the theme keeps their order
KEY_PLACE = 0
ROW_PLACE = 3
ROWS = 4
FILL = 0
KEY_BOX = 4
ROW_BOX = 7
MARK_BOX = 8
_PLACE = "<BB3H"
LABELS = 11  # three keys and what the fullest screen says


class Canvas:
    """What lies on a display of ``panel`` (its number in the pack); ``kept`` as in ``Font``."""

    def __init__(self, display, source, panel, kept=None):
        self.display, self._source = display, source
        self._section = pack.PANELS + 3 * panel
        self._fonts = [Font(source, number, kept) for number in range(3)]
        raw = source.read(pack.COLOURS, 0, source.size(pack.COLOURS))
        self.colours = [raw[i] << 16 | raw[i + 1] << 8 | raw[i + 2] for i in range(0, len(raw), 3)]
        self._inks = Palette(len(self.colours))
        for number in range(len(self.colours)):
            self._inks[number] = self.colours[number]
        self.group = Group()
        places, boxes = source.read(self._section, 0, 2)
        self.boxes = [self._box(2 + 8 * (places + number)) for number in range(boxes)]
        self._digits_at = 2 + 8 * (places + boxes)
        self.four = self._digits(0, 4)
        self.two = self._digits(1, 2) if source.size(self._section + 2) else None
        self._labels = [self._label() for _ in range(LABELS)]
        self._said = [("", 0, 0)] * LABELS
        display.root_group = self.group

    def _box(self, at):
        x, y, width, height = struct.unpack("<4H", self._source.read(self._section, at, 8))
        box = Rectangle(pixel_shader=self._inks, width=width, height=height, x=x, y=y)
        box.hidden = True
        self.group.append(box)
        return box

    def _digits(self, number, count):
        raw = self._source.read(self._section, self._digits_at + 6 * number, 6)
        place = struct.unpack("<3H", raw)
        section, width = self._section + 1 + number, self.boxes[FILL].width
        digits = Digits(self._source, section, count, place, width)
        self.group.append(digits.group)
        return digits

    def _label(self):
        label = Label(self._fonts[0], text="", padding_left=4, padding_right=4)
        self.group.append(label)
        return label

    def place(self, number):
        """Return font, align, x, y, width of a place."""
        raw = self._source.read(self._section, 2 + 8 * number, 8)
        return struct.unpack(_PLACE, raw)

    def say(self, number, line, place, colour):
        """Set label ``number`` to ``line`` at a place; ``colour`` + 128 puts it on a patch."""
        said = line, place, colour
        if self._said[number] == said:
            return
        self._said[number] = said
        label = self._labels[number]
        if not line:
            label.text = ""
            return
        font, align, x, y, width = self.place(place)
        if label.font is not self._fonts[font]:
            label.text = ""
            label.font = self._fonts[font]
        label.background_color = self.colours[0] if colour & 128 else None
        label.color = self.colours[colour & 127]
        label.text = text.fit(line, width, self._fonts[font].width)
        label.anchor_point = (align / 2, 0.5)
        label.anchored_position = (x, y)

    def paint(self, number, colour):
        """Fill box ``number`` with a colour (its number + 1; 0 hides it)."""
        box = self.boxes[number]
        if box.hidden == (colour > 0):
            box.hidden = not colour
        if colour and box.color_index != colour - 1:
            box.color_index = colour - 1
