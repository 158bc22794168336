"""Screens after time: what the seats must say, the turns after time, playing on."""

from firmware.core import phases
from firmware.core.events import StateTold, TurnTold
from firmware.core.intents import CountPrizes, EndTurn, TakePrize, TellState, TellTurn, WipeOut
from firmware.ui.colours import BLACK, GREY, ORANGE, SKY, YELLOW
from firmware.ui.screen import (
    BIT,
    HOLD,
    HOME,
    PRESS,
    PRESS_A,
    SEAT,
    Item,
    Key,
    Menu,
    Screen,
    of_seat,
    sides,
)
from firmware.ui.screens.parts import check_keys, result_keys, roll_keys, say_roll, starter_keys
from firmware.ui.table import score_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import MenuItems, Picture, ScreenKeys, Table

_ALL_LEFT, _ONE_TAKEN = 6, 5  # prizes of a Tiebreaker Game


class AfterTime(Screen):
    """A screen after time."""

    fill, panel = ORANGE, BLACK


# what the seats say, one after the other


class Asked(Menu):
    """A menu from which either seat answers: both go through it, each chooses by holding."""

    fill, panel = ORANGE, BLACK
    says = (("note", "tell_note"),)
    stays_in = (phases.TIME,)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from sides(PRESS, "next_key", self.next, table)
        yield from sides(HOLD, "choose_key", self.choose_for, table, SEAT, alike=True)

    def choose_for(self, table: "Table", seat: int) -> Item:
        """Return the marked answer as that of a seat."""
        item = self.choose(table)
        return Item(item.label, item.act, *of_seat(item.arguments, seat), goes=HOME)


class Tell(Asked):
    """Which game is on, and the games won."""

    name, title = "tell", "tell_word"

    def items(self, table: "Table") -> "MenuItems":
        pair, won = table.pair, [(0, 0)]
        if table.many:
            won += [(1, 0), (0, 1)]
        if table.many and not pair:
            won.append((1, 1))
        told = [(started, games) for started in (1, 0) for games in won]
        if pair:
            told += [(0, (2, 0)), (0, (1, 1)), (0, (0, 2))]
        for started, games in told:
            yield Item(score_text(started, games, pair), TellState, started, BIT, *games)


class TurnTeam(Asked):
    """Whose turn it is in a team match."""

    name, title = "turn_team", "turn_word"

    def items(self, table: "Table") -> "MenuItems":
        for turning, label in ((1, "team_turn_%d"), (0, "team_next_%d")):
            for seat in table.in_play:
                yield Item(label % (seat + 1), TellTurn, seat, BIT, turning)


class Turn(AfterTime):
    """Whose turn it is; between two turns the next player holds the key."""

    name = "turn"
    says = (("big", "time_word"), ("two", "time_ask"), ("note", "time_note", GREY))
    answers = sides(PRESS, "mine_key", TellTurn, SEAT, BIT, 1)
    answers += sides(HOLD, "mine_key", TellTurn, SEAT, BIT, 0)


class RoundAsked(AfterTime):
    """Whether a game round is on in X-Wing."""

    name = "round_asked"
    says = (("big", "time_word"), ("two", "xw_ask"), ("note", "xw_note", GREY))
    answers = sides(PRESS, "xw_round_key", TellTurn, 0, BIT, 1)
    answers += sides(HOLD, "xw_round_key", TellTurn, 0, BIT, 0)


class TellCheck(AfterTime):
    """What one seat has said: the other says the same, or a judge comes."""

    name, title = "tell_check", "check_word"
    says = (("one", "told"), ("note", "wrong_note", GREY))
    takes_over = True

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("over", "says_b" if table.checking == 1 else "says_a")
        picture.say("three", "check_a" if table.checking == 1 else "check_b")

    def keys(self, table: "Table") -> "ScreenKeys":
        told = table.match.pending_answer
        if isinstance(told, StateTold):
            return check_keys(table, TellState, told.started, BIT, told.first, told.second)
        if isinstance(told, TurnTold):
            return check_keys(table, TellTurn, told.seat, BIT, told.turning)
        return ()  # it is answered, and another screen is about to follow


class TurnCheck(TellCheck):
    """The same about whose turn it is."""

    name = "turn_check"


# turns after time


def turn_keys(table: "Table", question: str) -> "ScreenKeys":
    """Yield the keys of a turn: one seat's ends it, the other's opens the result."""
    yield from sides(PRESS, "end_key", EndTurn, seats=table.on_turn)
    yield from roll_keys(table, question)
    if table.on_turn:
        yield from result_keys(seats=3 - table.on_turn)


