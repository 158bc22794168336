"""A roll that is not settled: on the phase's own screen, and the question whether it is agreed."""

from firmware.core import first_player, phases
from firmware.core.intents import DisputeRoll, EndTurn
from firmware.ui.colours import BLACK, BLUE, DARK, ORANGE, SKY, YELLOW
from firmware.ui.gestures import HOLD, PRESS, PRESS_A
from firmware.ui.screen import HOME, SEAT, Key, Screen, back, sides
from firmware.ui.screens.parts import HIDDEN, WARNS, clock_keys, roll_keys, say_faces, say_roll

# a roll beside what the phase shows


class Roll(Screen):
    """A roll beside the running clock."""

    strip = foot = SKY
    digits = "left"
    question = "dispute"

    def draw(self, picture, table):
        say_roll(picture, table)

    def keys(self, table):
        return roll_keys(table, self.question) + clock_keys(table)


class RollPregame(Roll):
    """A roll before the round."""

    name = "roll_pregame"
    strip = foot = BLUE
    digits, ink = "start", SKY
    question = "dispute_start"

    def keys(self, table):
        return roll_keys(table, self.question)


class RollStill(RollPregame):
    """A roll before the start of the round is set."""

    name = "roll_still"
    foot = digits = None
    question = "dispute_still"

    def draw(self, picture, table):
        super().draw(picture, table)
        if table.team and table.decides == first_player.TOSS:
            picture.say("over", "starter_team", YELLOW)
        else:
            picture.say("over", "ready_a")
            picture.say("one", "ready_b")


class Dispute(Screen):
    """The question whether a roll is not agreed, beside the running clock."""

    title = "dispute_word"
    answers = sides(HOLD, "refuse_key", DisputeRoll, SEAT, goes=HOME) + back("press_back")
    strip = foot = DARK
    digits = "left"
    stays_in = (phases.PLAYING, phases.FROZEN, phases.TIEBREAKER)
    stays_while = "agreeing"

    def draw(self, picture, table):
        say_faces(picture, table, judge=True)


class DisputeStill(Dispute):
    """The same where no clock is shown."""

    name = "dispute_still"
    says = (("three", "refuse_ask"),)
    foot = digits = None
    stays_in = (
        phases.SEATED, phases.PLAYING, phases.FROZEN, phases.PLAY_ON, phases.TIEBREAKER,
    )  # fmt: skip

    def draw(self, picture, table):
        text = table.roll_text
        if text == "flips_heads":
            picture.say("over", text)
            picture.say("one", "flips_each", YELLOW)
        elif text:
            picture.say("big", text)
        if text == "streak_heads":
            picture.say("two", "streak_tails")


class DisputeLast(Dispute):
    """The same while the turn in progress at time goes on."""

    name = "dispute_last"
    says = (("big", "finish_word"),)
    fill, panel = ORANGE, BLACK
    strip = foot = digits = None
    stays_in = (phases.OVERTIME, phases.FINISHING)

    def keys(self, table):
        if table.joint_turns:
            yield Key(PRESS_A, "round_end", EndTurn, goes=HOME)
        yield from sides(PRESS, "end_key", EndTurn, goes=HOME, seats=table.on_turn)
        yield from self.answers


class DisputeTurn(DisputeLast):
    """The same after it; turns are counted on meanwhile."""

    name = "dispute_turn"
    says = (("side", "of_turns"),)
    digits = "turn"
    marks = YELLOW
    stays_in = (phases.OVERTIME,)

    def stays(self, table):
        return table.agreeing and not table.finishing


_STARTS = {"digits": "start", "ink": SKY, "stays_in": (phases.PREGAME,)}
ROWS = (
    Roll("roll"),
    Roll("roll_warn", "", **WARNS),
    Roll("roll_hidden", "", *HIDDEN, digits=None, question="dispute_still"),
    Roll("roll_rounds"),  # of an X-Wing table
    Roll("roll_rounds_warn", "", **WARNS),
    Dispute("dispute"),
    Dispute("dispute_start", "", **_STARTS),
)
