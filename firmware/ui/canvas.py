"""The pool of display objects: every text, box and digit, built once, then only changed."""

from displayio import Group, Palette

from firmware.ui import pack
from firmware.ui.digits import Digits
from firmware.ui.slots import HEAD, PLACE, SLOT, Slots, box, u16

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Display, Kept, Line, Pack

# places and boxes that the code uses; the theme keeps their order
KEY_PLACE = 0
ROW_PLACE = 3
ROWS = 4
FILL = 0
KEY_BOX = 4
ROW_BOX = 7
MARK_BOX = 8
_BOX = 8  # bytes of a box, and of the place of a set of digits
_DIGITS = 10
_COPY = 4
LEFT = 1  # the clocks a screen may show
START = 2
TABLE = 3
TURN = 4
FACE = 5
COUNT = 6  # the two numbers that are entered, as digits; or elsewhere
ENTRY = 7
WAITED = 8
_LONG_S = 6000  # from then on minutes alone are shown
_MARKS = 3  # turn marks for which every panel has room
_DARK, _HELD = 5, 6  # colours of soft keys and of a held one


class Canvas:
    """The display objects of ``panel`` (its number in the pack); ``kept`` as in ``Font``."""

    def __init__(self, display: "Display", source: "Pack", panel: int, kept: "Kept | None" = None):
        self.display, self._source = display, source
        self._section = pack.PANELS + 3 * panel
        self.seat = 0  # the seat that the panel is turned to
        self._upright = display.rotation
        self._theme = source.read(self._section, 0, source.size(self._section))
        places, boxes, _, self._layouts, slots = self._theme[:HEAD]
        self._layout = 0
        self._which = self._colour = self._number = -1  # the clock shown now
        self._places_at = HEAD + SLOT * slots
        self._boxes_at = PLACE * places
        self._digits_at = self._boxes_at + _BOX * boxes
        self._inks = self._colours()
        self.group = Group()
        self.boxes = [box(self._inks, self.group) for number in range(boxes)]
        self.four = self._digits(0, 4)
        # the player opposite has a small clock with its own numerals, or a full copy
        own = source.size(self._section + 2)
        self._opposite = self._digits(1, 4) if own or self._layouts > 1 else None
        self._slots = Slots(source, self._section, self.group, self._inks, kept)
        self._lay()
        display.root_group = self.group

    def _colours(self):
        raw = self._source.read(pack.COLOURS, 0, self._source.size(pack.COLOURS))
        inks = Palette(len(raw) // 3)
        for number in range(len(inks)):
            inks[number] = raw[3 * number] << 16 | raw[3 * number + 1] << 8 | raw[3 * number + 2]
        return inks

    def _digits(self, number, count):
        section, like = self._section + 1 + number, None
        if not self._source.size(section):
            section, like = self._section + 1, self.four
        digits = Digits(self._source, section, count, number == 1, like)
        self.group.append(digits.group)
        return digits

    def _read(self, at):
        """Return the layout's bytes at a place."""
        at += self._places_at + self._layout * (self._digits_at + 2 * _DIGITS + _COPY)
        return self._theme[at : at + _DIGITS]

    def _lay(self):
        """Put boxes and digits where the layout has them."""
        for number in range(len(self.boxes)):
            raw, lying = self._read(self._boxes_at + _BOX * number), self.boxes[number]
            lying.x, lying.y = u16(raw, 0), u16(raw, 2)
            lying.width, lying.height = u16(raw, 4), u16(raw, 6)
        self.four.put(self._read(self._digits_at))
        if self._opposite is not None:
            self._opposite.put(self._read(self._digits_at + _DIGITS))
        raw = self._read(self._digits_at + 2 * _DIGITS)
        self._across, self._down = u16(raw, 0), u16(raw, 2)
        self._stale, self._which = True, -1

    def put(self, faced: int) -> None:
        """Lay everything out for a screen with a clock (1) or without (0), if that changes."""
        if faced >= self._layouts:
            faced = 0
        if faced != self._layout:
            self._layout = faced
            self._lay()

    def turn(self, seat: int) -> bool:
        """Turn the panel towards a seat; return whether it was not yet.

        Without its group meanwhile, which makes the next refresh a whole one: it would send each
        thing where it was and where it is, hidden ones too, which is five panels' pixels.
        """
        if seat == self.seat:
            return False
        self.seat = seat
        self.display.root_group = None  # pyright: ignore[reportAttributeAccessIssue]  (BusDisplay.c takes it)
        self.display.rotation = (self._upright + 180 * seat) % 360
        self.display.root_group = self.group
        self._stale = True
        return True

    def refresh(self) -> bool:
        """Send what was drawn since the last time to the panel: nothing else ever does
        (BusDisplay.c). Return whether there was anything.
        """
        stale, self._stale = self._stale, False
        if stale:
            self.display.refresh()
        return stale

    # texts: ``begin``, ``say`` each, ``end``

    def begin(self) -> None:
        """Give back what texts stand in; those that say the same again are not drawn anew."""
        self._slots.begin()

    def say(self, line: "Line", place: int, colour: int) -> int:
        """Show a ``text.Line`` at a place; ``colour`` + 128 puts it on a patch.

        Return its slot (-1: none).

        A layout for two gives all but the keys' labels a turned copy.
        """
        if not line.size:
            return -1
        across = self._across if place >= ROW_PLACE else 0
        return self._slots.say(line, self._read(PLACE * place), colour, across, self._down)

    def end(self) -> None:
        """Hide what nothing was said with."""
        if self._slots.end():
            self._stale = True

    # boxes and digits

    def press(self, before: int, held: int) -> None:
        """Highlight the key that is down (-1: none); ``before``: the one that was."""
        for key in range(3):
            box = KEY_BOX + (key ^ self.seat)
            if key in (held, before) and not self.boxes[box].hidden:
                self.paint(box, _HELD if key == held else _DARK)

    def turns(self, colour: int, done: int, most: int) -> None:
        """Show the marks of the turns; of too many only the number beside them is shown."""
        for mark in range(4):
            shown = 0 if not colour or mark >= most or most > _MARKS else colour
            self.paint(MARK_BOX + mark, _DARK if shown and mark >= done else shown)

    def mark(self, row: int) -> None:
        """Put the mark's box behind a row of a menu."""
        marked = self.boxes[ROW_BOX]
        y = u16(self._read(PLACE * (ROW_PLACE + row)), 4) - marked.height // 2
        if marked.y != y:
            marked.y, self._stale = y, True

    def paint(self, number: int, colour: int) -> None:
        """Fill box ``number`` with a colour (its number + 1; 0 hides it)."""
        painted = self.boxes[number]
        if painted.hidden == (colour > 0):
            painted.hidden, self._stale = not colour, True
        if colour and painted.color_index != colour - 1:
            painted.color_index, self._stale = colour - 1, True

    def clock(self, which: int, colour: int, number: int) -> None:
        """Show clock ``which`` (0 none) at ``number`` (s for those that tick) in a colour."""
        if number == self._number and which == self._which and colour == self._colour:
            return
        self._which, self._colour = which, colour
        self._number, self._stale = number, True
        ticks, colour = which in (LEFT, START, WAITED), self._inks[colour]  # pyright: ignore[reportAssignmentType]  (each ink has a colour)
        colon = 2 if which == COUNT else 0
        if ticks and number >= _LONG_S:
            number //= 60
        elif ticks:
            number, colon = number // 60 * 100 + number % 60, 1
        shown = _length(number, colon) if which and which != ENTRY else 0
        self.four.group.x = -(self.boxes[FILL].width // 5) if which == TURN else 0
        self.four.paint(colour)
        self.four.show(number, shown, colon)
        if self._opposite is not None:
            self._opposite.paint(colour)
            self._opposite.show(number, shown if ticks else 0, colon if ticks else 0)


def _length(number, colon):
    """Return how many digits ``number`` takes; a clock shows three at the least (M:SS)."""
    length = (1, 3, 2)[colon]
    while length < 4 and number >= (10, 100, 1000)[length - 1]:
        length += 1
    return length
