"""Screens on which prizes or destroyed points are counted, by one seat and then by the other."""

from firmware.core import phases
from firmware.core.intents import CountDestroyed, CountPrizes
from firmware.ui.colours import BLACK, GREY, ORANGE
from firmware.ui.screen import BIT, HOLD, HOLD_A, HOLD_B, HOME, PRESS, SEAT, Key, Screen, sides
from firmware.ui.screens.parts import check_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Picture, ScreenKeys, Table

# what each side destroyed
POINTS = (
    ("count_a", "points_a"), ("count_b", "points_b"), ("name_1", "tens_a"), ("name_2", "tens_b"),
)  # fmt: skip


class Counting(Screen):
    """A screen on which something is counted."""

    fill, panel = ORANGE, BLACK
    enters = True


class Check(Counting):
    """One seat's count, for the other to confirm."""

    title = "check_word"
    takes_over = True
    intent = CountPrizes

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("note", "count_a" if table.checking == 1 else "count_b")

    def keys(self, table: "Table") -> "ScreenKeys":
        return check_keys(table, self.intent, BIT, *table.entry.numbers)


class Prizes(Counting):
    """The prizes left; after time, or in a game that is played on."""

    name, title = "prizes", "prizes_word"
    says = (("shape_a", "shape_a"), ("shape_b", "shape_b"))
    digits = "count"
    stays_in = (phases.PLAY_ON,)
    lasts = True

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("note", "prizes_note" if table.prizes else "prizes_back", GREY)

    def keys(self, table: "Table") -> "ScreenKeys":
        entry = table.entry
        yield from sides(PRESS, "less_key", entry.reduce, SEAT)
        if table.prizes:
            yield from sides(HOLD, "less_key", CountPrizes, BIT, *entry.numbers)
        else:
            yield Key(HOLD_A, "less_key", CountPrizes, 1, *entry.numbers)
            yield Key(HOLD_B, "less_key_b", goes=HOME)


class PrizesCheck(Check):
    """One seat's count of prizes."""

    name = "prizes_check"
    says = Prizes.says
    digits = "count"


class Destroyed(Counting):
    """The points that each side destroyed, by tens first."""

    name, title = "destroyed", "destroyed_word"
    says = POINTS + (("note", "tens_note", GREY),)
    digits = "entry"

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from sides(PRESS, "tens_key", table.entry.add_ten, SEAT)
        yield from sides(HOLD, "tens_key", goes="destroyed_ones")


class DestroyedOnes(Counting):
    """Then by single points."""

    name, title = "destroyed_ones", "destroyed_word"
    says = POINTS + (("note", "ones_note", GREY),)
    enters = False
    stays_in = (phases.RESOLVING,)
    stays_while = "destroyed"
    lasts = True

    def keys(self, table: "Table") -> "ScreenKeys":
        entry = table.entry
        yield from sides(PRESS, "ones_key", entry.add_one, SEAT)
        yield from sides(HOLD, "ones_key", CountDestroyed, BIT, *entry.numbers, goes=HOME)


class DestroyedCheck(Check):
    """One seat's count of points."""

    name = "destroyed_check"
    says = POINTS
    digits = "entry"
    intent = CountDestroyed
