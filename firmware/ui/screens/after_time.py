"""Screens after time: what the seats must say, the turns after time, playing on."""

from firmware.core import phases
from firmware.core.intents import CountPrizes, EndTurn, TakePrize, TellState, TellTurn, WipeOut
from firmware.ui.colours import BLACK, GREY, ORANGE, SKY, YELLOW
from firmware.ui.gestures import HOLD, HOLD_A, HOLD_B, PRESS, PRESS_A
from firmware.ui.screen import BIT, HOME, SEAT, Item, Key, Menu, Picture, Screen, of_seat, sides
from firmware.ui.screens.parts import check_keys, result_keys, roll_keys, say_roll, starter_keys
from firmware.ui.table import Table, score_text

_ALL_LEFT, _ONE_TAKEN = 6, 5  # prizes of a Tiebreaker Game


class AfterTime(Screen):
    """A screen after time."""

    fill, panel = ORANGE, BLACK


class Asked(Menu):
    """A menu from which either seat answers: both go through it, each chooses by holding."""

    fill, panel = ORANGE, BLACK
    says = (("note", "tell_note"),)
    stays_in = (phases.TIME,)

    def keys(self, table):
        yield from sides(PRESS, "next_key", self.next, table)
        yield from sides(HOLD, "choose_key", self.choose_for, table, SEAT, alike=True)

    def choose_for(self, table: Table, seat: int) -> Item:
        """Return the marked answer as that of a seat."""
        item = self.choose(table)
        return Item(item.label, item.act, *of_seat(item.arguments, seat), goes=HOME)


class Tell(Asked):
    """Which game is on, and the games won."""

    name, title = "tell", "tell_word"

    def items(self, table):
        pair, won = table.two_games, [(0, 0)]
        if table.several_games:
            won += [(1, 0), (0, 1)]
        if table.several_games and not pair:
            won.append((1, 1))
        scores = [(started, games) for started in (1, 0) for games in won]
        if pair:
            scores += [(0, (2, 0)), (0, (1, 1)), (0, (0, 2))]
        for started, games in scores:
            yield Item(score_text(started, games, pair), TellState, started, BIT, *games)


class TurnTeam(Asked):
    """Whose turn it is in a team match."""

    name, title = "turn_team", "turn_word"

    def items(self, table):
        for turning, label in ((1, "team_turn_%d"), (0, "team_next_%d")):
            for seat in table.in_play:
                yield Item(label % (seat + 1), TellTurn, seat, BIT, turning)


class Check(AfterTime):
    """What one seat has said: the other says the same, or a judge comes."""

    says = (("one", "told"), ("note", "wrong_note", GREY))
    takes_over = True

    def draw(self, picture, table):
        picture.say("over", "says_b" if table.checking == 1 else "says_a")
        picture.say("three", "check_a" if table.checking == 1 else "check_b")

    def keys(self, table):
        return check_keys(table)


class Overtime(AfterTime):
    """The turns after time: the key of whose turn it is ends it, the other opens the result."""

    name = "overtime"
    says = (("side", "of_turns"),)
    digits = "turn"
    marks = YELLOW
    question = "dispute_turn"

    def draw(self, picture, table):
        if not table.rolled:
            picture.title("overtime_word")
            picture.say("under", "finish_who")
        say_roll(picture, table)

    def keys(self, table):
        yield from sides(PRESS, "end_key", EndTurn, seats=table.on_turn)
        yield from roll_keys(table, self.question)
        if table.on_turn:
            yield from result_keys(seats=3 - table.on_turn)


class Finish(Overtime):
    """Time: the turn in progress goes on."""

    name = "finish"
    says = (("big", "finish_word"), ("two", "finish_who"))
    digits = marks = None
    question = "dispute_last"

    def draw(self, picture, table):
        if not table.rolled:
            picture.say("three", "finish_line")
            picture.say("four", "finish_line_2" if table.match.overtime_turns else "last_line_2")
        say_roll(picture, table)


