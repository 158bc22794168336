"""Draws a ``Picture`` on a panel: labels, boxes and digits, touched only where they change.

Its surface makes them: displayio's on a display, or things of a plain list.
"""

from firmware.ui import colours, layouts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Any, Font, Picture, Place, Shown, Surface

# from the lowest on
BOXES = (
    "fill", "panel", "strip", "foot", "key_1", "key_2", "key_3", "row",
    "mark_1", "mark_2", "mark_3",
)  # fmt: skip
KEYS = ("key_1", "key_2", "key_3")
ROWS = ("row_1", "row_2", "row_3", "row_4")
MARKS = ("mark_1", "mark_2", "mark_3")  # of turns: every panel has room for so many
CLOCKS = ("left", "start", "waited")  # large digits that tick; the others stand still
_LONG_S = 6000  # from then on minutes alone are shown
_KEY, _HELD, _MARKED = colours.DARK, colours.BLUE, colours.WHITE
_PATCH_PX = 4  # a patch extends so far beyond its text


class Spot:
    """A place of a layout: its label, with a patch behind it and a copy for the player opposite,
    each made when it is first needed.
    """

    def __init__(self, place: "Place", font: "Font"):
        self._place, self.font = place, font
        self.labels: "list[Any]" = []
        self.patches: "list[Any]" = []  # None where there is none
        self.shown: "Shown | None" = None  # line, colour, whether it is on a patch
        self.used = False

    def fit(self, line: str, place: "Place | None" = None) -> "tuple[str, int, int, int]":
        """Return a line as it fits here, or in another place, and its left edge, top and width."""
        _, align, x, y, most_px = place or self._place
        font = self.font
        line = font.fitting(line, most_px)
        width = font.width_px(line)
        left = x - width * align // 2  # LEFT 0, MIDDLE 1, RIGHT 2
        top = y + font.descent - (font.height + font.descent) // 2
        return line, left, top, width

    def hide(self) -> None:
        """Take away what stands here."""
        self.shown = None
        for part in self.labels + self.patches:
            if part is not None:
                part.hidden = True


