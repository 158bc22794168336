"""The big digits: a tile each, exchanged only where a digit changes."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Any, DigitsPlace

_COUNT = 4
_NONE = 10  # a digit that is not shown


class Digits:
    """Up to four digits of a ``font``, perhaps with a colon; ``width`` is a tile's. ``turned``:
    upside down, for the player opposite. Each surface has its own subclass.
    """

    group: "Any"  # of all of them: its x shifts them

    def __init__(self, font: "Any", turned: bool, width: int):
        self._font, self._turned = font, turned
        self.width, self.height = width, font.height
        self._shown = bytearray([_NONE] * _COUNT)
        self._grids = [self._grid() for _ in range(_COUNT)]
        self._dots = [self._dot() for _ in range(2)]
        self._colour = -1
        self._place: "DigitsPlace" = (0, 0, 0)
        self._arranged: "tuple[int, int] | None" = None  # for so many digits and this colon

    # what a surface's own class does: makes a tile and a dot of the colon, sets a tile, paints all
    def _grid(self) -> "Any": ...
    def _dot(self) -> "Any": ...
    def _set(self, grid: "Any", digit: str) -> None: ...
    def _paint(self, colour: int) -> None: ...

    def put(self, place: "DigitsPlace") -> None:
        """Put them at a place of the layout."""
        self._place, self._arranged = place, None

    def paint(self, colour: int) -> None:
        """Give every digit and the colon one colour (RGB)."""
        if colour != self._colour:
            self._colour = colour
            self._paint(colour)

    def show(self, number: int, count: int, colon: int) -> None:
        """Show ``number`` with ``count`` digits (0: nothing). ``colon``: 0 none, 1 before the last
        two digits, 2 before the last.
        """
        if (count, colon) != self._arranged:
            self._arranged = count, colon
            self._arrange(count, colon)
        for at in range(count - 1, -1, -1):  # the last digit first
            digit = number % 10
            if self._shown[at] != digit:
                self._shown[at] = digit
                self._set(self._grids[at], "0123456789"[digit])
            number //= 10

    def _arrange(self, count, colon):
        middle, top, gap = self._place
        after_colon = count + colon - 3  # the first digit behind it
        if not colon:
            gap = 0
        step = self._font.width_px("0")
        left = middle - (count * step + gap) // 2
        for at in range(_COUNT):
            grid = self._grids[at]
            grid.hidden = at >= count
            x = left + at * step + (step - self.width) // 2
            if at >= after_colon:
                x += gap
            self._move(grid, x, self.width, top)
        side = max(1, gap * 5 // 8)
        x = left + after_colon * step + (gap - side) // 2
        for at in range(2):
            dot = self._dots[at]
            dot.hidden = not colon
            dot.width = dot.height = side
            self._move(dot, x, side, top + self.height * (at + 1) // 3 - side // 2)

    def _move(self, thing, x, width, y):
        """Move a tile or a dot; turned digits are mirrored at the middle of their place."""
        thing.x = 2 * self._place[0] - x - width if self._turned else x
        thing.y = y