class FinishRound(AfterTime):
    """Time: X-Wing's game round goes on."""

    name = "finish_round"
    says = (("big", "finish_word"), ("three", "xw_finish_line"))

    def draw(self, picture, table):
        if not table.rolled:
            picture.say("four", "xw_finish_line_2")
        say_roll(picture, table)

    def keys(self, table):
        yield Key(PRESS_A, "round_end", EndTurn)
        yield from roll_keys(table, "dispute_last")
        yield from result_keys(seats=2)


class PlayOn(AfterTime):
    """Somebody must win: they play on between turns, or count prizes."""

    name = "play_on"
    says = (("big", "play_on_word"), ("two", "play_on_line"), ("three", "play_on_line_2"))

    def draw(self, picture, table):
        say_roll(picture, table)

    def keys(self, table):
        yield from roll_keys(table, "dispute_still")
        yield Key(PRESS_A, "count_key", goes="prizes")
        yield from result_keys(seats=2)


class Tiebreaker(AfterTime):
    """A Tiebreaker Game: who starts, and who took the first prize."""

    name = "tiebreaker"
    says = (("over", "tiebreak_word"), ("three", "tiebreak_line_2"))
    question = "dispute_still"

    def draw(self, picture, table):
        if table.rolled:
            say_roll(picture, table)
        else:
            self.say_game(picture, table)

    def say_game(self, picture: Picture, table: Table) -> None:
        """Say how far the game is."""
        if table.setting:
            picture.title("set_up_word")
        picture.say("two", "tiebreak_line")
        if table.begun:
            picture.say("four", "tiebreak_line_3")
        else:
            picture.say("one", "tiebreak_ask", YELLOW)

    def keys(self, table):
        yield from roll_keys(table, self.question)
        if table.begun:
            yield Key(HOLD_A, "first_key", CountPrizes, 0, _ONE_TAKEN, _ALL_LEFT)
            yield Key(HOLD_B, "first_key_b", CountPrizes, 0, _ALL_LEFT, _ONE_TAKEN)
            yield from sides(PRESS, "first_key", goes="result")
            return
        yield from starter_keys(table)
        if table.can_roll and not table.rolled:
            yield from sides(HOLD, "luck_key", goes="luck", alike=True)


class TiebreakerClock(Tiebreaker):
    """The same while the round's clock runs."""

    name = "tiebreaker_clock"
    says = ()
    fill, panel = BLACK, None
    strip = foot = ORANGE
    digits = "left"
    question = "dispute"

    def say_game(self, picture, table):
        picture.title("set_up_word" if table.setting else "tiebreak_word")
        if table.begun:
            picture.say("under", "tiebreak_line_2")
        else:
            picture.say("under", "tiebreak_ask", YELLOW)


class TeamPrize(Menu):
    """Whose pile of a team match gave a prize."""

    name, title = "team_prize", "prize_word"
    strip = SKY
    stays_in = (phases.PLAYING, phases.TIME, phases.FINISHING)

    def items(self, table):
        for seat, left in enumerate(table.piles):
            if left:
                yield Item("prize_%d" % (seat + 1), TakePrize, seat, goes=HOME)
        yield Item("back", goes=HOME)


class TeamOut(TeamPrize):
    """Which player of a team match is out."""

    name, title = "team_out", "out_word"
    says = (("note", "prizes_out"),)

    def items(self, table):
        for seat in table.in_play:
            yield Item("out_%d" % (seat + 1), WipeOut, 1 << seat, goes=HOME)
        yield Item("back", goes=HOME)


def end_keys(label: str, seat: object) -> list[Key]:
    """Return how each seat says that a turn of a seat goes on, or by holding that it comes next."""
    return sides(PRESS, label, TellTurn, seat, BIT, 1) + sides(HOLD, label, TellTurn, seat, BIT, 0)


_TIME = ("big", "time_word")
_TURN = (_TIME, ("two", "time_ask"), ("note", "time_note", GREY))
_ROUND = (_TIME, ("two", "xw_ask"), ("note", "xw_note", GREY))
ROWS = (
    AfterTime("turn", "", *_TURN, answers=end_keys("mine_key", SEAT)),
    AfterTime("round_asked", "", *_ROUND, answers=end_keys("xw_round_key", 0)),
    Check("tell_check", "check_word"),
    Check("turn_check", "check_word"),
)