class Overtime(AfterTime):
    """The turns after time; only whose turn it is ends it."""

    name = "overtime"
    says = (("side", "of_turns"),)
    digits = "turn"
    marks = YELLOW

    def draw(self, picture: "Picture", table: "Table") -> None:
        if not table.rolled:
            picture.title("overtime_word")
            picture.say("under", "finish_who")
        say_roll(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        return turn_keys(table, "dispute_turn")


class Finish(AfterTime):
    """Time: the turn in progress goes on."""

    name = "finish"
    says = (("big", "finish_word"), ("two", "finish_who"))

    def draw(self, picture: "Picture", table: "Table") -> None:
        if not table.rolled:
            picture.say("three", "finish_line")
            picture.say("four", "finish_line_2" if table.more else "last_line_2")
        say_roll(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        return turn_keys(table, "dispute_last")


class FinishRound(AfterTime):
    """Time: X-Wing's game round goes on."""

    name = "finish_round"
    says = (("big", "finish_word"), ("three", "xw_finish_line"))

    def draw(self, picture: "Picture", table: "Table") -> None:
        if not table.rolled:
            picture.say("four", "xw_finish_line_2")
        say_roll(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(PRESS_A, "round_end", EndTurn)
        yield from roll_keys(table, "dispute_last")
        yield from result_keys(seats=2)


# what decides a level match


class PlayOn(AfterTime):
    """Somebody must win: they play on between turns, or count prizes."""

    name = "play_on"
    says = (("big", "play_on_word"), ("two", "play_on_line"), ("three", "play_on_line_2"))

    def draw(self, picture: "Picture", table: "Table") -> None:
        say_roll(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from roll_keys(table, "dispute_still")
        yield Key(PRESS_A, "count_key", goes="prizes")
        yield from result_keys(seats=2)


class Tiebreaker(AfterTime):
    """A Tiebreaker Game: who starts, and who took the first prize."""

    name = "tiebreaker"
    says = (("over", "tiebreak_word"), ("three", "tiebreak_line_2"))
    question = "dispute_still"

    def draw(self, picture: "Picture", table: "Table") -> None:
        if table.rolled:
            say_roll(picture, table)
            return
        if table.setting:
            picture.title("set_up_word")
        picture.say("two", "tiebreak_line")
        if table.begun:
            picture.say("four", "tiebreak_line_3")
        else:
            picture.say("one", "tiebreak_ask", YELLOW)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from roll_keys(table, self.question)
        if table.begun:
            yield Key(HOLD, "first_key", CountPrizes, 0, _ONE_TAKEN, _ALL_LEFT)
            yield Key(HOLD + 1, "first_key_b", CountPrizes, 0, _ALL_LEFT, _ONE_TAKEN)
            yield from sides(PRESS, "first_key", goes="result")
        else:
            yield from starter_keys(table)
            if table.lucky and not table.rolled:
                yield from sides(HOLD, "luck_key", goes="luck", alike=True)


class TiebreakerClock(Tiebreaker):
    """The same while the round's clock runs."""

    name = "tiebreaker_clock"
    says = ()
    fill, panel = BLACK, None
    strip = foot = ORANGE
    digits = "left"
    question = "dispute"

    def draw(self, picture: "Picture", table: "Table") -> None:
        if table.rolled:
            say_roll(picture, table)
            return
        picture.title("set_up_word" if table.setting else "tiebreak_word")
        if table.begun:
            picture.say("under", "tiebreak_line_2")
        else:
            picture.say("under", "tiebreak_ask", YELLOW)


# the players of a team match


class TeamPrize(Menu):
    """Whose pile of a team match gave a prize."""

    name, title = "team_prize", "prize_word"
    strip = SKY
    stays_in = (phases.PLAYING, phases.TIME, phases.FINISHING)

    def items(self, table: "Table") -> "MenuItems":
        for seat, left in enumerate(table.piles):
            if left:
                yield Item("prize_%d" % (seat + 1), TakePrize, seat, goes=HOME)
        yield Item("back", goes=HOME)


class TeamOut(Menu):
    """Which player of a team match is out."""

    name, title = "team_out", "out_word"
    says = (("note", "prizes_out"),)
    strip = SKY
    stays_in = TeamPrize.stays_in

    def items(self, table: "Table") -> "MenuItems":
        for seat in table.in_play:
            yield Item("out_%d" % (seat + 1), WipeOut, 1 << seat, goes=HOME)
        yield Item("back", goes=HOME)
