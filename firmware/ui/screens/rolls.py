"""A roll that is not settled: on the phase's own screen, and the question whether it is agreed."""

from firmware.core import phases
from firmware.core.intents import DisputeRoll, EndTurn
from firmware.ui.colours import BLACK, BLUE, DARK, ORANGE, SKY, YELLOW
from firmware.ui.screen import HOLD_A, HOLD_B, HOME, PRESS_A, PRESS_B, Key, Screen
from firmware.ui.screens.playing import RoundKeys, Running
from firmware.ui.screens.roll_parts import (
    roll_keys,
    say_call,
    say_coin,
    say_fallen,
    say_roll,
    say_title,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Picture, ScreenKeys, Table


# a roll beside what the phase shows


class Roll(Running):
    """A roll beside the running clock."""

    name = "roll"
    strip = foot = SKY
    digits = "left"

    def draw(self, picture: "Picture", table: "Table") -> None:
        say_title(picture, table)
        say_roll(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from roll_keys(table, "dispute")
        yield from super().keys(table)


class RollHidden(Roll):
    """The same where the players see no clock."""

    name = "roll_hidden"
    digits = None

    def draw(self, picture: "Picture", table: "Table") -> None:
        super().draw(picture, table)
        picture.say("big", "hidden_big")
        picture.say("two", "hidden_line")

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from roll_keys(table, "dispute_still")
        yield from Running.keys(self, table)


def say_last_title(picture: "Picture", table: "Table") -> None:
    """Say the title of a screen with a roll in the last five minutes."""
    if table.setting:
        picture.title("set_up_word")
    elif table.uncertain:
        picture.title("at_most_word")
    elif table.calls:
        say_call(picture, table)
    else:
        picture.title("last_word" if table.last else "roll_id")


class RollWarn(Roll):
    """A roll in the last five minutes."""

    name = "roll_warn"
    strip = foot = ink = YELLOW

    def draw(self, picture: "Picture", table: "Table") -> None:
        say_last_title(picture, table)
        say_roll(picture, table)


class RollRounds(RoundKeys):
    """A roll beside the clock of an X-Wing table."""

    name = "roll_rounds"
    strip = foot = SKY
    digits = "left"

    def draw(self, picture: "Picture", table: "Table") -> None:
        say_title(picture, table)
        say_roll(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from roll_keys(table, "dispute")
        yield from super().keys(table)


class RollRoundsWarn(RollRounds):
    """The same in the last five minutes."""

    name = "roll_rounds_warn"
    strip = foot = ink = YELLOW

    def draw(self, picture: "Picture", table: "Table") -> None:
        say_last_title(picture, table)
        say_roll(picture, table)


class RollPregame(Screen):
    """A roll before the round."""

    name = "roll_pregame"
    strip = foot = BLUE
    digits, ink = "start", SKY

    def draw(self, picture: "Picture", table: "Table") -> None:
        say_title(picture, table)
        say_roll(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from roll_keys(table, "dispute_start")


class RollStill(Screen):
    """A roll before the start of the round is set."""

    name = "roll_still"
    strip = BLUE

    def draw(self, picture: "Picture", table: "Table") -> None:
        if table.team and table.toss:
            picture.say("over", "starter_team", YELLOW)
        else:
            picture.say("over", "ready_a")
            picture.say("one", "ready_b")
        say_title(picture, table)
        say_roll(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from roll_keys(table, "dispute_still")


# the question whether a roll is not agreed


class Dispute(Screen):
    """The question whether a roll is not agreed, beside the running clock."""

    name = "dispute"
    strip = foot = DARK
    digits = "left"
    stays_in = (phases.PLAYING, phases.FROZEN, phases.TIEBREAKER)

    def stays(self, table: "Table") -> bool:
        return table.rolled and not table.disputed

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("dispute_word")
        say_fallen(picture, table)
        say_coin(picture, table)
        if table.many_flips:
            picture.say("right", "flips_each", YELLOW)
        elif table.streak:
            picture.say("right", "streak_tails")
        else:
            picture.say("right", "roll_judge", YELLOW)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(HOLD_A, "refuse_key", DisputeRoll, 0, goes=HOME)
        yield Key(HOLD_B, "refuse_key_b", DisputeRoll, 1, goes=HOME)
        yield Key(PRESS_A, "press_back", goes=HOME)
        yield Key(PRESS_B, "press_back", goes=HOME)


class DisputeStart(Dispute):
    """The same beside the clock before the round."""

    name = "dispute_start"
    digits, ink = "start", SKY
    stays_in = (phases.PREGAME,)


class DisputeStill(Dispute):
    """The same where no clock is shown."""

    name = "dispute_still"
    foot = digits = None
    stays_in = (
        phases.SEATED, phases.PLAYING, phases.FROZEN, phases.PLAY_ON, phases.TIEBREAKER,
    )  # fmt: skip

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("dispute_word")
        if table.heads_up:
            picture.say("big", "heads_a" if table.shared else "heads")
        if table.tails_up:
            picture.say("big", "tails_b" if table.shared else "tails")
        if table.rolled_die:
            picture.say("big", "die_face")
        if table.many_flips:
            picture.say("over", "flips_heads")
            picture.say("one", "flips_each", YELLOW)
        if table.streak:
            picture.say("big", "streak_heads")
            picture.say("two", "streak_tails")
        picture.say("three", "refuse_ask")


class DisputeTurn(Dispute):
    """The same after time; turns are counted on meanwhile."""

    name = "dispute_turn"
    fill, panel = ORANGE, BLACK
    strip = foot = None
    digits = "turn"
    marks = YELLOW
    stays_in = (phases.OVERTIME,)

    def stays(self, table: "Table") -> bool:
        return super().stays(table) and not table.finishing

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("side", "of_turns")
        super().draw(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        if table.shared:
            yield Key(PRESS_A, "round_end", EndTurn, goes=HOME)
        elif table.turn_a:
            yield Key(PRESS_A, "end_key", EndTurn, goes=HOME)
        elif table.turn_b:
            yield Key(PRESS_B, "end_key_b", EndTurn, goes=HOME)
        yield from super().keys(table)


class DisputeLast(DisputeTurn):
    """The same while the turn in progress at time goes on."""

    name = "dispute_last"
    digits = marks = None
    stays_in = (phases.OVERTIME, phases.FINISHING)

    def stays(self, table: "Table") -> bool:
        return Dispute.stays(self, table)

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("big", "finish_word")
        Dispute.draw(self, picture, table)


SCREENS = (
    Roll, RollHidden, RollWarn, RollRounds, RollRoundsWarn, RollPregame, RollStill, Dispute,
    DisputeStart, DisputeStill, DisputeTurn, DisputeLast,
)  # fmt: skip
