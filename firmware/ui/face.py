"""Shows the screens: decides which one is on, what a gesture does there, and draws it.

A screen is a few bytes of the pack (layout: ``host/boards/screens/compiler.py``); only the current
one is in memory. Screens call nothing: ``update`` returns an intent or changes the screen. Lines
depend on facts (one byte each, numbered in ``fact``) and words (numbered in ``word``), so nothing
here knows the rules.
"""

from firmware.ui import canvas, fact, pack, text, word
from firmware.ui.rows import CLOCK_AT, ITEMS, KEYS, LABELS, LASTS, Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Asked, Canvas, Clocks, Display, Kept, Pack, Verify, Words

PATH = "/firmware/ui/face.bin"
PANELS = ("320x240", "480x320", "320x170")
LANGUAGES = ("en", "it")
HOME = 255
RECALL = 251  # show recent entries or rolls; update returns these two in place of an intent's kind
AGAIN = 253  # repeat the other seat's answer
LEAVE = 247  # end a judge's visit
_STEP = 252
_CODE = 250
_CODE_DIGITS = 6
_NEXT = 254
_CHOOSE = 255
_ASK = 249  # choose, but of an act ask first whether it is meant; _DO: it is
_DO = 248
_PROPOSED = 253  # as b: the extension for the time that the judge was here
_ENTERED = 254  # as b: the two numbers entered are b and c
_OVER = 128  # flag of a screen that replaces whatever screen somebody has opened
_PLAYING = 3  # phases in which the round's clock runs: the screen of whatever follows them appears
_BREAKER = 10
_STOPPED = 4  # the phase in which a judge has stopped the clock; its screen always appears
_BOTH = 12
_DARK, _LIT = 5, 2  # colours of soft keys and of the marked row
_WHITE = 1
_BLACK = 0
_ITEM = 2  # offset of the action in an item; the next two: of action and gesture in a key
_KEY = 3
_GESTURE = 2


def refuse(code: str) -> bool | None:
    """Return False for every judge's code; ``App`` replaces this with the board's check."""
    return False


