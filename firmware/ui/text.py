"""Lines for the screen, set letter by letter. Pure."""

from firmware.ui import word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.ui.types import Letters, Words

ELLIPSIS = 3
LONGEST = 80  # letters of a line; longer ones are cut
_SPACE = 32
_TEXTS = (word.OUTCOME, word.TOLD, word.WHY, word.CHOSEN)  # words that are a text's number


class Line:
    """The line that is set: its ``size`` Latin-1 ``codes`` (key shapes are control codes).

    ``read(number)`` returns a text's template. In it the codes from ``word.FIRST`` on stand for
    words.
    """

    def __init__(self, read: "Callable[[int], bytes]"):
        self._read = read
        self.codes, self.size = bytearray(), 0

    def __str__(self):
        return "".join([chr(code) for code in self.codes])

    def set(self, number: int, words: "Words") -> None:
        """Set text ``number`` with its words, each a string or a whole number from 0 on."""
        codes = bytearray()
        self._fill(codes, number, words)
        self._put(codes[:LONGEST])

    def _put(self, codes):
        self.codes, self.size = codes, len(codes)

    def _fill(self, codes, number, words):
        for code in self._read(number):
            which = code - word.FIRST
            if not 0 <= which < word.COUNT:
                codes.append(code)
            elif which in _TEXTS:
                self._fill(codes, words[which], words)
            else:
                for letter in str(words[which]):
                    codes.append(ord(letter))

    def fit(self, width_px: int, font: "Letters") -> int:
        """Shorten the line with an ellipsis if it is wider than ``width_px``; return its width."""
        codes, px = self.codes, 0
        for code in codes:
            px += font.advance(code)
        if px <= width_px:
            return px
        px += font.advance(ELLIPSIS)
        size = self.size
        while size and (px > width_px or codes[size - 1] == _SPACE):
            size -= 1
            px -= font.advance(codes[size])
        codes = codes[: min(size, LONGEST - 1)]
        codes.append(ELLIPSIS)
        self._put(codes)
        return px
