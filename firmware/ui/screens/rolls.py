"""A roll that is not settled: on the phase's own screen, and the question whether it is agreed."""

from firmware.core import first_player, phases
from firmware.core.intents import DisputeRoll, EndTurn
from firmware.ui.colours import BLACK, BLUE, DARK, ORANGE, SKY, YELLOW
from firmware.ui.screen import HOLD, HOME, PRESS, PRESS_A, SEAT, Key, Screen, back, sides
from firmware.ui.screens.parts import clock_keys, roll_keys, say_roll

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Picture, ScreenKeys, Table


# a roll beside what the phase shows


class Roll(Screen):
    """A roll beside the running clock."""

    name = "roll"
    strip = foot = SKY
    digits = "left"
    question = "dispute"

    def draw(self, picture: "Picture", table: "Table") -> None:
        say_roll(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from roll_keys(table, self.question)
        yield from clock_keys(table)


class RollHidden(Roll):
    """The same where the players see no clock."""

    name = "roll_hidden"
    says = (("big", "hidden_big"), ("two", "hidden_line"))
    digits = None
    question = "dispute_still"


class RollWarn(Roll):
    """A roll in the last five minutes."""

    name = "roll_warn"
    strip = foot = ink = YELLOW


class RollRounds(Roll):
    """A roll beside the clock of an X-Wing table."""

    name = "roll_rounds"


class RollRoundsWarn(RollWarn):
    """The same in the last five minutes."""

    name = "roll_rounds_warn"


class RollPregame(Roll):
    """A roll before the round."""

    name = "roll_pregame"
    strip = foot = BLUE
    digits, ink = "start", SKY
    question = "dispute_start"

    def keys(self, table: "Table") -> "ScreenKeys":
        return roll_keys(table, self.question)


class RollStill(RollPregame):
    """A roll before the start of the round is set."""

    name = "roll_still"
    foot = digits = None
    question = "dispute_still"

    def draw(self, picture: "Picture", table: "Table") -> None:
        super().draw(picture, table)
        if table.team and table.decides == first_player.TOSS:
            picture.say("over", "starter_team", YELLOW)
        else:
            picture.say("over", "ready_a")
            picture.say("one", "ready_b")


# the question whether a roll is not agreed


class Dispute(Screen):
    """The question whether a roll is not agreed, beside the running clock."""

    name, title = "dispute", "dispute_word"
    answers = sides(HOLD, "refuse_key", DisputeRoll, SEAT, goes=HOME) + back("press_back")
    strip = foot = DARK
    digits = "left"
    stays_in = (phases.PLAYING, phases.FROZEN, phases.TIEBREAKER)
    stays_while = "agreeing"

    def draw(self, picture: "Picture", table: "Table") -> None:
        fallen = table.fallen
        if fallen:
            picture.say("left", fallen)
        if fallen == "flips_heads":
            picture.say("right", "flips_each", YELLOW)
        elif fallen == "streak_heads":
            picture.say("right", "streak_tails")
        else:
            picture.say("right", "roll_judge", YELLOW)


class DisputeStart(Dispute):
    """The same beside the clock before the round."""

    name = "dispute_start"
    digits, ink = "start", SKY
    stays_in = (phases.PREGAME,)


class DisputeStill(Dispute):
    """The same where no clock is shown."""

    name = "dispute_still"
    says = (("three", "refuse_ask"),)
    foot = digits = None
    stays_in = (
        phases.SEATED, phases.PLAYING, phases.FROZEN, phases.PLAY_ON, phases.TIEBREAKER,
    )  # fmt: skip

    def draw(self, picture: "Picture", table: "Table") -> None:
        fallen = table.fallen
        if fallen == "flips_heads":
            picture.say("over", "flips_heads")
            picture.say("one", "flips_each", YELLOW)
        elif fallen:
            picture.say("big", fallen)
        if fallen == "streak_heads":
            picture.say("two", "streak_tails")


class DisputeTurn(Dispute):
    """The same after time; turns are counted on meanwhile."""

    name = "dispute_turn"
    says = (("side", "of_turns"),)
    fill, panel = ORANGE, BLACK
    strip = foot = None
    digits = "turn"
    marks = YELLOW
    stays_in = (phases.OVERTIME,)

    def stays(self, table: "Table") -> bool:
        return table.agreeing and not table.finishing

    def keys(self, table: "Table") -> "ScreenKeys":
        if table.shared:
            yield Key(PRESS_A, "round_end", EndTurn, goes=HOME)
        yield from sides(PRESS, "end_key", EndTurn, goes=HOME, seats=table.on_turn)
        yield from self.answers


class DisputeLast(DisputeTurn):
    """The same while the turn in progress at time goes on."""

    name = "dispute_last"
    says = (("big", "finish_word"),)
    digits = marks = None
    stays_in = (phases.OVERTIME, phases.FINISHING)

    def stays(self, table: "Table") -> bool:
        return table.agreeing