class Canvas:
    """What stands on the ``surface`` of a ``panel``. ``files``: fonts that were opened before, by
    their names; boards of one program share them.
    """

    def __init__(
        self, surface: "Surface", panel: str, folder: str, files: "dict[str, Font] | None" = None
    ):
        self._surface, self._folder = surface, folder
        self._files = {} if files is None else files
        self.seat = 0  # the seat that the panel is turned to
        of_panel = layouts.of_panel(panel)
        self._plain, self._faced = of_panel.LAYOUT, of_panel.FACED
        self._fonts = of_panel.FONTS
        self.boxes = {name: surface.box(0, 0, 1, 1, False) for name in BOXES}
        self.four = surface.digits(self._file(of_panel.DIGITS), False)
        self.opposite = None  # the small clock of the player opposite
        if self._faced.turned is not None:
            self.opposite = surface.digits(self._file(of_panel.TURNED_DIGITS), True)
        self._spots: "dict[tuple[bool, str], Spot]" = {}
        self._arrange(self._plain)

    def font(self, number: int) -> "Font":
        """Return a size of letters; its file is opened when it is first needed."""
        return self._file(self._fonts[number])

    def _file(self, name):
        found = self._files.get(name)
        if found is None:
            file = open(self._folder + "/fonts/" + name + ".font", "rb")
            found = self._files[name] = self._surface.font(file)
        return found

    def _arrange(self, chosen):
        """Put boxes and digits where a layout has them."""
        self.layout = chosen
        for name in BOXES:
            lying = self.boxes[name]
            lying.x, lying.y, lying.width, lying.height = chosen.boxes[name]
        self.four.put(chosen.digits)
        if self.opposite is not None and chosen.turned is not None:
            self.opposite.put(chosen.turned)
        self._stale, self._clock = True, None

    def turn(self, seat: int) -> None:
        """Turn the panel towards a seat."""
        if seat != self.seat:
            self.seat, self._stale = seat, True
            self._surface.turn(seat)

    def refresh(self) -> bool:
        """Bring out what was drawn since the last time; return whether there was anything."""
        stale, self._stale = self._stale, False
        if stale:
            self._surface.refresh()
        return stale

    def show(self, picture: "Picture", seat: int) -> None:
        """Draw a picture, turned to a seat; what stands there already is not touched."""
        screen = picture.screen
        self.turn(seat)
        chosen = self._faced if screen.digits in CLOCKS else self._plain
        if chosen is not self.layout:
            self._arrange(chosen)
        for name in ("fill", "panel", "strip", "foot"):
            self._paint(name, getattr(screen, name))
        self._mark_turns(screen.marks, picture.table)
        for spot in self._spots.values():
            spot.used = False
        self._show_keys(picture)
        self._show_items(picture)
        for text in picture.texts:
            self._say(text.place, picture.table.say(text.key), text.colour, text.patched)
        for spot in self._spots.values():
            if not spot.used and spot.shown is not None:
                spot.hide()
                self._stale = True

    def _show_keys(self, picture):
        labels = picture.labels()
        for key in range(3):
            name = self._key(key)
            label = labels.get(key)
            self._paint(name, None if label is None else _KEY)
            if label is not None:
                self._say(name, picture.table.say(label), colours.WHITE, patched=False)

    def _key(self, key):
        """Return the place of a key's label; where the panel is turned, the seats' change."""
        return KEYS[key ^ self.seat] if key < 2 else KEYS[key]

    def _show_items(self, picture):
        """Show the rows of a menu about the marked one, which has the box ``row`` behind it."""
        items, marked = picture.items, picture.table.entry.marked
        self._paint("row", _MARKED if items else None)
        first = max(0, min(marked - 1, len(items) - len(ROWS)))
        for row, item in enumerate(items[first : first + len(ROWS)]):
            chosen = first + row == marked
            colour = colours.BLACK if chosen else colours.WHITE
            self._say(ROWS[row], picture.table.say(item.label), colour, patched=False)
            if chosen:
                box, below = self.boxes["row"], self.layout.boxes["row"][1]
                y = self.layout.places[ROWS[row]][3] + below - box.height // 2  # [3]: its middle
                if box.y != y:
                    box.y, self._stale = y, True

    def _mark_turns(self, colour, table):
        """Show the marks of the turns; of too many only the number beside them is shown."""
        filled, total = (0, 0) if colour is None else table.marks
        if total > len(MARKS):
            total = 0
        for number in range(len(MARKS)):
            shown = colour if number < filled else colours.DARK
            self._paint(MARKS[number], shown if number < total else None)

    def _paint(self, name, colour):
        """Fill a box with a colour; None hides it."""
        box, hidden = self.boxes[name], colour is None
        if box.hidden != hidden:
            box.hidden, self._stale = hidden, True
        if not hidden:
            number = colours.ALL.index(colour)
            if box.color_index != number:
                box.color_index, self._stale = number, True

    def _say(self, place, line, colour, patched):
        """Show a line at a place, and turned where whoever sits opposite reads it, too."""
        if not line:
            return
        key = self.layout is self._faced, place
        spot = self._spots.get(key)
        if spot is None:
            spec = self.layout.places[place]
            spot = self._spots[key] = Spot(spec, self.font(spec[0]))
        spot.used, shown = True, (line, colour, patched)
        if spot.shown == shown:
            return
        spot.shown, self._stale = shown, True
        fitted, left, top, width = spot.fit(line)
        self._place(spot, 0, fitted, left, top, width)
        copy = self.layout.opposite.get(place)
        if copy is not None:
            fitted, left, top, width = spot.fit(line, copy)
            _, _, right, bottom = self.layout.boxes["fill"]
            self._place(
                spot, 1, fitted, right - left - width, bottom - top - spot.font.height, width
            )

    def _place(self, spot, number, line, left, top, width):
        """Set a spot's label (0), or its turned copy (1)."""
        _, colour, patched = spot.shown
        if number == len(spot.labels):
            spot.labels.append(self._surface.label(spot.font, number == 1))
            spot.patches.append(None)
        label = spot.labels[number]
        if label.text != line:
            label.text = line
        if label.color != colour:
            label.color = colour
        label.x, label.y, label.hidden = left, top + spot.font.ascent, False
        if patched:
            above = spot.font.descent  # as far above the letters as they reach below their base
            patch_top = top - above if number == 0 else top
            at, height = (left - _PATCH_PX, patch_top), spot.font.height + above
            self._patch(spot, number, at, width + 2 * _PATCH_PX, height)
        elif spot.patches[number] is not None:
            spot.patches[number].hidden = True

    def _patch(self, spot, number, at, width, height):
        """Put a patch at a place, in one go: a shape's way there is sent, too (VectorShape.c)."""
        patch = spot.patches[number]
        if patch is None:
            patch = self._surface.box(at[0], at[1], width, height, True)
            spot.patches[number] = patch
        if (patch.x, patch.y) != at:
            patch.location = at
        if patch.width != width:
            patch.width = width
        patch.hidden = False

    # what changes without a new picture

    def press(self, before: int, held: int) -> None:
        """Highlight the key that is down (-1: none); ``before``: the one that was."""
        for key in range(3):
            name = self._key(key)
            if key in (held, before) and not self.boxes[name].hidden:
                self._paint(name, _HELD if key == held else _KEY)

    def count(self, digits: "str | None", colour: int, number: int) -> None:
        """Show a number in large digits as a screen's ``digits`` say, in a colour."""
        shown = digits, colour, number
        if shown == self._clock:
            return
        self._clock, self._stale = shown, True
        ticks = digits in CLOCKS
        colon, least = 0, 1  # as ``Digits.show`` takes it, and the least number of digits
        if digits == "count":  # a digit a side
            colon, least = 2, 2
        elif ticks and number >= _LONG_S:
            number //= 60
        elif ticks:
            number, colon, least = number // 60 * 100 + number % 60, 1, 3  # M:SS
        hidden = digits in (None, "entry")  # an entry shows its numbers as text
        length = 0 if hidden else min(4, max(least, len(str(number))))
        room = self.boxes["fill"].width // 5 if digits == "turn" else 0  # for "of 3" beside it
        self.four.group.x = -room
        self.four.paint(colour)
        self.four.show(number, length, colon)
        if self.opposite is not None:
            self.opposite.paint(colour)
            self.opposite.show(number, length if ticks else 0, colon if ticks else 0)
