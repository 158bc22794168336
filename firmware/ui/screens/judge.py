"""Screens of a judge: the call, the one-time code, and what a judge does in one visit.

What an act does is seen on the table's own screen; calling the judge again leads back for more.
"""

from firmware.core import intents
from firmware.ui.colours import BLACK, GREY, WHITE
from firmware.ui.gestures import BOTH, HOLD, HOLD_A, HOLD_B, PRESS, PRESS_A, PRESS_B
from firmware.ui.hand import Leave, Recall, Verify
from firmware.ui.screen import ANY, HOME, SEAT, Item, Key, Menu, Screen, sides
from firmware.ui.screens.counting import POINTS
from firmware.ui.screens.parts import TIE, outcomes, say_result, scores
from firmware.ui.table import CALLS, Table

_BY_JUDGE, _OWN_ACT = 0, 4  # who takes back
_BOTH = 3  # who counts turns, as both seats
BACK = Item("back", goes="judge_menu")


class Judge(Screen):
    """A judge has been called; beside a running clock it stays until somebody leaves it."""

    fill, text = WHITE, BLACK
    ink = BLACK
    stays_in = ANY
    line = why = ""  # while the judge comes: without a reason, with one

    def stays(self, table):
        return table.called and table.ticking == self.lasts

    def draw(self, picture, table):
        if table.here:
            picture.say("word", "here_word")
            picture.say("under", "here_give")
        else:
            picture.say("word", "judge_word")
            picture.say("under", self.why if table.match.call else self.line)

    def keys(self, table):
        if table.here:
            yield Key(PRESS_A, "menu_key", goes="code")
        else:
            yield Key(PRESS_A, "why_key", goes="reason")
        yield Key(PRESS_B, "back_key_b", goes=HOME)


class Code(Screen):
    """A judge enters a one-time code."""

    name, title = "code", "code_word"
    says = (("big", "code_typed"), ("two", "code_line"), ("note", "code_note", GREY))
    strip = WHITE
    stays_in = ANY
    stays_while = "called"

    def keys(self, table):
        yield Key(PRESS_A, "code_up", table.entry.raise_digit)
        yield Key(PRESS_B, "code_next", table.entry.next_digit)
        yield Key(HOLD_A, "code_up", goes=HOME)
        yield Key(HOLD_B, "code_next", Verify)


class JudgeMenu(Menu):
    """What a judge may do."""

    name, title = "judge_menu", "menu_word"
    strip = WHITE
    stays_in = ANY
    judged = True

    def items(self, table):
        if not table.here:
            yield Item("it_here", intents.Arrive)
        if table.wanted:
            yield Item("it_approve", goes="judge_approve")
        if table.disputed:
            yield Item("it_roll", goes="judge_roll")
        if table.here and table.open:
            proposed_s = table.match.extension_s + 60 * table.call_minutes
            yield Item("it_give", intents.Extend, 0, proposed_s, goes=HOME)
        if table.open:
            yield Item("it_time", goes="judge_time")
        if table.stopped:
            yield Item("it_go", intents.Resume, goes=HOME)
        elif table.open:
            yield Item("it_stop", intents.Freeze, goes=HOME)
        if table.matched:
            yield Item("it_result", goes="judge_result")
        if table.open:
            yield Item("it_loss", goes="judge_loss")
            yield Item("it_late", goes="judge_late")
        if table.ended:
            yield Item("it_reopen", goes="judge_reopen")
        if table.matched:
            yield Item("it_undo", Recall, Recall.ACT, goes="judge_undo")
        if table.counted or table.countable:
            label = "count_end" if table.counted else "count_now"
            yield Item(label, intents.CountTurns, _BOTH, goes=HOME)
        if table.open:
            yield Item("it_past", Recall, Recall.PRESSES, goes="undo")
        if table.called:
            yield Item("it_over", intents.EndCall, goes=HOME)
        yield Item("back", Leave, goes=HOME)


