"""The ink of what lies on a panel: each text's and digit's own lit pixels, however far they reach.

They are taken from the very grids that ``displayio`` composes, one by one: nothing covers them
there and no edge cuts them.
"""

from collections import namedtuple

from PIL import Image, ImageChops
from said import Said, grid_of, measures

from firmware.ui import canvas, table
from firmware.ui.table import Table
from host.boards import texts

CLOCK = "clock"
# names that reach as high and as low as letters do, and are longer than any place
TALL = "ÀÈjgpqyÇ ÅÉgjqpy ÙJ", "ÇqÒgjÀyp ÈÉgpjqy ÅJ"
# the longest of each word that a text may name
LONGEST = {
    "player_a": "▲ Giulia B.", "player_b": "● Kenji T.", "to_play": "▲ Giulia B.",
    "answering": "● Kenji T.", "decider": "▲ Giulia B.", "who": "2A", "table": 2048, "round": 12,
    "game": 3, "games_a": 2, "games_b": 1, "turn": 3, "turns": 3, "section": "9.2.3",
    "extension": 15, "device": 65534, "battery": 10, "error": "MemoryError",
    "roll_name": "7KQ 2MX", "result_code": "7KQ 2MX", "face": 6, "heads": 8, "flips": 8,
    "flipped": "✔ – ✔ – ✔ – ✔ –", "entered_a": 150, "entered_b": 150, "first": 150, "second": 150,
    "typed": "755224", "call_minutes": 12, "late": "12:30", "set_up_left": "2:00",
    "squads": "150 < 200", "line_1": "–12:30", "line_2": "", "line_3": "", "line_4": "",
    "group": 3, "pack": 15, "cards": 150, "active": 15, "pick": 150,
    "obstacle": 6, "pile_1": "▲ 1A: 3", "pile_2": "● 2B: 2", "pile_3": "● 2A: 3",
    "pile_4": "▲ 1B: 2",
}  # fmt: skip
_OTHERS = {"outcome": "outcome_1", "asked": "stands", "reason": "call_absent", "said": "said_4",
           "told": "tell_10"}  # fmt: skip


def longest(language, names=LONGEST):
    """Return a function like ``Table.word`` that says the longest of every word."""
    said = texts.texts(language)

    def word(name):
        if name in _OTHERS:
            return said[_OTHERS[name]].format(**names)
        return names[name]

    return word


class _Fullest(Table):
    """A table of which everything is as long as can be; its clocks stand."""

    left_s = start_s = 0
    table, turn, waited_s = 2048, 3, 155


def fullest(studio):
    """Draw a posed scene anew with the longest words there are."""
    shown = studio.face.table
    tall = {"player_a": f"▲ {TALL[0]}", "player_b": f"● {TALL[1]}", "to_play": f"▲ {TALL[0]}",
            "answering": f"● {TALL[1]}"}  # fmt: skip
    shown.__class__, shown.word = _Fullest, longest(studio.language, LONGEST | tall)
    studio.face.drawn = False
    studio.face.show()


# a text's line (CLOCK: digits), its place's name or None, whether it is turned, its pixels,
# and their box
Ink = namedtuple("Ink", "line place turned lit box")


def unsynced(studio, scene):
    """Draw a scene of a board that cannot send; return whether the same screen shows that."""
    *posed, extra = scene
    standing = extra.get("standing", 0) | table.UNSYNCED
    try:
        studio.pose(*posed, {**extra, "standing": standing})
    except ValueError:  # another screen takes over
        return False
    return True


class Inks:
    """Reads a studio's canvas; ``kept`` keeps the pixels of a line that was seen before."""

    def __init__(self, drawn, kept):
        self._drawn, self._kept = drawn, kept
        self._said = Said(drawn)
        bus = drawn.panel.bus
        self.width_px, self.height_px = bus.width_px, bus.height_px

    def texts(self):
        found = []
        for said in self._said.texts:
            font = measures(self._drawn.canvas, said.place)[0]
            for label in said.labels:
                grid, x, y = grid_of(label)
                key = font, said.line, grid.tile_width, grid.flip_x
                found.append(
                    self._ink(said.line, said.place, grid, (x - grid.x, y - grid.y, 1), key)
                )
        return [ink for ink in found if ink.box]

    def clocks(self):
        lying = self._drawn.canvas
        found = []
        for number, digits in enumerate((lying.four, lying.opposite)):
            if digits is not None:
                group = digits.group
                found += [self._ink(CLOCK, None, grid, (group.x, group.y, group.scale),
                                    (number, digits._shown[at], group.scale))
                          for at, grid in enumerate(digits._grids) if not grid.hidden]  # fmt: skip
        return [ink for ink in found if ink.box]

    def look(self):
        """Take the boxes as they lie now: their edges (left, top, right, bottom) and those that are
        shown.
        """
        lying = list(self._drawn.canvas.boxes.items())
        self.boxes = {
            name: (box.x, box.y, box.x + box.width, box.y + box.height) for name, box in lying
        }
        self.painted = {name for name, box in lying if not box.hidden}

    def sides(self, ink):
        """Return where a text's place begins and ends across; a turned copy's, from the
        other side.
        """
        lying = self._drawn.canvas
        turned = lying.layout.opposite[ink.place] if ink.turned else None
        _, align, x, _, width = turned or measures(lying, ink.place)
        left = x - width * align // 2
        if ink.turned:
            left = self.width_px - left - width
        return left, left + width

    def _ink(self, line, place, grid, stands, key):
        x, y, scale = stands
        if key not in self._kept:
            self._kept[key] = _pixels(grid, scale)
        lit, box = self._kept[key]
        left, top = x + grid.x * scale, y + grid.y * scale
        box = box and (left + box[0], top + box[1], left + box[2], top + box[3])
        return Ink(line, place, grid.flip_x, lit, box)


