"""Screens after time: what the seats must say, the turns after time, playing on."""

from firmware.core import events, phases
from firmware.core.intents import (
    CallJudge,
    CountPrizes,
    EndTurn,
    SetStarter,
    TakePrize,
    TellState,
    TellTurn,
    WipeOut,
)
from firmware.ui.colours import BLACK, GREY, ORANGE, SKY, YELLOW
from firmware.ui.screen import HOLD_A, HOLD_B, HOME, PRESS_A, PRESS_B, Item, Key, Menu, Screen
from firmware.ui.screens.roll_parts import roll_keys, say_roll, say_title

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Intent
    from firmware.ui.types import MenuItems, Picture, ScreenKeys, Table

_RULES = 1  # of CALL_JUDGE: a question about the rules
_ALL_LEFT, _ONE_TAKEN = 6, 5  # prizes of a Tiebreaker Game


class AfterTime(Screen):
    """A screen after time."""

    fill, panel = ORANGE, BLACK


# what the seats say, one after the other


class Asked(Menu):
    """A menu from which either seat answers: both go through it, each chooses by holding."""

    fill, panel = ORANGE, BLACK
    stays_in = (phases.TIME,)

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("note", "tell_note")

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(PRESS_A, "next_key", self.next, table)
        yield Key(PRESS_B, "next_key_b", self.next, table)
        yield Key(HOLD_A, "choose_key", self.choose_for, table, 1)
        yield Key(HOLD_B, "choose_key", self.choose_for, table, 2)

    def choose_for(self, table: "Table", teller: int) -> Item:
        """Return the marked answer as that of a seat (1, 2); it stands as second field."""
        item = self.choose(table)
        first, *others = item.arguments
        return Item(item.label, item.act, first, teller, *others, goes=HOME)


class Tell(Asked):
    """Which game is on, and the games won."""

    name = "tell"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("tell_word")
        super().draw(picture, table)

    def items(self, table: "Table") -> "MenuItems":
        many, third = table.many, table.many and not table.pair
        yield Item("tell_1", TellState, 1, 0, 0)
        if many:
            yield Item("tell_2a", TellState, 1, 1, 0)
            yield Item("tell_2b", TellState, 1, 0, 1)
        if third:
            yield Item("tell_3", TellState, 1, 1, 1)
        yield Item("tell_10", TellState, 0, 0, 0)
        if many:
            yield Item("tell_20a", TellState, 0, 1, 0)
            yield Item("tell_20b", TellState, 0, 0, 1)
        if third:
            yield Item("tell_30", TellState, 0, 1, 1)
        if table.pair:
            yield Item("s20", TellState, 0, 2, 0)
            yield Item("s11", TellState, 0, 1, 1)
            yield Item("s02", TellState, 0, 0, 2)


class TurnTeam(Asked):
    """Whose turn it is in a team match."""

    name = "turn_team"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("turn_word")
        super().draw(picture, table)

    def items(self, table: "Table") -> "MenuItems":
        for turning, label in ((1, "team_turn_%d"), (0, "team_next_%d")):
            for seat in range(4):
                if not table.out(seat):
                    yield Item(label % (seat + 1), TellTurn, seat, turning)


class Turn(AfterTime):
    """Whose turn it is; between two turns the next player holds the key."""

    name = "turn"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("big", "time_word")
        picture.say("two", "time_ask")
        picture.say("note", "time_note", GREY)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(PRESS_A, "mine_key", TellTurn, 0, 1, 1)
        yield Key(PRESS_B, "mine_key_b", TellTurn, 1, 2, 1)
        yield Key(HOLD_A, "mine_key", TellTurn, 0, 1, 0)
        yield Key(HOLD_B, "mine_key_b", TellTurn, 1, 2, 0)


class RoundAsked(AfterTime):
    """Whether a game round is on in X-Wing."""

    name = "round_asked"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("big", "time_word")
        picture.say("two", "xw_ask")
        picture.say("note", "xw_note", GREY)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(PRESS_A, "xw_round_key", TellTurn, 0, 1, 1)
        yield Key(PRESS_B, "xw_round_key_b", TellTurn, 0, 2, 1)
        yield Key(HOLD_A, "xw_round_key", TellTurn, 0, 1, 0)
        yield Key(HOLD_B, "xw_round_key_b", TellTurn, 0, 2, 0)


class TellCheck(AfterTime):
    """What one seat has said: the other says the same, or a judge comes."""

    name = "tell_check"
    takes_over = True

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("check_word")
        if table.told_a:
            picture.say("over", "says_a")
            picture.say("three", "check_b")
        if table.told_b:
            picture.say("over", "says_b")
            picture.say("three", "check_a")
        picture.say("one", "told")
        picture.say("note", "wrong_note", GREY)

    def keys(self, table: "Table") -> "ScreenKeys":
        if table.told_a:
            yield Key(PRESS_B, "right_key_b", self.same, table, 2)
            yield Key(HOLD_B, "right_key_b", CallJudge, _RULES)
        if table.told_b:
            yield Key(PRESS_A, "right_key", self.same, table, 1)
            yield Key(HOLD_A, "right_key", CallJudge, _RULES)

    def same(self, table: "Table", teller: int) -> "Intent":
        """Return the intent by which a seat (1, 2) says the same as the other."""
        told = table.match.pending_answer
        if isinstance(told, events.StateTold):
            return TellState(table.now_ms, told.started, teller, told.first, told.second)
        assert isinstance(told, events.TurnTold)
        return TellTurn(table.now_ms, told.seat, teller, told.turning)


class TurnCheck(TellCheck):
    """The same about whose turn it is."""

    name = "turn_check"


# turns after time