class VisitMenu(Menu):
    """A further menu of a judge's visit; holding ▲ ends the visit."""

    strip = WHITE
    stays_in = ANY
    judged = True

    def keys(self, table):
        yield from super().keys(table)
        yield Key(HOLD_A, "back_key", Leave, goes=HOME)


class JudgeTime(VisitMenu):
    """More or less time."""

    name, title = "judge_time", "extension_word"
    stays_while = "open"

    def draw(self, picture, table):
        if table.match.extension_s:
            picture.title("time_given")

    def items(self, table):
        now_s = table.match.extension_s
        for minutes in (1, 2, 3, 5, 10):
            yield Item("more_%d" % minutes, intents.Extend, 0, now_s + 60 * minutes, goes=HOME)
        if now_s:
            for minutes in (1, 5):
                left_s = max(0, now_s - 60 * minutes)
                yield Item("less_%d" % minutes, intents.Extend, 0, left_s, goes=HOME)
            yield Item("less_all", intents.Extend, 0, 0, goes=HOME)
        yield BACK


class AskingMenu(VisitMenu):
    """A menu whose acts are asked once more whether they are meant, on the screen ``sure``."""

    sure = "judge_sure"

    def choose(self, table):
        item = super().choose(table)
        if item.act is None:
            return item
        table.entry.asked = item
        return Item(None, goes=self.sure)


class Why(AskingMenu):
    """Why a ``seat`` loses a game."""

    stays_while = "open"
    seat = 0

    def items(self, table):
        for why in (1, 2, 3, 4):
            label = "why_2s" if why == 2 and table.match.cap else "why_%d" % why
            yield Item(label, intents.LoseGame, self.seat, why)
        yield Item("back", goes="judge_loss")


def ruling(label: str, outcome: int, first: int, second: int, points: int = 0) -> Item:
    """Return the line that rules a result with its games, or its ``points`` (1)."""
    return Item(label, intents.RuleResult, outcome, points, 1, first, second)


class JudgeResult(AskingMenu):
    """What the result is."""

    name, title = "judge_result", "result_word"
    stays_while = "matched"

    def items(self, table):
        if table.match.cap:
            yield Item("it_points", goes="judge_points")
        if table.over_three_games:
            yield Item("it_games", goes="judge_points")
        if not table.several_games:
            for label, outcome in outcomes(table, "won_a", "won_b", "tie"):
                yield ruling(label, outcome, 0, 0)
        elif not table.over_three_games:
            for result in scores(table):
                yield ruling(*result)
        if table.several_games:
            for label, outcome in outcomes(table, "stands_a", "stands_b", "stands"):
                if outcome != TIE or table.over_three_games:
                    yield ruling(label, outcome, *table.match.score)
        yield BACK


class JudgeOnes(Screen):
    """A ruling with its numbers: the points that each side destroyed, by single ones."""

    name, title = "judge_ones", "destroyed_word"
    says = POINTS + (("note", "ones_note", GREY),)
    strip, panel = WHITE, BLACK
    stays_in = ANY
    stays_while = "matched"
    judged = True

    def keys(self, table):
        yield from sides(PRESS, "ones_key", table.entry.add_one, SEAT)
        yield from sides(HOLD, "ones_key", goes="judge_won")
        yield Key(BOTH, None, goes=HOME)


class JudgePoints(JudgeOnes):
    """The same by tens first, or the games that each won."""

    name = "judge_points"
    digits = "entry"
    enters = True

    def draw(self, picture, table):
        if table.match.cap:
            picture.say("note", "tens_note", GREY)
        else:
            picture.title("games_word")
            picture.say("name_1", "games_a")
            picture.say("name_2", "games_b")

    def keys(self, table):
        if not table.match.cap:
            yield from super().keys(table)
            return
        yield from sides(PRESS, "tens_key", table.entry.add_ten, SEAT)
        yield from sides(HOLD, "tens_key", goes="judge_ones")
        yield Key(BOTH, None, goes=HOME)


