"""The face of the table: which screen is on, what a gesture does there, and what is drawn.

A screen is a few bytes of the pack (layout: ``host/screens/compiler.py``); one at a time is held.
A screen never calls: ``update`` returns an intent or changes the screen. What the lines depend on
comes in as ``facts`` (bits) and ``words`` (see ``text``), so nothing here knows the rules.
"""

import struct

from firmware.ui import canvas, pack, text

HOME = 255
AGAIN = 253  # what the other seat told; update returns it as an intent's kind
_NEXT = 254
_CHOOSE = 255
_WHILE_AT = 12  # after stay, fill, strip, foot, panel, marks, clock, colour and three counts
LEFT = 1  # the clocks a screen may show
START = 2
TABLE = 3
TURN = 4
FACE = 5
_ALONE_S = 300  # until then a small panel shows minutes alone
_LONG_S = 6000  # from then on every panel does
_DARK = 4  # the soft keys' colour (+1), a held key's, and a marked row's
_HELD = 5
_LIT = 2
_WHITE = 1
_BLACK = 0


class Face:
    """Screens over a Canvas; ``number`` is the screen that is on (None before the first).

    Without a Canvas nothing is drawn, and all else is the same. ``dark`` puts drawing off.
    """

    def __init__(self, source, drawn, language=0):
        self._source, self._canvas = source, drawn
        self._texts = pack.TEXTS + language
        count, rows = source.read(pack.SCREENS, 0, 2)
        self._screens_at = 2
        size = struct.unpack("<H", source.read(pack.SCREENS, 2, 2))[0]
        self._home = source.read(pack.SCREENS, 4 + 2 * count, size - 4 - 2 * count)
        self.number = None
        self.chosen = 0  # the item under the mark
        self._away = False  # somebody left the phase's own screen
        self._held = -1
        self.facts = self._shown_facts = 0
        self.phase = None
        self._body = b""
        self.drawn = self.dark = False

    @property
    def shown(self):
        """Whether anybody can see it."""
        return self._canvas is not None and not self.dark

    # which screen is on

    def follow(self, phase, facts):
        """Take the table's phase and facts; return whether another screen comes on."""
        if phase == self.phase and facts == self.facts:
            return False
        self.phase, self.facts = phase, facts
        number, over = self._at_home()
        if self._away and not over and self._stays():
            return False
        self._away = False
        return self.open(number)

    def _stays(self):
        """Whether a screen that somebody went to may stay on in this phase."""
        body = self._body
        return (body[0] | body[1] << 8) >> self.phase & 1 and self._wanted(body, _WHILE_AT)[0]

    def _at_home(self):
        rows, at = self._home, 0
        while at < len(rows):
            phase, screen = rows[at], rows[at + 1]
            holds, at_next = self._wanted(rows, at + 2)
            if holds and phase in (HOME, self.phase):
                return screen & 127, screen & 128
            at = at_next
        return 0, 0

    def _wanted(self, rows, at):
        """Return whether the facts listed at ``at`` hold, and where the list ends."""
        end = at + 1 + rows[at]
        holds = True
        for i in range(at + 1, end):
            if (self.facts >> (rows[i] & 127) & 1) == rows[i] >> 7:
                holds = False
        return holds, end

    def open(self, number):
        """Put a screen on; return whether it is another than before."""
        if number == self.number:
            return False
        self.number, self.chosen = number, 0
        self._body = self._source.row(pack.SCREENS, self._screens_at, number)
        self.drawn = False
        return True

    # what a gesture does

    def rows(self, kind):
        """Return the rows of a kind (0 labels, 1 items, 2 keys) whose facts hold."""
        body, at, found = self._body, _WHILE_AT + 1 + self._body[_WHILE_AT], []
        for which in range(kind + 1):
            size = (3, 6, 7)[which]
            for _ in range(body[9 + which]):
                holds, end = self._wanted(body, at + size)
                if holds and which == kind:
                    found.append(body[at : at + size])
                at = end
        return found

    def update(self, gesture):
        """Do what the screen's table says of a gesture: return (kind, a, b, c), or None."""
        for row in self.rows(2):
            if row[0] == gesture:
                return self._act(row[2:])
        return None

    def _act(self, action):
        kind, a, b, c, goes = action
        if kind == _NEXT:
            self.chosen = (self.chosen + 1) % max(1, len(self.rows(1)))
            self.drawn = False
            return None
        if kind == _CHOOSE:
            kind, more, b, c, goes = self.rows(1)[self.chosen][1:]
            a += more
        if goes:
            self._go(goes)
        return (kind, a, b, c) if kind else None

    def _go(self, goes):
        self._away = goes != HOME
        self.open(goes - 1 if self._away else self._at_home()[0])
        self.drawn = False

    # what is drawn

    def _line(self, number, words):
        return text.fill(self._text(number), words, self._text)

    def _text(self, number):
        return self._source.row(self._texts, 0, number)

    def show(self, words, clocks, held=-1):
        """Draw what changed. ``words`` as in ``text``; ``clocks[i]`` is clock i + 1's number."""
        if not self.shown:
            self.drawn = False
            return
        if not self.drawn or self._shown_facts != self.facts:
            self._shown_facts, self.drawn, self._held = self.facts, True, -1
            self._draw(words)
        if held != self._held:
            self._press(held)
        self._count(clocks)

    def _draw(self, words):
        body, drawn = self._body, self._canvas
        for box, colour in ((0, body[2]), (1, body[5]), (2, body[3]), (3, body[4])):
            drawn.paint(box, colour)
        self._marks(body[6], words)
        used = self._keys(words)
        used = self._items(words, used)
        for place, number, colour in self.rows(0):
            drawn.say(used, self._line(number, words), place, colour)
            used += 1
        while used < canvas.LABELS:
            drawn.say(used, "", 0, 0)
            used += 1

    def _marks(self, colour, words):
        turn, turns = (words[7], words[8]) if colour else (0, 0)
        for mark in range(4):
            shown = 0 if mark >= turns else colour if mark < turn else _DARK
            self._canvas.paint(canvas.MARK_BOX + mark, shown)

    def _keys(self, words):
        """Label the soft keys; return how many labels the pool has given."""
        drawn, named = self._canvas, [0, 0, 0]
        for row in self.rows(2):
            key = row[0] & 3
            if row[1] and not named[key]:
                named[key] = row[1]
        for key in range(3):
            line = self._line(named[key], words) if named[key] else ""
            drawn.paint(canvas.KEY_BOX + key, _DARK if line else 0)
            drawn.say(key, line, canvas.KEY_PLACE + key, _WHITE)
        return 3

    def _items(self, words, used):
        rows, drawn = self.rows(1), self._canvas
        first = max(0, min(self.chosen - 1, len(rows) - canvas.ROWS))
        for row in range(min(canvas.ROWS, len(rows))):
            marked = first + row == self.chosen
            place = canvas.ROW_PLACE + row
            colour = _BLACK if marked else _WHITE
            drawn.say(used, self._line(rows[first + row][0], words), place, colour)
            used += 1
            if marked:
                drawn.mark(row)
        drawn.paint(canvas.ROW_BOX, _LIT if rows else 0)
        return used

    def _press(self, held):
        """Echo the key that is down."""
        for key in range(3):
            if key in (held, self._held) and not self._canvas.boxes[canvas.KEY_BOX + key].hidden:
                self._canvas.paint(canvas.KEY_BOX + key, _HELD if key == held else _DARK)
        self._held = held

    def _count(self, clocks):
        which, colour = self._body[7], self._body[8]
        number = clocks[which - 1] if which else 0
        four, two = self._canvas.four, self._canvas.two
        ticks = which in (LEFT, START)
        alone = which == LEFT and number >= _ALONE_S or which == TABLE and number < 100
        if two is not None and alone:
            two.paint(self._canvas.colours[colour])
            number = number // 60 if ticks else number
            two.show(number, 2 if number > 9 else 1, 0)
            four.show(0, 0, 0)
            return
        if two is not None:
            two.show(0, 0, 0)
        if ticks and number >= _LONG_S:
            number //= 60
            ticks = False
        elif ticks:
            number = number // 60 * 100 + number % 60
        four.paint(self._canvas.colours[colour])
        four.group.x = -(self._canvas.boxes[canvas.FILL].width // 5) if which == TURN else 0
        four.show(number, _length(number, ticks) if which else 0, 1 if ticks else 0)


def _length(number, ticks):
    """Return how many digits ``number`` takes; a clock shows three at the least (M:SS)."""
    length = 3 if ticks else 1
    while length < 4 and number >= (10, 100, 1000)[length - 1]:
        length += 1
    return length
