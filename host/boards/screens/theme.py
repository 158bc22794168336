"""Compiles ``theme.txt``: colours, and per panel the places, boxes and digits in pixels.

A panel has one layout, or a second one for the screens with a clock (``faced``), which says only
what differs. A layout's bytes: per place font, align (u8), x, y, width (u16); per box x, y, width,
height (u16); for each of ``DIGITS`` middle, top, colon's width, step (0 the digit's own width) and
scale (u16); what x and y of a text and of its turned copy come to together (u16, 0: no copy).
Colours: red, green, blue (u8 each); a text has one of the first ``INKS``.
"""

import struct

from host.boards.screens.words import UI, SourceError, lines

FONTS = ("small", "medium", "large")
ALIGNS = ("left", "middle", "right")
DIGITS = ("digits", "turned")
INKS = 4
_SHAPES = {**dict.fromkeys(DIGITS, "<5H"), "copy": "<2H"}


class Theme:
    """What ``theme.txt`` says.

    ``colours``, ``places`` and ``boxes`` by name; ``panels`` has for each panel's name the bytes of
    its layouts; ``slots`` the (font, width in px) of the bitmaps for its texts; ``lettered`` names
    the panels with letters of their own.
    """

    def __init__(self):
        self.colours, self.lettered, self._layouts, self.slots = {}, [], {}, {}
        kinds = {"colour": self._colour, "panel": self._begin, "faced": self._face,
                 "letters": self._letter, "slots": self._slot, "place": self._place,
                 "box": self._box,
                 **dict.fromkeys(_SHAPES, self._measure)}  # fmt: skip
        for where, words in lines(UI / "theme.txt"):
            if words[0] not in kinds:
                raise SourceError(f"{where}: {words[0]!r} is not a line of a theme")
            kinds[words[0]](where, *words)
        first = next(iter(self._layouts.values()))[0]
        self.places = [name for kind, name in first if kind == "place"]
        self.boxes = [name for kind, name in first if kind == "box"]
        order = [
            (kind, name)
            for kind, names in (("place", self.places), ("box", self.boxes))
            for name in names
        ]
        order += [(kind, "") for kind in _SHAPES]
        self.panels = {panel: [self._joined(panel, layout, order) for layout in layouts]
                       for panel, layouts in self._layouts.items()}  # fmt: skip

    def _joined(self, panel, layout, order):
        if set(layout) != set(order):
            raise SourceError(f"theme.txt: panel {panel}: {sorted(set(layout) ^ set(order))}")
        return b"".join(layout[key] for key in order)

    def _colour(self, where, kind, name, rgb):
        self.colours[name] = bytes.fromhex(rgb)

    def _begin(self, where, kind, name):
        self._layouts[name], self.slots[name] = [{}], []

    def _face(self, where, kind):
        self._newest.append(dict(self._newest[0]))

    def _letter(self, where, kind):
        self.lettered.append(list(self._layouts)[-1])

    def _slot(self, where, kind, font, *widths):
        self.slots[list(self._layouts)[-1]] += [(FONTS.index(font), int(width)) for width in widths]

    @property
    def _newest(self):
        return list(self._layouts.values())[-1]

    def _place(self, where, kind, name, font, align, *measures):
        head = bytes((FONTS.index(font), ALIGNS.index(align)))
        self._newest[-1][kind, name] = head + struct.pack("<3H", *map(int, measures))

    def _box(self, where, kind, name, *measures):
        self._newest[-1][kind, name] = struct.pack("<4H", *map(int, measures))

    def _measure(self, where, kind, *measures):
        self._newest[-1][kind, ""] = struct.pack(_SHAPES[kind], *map(int, measures))
