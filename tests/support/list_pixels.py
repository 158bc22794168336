"""Draws a display list pixel by pixel, with the boards' own letters and digits."""

import functools

from PIL import Image

from firmware.ui import layouts
from host.base import installation

FONTS = installation.ROOT / "firmware" / "ui" / "fonts"
_SPECIAL = "▲●…✔–►◄"  # in the control codes from 1 on (host/cli/dev/glyphs.py)


class ListPixels:
    """Draws the lists of one panel."""

    def __init__(self, panel):
        module = layouts.of_panel(panel)
        digits = {module.DIGITS, module.TURNED_DIGITS} - {None}
        self._size = tuple(map(int, panel.split("x")))
        self._fonts = {"text": _by_height(module.FONTS), "digit": _by_height(digits)}

    def image(self, listed):
        """Return the picture of a DisplayList as the panel shows it."""
        whole = Image.new("RGB", self._size)
        for part in listed.parts():
            at, size = (part["x"], part["y"]), (part["width"], part["height"])
            mask = Image.new("1", size, part["kind"] == "box")
            left = 0
            for letter in part["text"]:
                font = self._fonts[part["kind"]][part["height"]]
                cell, width = _letter(font, letter)
                over = (width - cell.width) // 2 if part["kind"] == "digit" else 0
                mask.paste(cell, (left + over, 0), cell)
                left += width
            assert left == (0 if part["kind"] == "box" else mask.width), part
            whole.paste(_shown(part["colour"]), at, mask.rotate(180 if part["turned"] else 0))
        return whole.rotate(180 if listed.turned else 0)


def _by_height(names):
    fonts = [(FONTS / f"{name}.font").read_bytes() for name in names]
    return {font[0]: font for font in fonts}


def _shown(colour):
    """Return a colour ("#rrggbb") as RGB565 shows it."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red & 0xF8 | red >> 5, green & 0xFC | green >> 6, blue & 0xF8 | blue >> 5


@functools.cache
def _letter(font, letter):
    """Return a letter's pixels, and how wide it is set."""
    height, _, first, count, row_bytes = font[:5]
    number = (_SPECIAL.index(letter) + 1 if letter in _SPECIAL else ord(letter)) - first
    at = 5 + count + number * row_bytes * height
    rows = font[at : at + row_bytes * height]
    return Image.frombytes("1", (8 * row_bytes, height), rows), font[5 + number]
