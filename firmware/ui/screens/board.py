"""Screens of the board itself: nothing is wrong at the table, or nothing is known of one."""

from firmware.core import phases
from firmware.ui.colours import BLACK, DARK, GREY, WHITE, YELLOW
from firmware.ui.screen import HOLD_A, HOME, PRESS_A, PRESS_B, Key, Screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Picture, ScreenKeys, Table


class Unset(Screen):
    """The board has no key yet."""

    name = "unset"
    takes_over = True

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("big", "unset_big")
        picture.say("two", "unset_line")
        picture.say("three", "unset_line_2")


class Crash(Screen):
    """The program failed; the board is about to restart."""

    name = "crash"
    takes_over = True

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("big", "crash_big")
        picture.say("two", "crash_line")
        picture.say("three", "crash_line_2")
        picture.say("note", "crash_code", GREY)


class Version(Screen):
    """The desk speaks another version of the protocol."""

    name = "version"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("big", "old_big")
        picture.say("two", "old_line")
        picture.say("three", "old_line_2")


class Low(Screen):
    """The battery is low, and there is time to charge it."""

    name = "low"
    strip = YELLOW

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("low_word")
        picture.say("big", "low_big")
        picture.say("two", "low_line")
        picture.say("three", "low_line_2")
        if table.seated:
            picture.say("note", "table", GREY)


class Lit(Screen):
    """The desk asks the board to show itself."""

    name = "lit"
    fill = WHITE
    digits, ink = "table", BLACK
    takes_over = True

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("word", "idle_word", BLACK)


class LitClock(Screen):
    """The same, while the clock runs."""

    name = "lit_clock"
    fill = WHITE
    digits, ink = "left", BLACK
    takes_over = True

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("word", "table", BLACK)


class OffKey(Screen):
    """A screen on which the board can be put away."""

    strip = DARK

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(HOLD_A, "case_key", goes="transport")


class NoTable(OffKey):
    """The board belongs to no table yet."""

    name = "no_table"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("no_table_word")
        picture.say("over", "no_table_device")
        picture.say("two", "no_table_line")


class Idle(OffKey):
    """A table that waits for its round."""

    name = "idle"
    digits = "table"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("idle_word")
        picture.say("under", "idle_note", GREY)


class Said(OffKey):
    """The organiser has said something, and when the next round starts."""

    name = "said"
    digits = "start"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("said_word")
        picture.say("under", "said_line")


class SaidStill(OffKey):
    """The organiser has said something."""

    name = "said_still"
    digits = "table"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("idle_word")
        picture.say("under", "said_line")


class Transport(Screen):
    """Off, for the case; once the desk has everything."""

    name = "transport"
    stays_in = (phases.IDLE,)
    lasts = True

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("big", "off_big")
        if table.waiting:
            picture.say("two", "off_unsent", YELLOW)
        else:
            picture.say("two", "off_sent")
            picture.say("three", "off_line")

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(PRESS_A, "back_key", goes=HOME)
        yield Key(PRESS_B, "back_key", goes=HOME)


SCREENS = (Unset, Crash, Version, Low, Lit, LitClock, NoTable, Idle, Said, SaidStill, Transport)
