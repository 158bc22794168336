"""A size of letters: how wide a text is set, and where it is shortened.

The file's layout: ``host/cli/dev/glyphs.py``, which draws it from the font package.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import FontFile

ELLIPSIS = "…"
_UNKNOWN = ord("?")
# what Latin-1 lacks stands in its control codes
_SPECIAL = {ord(letter): code for code, letter in enumerate("▲●…✔–►◄", 1)}
_HEAD = 5


class Font:
    """One size of letters, in an open file."""

    def __init__(self, file: "FontFile"):
        self._file = file
        head = file.read(_HEAD)
        self.height, self.ascent, self._first, self._count, self._row_bytes = head
        self.descent = self.height - self.ascent
        self._advances = file.read(self._count)

    def width_px(self, text: str) -> int:
        """Return how wide a text is set."""
        return sum([self._advances[self._place(ord(letter))] for letter in text])

    def fitting(self, line: str, most_px: int) -> str:
        """Return a line, shortened with an ellipsis if it is wider than ``most_px``."""
        if self.width_px(line) <= most_px:
            return line
        while line and (line[-1] == " " or self.width_px(line + ELLIPSIS) > most_px):
            line = line[:-1]
        return line + ELLIPSIS

    def _seek(self, code):
        """Go to the rows of a code point's letter in the file; return how wide it is set."""
        number = self._place(code)
        self._file.seek(_HEAD + self._count + number * self._row_bytes * self.height)
        return self._advances[number]

    def _place(self, code: int) -> int:
        number = _SPECIAL.get(code, code) - self._first
        if 0 <= number < self._count and self._advances[number]:
            return number
        return _UNKNOWN - self._first
