"""What a screen is, what its keys and the lines of its menu do, and the picture that it makes.

What depends on the ``table`` is in ``draw``, ``keys`` and ``items``, which change nothing.
``screens/home.py`` says which screen a table shows by itself.
"""

from collections import namedtuple

from firmware.core import intents
from firmware.ui.colours import BLACK, WHITE
from firmware.ui.gestures import BOTH, HOLD_J, PRESS, PRESS_A, PRESS_B

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Act, Any, Iterable, MenuItems, Said, ScreenKeys, Table

HOME = "home"  # goes to the screen that the table shows by itself

DRAFT = 13  # the first phase of a draft, after those of a table
LAYING, REVIEW, PICKS, DRAWN, BUILDING, OVER = range(DRAFT + 1, DRAFT + 7)
ANY = tuple(range(PICKS))  # phases but those of a draft from its picks on, which nothing covers

# in place of an argument: the seat whose key it is, as a number (0, 1) or as a bit (1, 2)
SEAT = "seat"
BIT = "bit"


class Item:
    """A line of a menu: its text, what it asks for, and the screen that it goes to (None: none).
    ``act`` is an intent's class, and ``arguments`` its fields but the time; or a function that is
    called with them.
    """

    def __init__(
        self, label: str | None, act: "Act" = None, *arguments: object, goes: str | None = None
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

    def __init__(self, gesture: int, label: str | None, *act: "Any", goes: str | None = None):
        super().__init__(label, *act, goes=goes)
        self.gesture = gesture


def sides(
    gesture: int, label: str, *act: object,
    goes: str | None = None, seats: int = 3, alike: bool = False,
) -> "list[Key]":  # fmt: skip
    """Return the same key of both ``seats`` (bits: 1 ▲, 2 ●): each does it for its own SEAT or BIT.
    The label of ● ends in ``_b``, unless both are ``alike``.
    """
    found = []
    for seat in (0, 1):
        if seats >> seat & 1:
            text = label if alike or not seat else label + "_b"
            found.append(Key(gesture + seat, text, *of_seat(act, seat), goes=goes))
    return found


def of_seat(arguments: "Iterable[object]", seat: int) -> "list[object]":
    """Return arguments with a ``seat`` in place of SEAT and BIT."""
    values: "dict[object, object]" = {SEAT: seat, BIT: 1 << seat}
    return [values.get(each, each) for each in arguments]


def back(label: str = "back_key", seats: int = 3) -> "list[Key]":
    """Return how either seat goes back to the table's own screen."""
    return sides(PRESS, label, goes=HOME, seats=seats, alike=True)


class Screen:
    """A screen; the colours of its parts are None where it has none of them. A class has the parts
    that its screens share, and a name if it is one itself. A row of its family's ``ROWS`` is a
    further screen of a class: ``Menu(name, title, *says, lines=...)``.
    """

    name = ""
    title: str | None = None  # the text on its strip
    says: "Iterable[Said]" = ()  # place, text, perhaps a colour
    answers: "ScreenKeys" = ()  # its keys
    lines: "MenuItems" = ()  # of its menu
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

    def __init__(self, name: str = "", title: str | None = None, *says: "Said", **others: object):
        self.name = name or self.name
        self.title = title or self.title
        self.says = says or self.says
        for part, value in others.items():
            setattr(self, part, value)

    def stays(self, table: "Table") -> bool:
        """Return whether it stays open in the phases ``stays_in``, once somebody has opened it."""
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
        return self.lines


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


# a text by its key, at a place; ``patched``: on a black patch over the screen's colour
Text = namedtuple("Text", "place key colour patched")


class Picture:
    """A screen as its ``table`` makes it: texts, keys and the lines of a menu, without pixels.
    ``Canvas`` draws it on a panel, and whoever tests a screen reads it.
    """

    def __init__(self, screen: "Screen", table: "Table"):
        self.screen, self.table = screen, table
        self.texts: "list[Text]" = []
        self.keys: "list[Key]" = list(screen.keys(table))
        self.items: "list[Item]" = list(screen.items(table))
        if screen.title:
            self.title(screen.title)
        for place, key, *colour in screen.says:
            self.say(place, key, *colour)
        screen.draw(self, table)
        if table.match is not None:
            self.keys.append(_judge_key(table))
            self._say_tags()

    def say(self, place: str, key: str, colour: int | None = None) -> None:
        """Say a text at a place, instead of another that was said there."""
        self._put(Text(place, key, self.screen.text if colour is None else colour, False))

    def title(self, key: str) -> None:
        """Say what kind of screen it is, on the strip."""
        self.tag(key, "word")

    def tag(self, key: str, place: str = "tag_right") -> None:
        """Say something short, at an end of the strip."""
        self._put(Text(place, key, WHITE, True))

    def _put(self, text):
        """Keep one text a place, in the order in which places were first used."""
        for number, before in enumerate(self.texts):
            if before.place == text.place:
                self.texts[number] = text
                return
        self.texts.append(text)

    def _say_tags(self):
        """Say on any screen what is wrong, and the table's number; the judge comes first."""
        table = self.table
        if table.called:
            self.tag("judge_tag")
        elif table.unsynced:
            self.tag("no_sync")
        elif table.low:
            self.tag("low_battery")
        if table.seated and not table.idle:
            self.tag("table_short", "tag_left")

    def labels(self) -> "dict[int, str]":
        """Return ``{key: text's key}`` of the labelled keys (0 ▲, 1 ●, 2 J)."""
        found = {}
        for key in self.keys:
            if key.label and key.gesture & 3 not in found:
                found[key.gesture & 3] = key.label
        return found


def _judge_key(table):
    """Return how any screen calls a judge, in one gesture; a judge's own visit goes on with it."""
    gesture, label = (HOLD_J, "judge_key") if table.three else (BOTH, None)
    called = "judge" if table.ticking else "judge_still"
    if table.visit:
        return Key(gesture, label, goes="judge_menu")
    if table.here:
        return Key(gesture, label, goes=called)
    return Key(gesture, label, intents.CallJudge, 0, goes=called)
