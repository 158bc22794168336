"""Screens on which prizes or destroyed points are counted, by one seat and then by the other."""

from firmware.core import phases
from firmware.core.intents import CallJudge, CountDestroyed, CountPrizes
from firmware.ui.colours import BLACK, GREY, ORANGE
from firmware.ui.screen import HOLD_A, HOLD_B, HOME, PRESS_A, PRESS_B, Key, Screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Picture, ScreenKeys, Table

_RULES = 1  # of CALL_JUDGE: a question about the rules


class Counting(Screen):
    """A screen on which something is counted."""

    fill, panel = ORANGE, BLACK
    intent = CountDestroyed

    def check_keys(self, table: "Table") -> "ScreenKeys":
        """Yield how the other seat says that it is right, or not."""
        if table.told_a:
            yield Key(PRESS_B, "right_key_b", self.intent, 2, *table.entry.numbers)
            yield Key(HOLD_B, "right_key_b", CallJudge, _RULES)
        if table.told_b:
            yield Key(PRESS_A, "right_key", self.intent, 1, *table.entry.numbers)
            yield Key(HOLD_A, "right_key", CallJudge, _RULES)


def say_check(picture: "Picture", table: "Table") -> None:
    """Say whom it is asked."""
    if table.told_a:
        picture.say("note", "count_b")
    if table.told_b:
        picture.say("note", "count_a")


def say_points(picture: "Picture", title: str) -> None:
    """Say each side's destroyed points."""
    picture.title(title)
    picture.say("count_a", "points_a")
    picture.say("count_b", "points_b")
    picture.say("name_1", "tens_a")
    picture.say("name_2", "tens_b")


class Prizes(Counting):
    """The prizes left; after time, or in a game that is played on."""

    name = "prizes"
    digits = "count"
    enters = True
    lasts = True
    stays_in = (phases.PLAY_ON,)
    intent = CountPrizes

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("prizes_word")
        picture.say("shape_a", "shape_a")
        picture.say("shape_b", "shape_b")
        picture.say("note", "prizes_note" if table.prizes else "prizes_back", GREY)

    def keys(self, table: "Table") -> "ScreenKeys":
        entry = table.entry
        yield Key(PRESS_A, "less_key", entry.reduce, 0)
        yield Key(PRESS_B, "less_key_b", entry.reduce, 1)
        yield Key(HOLD_A, "less_key", CountPrizes, 1, *entry.numbers)
        if table.prizes:
            yield Key(HOLD_B, "less_key_b", CountPrizes, 2, *entry.numbers)
        else:
            yield Key(HOLD_B, "less_key_b", goes=HOME)


class PrizesCheck(Counting):
    """One seat's count, for the other to confirm."""

    name = "prizes_check"
    digits = "count"
    enters = True
    takes_over = True
    intent = CountPrizes

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("check_word")
        picture.say("shape_a", "shape_a")
        picture.say("shape_b", "shape_b")
        say_check(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        return self.check_keys(table)


class Destroyed(Counting):
    """The points that each side destroyed, by tens first."""

    name = "destroyed"
    digits = "entry"
    enters = True

    def draw(self, picture: "Picture", table: "Table") -> None:
        say_points(picture, "destroyed_word")
        picture.say("note", "tens_note", GREY)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(PRESS_A, "tens_key", table.entry.add_ten, 0)
        yield Key(PRESS_B, "tens_key_b", table.entry.add_ten, 1)
        yield Key(HOLD_A, "tens_key", goes="destroyed_ones")
        yield Key(HOLD_B, "tens_key_b", goes="destroyed_ones")


class DestroyedOnes(Counting):
    """Then by single points."""

    name = "destroyed_ones"
    stays_in = (phases.RESOLVING,)
    lasts = True

    def stays(self, table: "Table") -> bool:
        return table.destroyed

    def draw(self, picture: "Picture", table: "Table") -> None:
        say_points(picture, "destroyed_word")
        picture.say("note", "ones_note", GREY)

    def keys(self, table: "Table") -> "ScreenKeys":
        entry = table.entry
        yield Key(PRESS_A, "ones_key", entry.add_one, 0)
        yield Key(PRESS_B, "ones_key_b", entry.add_one, 1)
        yield Key(HOLD_A, "ones_key", CountDestroyed, 1, *entry.numbers, goes=HOME)
        yield Key(HOLD_B, "ones_key_b", CountDestroyed, 2, *entry.numbers, goes=HOME)


class DestroyedCheck(Counting):
    """One seat's count, for the other to confirm."""

    name = "destroyed_check"
    digits = "entry"
    enters = True
    takes_over = True

    def draw(self, picture: "Picture", table: "Table") -> None:
        say_points(picture, "check_word")
        say_check(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        return self.check_keys(table)


SCREENS = (Prizes, PrizesCheck, Destroyed, DestroyedOnes, DestroyedCheck)
