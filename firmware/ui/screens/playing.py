"""Screens of the running round: its clock, extra time, a stopped clock, counted turns."""

from firmware.core import phases
from firmware.core.intents import (
    CountTurns,
    EndTurn,
    SeeExtension,
    SetStarter,
    StartTurn,
)
from firmware.ui.colours import BLACK, DARK, GREY, PURPLE, SKY, YELLOW
from firmware.ui.screen import HOLD_A, HOLD_B, HOME, PRESS_A, PRESS_B, Key, Screen
from firmware.ui.screens.before import here_keys
from firmware.ui.screens.roll_parts import roll_keys, say_roll

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Picture, ScreenKeys, Table


def counted_keys(table: "Table") -> "ScreenKeys":
    """Yield the keys of turns that are counted before time: whose turn it is ends it, the other key
    opens the result.
    """
    if not table.counted:
        return
    if table.turn_a:
        yield Key(PRESS_A, "end_key", EndTurn)
    elif table.turn_b:
        yield Key(PRESS_B, "end_key_b", EndTurn)
    else:
        yield Key(PRESS_A, "mine_key", StartTurn, 0)
        yield Key(PRESS_B, "mine_key_b", StartTurn, 1)
    yield Key(HOLD_A, "result_key", goes="result")
    yield Key(HOLD_B, "result_key_b", goes="result")


class Running(Screen):
    """A game that runs: the result is one key away, or who starts must be said first."""

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from counted_keys(table)
        if table.begun:
            yield Key(PRESS_A, "result_key", goes="result")
            yield Key(PRESS_B, "result_key_b", goes="result")
        else:
            yield Key(PRESS_A, "starter_key", SetStarter, 0)
            yield Key(PRESS_B, "starter_key_b", SetStarter, 1)
            yield Key(HOLD_A, "result_key", goes="result")
            yield Key(HOLD_B, "result_key_b", goes="result")


class Clock(Running):
    """The round's clock."""

    name = "clock"
    strip = foot = SKY
    digits = "left"
    word = "playing_word"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("set_up_word" if table.setting else self.word)
        if table.begun:
            picture.say("left", "name_a", self.text)
            picture.say("right", "name_b", self.text)
        else:
            picture.say("under", self.starter(table), self.text)
        if table.many and not (table.called or table.unsynced or table.low):
            picture.say("tag_right", "games", patched=True)

    @property
    def text(self) -> int:
        """The colour of its texts: that of the digits where the state's colour fills the screen."""
        return BLACK if self.fill != BLACK else Screen.ink

    def starter(self, table: "Table") -> str:
        """Return the text about who starts."""
        if table.won_a:
            return "starter_a"
        if table.won_b:
            return "starter_b"
        return "starter_again" if table.again else "starter_ask"


class FirstClock(Clock):
    """The clock while there is time: whoever starts may be tossed for."""

    def starter(self, table: "Table") -> str:
        if table.flip:
            return "starter_flip"
        if table.toss:
            return "starter_team" if table.team else "starter_toss"
        return super().starter(table)


class Hidden(Clock):
    """A round whose players see no clock."""

    name = "hidden"
    digits = None

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("big", "hidden_big")
        picture.say("two", "hidden_line")
        super().draw(picture, table)


class FiveMinutes(Clock):
    """Five minutes are left."""

    name = "warning"
    strip = foot = ink = YELLOW
    word = "warning_word"


class LastMinute(Clock):
    """The last minute."""

    name = "last"
    fill, ink = YELLOW, BLACK
    strip = foot = None
    word = "last_word"


class Uncertain(Screen):
    """The clock may be wrong after a reset."""

    name = "uncertain"
    strip = foot = SKY
    digits = "left"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("playing_word")
        picture.say("under", "at_most", YELLOW)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from counted_keys(table)
        yield Key(PRESS_A, "result_key", goes="result")
        yield Key(PRESS_B, "result_key_b", goes="result")


# X-Wing's game rounds


class RoundKeys(Screen):
    """▲ begins and ends a game round, ● opens the result."""

    def keys(self, table: "Table") -> "ScreenKeys":
        if table.turning:
            yield Key(PRESS_A, "round_end", EndTurn)
        else:
            yield Key(PRESS_A, "round_key", StartTurn, 0)
        yield Key(PRESS_B, "result_key_b", goes="result")


