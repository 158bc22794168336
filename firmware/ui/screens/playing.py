"""Screens of the running round: its clock, extra time, a stopped clock, counted turns."""

from firmware.core import first_player, phases
from firmware.core.intents import CountTurns, SeeExtension
from firmware.ui.colours import BLACK, DARK, GREY, PURPLE, SKY, YELLOW
from firmware.ui.screen import BIT, HOLD, PRESS, SEAT, Screen, back, sides
from firmware.ui.screens.parts import (
    clock_keys,
    counted_keys,
    here_keys,
    result_keys,
    roll_keys,
    say_fallen,
    say_half,
    starter_keys,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Picture, ScreenKeys, Table


class Running(Screen):
    """A round's running clock."""

    strip = foot = SKY
    digits = "left"

    def keys(self, table: "Table") -> "ScreenKeys":
        return clock_keys(table)


class Clock(Running):
    """The clock, and who plays or who starts."""

    name, title = "clock", "playing_word"
    starter_texts = {
        1: "starter_b", 2: "starter_a", first_player.FLIP: "starter_flip",
        first_player.TOSS: "starter_toss",
    }  # fmt: skip

    def draw(self, picture: "Picture", table: "Table") -> None:
        if table.setting:
            picture.title("set_up_word")
        if table.begun:
            picture.say("left", "name_a")
            picture.say("right", "name_b")
        else:
            picture.say("under", self.starter(table))
        if table.many:
            picture.tag("games")

    def starter(self, table: "Table") -> str:
        """Return the text about who starts."""
        if table.again:
            return "starter_again"
        found = self.starter_texts.get(table.decides, "starter_ask")
        return "starter_team" if found == "starter_toss" and table.team else found


class Hidden(Clock):
    """A round whose players see no clock."""

    name = "hidden"
    says = (("big", "hidden_big"), ("two", "hidden_line"))
    digits = None
    starter_texts = {1: "starter_b", 2: "starter_a"}


class FiveMinutes(Clock):
    """Five minutes are left: too few to be told of a toss."""

    name, title = "warning", "warning_word"
    strip = foot = ink = YELLOW
    starter_texts = Hidden.starter_texts


class LastMinute(FiveMinutes):
    """The last minute."""

    name, title = "last", "last_word"
    fill, text, ink = YELLOW, BLACK, BLACK
    strip = foot = None


class Uncertain(Running):
    """The clock may be wrong after a reset."""

    name, title = "uncertain", "playing_word"
    says = (("under", "at_most", YELLOW),)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from counted_keys(table)
        yield from result_keys()


# X-Wing's game rounds


class RoundsWarn(Running):
    """Whether a game round is on, and five minutes are left."""

    name, title = "rounds_warn", "warning_word"
    strip = foot = ink = YELLOW

    def draw(self, picture: "Picture", table: "Table") -> None:
        if not table.begun:
            picture.say("under", "go_note")
        else:
            picture.say("under", "round_on" if table.match.turning else "round_off")


class RoundsLast(RoundsWarn):
    """The last minute."""

    name, title = "rounds_last", "last_word"
    fill, text, ink = YELLOW, BLACK, BLACK
    strip = foot = None


class Rounds(RoundsWarn):
    """The clock of an X-Wing table while there is time."""

    name, title = "rounds", "playing_word"
    strip = foot = SKY
    ink = Screen.ink

    def draw(self, picture: "Picture", table: "Table") -> None:
        super().draw(picture, table)
        if not table.begun:
            picture.title("go_word")


# extra time, a stopped clock


class Extension(Running):
    """A judge has given extra time; both seats say that they have seen it."""

    name, title = "extension", "extension_word"
    says = (("under", "extension_line"),)
    takes_over = True

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from sides(PRESS, "seen_key", SeeExtension, SEAT, seats=table.unseen)
        if table.shared and not table.hidden:
            yield from clock_keys(table)
        else:
            yield from starter_keys(table)
            yield from result_keys()


class ExtensionHidden(Extension):
    """The same where the players see no clock."""

    name = "extension_hidden"
    says = (("big", "extension_big"), ("two", "extension_both"))
    digits = None


class Frozen(Screen):
    """A judge has stopped the clock; who comes late sits down meanwhile."""

    name, title = "frozen", "frozen_word"
    strip = foot = PURPLE
    digits = "left"
    question = "dispute"

    def draw(self, picture: "Picture", table: "Table") -> None:
        if not table.rolled:
            picture.say("under", "frozen_open" if table.startless else "frozen_note")
        say_fallen(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from here_keys(table)
        yield from roll_keys(table, self.question)


class FrozenHidden(Frozen):
    """The same where the players see no clock."""

    name = "frozen_hidden"
    says = (("big", "hidden_frozen"), ("two", "hidden_line"))
    digits = None
    question = "dispute_still"

    def draw(self, picture: "Picture", table: "Table") -> None:
        say_fallen(picture, table)


class Count(Screen):
    """Both agree that turns are counted from now on, or no longer."""

    name, title = "count", "count_word"
    says = (("note", "undo_both"),)
    answers = sides(HOLD, "reopen_key", CountTurns, BIT) + back()
    strip = DARK
    stays_in = (phases.PLAYING,)
    stays_while = "begun"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("over", "count_stop" if table.counted else "count_ask")
        if not table.counted:
            picture.say("one", "count_note", GREY)
        say_half(picture, table)
