"""Shows the screens: decides which one is on, what a gesture does there, and draws it.

A screen changes nothing by itself: ``update`` returns what it asks for, or goes to another screen.
"""

import json

from firmware.core import phases
from firmware.ui.gestures import BOTH
from firmware.ui.hand import Verify
from firmware.ui.screen import HOME, Item, Picture, Screen
from firmware.ui.screens import Screens
from firmware.ui.screens.home import home
from firmware.ui.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Any, Asked, Canvas, Display, IsCode

FOLDER = "/firmware/ui"
_NUMBERS = {  # what the large digits count, by the table's name for it; an entry is no such number
    "left": "left_s", "start": "start_s", "waited": "waited_s", "table": "table", "turn": "turn",
}  # fmt: skip


class Face:
    """The screens of a ``table`` on a Canvas; ``screen``: the current one (blank before the first).
    Without a Canvas nothing is drawn, and all else is the same. ``dark`` suspends drawing;
    ``drawn`` is False where there is something new to draw; ``version`` counts what is new.
    """

    def __init__(self, table: "Table", canvas: "Canvas | None" = None):
        self.table, self.canvas = table, canvas
        self.screen = Screen()
        self.version = 0
        self.verify: "IsCode" = lambda code: False  # ``App`` puts the board's check here
        self._screens = Screens()
        self._phase: int | None = None
        self._away = False  # somebody opened another screen than the table's own
        self.held, self._seat = -1, 0  # the key that is shown down; whom the picture faces
        self.late = False  # the digits show the second before: see ``show``
        self._counted: "tuple[Screen, int] | None" = None  # the digits' screen and number
        self.drawn = self.dark = False

    @property
    def shown(self) -> bool:
        """Whether drawing has any effect."""
        return self.canvas is not None and not self.dark

    @property
    def picture(self) -> "Picture":
        """What the current screen shows."""
        return Picture(self.screen, self.table)

    # which screen is on

    def follow(self) -> bool:
        """Show what has changed at the table; return whether that put on another screen."""
        phase, before = self.table.phase, self._phase
        self._phase = phase
        self.renew()
        clock_ran = before in (phases.PLAYING, phases.TIEBREAKER)
        interrupts = phase != before and (phase == phases.FROZEN or clock_ran)
        own = self._screens[home(self.table)]
        may_stay = phase in self.screen.stays_in and self.screen.stays(self.table)
        if self._away and may_stay and not interrupts and not own.takes_over:
            return False
        self._away = False
        return self._open(own)

    def _open(self, screen):
        """Switch to a screen; return whether it is another than before."""
        if screen is self.screen:
            return False
        self.screen = screen
        self.table.entry.begin_screen()
        if screen.enters:
            numbers = (0, 0) if screen.judged else self.table.first_numbers
            self.table.entry.begin(numbers, self.table.most)
        self.renew()
        return True

    def go(self, name: str) -> None:
        """Go to a screen, or for HOME to the table's own."""
        self._away = name != HOME
        if name == HOME:
            name = home(self.table)
        self._open(self._screens[name])
        self.renew()

    def renew(self) -> None:
        """Have the picture drawn anew."""
        self.drawn = False
        self.version += 1

    @property
    def brief(self) -> bool:
        """Whether somebody opened a screen that closes by itself."""
        return self._away and not self.screen.lasts

    def close_opened(self) -> None:
        """Let the next ``follow`` put on the screen that the table has by itself."""
        self._away = False

    # what a gesture does

    def update(self, gesture: int) -> "Asked":
        """Do what the screen assigns to a gesture; return what it asks for, None for nothing. A
        board with two keys lies between the players: its picture turns to the one who pressed.
        """
        if self.canvas is not None and not self.table.three and gesture < BOTH:
            self._seat = gesture & 1  # the picture turns when it is drawn
            if self._seat != self.canvas.seat:
                self.drawn = False
        for key in self.picture.keys:
            if key.gesture == gesture:
                return self._do(key)
        return None

    def _do(self, item: "Item") -> "Asked":
        """Do an item of a menu, or what a key does; return what it asks for."""
        request: "Any" = item.ask(self.table.now_ms)
        self.renew()
        if isinstance(request, Item):
            request = self._do(request)
        elif isinstance(request, Verify):
            right = self.verify(self.table.entry.code)
            if right is not None:  # else ``Hand.admit`` goes on later
                self.go("judge_menu" if right else HOME)
            return None
        if item.goes is not None:
            self.go(item.goes)
        return request

    # what is drawn

    def show(self, held: int = -1, fresh: bool = False) -> bool:
        """Draw what has changed and refresh the panel; return whether there was anything.

        ``held``: the key that is down, or -1; ``fresh``: one went down so lately that it is not
        shown yet. A picture that answers a key leaves a second's digits to the next (``late``).
        """
        if not self.shown:
            self.drawn, self._counted, self.late = False, None, False
            return False
        answers = fresh or held != self.held or not self.drawn
        canvas = self.canvas
        assert canvas is not None
        if not self.drawn:
            self.drawn, self.held = True, -1
            canvas.show(self.picture, self._seat)
        if held != self.held:
            canvas.press(self.held, held)
            self.held = held
        self._count(canvas, answers)
        return canvas.refresh()

    def _count(self, canvas, answers):
        """Draw the large digits; ``answers``: this picture answers a key, so a second may wait."""
        screen, number = self.screen, 0
        if screen.digits == "count":
            first, second = self.table.entry.numbers
            number = first * 10 + second
        elif screen.digits in _NUMBERS:
            number = getattr(self.table, _NUMBERS[screen.digits])
        a_second_less = self._counted == (screen, number + 1)
        self.late = answers and screen.digits == "left" and a_second_less
        if not self.late:
            self._counted = screen, number
            canvas.count(screen.digits, screen.ink, number)


def _texts(folder, language):
    """Return the texts of a language, English where this board has none of it."""
    try:
        file = open(folder + "/texts/" + language + ".json")
    except OSError:
        file = open(folder + "/texts/en.json")
    with file:
        return json.load(file)


def open_face(display: "Display | None", panel: str, language: str, folder: str = FOLDER) -> "Face":
    """Return a Face on ``display`` (None: nothing is drawn), with the files of a folder."""
    table = Table(_texts(folder, language))
    if display is None:
        return Face(table)
    from firmware.ui.canvas import Canvas
    from firmware.ui.displayio_surface import DisplayioSurface

    return Face(table, Canvas(DisplayioSurface(display), panel, folder))


def tell(face: Face, error: BaseException | None = None) -> None:
    """Show that the program failed with ``error``, or (None) that the board has no key."""
    table = face.table
    table.match = None  # pyright: ignore[reportAttributeAccessIssue]  (no screen asks for one now)
    table.draft = None
    table.keyless, table.error = error is None, (type(error).__name__ if error else "")
    face.close_opened()
    face.follow()
    face.show()