def _pixels(grid, scale):
    """Return the lit pixels of a grid, cut to their box, and that box within the grid (None: none
    are lit).
    """
    wide, high, sheet = grid.tile_width, grid.tile_height, _whole(grid.bitmap)
    across = grid.bitmap.width // wide
    whole = Image.new("1", (grid.width * wide, grid.height * high))
    for cell in range(grid.width * grid.height):
        left, top = grid[cell] % across * wide, grid[cell] // across * high
        part = sheet.crop((left, top, left + wide, top + high))
        whole.paste(part, (cell % grid.width * wide, cell // grid.width * high))
    if grid.flip_x:
        whole = whole.transpose(Image.Transpose.ROTATE_180)
    whole = whole.resize((whole.width * scale, whole.height * scale), Image.Resampling.NEAREST)
    box = whole.getbbox()
    return whole.crop(box) if box else whole, box


def _whole(bitmap):
    """Return a bitmap's pixels, a bit each: Blinka packs them in words of 32 bits, the leftmost
    highest.
    """
    bits = bitmap._bits_per_value
    packed = b"".join(word.to_bytes(4, "big") for word in bitmap._data)
    wide = Image.frombytes("1", (32 * bitmap._stride, bitmap.height), packed)
    # of two bits, the lower
    return wide.resize((wide.width // bits, wide.height), Image.Resampling.NEAREST)


def meet(one, other):
    left, top = max(one.box[0], other.box[0]), max(one.box[1], other.box[1])
    right, bottom = min(one.box[2], other.box[2]), min(one.box[3], other.box[3])
    if right <= left or bottom <= top:
        return False
    parts = [ink.lit.crop((left - ink.box[0], top - ink.box[1], right - ink.box[0],
                           bottom - ink.box[1]))
             for ink in (one, other)]  # fmt: skip
    return ImageChops.logical_and(*parts).getbbox() is not None


def within(box, other):
    """Return whether ``box`` lies wholly in ``other``: left, top, right, bottom."""
    return box[0] >= other[0] and box[1] >= other[1] and box[2] <= other[2] and box[3] <= other[3]


def crosses(box, other):
    """Return whether the edge of ``other`` cuts through ``box``."""
    apart = box[2] <= other[0] or other[2] <= box[0] or box[3] <= other[1] or other[3] <= box[1]
    return not apart and not within(box, other)


def faults(inks):
    """Return a sentence for every ink that is cut, leaves its place or lies on another's."""
    inks.look()
    texts, clocks = inks.texts(), inks.clocks()
    found = [fault for ink in texts + clocks for fault in _faults_of(ink, inks)]
    every = texts + clocks
    for number, one in enumerate(every):
        found += [
            f"{one.line!r} lies on {other.line!r}"
            for other in every[number + 1 :]
            if meet(one, other)
        ]
    return found


def _faults_of(ink, inks):
    """Yield what is wrong with one ink: past the panel, its place or the keys, or cut by a box."""
    boxes = inks.boxes
    key_top = boxes["key_1"][1]
    if not within(ink.box, (0, 0, inks.width_px, inks.height_px)):
        yield f"{ink.line!r} leaves the panel: {ink.box}"
    keyed = ink.place is not None and ink.place in canvas.KEYS
    if not keyed and ink.box[3] > key_top:
        yield f"{ink.line!r} reaches {ink.box[3] - key_top} px into the keys"
    if ink.place is None:
        return
    left, right = inks.sides(ink)
    if ink.box[0] < left or ink.box[2] > right:
        yield f"{ink.line!r} leaves its place: {ink.box} and {left}-{right}"
    for name, edges in boxes.items():
        if not name.startswith("mark") and crosses(ink.box, edges) and name in inks.painted:
            yield f"{ink.line!r} is cut by the {name}: {ink.box} and {edges}"
