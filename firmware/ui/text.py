"""Lines for the screen, set letter by letter into one reused buffer.

Pure; nothing is allocated.
"""

from firmware.ui import word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.ui.types import Letters, Words

ELLIPSIS = 3
LONGEST = 80  # letters of a line; longer ones are cut
_TEMPLATE = 48  # bytes of the longest text
_SPACE = 32


class Line:
    """The line that is set: its first ``size`` Latin-1 ``codes`` (key shapes are control codes).

    ``read(number, buffer)`` gets a text's template and returns its size. In a template the codes
    from ``word.FIRST`` on stand for words.
    """

    def __init__(self, read: "Callable[[int, bytearray], int]"):
        self._read = read
        self.codes, self.size = bytearray(LONGEST), 0
        self._templates = (
            bytearray(_TEMPLATE),
            bytearray(_TEMPLATE),
        )  # a text, and one that it names

    def __str__(self):
        return "".join([chr(self.codes[i]) for i in range(self.size)])

    def set(self, number: int, words: "Words") -> None:
        """Set text ``number`` with its words, each a string or a whole number from 0 on."""
        self.size = 0
        self._fill(number, words, 0)

    def _fill(self, number, words, depth):
        template = self._templates[depth]
        for at in range(self._read(number, template)):
            code = template[at]
            which = code - word.FIRST
            if not 0 <= which < word.COUNT:
                self._put(code)
            elif which in (word.OUTCOME, word.TOLD, word.WHY, word.CHOSEN):
                self._fill(words[which], words, 1)
            else:
                self._say(words[which])

    def _say(self, said):
        if isinstance(said, str):
            for letter in said:
                self._put(ord(letter))
            return
        power = 1
        while said // power > 9:
            power *= 10
        while power:
            self._put(48 + said // power % 10)
            power //= 10

    def _put(self, code):
        if self.size < LONGEST:
            self.codes[self.size] = code
            self.size += 1

    def fit(self, width_px: int, font: "Letters") -> int:
        """Shorten the line with an ellipsis if it is wider than ``width_px``; return its width."""
        px = 0
        for at in range(self.size):
            px += font.advance(self.codes[at])
        if px <= width_px:
            return px
        px += font.advance(ELLIPSIS)
        while self.size and (px > width_px or self.codes[self.size - 1] == _SPACE):
            self.size -= 1
            px -= font.advance(self.codes[self.size])
        self._put(ELLIPSIS)
        return px
