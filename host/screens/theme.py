"""Compiles ``theme.txt``: colours, and per panel the places, boxes and digits in pixels.

A panel's bytes: per place font, align (u8), x, y, width (u16); per box x, y, width, height (u16);
twice (digits, two) middle, top, colon's width (u16). Colours: red, green, blue (u8 each).
"""

import struct

from host.screens.words import UI, SourceError, lines

FONTS = ("small", "medium", "large")
ALIGNS = ("left", "middle", "right")


class Theme:
    """What ``theme.txt`` says: ``colours``, ``places`` and ``boxes`` by name, ``panels`` as bytes."""

    def __init__(self):
        self.colours, self.places, self.boxes, self.panels = {}, [], [], {}
        self._panel = None
        kinds = {"colour": self._colour, "panel": self._begin, "place": self._place,
                 "box": self._box, "digits": self._digits, "two": self._digits}
        for where, (kind, *words) in lines(UI / "theme.txt"):
            if kind not in kinds:
                raise SourceError(f"{where}: {kind!r} is not a line of a theme")
            kinds[kind](where, *words)

    def _colour(self, where, name, rgb):
        self.colours[name] = bytes.fromhex(rgb)

    def _begin(self, where, name):
        self._panel = name
        self.panels[name] = b""

    def _named(self, where, names, name):
        if len(self.panels) == 1:
            names.append(name)
        elif name not in names:
            raise SourceError(f"{where}: {name!r} is not on the first panel")

    def _place(self, where, name, font, align, *measures):
        self._named(where, self.places, name)
        head = bytes((FONTS.index(font), ALIGNS.index(align)))
        self.panels[self._panel] += head + struct.pack("<3H", *map(int, measures))

    def _box(self, where, name, *measures):
        self._named(where, self.boxes, name)
        self.panels[self._panel] += struct.pack("<4H", *map(int, measures))

    def _digits(self, where, *measures):
        self.panels[self._panel] += struct.pack("<3H", *map(int, measures))