class Rounds(RoundKeys):
    """The clock of an X-Wing table."""

    name = "rounds"
    strip = foot = SKY
    digits = "left"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("playing_word" if table.begun else "go_word")
        say_round(picture, table)


def say_round(picture: "Picture", table: "Table", colour: int = Screen.ink) -> None:
    """Say whether a game round is on."""
    if not table.begun:
        picture.say("under", "go_note", colour)
    else:
        picture.say("under", "round_on" if table.turning else "round_off", colour)


class RoundsWarn(Rounds):
    """Five minutes are left."""

    name = "rounds_warn"
    strip = foot = ink = YELLOW

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("warning_word")
        say_round(picture, table)


class RoundsLast(Rounds):
    """The last minute."""

    name = "rounds_last"
    fill, ink = YELLOW, BLACK
    strip = foot = None

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("last_word")
        say_round(picture, table, BLACK)


# extra time, a stopped clock


class Extension(Screen):
    """A judge has given extra time; both seats say that they have seen it."""

    name = "extension"
    strip = foot = SKY
    digits = "left"
    takes_over = True

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("extension_word")
        picture.say("under", "extension_line")

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from seen_keys(table)
        if table.shared:
            if table.turning:
                yield Key(PRESS_A, "round_end", EndTurn)
            else:
                yield Key(PRESS_A, "round_key", StartTurn, 0)
        else:
            yield from started_keys(table)
            yield Key(PRESS_A, "result_key", goes="result")
        yield Key(PRESS_B, "result_key_b", goes="result")


def seen_keys(table: "Table") -> "ScreenKeys":
    """Yield how a seat says that it has seen the extra time."""
    if table.unseen_a:
        yield Key(PRESS_A, "seen_key", SeeExtension, 0)
    if table.unseen_b:
        yield Key(PRESS_B, "seen_key_b", SeeExtension, 1)


def started_keys(table: "Table") -> "ScreenKeys":
    """Yield how it is said who starts, while nobody has."""
    if not table.begun:
        yield Key(PRESS_A, "starter_key", SetStarter, 0)
        yield Key(PRESS_B, "starter_key_b", SetStarter, 1)


class ExtensionHidden(Extension):
    """The same where the players see no clock."""

    name = "extension_hidden"
    digits = None

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("extension_word")
        picture.say("big", "extension_big")
        picture.say("two", "extension_both")

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from seen_keys(table)
        yield from started_keys(table)
        yield Key(PRESS_A, "result_key", goes="result")
        yield Key(PRESS_B, "result_key_b", goes="result")


class Frozen(Screen):
    """A judge has stopped the clock; who comes late sits down meanwhile."""

    name = "frozen"
    strip = foot = PURPLE
    digits = "left"
    question = "dispute"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("frozen_word")
        if not table.rolled:
            picture.say("under", "frozen_open" if table.startless else "frozen_note")
        say_roll(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from here_keys(table)
        yield from roll_keys(table, self.question)


class FrozenHidden(Frozen):
    """The same where the players see no clock."""

    name = "frozen_hidden"
    digits = None
    question = "dispute_still"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("frozen_word")
        picture.say("big", "hidden_frozen")
        picture.say("two", "hidden_line")
        say_roll(picture, table)


class Count(Screen):
    """Both agree that turns are counted from now on, or no longer."""

    name = "count"
    strip = DARK
    stays_in = (phases.PLAYING,)

    def stays(self, table: "Table") -> bool:
        return table.begun

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("count_word")
        picture.say("over", "count_stop" if table.counted else "count_ask")
        if not table.counted:
            picture.say("one", "count_note", GREY)
        say_half(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(HOLD_A, "reopen_key", CountTurns, 1)
        yield Key(HOLD_B, "reopen_key_b", CountTurns, 2)
        yield Key(PRESS_A, "back_key", goes=HOME)
        yield Key(PRESS_B, "back_key", goes=HOME)


def say_half(picture: "Picture", table: "Table") -> None:
    """Say that both must ask, or which seat still has to."""
    if table.half_a:
        picture.say("note", "half_a", YELLOW)
    elif table.half_b:
        picture.say("note", "half_b", YELLOW)
    else:
        picture.say("note", "undo_both")


SCREENS = (
    FirstClock, Hidden, FiveMinutes, LastMinute, Uncertain, Rounds, RoundsWarn, RoundsLast,
    Extension, ExtensionHidden, Frozen, FrozenHidden, Count,
)  # fmt: skip
