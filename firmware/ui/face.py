"""The face of the table: which screen is on, what a gesture does there, and what is drawn.

A screen is a few bytes of the pack (layout: ``host/screens/compiler.py``); one at a time is held.
A screen never calls: ``update`` returns an intent or changes the screen. What the lines depend on
comes in as ``facts`` (bits) and ``words`` (see ``text``), so nothing here knows the rules.
"""

import struct

from firmware.ui import canvas, pack, text

HOME = 255
RECALL = 251  # what was pressed or rolled; update returns these two as intents' kinds
AGAIN = 253  # what the other seat told
_STEP = 252
_CODE = 250
_CODE_DIGITS = 6
_NEXT = 254
_CHOOSE = 255
_PROPOSED = 253  # for b: the extension that the judge's stay comes to
_ENTERED = 254  # for b and c of an intent: the two numbers that were entered
_WHILE_AT = 12  # after stay, fill, strip, foot, panel, marks, clock, colour and three counts
_STOPPED = 4  # the phase in which a judge has stopped the clock: that is always seen
_THREE = 8  # the fact that there are three keys
_BOTH = 12
_DARK = 4  # the soft keys' colour (+1), a held key's, and a marked row's
_HELD = 5
_LIT = 2
_WHITE = 1
_BLACK = 0


def refuse(code):
    """Judge codes do not exist yet (issue 5): every one is wrong. A board's own port takes its place."""
    return False


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
        self.entry = [0, 0]  # two numbers being entered, where they begin, and their most
        self.fresh = (0, 0)
        self.most = 0
        self.code, self.genuine = "0", refuse
        self.extension_s = 0
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
        stopped = phase == _STOPPED != self.phase
        self.phase, self.facts = phase, facts
        number, over = self._at_home()
        if self._away and not over and not stopped and self._stays():
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
        self.number, self.chosen, self.code = number, 0, "0"
        self._body = self._source.row(pack.SCREENS, self._screens_at, number)
        if self._body[7] in (canvas.COUNT, canvas.ENTRY):
            self.entry[0], self.entry[1] = self.fresh
        self.drawn = False
        return True

    # what a gesture does

    def rows(self, kind):
        """Return the rows of a kind (0 labels, 1 items, 2 keys) whose facts hold."""
        body, at, found = self._body, _WHILE_AT + 1 + self._body[_WHILE_AT], []
        for which in range(kind + 1):
            size = (3, 6, 7)[which]
            for _ in range(body[9 + which]):
                holds, end = self._wanted(body, at + size + 1)
                if holds and which == kind:
                    row = [x for x in body[at : at + size]]
                    row[0 if kind == 1 else 1] += body[at + size] << 8  # the text's number
                    found.append(row)
                at = end
        return found

    def update(self, gesture):
        """Do what the screen's table says of a gesture: return (kind, a, b, c), or None.

        A board of two keys lies between the players: it turns towards whoever pressed.
        """
        if self._canvas is not None and not self.facts >> _THREE & 1 and gesture < _BOTH:
            if self._canvas.turn(gesture & 1):
                self.drawn = False
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
        if kind == _CODE:
            return self._enter(a, goes)
        if kind == _STEP:
            self._step(a, b)
            return None
        if b == _ENTERED:
            b, c = self.entry
        elif b == _PROPOSED:
            b = self.extension_s
        if goes:
            self.go(goes)
        return (kind, a, b, c) if kind else None

    def _step(self, side, by):
        """Change a number that is entered: 0 one less, 10 ten more, 1 one more within its ten."""
        number = self.entry[side]
        if not by:
            number = number - 1 if number else self.most
        elif by == 10:
            number = number + 10 if number + 10 <= self.most else number % 10
        elif number % 10 == 9 or number == self.most:
            number -= number % 10
        else:
            number += 1
        self.entry[side] = number
        self.drawn = False

    def _enter(self, a, goes):
        """Write a judge's code: 0 the digit one up, 1 the next digit, 2 ask whether it is ``genuine``."""
        code = self.code
        if a == 2:
            self.go(goes if self.genuine(code) else HOME)
        elif a:
            self.code = code + "0" if len(code) < _CODE_DIGITS else code
        else:
            self.code = code[:-1] + str((int(code[-1]) + 1) % 10)
        self.drawn = False

    def go(self, goes):
        """Put on the screen ``goes`` - 1, or the one that the table has by itself (``HOME``)."""
        self._away = goes != HOME
        self.open(goes - 1 if self._away else self._at_home()[0])
        self.drawn = False

    # what is drawn

    def line(self, number, words):
        """Return text ``number`` with its words."""
        return text.fill(self._text(number), words, self._text)

    def _text(self, number):
        return self._source.row(self._texts, 0, number)

    def show(self, words, clocks, held=-1):
        """Draw what changed and put it out. ``words`` as in ``text``; ``clocks[i]`` is clock i + 1's number."""
        if not self.shown:
            self.drawn = False
            return
        if not self.drawn or self._shown_facts != self.facts:
            self._shown_facts, self.drawn, self._held = self.facts, True, -1
            self._draw(words)
        if held != self._held:
            self._press(held)
        self._count(clocks)
        self._canvas.refresh()

    def _draw(self, words):
        body, drawn = self._body, self._canvas
        drawn.put(1 if body[7] in (canvas.LEFT, canvas.START, canvas.WAITED) else 0)
        words[18], words[19] = self.entry
        words[26] = self.code
        for box, colour in ((0, body[2]), (1, body[5]), (2, body[3]), (3, body[4])):
            drawn.paint(box, colour)
        self._marks(body[6], words)
        used = self._keys(words)
        used = self._items(words, used)
        for place, number, colour in self.rows(0):
            drawn.say(used, self.line(number, words), place, colour)
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
            line = self.line(named[key], words) if named[key] else ""
            drawn.paint(canvas.KEY_BOX + (key ^ drawn.seat), _DARK if line else 0)
            drawn.say(key, line, canvas.KEY_PLACE + (key ^ drawn.seat), _WHITE)
        return 3

    def _items(self, words, used):
        rows, drawn = self.rows(1), self._canvas
        first = max(0, min(self.chosen - 1, len(rows) - canvas.ROWS))
        for row in range(min(canvas.ROWS, len(rows))):
            marked = first + row == self.chosen
            place = canvas.ROW_PLACE + row
            colour = _BLACK if marked else _WHITE
            drawn.say(used, self.line(rows[first + row][0], words), place, colour)
            used += 1
            if marked:
                drawn.mark(row)
        drawn.paint(canvas.ROW_BOX, _LIT if rows else 0)
        return used

    def _press(self, held):
        """Echo the key that is down."""
        for key in range(3):
            box = canvas.KEY_BOX + (key ^ self._canvas.seat)
            if key in (held, self._held) and not self._canvas.boxes[box].hidden:
                self._canvas.paint(box, _HELD if key == held else _DARK)
        self._held = held

    def _count(self, clocks):
        which = self._body[7]
        number = clocks[which - 1] if which else 0
        if which == canvas.COUNT:
            number = self.entry[0] * 10 + self.entry[1]
        self._canvas.clock(which, self._body[8], number)