class Overtime(AfterTime):
    """The turns after time; only whose turn it is ends it."""

    name = "overtime"
    digits = "turn"
    marks = YELLOW

    def draw(self, picture: "Picture", table: "Table") -> None:
        if not table.rolled:
            picture.title("overtime_word")
            picture.say("under", "finish_who")
        picture.say("side", "of_turns")
        say_title(picture, table)
        say_roll(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from turn_keys(table, "dispute_turn")


def turn_keys(table: "Table", question: str) -> "ScreenKeys":
    """Yield the keys of a turn: one seat's ends it, the other's opens the result."""
    if table.turn_a:
        yield Key(PRESS_A, "end_key", EndTurn)
    if table.turn_b:
        yield Key(PRESS_B, "end_key_b", EndTurn)
    yield from roll_keys(table, question)
    if table.turn_a:
        yield Key(PRESS_B, "result_key_b", goes="result")
    if table.turn_b:
        yield Key(PRESS_A, "result_key", goes="result")


class Finish(AfterTime):
    """Time: the turn in progress goes on."""

    name = "finish"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("big", "finish_word")
        picture.say("two", "finish_who")
        if not table.rolled:
            picture.say("three", "finish_line")
            picture.say("four", "finish_line_2" if table.more else "last_line_2")
        say_title(picture, table)
        say_roll(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from turn_keys(table, "dispute_last")


class FinishRound(AfterTime):
    """Time: X-Wing's game round goes on."""

    name = "finish_round"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("big", "finish_word")
        picture.say("three", "xw_finish_line")
        if not table.rolled:
            picture.say("four", "xw_finish_line_2")
        say_title(picture, table)
        say_roll(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(PRESS_A, "round_end", EndTurn)
        yield from roll_keys(table, "dispute_last")
        yield Key(PRESS_B, "result_key_b", goes="result")


# what decides a level match


class PlayOn(AfterTime):
    """Somebody must win: they play on between turns, or count prizes."""

    name = "play_on"

    def draw(self, picture: "Picture", table: "Table") -> None:
        say_title(picture, table)
        say_roll(picture, table)
        picture.say("big", "play_on_word")
        picture.say("two", "play_on_line")
        picture.say("three", "play_on_line_2")

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from roll_keys(table, "dispute_still")
        yield Key(PRESS_A, "count_key", goes="prizes")
        yield Key(PRESS_B, "result_key_b", goes="result")


class Tiebreaker(AfterTime):
    """A Tiebreaker Game: who starts, and who took the first prize."""

    name = "tiebreaker"
    question = "dispute_still"

    def draw(self, picture: "Picture", table: "Table") -> None:
        say_title(picture, table)
        say_roll(picture, table)
        picture.say("over", "tiebreak_word")
        picture.say("three", "tiebreak_line_2")
        if table.rolled:
            return
        if table.setting:
            picture.title("set_up_word")
        if not table.begun:
            picture.say("one", "tiebreak_ask", YELLOW)
        picture.say("two", "tiebreak_line")
        if table.begun:
            picture.say("four", "tiebreak_line_3")

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from roll_keys(table, self.question)
        if not table.begun:
            yield Key(PRESS_A, "starter_key", SetStarter, 0)
            yield Key(PRESS_B, "starter_key_b", SetStarter, 1)
            if table.lucky and not table.rolled:
                yield Key(HOLD_A, "luck_key", goes="luck")
                yield Key(HOLD_B, "luck_key", goes="luck")
        else:
            yield Key(HOLD_A, "first_key", CountPrizes, 0, _ONE_TAKEN, _ALL_LEFT)
            yield Key(HOLD_B, "first_key_b", CountPrizes, 0, _ALL_LEFT, _ONE_TAKEN)
            yield Key(PRESS_A, "first_key", goes="result")
            yield Key(PRESS_B, "first_key_b", goes="result")


class TiebreakerClock(Tiebreaker):
    """The same while the round's clock runs."""

    name = "tiebreaker_clock"
    fill, panel = BLACK, None
    strip = foot = ORANGE
    digits = "left"
    question = "dispute"

    def draw(self, picture: "Picture", table: "Table") -> None:
        if not table.rolled:
            picture.title("set_up_word" if table.setting else "tiebreak_word")
            if table.begun:
                picture.say("under", "tiebreak_line_2")
            else:
                picture.say("under", "tiebreak_ask", YELLOW)
        say_title(picture, table)
        say_roll(picture, table)


class TeamPrize(Menu):
    """Whose pile of a team match gave a prize."""

    name = "team_prize"
    strip = SKY
    stays_in = (phases.PLAYING, phases.TIME, phases.FINISHING)

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("prize_word")

    def items(self, table: "Table") -> "MenuItems":
        for seat in range(4):
            if table.pile(seat):
                yield Item("prize_%d" % (seat + 1), TakePrize, seat, goes=HOME)
        yield Item("back", goes=HOME)


class TeamOut(Menu):
    """Which player of a team match is out."""

    name = "team_out"
    strip = SKY
    stays_in = (phases.PLAYING, phases.TIME, phases.FINISHING)

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("out_word")
        picture.say("note", "prizes_out")

    def items(self, table: "Table") -> "MenuItems":
        for seat in range(4):
            if not table.out(seat):
                yield Item("out_%d" % (seat + 1), WipeOut, 1 << seat, goes=HOME)
        yield Item("back", goes=HOME)


SCREENS = (
    Tell, TurnTeam, Turn, RoundAsked, TellCheck, TurnCheck, Overtime, Finish, FinishRound, PlayOn,
    Tiebreaker, TiebreakerClock, TeamPrize, TeamOut,
)  # fmt: skip
