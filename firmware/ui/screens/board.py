"""Screens of the board itself: nothing is wrong at the table, or nothing is known of one."""

from firmware.core import phases
from firmware.ui.colours import BLACK, DARK, GREY, WHITE, YELLOW
from firmware.ui.gestures import HOLD_A
from firmware.ui.screen import Key, Screen, back


class Low(Screen):
    """The battery is low, and there is time to charge it."""

    name, title = "low", "low_word"
    says = (("big", "low_big"), ("two", "low_line"), ("three", "low_line_2"))
    strip = YELLOW

    def draw(self, picture, table):
        if table.seated:
            picture.say("note", "table", GREY)


class Lit(Screen):
    """The desk asks the board to show itself."""

    fill, text = WHITE, BLACK
    ink = BLACK
    takes_over = True


class OffKey(Screen):
    """A screen on which the board can be put away."""

    answers = (Key(HOLD_A, "case_key", goes="transport"),)
    strip = DARK


class Transport(Screen):
    """Off, for the case; once the desk has everything."""

    name = "transport"
    says = (("big", "off_big"),)
    answers = back()
    stays_in = (phases.IDLE,)
    lasts = True

    def draw(self, picture, table):
        if table.waiting:
            picture.say("two", "off_unsent", YELLOW)
        else:
            picture.say("two", "off_sent")
            picture.say("three", "off_line")


_UNSET = (("big", "unset_big"), ("two", "unset_line"), ("three", "unset_line_2"))
_CRASH = (("big", "crash_big"), ("two", "crash_line"), ("three", "crash_line_2"))
_CODE = ("note", "crash_code", GREY)
_OLD = (("big", "old_big"), ("two", "old_line"), ("three", "old_line_2"))
_NO_TABLE = (("over", "no_table_device"), ("two", "no_table_line"))
_SAID = ("under", "said_line")
ROWS = (
    Screen("unset", "", *_UNSET, takes_over=True),  # the board has no key yet
    Screen("crash", "", *_CRASH, _CODE, takes_over=True),  # the board is about to restart
    Screen("version", "", *_OLD),  # the desk speaks another version of the protocol
    Lit("lit", "", ("word", "idle_word"), digits="table"),
    Lit("lit_clock", "", ("word", "table"), digits="left"),
    OffKey("no_table", "no_table_word", *_NO_TABLE),
    OffKey("idle", "idle_word", ("under", "idle_note", GREY), digits="table"),
    OffKey("said", "said_word", _SAID, digits="start"),  # the organiser, and the next round's start
    OffKey("said_still", "idle_word", _SAID, digits="table"),
)
