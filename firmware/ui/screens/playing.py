"""Screens of the running round: its clock, extra time, a stopped clock, counted turns."""

from firmware.core import first_player, phases
from firmware.core.intents import CountTurns, SeeExtension
from firmware.ui.colours import BLACK, DARK, GREY, PURPLE, SKY, YELLOW
from firmware.ui.gestures import HOLD, PRESS
from firmware.ui.screen import BIT, SEAT, Screen, back, sides
from firmware.ui.screens import parts
from firmware.ui.table import Table


class Running(Screen):
    """A round's running clock."""

    strip = foot = SKY
    digits = "left"

    def keys(self, table):
        return parts.clock_keys(table)


class Clock(Running):
    """The clock, and who plays or who starts."""

    starter_texts = {1: "starter_b", 2: "starter_a"}

    def draw(self, picture, table):
        if table.setting:
            picture.title("set_up_word")
        if table.begun:
            picture.say("left", "name_a")
            picture.say("right", "name_b")
        else:
            picture.say("under", self.starter(table))
        if table.several_games:
            picture.tag("games")

    def starter(self, table: Table) -> str:
        """Return the text about who starts."""
        if table.again:
            return "starter_again"
        found = self.starter_texts.get(table.decides, "starter_ask")
        return "starter_team" if found == "starter_toss" and table.team else found


class Uncertain(Running):
    """The clock may be wrong after a reset."""

    name, title = "uncertain", "playing_word"
    says = (("under", "at_most", YELLOW),)

    def keys(self, table):
        return parts.counted_keys(table) + parts.result_keys()


class Rounds(Running):
    """The clock of an X-Wing table: whether a game round is on."""

    def draw(self, picture, table):
        if table.begun:
            picture.say("under", "round_on" if table.match.turning else "round_off")
            return
        picture.say("under", "go_note")
        if not table.warn:
            picture.title("go_word")


class Extension(Running):
    """A judge has given extra time; both seats say that they have seen it."""

    title = "extension_word"
    takes_over = True

    def keys(self, table):
        seen = sides(PRESS, "seen_key", SeeExtension, SEAT, seats=table.unseen)
        if table.joint_turns and not table.hidden:
            return seen + parts.clock_keys(table)
        return seen + parts.starter_keys(table) + parts.result_keys()


class Frozen(Screen):
    """A judge has stopped the clock; whoever comes late sits down meanwhile."""

    name, title = "frozen", "frozen_word"
    strip = foot = PURPLE
    digits = "left"
    question = "dispute"

    def draw(self, picture, table):
        if not table.rolled and self.digits:
            startless = table.match.start_ms is None
            picture.say("under", "frozen_open" if startless else "frozen_note")
        parts.say_faces(picture, table)

    def keys(self, table):
        return parts.here_keys(table) + parts.roll_keys(table, self.question)


class Count(Screen):
    """Both agree that turns are counted from now on, or no longer."""

    name, title = "count", "count_word"
    says = (("note", "undo_both"),)
    answers = sides(HOLD, "reopen_key", CountTurns, BIT) + back()
    strip = DARK
    stays_in = (phases.PLAYING,)
    stays_while = "begun"

    def draw(self, picture, table):
        picture.say("over", "count_stop" if table.counted else "count_ask")
        if not table.counted:
            picture.say("one", "count_note", GREY)
        parts.say_awaited(picture, table)


# in the last five minutes there is too little time to be told of a toss
_TOSSES = Clock.starter_texts | {
    first_player.FLIP: "starter_flip",
    first_player.TOSS: "starter_toss",
}
_LASTS = {"fill": YELLOW, "strip": None, "foot": None, "text": BLACK, "ink": BLACK}
_STOPPED = (("big", "hidden_frozen"), ("two", "hidden_line"))
_BOTH = (("big", "extension_big"), ("two", "extension_both"))
ROWS = (
    Clock("clock", "playing_word", starter_texts=_TOSSES),
    Clock("warning", "warning_word", **parts.WARNS),
    Clock("last", "last_word", **_LASTS),
    Clock("hidden", "playing_word", *parts.HIDDEN, digits=None),
    Rounds("rounds", "playing_word"),
    Rounds("rounds_warn", "warning_word", **parts.WARNS),
    Rounds("rounds_last", "last_word", **_LASTS),
    Extension("extension", "", ("under", "extension_line")),
    Extension("extension_hidden", "", *_BOTH, digits=None),
    Frozen("frozen_hidden", "", *_STOPPED, digits=None, question="dispute_still"),
)
