"""What texts a studio's canvas shows: each with its place, the slot it stands in, and whether it
was cut.
"""

from collections import namedtuple

# the line as it is drawn, the number of its place, its colour, its slot (-1: there was none),
# whether its slot cut it, and its size in px
Text = namedtuple("Text", "line place colour slot cut width height")


class Said:
    """Listens to a studio's canvas; ``texts`` are those of the picture that lies there now."""

    def __init__(self, studio):
        self._canvas, self.texts = studio._canvas, []
        self._begin, self._say = self._canvas.begin, self._canvas.say
        self._canvas.begin, self._canvas.say = self.begin, self.say

    def begin(self):
        """A picture begins."""
        self.texts = []
        self._begin()

    def say(self, line, place, colour):
        """A text is said."""
        if not line.size:
            return self._say(line, place, colour)
        number, _, _, _, room = measures(self._canvas, place)
        font = self._canvas._slots._fonts[number]
        line.fit(room, font)
        wanted = str(line)
        slot = self._say(line, place, colour)
        width = sum(font.advance(line.codes[i]) for i in range(line.size))
        self.texts.append(
            Text(str(line), place, colour, slot, str(line) != wanted, width, font.height)
        )
        return slot


def measures(canvas, place):
    """Return a place's font, align, x, y and width."""
    raw = canvas._read(8 * place)
    return raw[0], raw[1], *(raw[at] | raw[at + 1] << 8 for at in (2, 4, 6))