class JudgeWon(AskingMenu):
    """Who wins with the numbers just entered."""

    name, title = "judge_won", "result_word"
    stays_while = "matched"

    def items(self, table):
        first, second = table.entry.numbers
        for label, outcome in outcomes(table, "won_by_a", "won_by_b", "tied_by"):
            yield ruling(label, outcome, first, second, int(bool(table.match.cap)))
        yield Item("back", goes="judge_result")


class Sure(Screen):
    """Whether an act is meant: ● holds its key, ▲ goes back."""

    strip = WHITE
    stays_in = ANY
    judged = True
    act: "tuple[object, ...]" = ()  # an intent's class and fields; none: what a menu has asked

    def keys(self, table):
        act = self.act or (self.asked, table)
        yield Key(HOLD_B, "sure_key_b", *act, goes=HOME)
        yield Key(PRESS_A, "back_key_a", goes="judge_menu")

    def asked(self, table: Table) -> Item:
        """Return what a menu has asked, to be done."""
        assert table.entry.asked is not None
        return table.entry.asked


_CLOCK = {"digits": "left", "lasts": True, "line": "judge_wait", "why": "judge_why"}
_STILL = {"digits": "waited", "line": "judge_line", "why": "judge_reason"}
_CALLS = [Item(label, intents.CallJudge, i, goes=HOME) for i, label in enumerate(CALLS) if i]
_CALLS += [Item("code_item", goes="code"), Item("back", goes=HOME)]
_LATE = (
    Item("late_a", intents.StampLate, 1),
    Item("late_b", intents.StampLate, 2),
    Item("late_both", intents.StampLate, 3),
    Item("late_none", intents.StampLate, 0),
    BACK,
)
_LOSS = (Item("loss_a", goes="judge_why_a"), Item("loss_b", goes="judge_why_b"), BACK)
_ROLL = (Item("roll_counts", intents.RuleRoll, 1), Item("roll_again", intents.RuleRoll, 0), BACK)
_NOTE = ("note", "sure_note")
_MEANT = (("over", "asked"), ("one", "name_a", GREY), ("two", "name_b", GREY), _NOTE)
_LOSS_A = (("over", "loss_a"), ("one", "asked"), ("three", "name_a", GREY), _NOTE)
_LOSS_B = (("over", "loss_b"), ("one", "asked"), ("three", "name_b", GREY), _NOTE)
_APPROVE = {"draw": say_result, "act": (intents.ApproveResult,), "stays_while": "wanted"}
_REOPEN = {"draw": say_result, "act": (intents.ReopenResult, _BY_JUDGE), "stays_while": "ended"}
_UNDO = (intents.TakeBack, _OWN_ACT, 0, 0)
ROWS = (
    Judge("judge", "", **_CLOCK),
    Judge("judge_still", "", **_STILL),
    Menu("reason", "reason_word", lines=_CALLS, strip=WHITE, stays_in=ANY, stays_while="called"),
    AskingMenu("judge_late", "late_word", lines=_LATE, stays_while="open"),
    AskingMenu("judge_roll", "roll_id", lines=_ROLL, stays_while="disputed"),
    VisitMenu("judge_loss", "loss_word", lines=_LOSS, stays_while="open"),
    Why("judge_why_a", "loss_word_a", sure="judge_sure_a"),
    Why("judge_why_b", "loss_word_b", sure="judge_sure_b", seat=1),
    Sure("judge_sure", "sure_word", *_MEANT),
    Sure("judge_sure_a", "sure_word", *_LOSS_A),
    Sure("judge_sure_b", "sure_word", *_LOSS_B),
    Sure("judge_undo", "undo_word", ("over", "undo_1"), _NOTE, act=_UNDO, stays_while="matched"),
    Sure("judge_approve", "approve_word", _NOTE, **_APPROVE),
    Sure("judge_reopen", "reopen_word", _NOTE, **_REOPEN),
)
