"""What a screen is, and what its keys and the lines of its menu do.

A screen is a class with a name and its colours. ``draw`` says its texts, ``keys`` what each gesture
does, ``items`` the lines of its menu; all three read the ``table`` and change nothing. The screens
are in ``screens``, a file a family; ``screens/home.py`` says which one a table shows by itself.
"""

from firmware.core import intents
from firmware.ui import gestures
from firmware.ui.colours import BLACK, WHITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.core.types import Intent
    from firmware.ui.types import MenuItems, Picture, ScreenKeys, Table

HOME = "home"  # goes to the screen that the table shows by itself

DRAFT = 13  # the first phase of a draft, after those of a table
LAYING, REVIEW, PICKS, DRAWN, BUILDING, OVER = range(DRAFT + 1, DRAFT + 7)
ANY = tuple(range(PICKS))  # phases but those of a draft from its picks on, which nothing covers

PRESS_A = gestures.PRESS * 4
PRESS_B = PRESS_A + 1
HOLD_A = gestures.HOLD * 4
HOLD_B = HOLD_A + 1
HOLD_J = HOLD_A + 2
BOTH = gestures.BOTH * 4


class Item:
    """A line of a menu: its text, what it asks for, and the screen that it goes to (None: none).

    ``act`` is an intent's class, and ``arguments`` its fields but the time; or a function that is
    called with them.
    """

    def __init__(
        self,
        label: "str | None",
        act: "Callable[..., object] | None" = None,
        *arguments: object,
        goes: "str | None" = None,
    ):
        self.label, self.act, self.arguments, self.goes = label, act, arguments, goes

    @property
    def intent(self) -> "type[Intent] | None":
        """The class of the intent that it asks for, None where it asks for none by itself."""
        act = self.act
        return act if isinstance(act, type) and issubclass(act, intents.Intent) else None  # pyright: ignore[reportReturnType]

    def ask(self, now_ms: int) -> object:
        """Return what it asks for: an intent, an item of a menu, or something for ``Hand``."""
        if self.act is None:
            return None
        if self.intent is not None:
            return self.act(now_ms, *self.arguments)
        return self.act(*self.arguments)


class Key(Item):
    """What a gesture does; ``label``: the key's, None for no text."""

    def __init__(
        self,
        gesture: int,
        label: "str | None",
        act: "Callable[..., object] | None" = None,
        *arguments: object,
        goes: "str | None" = None,
    ):
        super().__init__(label, act, *arguments, goes=goes)
        self.gesture = gesture


# what there are lines about
PRESSES = 0
ROLLS = 1
ACT = 2  # what a judge can take back


class Recall:
    """What asks for lines about earlier events, or (``older``) for their next page."""

    def __init__(self, what: int, older: int):
        self.what, self.older = what, older


class Leave:
    """What ends a judge's visit."""


class Verify:
    """What compares the typed code with the judge's next ones; a right one ``goes`` to a screen."""

    def __init__(self, goes: str):
        self.goes = goes


class Screen:
    """A screen; the colours of its parts are None where it has none of them."""

    name = ""
    fill = BLACK
    strip: int | None = None
    foot: int | None = None
    panel: int | None = None
    marks: int | None = None  # of the turns
    digits: str | None = None  # what the large digits count
    ink = WHITE  # of the digits
    enters = False  # two numbers are entered from their first values on
    takes_over = False  # as the table's own screen it replaces any other
    stays_in: "tuple[int, ...]" = ()  # the phases in which it stays, where somebody has opened it
    lasts = False  # such a screen stays until somebody leaves it; others close by themselves
    judged = False  # it is for a judge's visit alone

    def stays(self, table: "Table") -> bool:
        """Return whether it stays, in those phases, where somebody has opened it."""
        return True

    def draw(self, picture: "Picture", table: "Table") -> None:
        """Say the texts."""

    def keys(self, table: "Table") -> "ScreenKeys":
        """Return what gestures do; the first one counts, and the first label of a key."""
        return ()

    def items(self, table: "Table") -> "MenuItems":
        """Return the lines of its menu."""
        return ()


class Menu(Screen):
    """A menu: ▲ goes through its lines, ● chooses the marked one."""

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(PRESS_A, "next_key", self.next, table)
        yield Key(PRESS_B, "choose_key", self.choose, table)

    def next(self, table: "Table") -> None:
        """Mark the next line."""
        table.entry.mark_next(len(list(self.items(table))))

    def choose(self, table: "Table") -> Item:
        """Return the marked line, to be done."""
        return list(self.items(table))[table.entry.marked]
