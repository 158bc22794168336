"""What a screen is, and what its keys and the lines of its menu do.

A screen is a class: what it says (``title``, ``says``), its keys (``answers``) or the ``lines`` of
its menu, when it stays, its colours. What depends on the ``table`` is in ``draw``, ``keys`` and
``items``, which change nothing. The screens are in ``screens``, a file a family;
``screens/home.py`` says which one a table shows by itself.
"""

from firmware.core import intents
from firmware.ui import gestures
from firmware.ui.colours import BLACK, WHITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from firmware.ui.types import MenuItems, Picture, Said, ScreenKeys, Table

HOME = "home"  # goes to the screen that the table shows by itself

DRAFT = 13  # the first phase of a draft, after those of a table
LAYING, REVIEW, PICKS, DRAWN, BUILDING, OVER = range(DRAFT + 1, DRAFT + 7)
ANY = tuple(range(PICKS))  # phases but those of a draft from its picks on, which nothing covers

# gestures: of a seat 0 (▲) or 1 (●) PRESS + seat, HOLD + seat
PRESS = PRESS_A = gestures.PRESS * 4
PRESS_B = PRESS_A + 1
HOLD = HOLD_A = gestures.HOLD * 4
HOLD_B = HOLD_A + 1
HOLD_J = HOLD_A + 2
BOTH = gestures.BOTH * 4

# in place of an argument: the seat whose key it is, as a number (0, 1) or as a bit (1, 2)
SEAT = "seat"
BIT = "bit"


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

    def ask(self, now_ms: int) -> object:
        """Return what it asks for: an intent, an item of a menu, or something for ``Hand``."""
        act = self.act
        if act is None:
            return None
        if isinstance(act, type) and issubclass(act, intents.Intent):
            return act(now_ms, *self.arguments)
        return act(*self.arguments)


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


def sides(
    gesture: int,
    label: str,
    act: "Callable[..., object] | None" = None,
    *arguments: object,
    goes: "str | None" = None,
    seats: int = 3,
    alike: bool = False,
) -> "list[Key]":
    """Return the same key of both ``seats`` (bits: 1 ▲, 2 ●): each does it for its own SEAT or BIT.

    The label of ● ends in ``_b``, unless both are ``alike``.
    """
    found = []
    for seat in (0, 1):
        if seats >> seat & 1:
            own = of_seat(arguments, seat)
            text = label if alike or not seat else label + "_b"
            found.append(Key(gesture + seat, text, act, *own, goes=goes))
    return found


def of_seat(arguments: "Iterable[object]", seat: int) -> "list[object]":
    """Return arguments with a ``seat`` in place of SEAT and BIT."""
    return [seat if one is SEAT else 1 << seat if one is BIT else one for one in arguments]


def back(label: str = "back_key", seats: int = 3) -> "list[Key]":
    """Return how either seat goes back to the table's own screen."""
    return sides(PRESS, label, goes=HOME, seats=seats, alike=True)


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
    title: str | None = None  # the text on its strip
    says: "Sequence[Said]" = ()  # place, text, perhaps a colour
    answers: "ScreenKeys" = ()  # its keys
    fill = BLACK
    strip: int | None = None
    foot: int | None = None
    panel: int | None = None
    marks: int | None = None  # of the turns
    digits: str | None = None  # what the large digits count
    ink = WHITE  # of the digits
    text = WHITE  # the colour of a text that has none of its own
    enters = False  # two numbers are entered from their first values on
    takes_over = False  # as the table's own screen it replaces any other
    lasts = False  # opened it stays until somebody leaves it; others close by themselves
    stays_in: "tuple[int, ...]" = ()  # the phases in which it stays, where somebody has opened it
    stays_while = ""  # and a fact of the table that must hold
    judged = False  # it is for a judge's visit alone

    def stays(self, table: "Table") -> bool:
        """Return whether it stays, in those phases, where somebody has opened it."""
        if self.judged and not table.visit:
            return False
        return not self.stays_while or getattr(table, self.stays_while)

    def draw(self, picture: "Picture", table: "Table") -> None:
        """Say the texts that are not always there."""

    def keys(self, table: "Table") -> "ScreenKeys":
        """Return what gestures do; the first one counts, and the first label of a key."""
        return self.answers

    def items(self, table: "Table") -> "MenuItems":
        """Return the lines of its menu."""
        return ()


class Menu(Screen):
    """A menu: ▲ goes through its ``lines``, ● chooses the marked one."""

    lines: "MenuItems" = ()

    def items(self, table: "Table") -> "MenuItems":
        return self.lines

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(PRESS_A, "next_key", self.next, table)
        yield Key(PRESS_B, "choose_key", self.choose, table)

    def next(self, table: "Table") -> None:
        """Mark the next line."""
        table.entry.mark_next(len(list(self.items(table))))

    def choose(self, table: "Table") -> Item:
        """Return the marked line, to be done."""
        return list(self.items(table))[table.entry.marked]