class Face:
    """Screens on a Canvas; ``number``: the current screen (None before the first).

    Without a Canvas nothing is drawn, and all else is the same. ``dark`` suspends drawing. The
    caller fills ``news`` with facts, and ``follow`` makes them the facts of ``rows``.
    """

    number: int | None
    phase: int | None
    fresh: tuple[int, int]
    verify: "Verify"

    def __init__(self, source: "Pack", drawn: "Canvas | None", language: int = 0):
        self.rows = Rows(source)
        self._source, self._canvas = source, drawn
        self.number = None
        self._texts = pack.TEXTS + language
        self._templates: "dict[int, bytes]" = {}  # read so far, by a text's number
        self.chosen = 0  # the marked item
        self.entry = [0, 0]  # two numbers being entered; next: their first values, their maximum
        self.fresh = (0, 0)
        self.most = 0
        self.code, self.verify, self.goes = "0", refuse, HOME
        self.extension_s = 0
        self.asked = bytes(
            _ITEM + 4
        )  # an item's text and act, while it is asked whether it is meant
        self._away = False  # somebody opened another screen than the phase's own
        self.held, self._seat = -1, 0  # the key that is shown down; whom the picture faces
        self.news = bytearray(fact.COUNT)
        self.phase = None
        self._line = text.Line(self._text)
        self._named = [0, 0, 0]
        self.drawn = self.dark = False

    @property
    def shown(self) -> bool:
        """Whether drawing has any effect."""
        return self._canvas is not None and not self.dark

    # which screen is on

    def follow(self, phase: int) -> bool:
        """Take over the phase and the facts in ``news``; return whether the screen changed."""
        rows = self.rows
        if phase == self.phase and self.news == rows.facts:
            return False
        before, self.phase, self.drawn = self.phase, phase, False
        over = phase != before and (phase == _STOPPED or before == _PLAYING or before == _BREAKER)
        rows.facts, self.news = self.news, rows.facts
        stays = self._away and not over and rows.stays(phase)
        home = rows.home(phase)
        if stays and not home & _OVER:
            return False
        self._away = False
        return self.open(home & ~_OVER)

    def open(self, number: int) -> bool:
        """Switch to a screen; return whether it is another than before."""
        if number == self.number:
            return False
        self.rows.put(number)
        self.number, self.chosen, self.code = number, 0, "0"
        if self.rows.body[CLOCK_AT] in (canvas.COUNT, canvas.ENTRY):
            self.entry[0], self.entry[1] = (0, 0) if self.rows.judged else self.fresh
        self.drawn = False
        return True

    @property
    def brief(self) -> bool:
        """Whether somebody opened a screen that closes by itself."""
        return self._away and not self.rows.lasts

    def close_opened(self) -> None:
        """Let the next ``follow`` put on the screen that the table has by itself."""
        self._away, self.phase = False, None

    # what a gesture does

    def update(self, gesture: int) -> "Asked | None":
        """Do what the screen assigns to a gesture; return an intent ``(kind, a, b, c)`` or None.

        A board with two keys lies between the players: its picture turns to the one who pressed.
        """
        if self._canvas is not None and not self.rows.facts[fact.THREE] and gesture < _BOTH:
            self._seat = gesture & 1  # the picture turns when it is drawn
            if self._seat != self._canvas.seat:
                self.drawn = False
        rows = self.rows
        at = rows.next(KEYS)
        while at and rows.body[at + _GESTURE] != gesture:
            at = rows.next(KEYS, at)
        return self._act(at + _KEY) if at else None

    def _act(self, at):
        body = self.rows.body
        kind, a = body[at], body[at + 1]
        if kind == _NEXT:
            self.chosen = (self.chosen + 1) % max(1, self.rows.count(ITEMS))
            self.drawn = False
            return None
        if kind == _ASK and body[self.rows.item(self.chosen) + _ITEM]:
            row = self.rows.item(self.chosen)
            self.asked = bytes(body[row : row + _ITEM + 4])
            self.go(body[at + 4])
            return None
        if kind == _CHOOSE or kind == _ASK:
            at = self.rows.item(self.chosen) + _ITEM
            kind, a = body[at], a + body[at + 1]
        b, c, goes = body[at + 2], body[at + 3], body[at + 4]
        if kind == _DO:
            kind, a, b, c = self.asked[_ITEM:]
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
        """Change an entered number; ``by`` 0: minus 1, 10: plus 10, 1: next unit, without carry."""
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
        """Edit a judge's code; ``a`` 0: increase the digit, 1: next digit, 2: ``verify`` it."""
        code = self.code
        if a == 2:
            self.goes, right = goes, self.verify(code)
            if right is not None:  # None: ``verify`` has not decided yet, and calls ``go`` later
                self.go(goes if right else HOME)
        elif a:
            self.code = code + "0" if len(code) < _CODE_DIGITS else code
        else:
            self.code = code[:-1] + str((int(code[-1]) + 1) % 10)
        self.drawn = False

    def go(self, goes: int) -> None:
        """Switch to screen ``goes`` - 1, or for ``HOME`` to the phase's own screen."""
        self._away = goes != HOME
        assert self.phase is not None
        self.open(goes - 1 if self._away else self.rows.home(self.phase) & ~_OVER)
        self.drawn = False

    # what is drawn

    def line(self, number: int, words: "Words") -> str:
        """Return text ``number`` with ``words`` filled in."""
        self._line.set(number, words)
        return str(self._line)

    def _text(self, number):
        template = self._templates.get(number)
        if template is None:
            template = self._templates[number] = self._source.row(self._texts, 0, number)
        return template

    def show(self, words: "Words", clocks: "Clocks", held: int = -1) -> bool:
        """Draw what has changed and refresh the panel; return whether there was anything.

        ``held``: the key that is down, or -1.
        """
        if not self.shown:
            self.drawn = False
            return False
        if not self.drawn:
            self.drawn, self.held = True, -1
            self._draw(words)
        assert self._canvas is not None
        if held != self.held:
            self._canvas.press(self.held, held)
            self.held = held
        self._count(clocks)
        return self._canvas.refresh()

    def _draw(self, words):
        body, drawn = self.rows.body, self._canvas
        assert drawn is not None
        drawn.turn(self._seat)
        drawn.put(1 if body[CLOCK_AT] in (canvas.LEFT, canvas.START, canvas.WAITED) else 0)
        words[word.ENTERED], words[word.ENTERED_TOO] = self.entry
        words[word.TYPED], words[word.CHOSEN] = self.code, self.asked[0] | self.asked[1] << 8
        drawn.paint(0, body[2])
        drawn.paint(1, body[5])
        drawn.paint(2, body[3])
        drawn.paint(3, body[4])
        drawn.turns(body[6] & ~LASTS, words[word.TURN], words[word.TURNS])
        drawn.begin()
        self._keys(words)
        self._items(words)
        at = self.rows.next(LABELS)
        while at:
            self._say(at, words, body[at + 2], body[at + 3])
            at = self.rows.next(LABELS, at)
        drawn.end()

    def _say(self, at, words, place, colour):
        """Draw a row's text at a place."""
        self._line.set(self.rows.body[at] | self.rows.body[at + 1] << 8, words)
        assert self._canvas is not None
        self._canvas.say(self._line, place, colour)

    def _keys(self, words):
        """Label each soft key with its first row that has a text."""
        body, drawn, named = self.rows.body, self._canvas, self._named
        assert drawn is not None
        named[0] = named[1] = named[2] = 0
        at = self.rows.next(KEYS)
        while at:
            key = body[at + _GESTURE] & 3
            if not named[key] and body[at] | body[at + 1]:
                named[key] = at
            at = self.rows.next(KEYS, at)
        for key in range(3):
            place = key ^ drawn.seat
            drawn.paint(canvas.KEY_BOX + place, _DARK if named[key] else 0)
            if named[key]:
                self._say(named[key], words, canvas.KEY_PLACE + place, _WHITE)

    def _items(self, words):
        drawn, count = self._canvas, self.rows.count(ITEMS)
        assert drawn is not None
        first = max(0, min(self.chosen - 1, count - canvas.ROWS))
        at = self.rows.item(first)
        for row in range(min(canvas.ROWS, count)):
            marked = first + row == self.chosen
            self._say(at, words, canvas.ROW_PLACE + row, _BLACK if marked else _WHITE)
            if marked:
                drawn.mark(row)
            at = self.rows.next(ITEMS, at)
        drawn.paint(canvas.ROW_BOX, _LIT if count else 0)

    def _count(self, clocks):
        which = self.rows.body[CLOCK_AT]
        number = clocks[which - 1] if which else 0
        if which == canvas.COUNT:
            number = self.entry[0] * 10 + self.entry[1]
        assert self._canvas is not None
        self._canvas.clock(which, self.rows.body[CLOCK_AT + 1], number)


def opened(
    display: "Display | None",
    panel: str,
    language: str,
    path: str = PATH,
    kept: "Kept | None" = None,
) -> Face:
    """Return a file's Face on ``display`` (None: nothing is drawn); ``kept`` as ``font.Font``'s."""
    source = pack.Pack(open(path, "rb"))
    drawn = None
    if display is not None:
        from firmware.ui.canvas import Canvas

        drawn = Canvas(display, source, PANELS.index(panel), kept)
    return Face(source, drawn, LANGUAGES.index(language))


def tell(screens: Face, error: BaseException | None = None) -> None:
    """Show that the program failed with ``error``, or (None) that the board has no key."""
    words: "Words" = [0] * word.COUNT
    words[word.CODE] = type(error).__name__
    screens.news[fact.CRASHED] = screens.news[fact.KEYED] = error is not None
    screens.follow(0)
    screens.drawn = False
    screens.show(words, (0, 0, 0, 0, 0))
