"""Screens of the board itself: nothing is wrong at the table, or nothing is known of one."""

from firmware.core import phases
from firmware.ui.colours import BLACK, DARK, GREY, WHITE, YELLOW
from firmware.ui.screen import HOLD_A, Key, Screen, back

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Picture, Table


class Unset(Screen):
    """The board has no key yet."""

    name = "unset"
    says = (("big", "unset_big"), ("two", "unset_line"), ("three", "unset_line_2"))
    takes_over = True


class Crash(Screen):
    """The program failed; the board is about to restart."""

    name = "crash"
    says = (
        ("big", "crash_big"),
        ("two", "crash_line"),
        ("three", "crash_line_2"),
        ("note", "crash_code", GREY),
    )
    takes_over = True


class Version(Screen):
    """The desk speaks another version of the protocol."""

    name = "version"
    says = (("big", "old_big"), ("two", "old_line"), ("three", "old_line_2"))


class Low(Screen):
    """The battery is low, and there is time to charge it."""

    name = "low"
    strip, title = YELLOW, "low_word"
    says = (("big", "low_big"), ("two", "low_line"), ("three", "low_line_2"))

    def draw(self, picture: "Picture", table: "Table") -> None:
        if table.seated:
            picture.say("note", "table", GREY)


class Lit(Screen):
    """The desk asks the board to show itself."""

    name = "lit"
    says = (("word", "idle_word"),)
    fill, text = WHITE, BLACK
    digits, ink = "table", BLACK
    takes_over = True


class LitClock(Lit):
    """The same, while the clock runs."""

    name = "lit_clock"
    says = (("word", "table"),)
    digits = "left"


class OffKey(Screen):
    """A screen on which the board can be put away."""

    answers = (Key(HOLD_A, "case_key", goes="transport"),)
    strip = DARK


class NoTable(OffKey):
    """The board belongs to no table yet."""

    name, title = "no_table", "no_table_word"
    says = (("over", "no_table_device"), ("two", "no_table_line"))


class Idle(OffKey):
    """A table that waits for its round."""

    name, title = "idle", "idle_word"
    says = (("under", "idle_note", GREY),)
    digits = "table"


class Said(OffKey):
    """The organiser has said something, and when the next round starts."""

    name, title = "said", "said_word"
    says = (("under", "said_line"),)
    digits = "start"


class SaidStill(Said):
    """The organiser has said something."""

    name, title = "said_still", "idle_word"
    digits = "table"


class Transport(Screen):
    """Off, for the case; once the desk has everything."""

    name = "transport"
    says = (("big", "off_big"),)
    answers = back()
    stays_in = (phases.IDLE,)
    lasts = True

    def draw(self, picture: "Picture", table: "Table") -> None:
        if table.waiting:
            picture.say("two", "off_unsent", YELLOW)
        else:
            picture.say("two", "off_sent")
            picture.say("three", "off_line")
