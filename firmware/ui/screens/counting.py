"""Screens on which prizes or destroyed points are counted, by one seat and then by the other."""

from firmware.core import phases
from firmware.core.intents import CountDestroyed, CountPrizes
from firmware.ui.colours import BLACK, GREY, ORANGE
from firmware.ui.gestures import HOLD, HOLD_A, HOLD_B, PRESS
from firmware.ui.screen import BIT, HOME, SEAT, Key, Screen, sides
from firmware.ui.screens.parts import check_keys

# what each side has left, or destroyed
PRIZES = (("shape_a", "shape_a"), ("shape_b", "shape_b"))
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

    def draw(self, picture, table):
        picture.say("note", "count_a" if table.checking == 1 else "count_b")

    def keys(self, table):
        return check_keys(table)


class Prizes(Counting):
    """The prizes left; after time, or in a game that is played on."""

    name, title = "prizes", "prizes_word"
    says = PRIZES
    digits = "count"
    stays_in = (phases.PLAY_ON,)
    lasts = True

    def draw(self, picture, table):
        picture.say("note", "prizes_note" if table.prizes else "prizes_back", GREY)

    def keys(self, table):
        entry = table.entry
        yield from sides(PRESS, "less_key", entry.reduce, SEAT)
        if table.prizes:
            yield from sides(HOLD, "less_key", CountPrizes, BIT, *entry.numbers)
        else:
            yield Key(HOLD_A, "less_key", CountPrizes, 1, *entry.numbers)
            yield Key(HOLD_B, "less_key_b", goes=HOME)


class Destroyed(Counting):
    """The points that each side destroyed, by tens first."""

    name, title = "destroyed", "destroyed_word"
    says = POINTS + (("note", "tens_note", GREY),)
    digits = "entry"

    def keys(self, table):
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

    def keys(self, table):
        entry = table.entry
        yield from sides(PRESS, "ones_key", entry.add_one, SEAT)
        yield from sides(HOLD, "ones_key", CountDestroyed, BIT, *entry.numbers, goes=HOME)


ROWS = (
    Check("prizes_check", "", *PRIZES, digits="count"),
    Check("destroyed_check", "", *POINTS, digits="entry"),
)
