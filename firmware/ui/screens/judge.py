"""Screens of a judge: the call, the one-time code, and what a judge does in one visit.

What an act does is seen on the table's own screen; calling the judge again leads back for more.
"""

from firmware.core.intents import (
    ApproveResult,
    Arrive,
    CallJudge,
    CountTurns,
    EndCall,
    Extend,
    Freeze,
    LoseGame,
    ReopenResult,
    Resume,
    RuleResult,
    RuleRoll,
    StampLate,
    TakeBack,
)
from firmware.ui.colours import BLACK, GREY, WHITE
from firmware.ui.screen import (
    ACT,
    ANY,
    BOTH,
    HOLD_A,
    HOLD_B,
    HOME,
    PRESS_A,
    PRESS_B,
    PRESSES,
    Item,
    Key,
    Leave,
    Menu,
    Recall,
    Screen,
    Verify,
)
from firmware.ui.screens.result import say_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import MenuItems, Picture, ScreenKeys, Table

_A, _B, _TIE = 1, 2, 3  # outcomes
_BY_JUDGE, _OWN_ACT = 0, 4  # who takes back
_BOTH = 3  # who counts turns, as both seats


# the call


class Judge(Screen):
    """A judge has been called, and a clock runs on."""

    name = "judge"
    fill = WHITE
    digits, ink = "left", BLACK
    stays_in = ANY
    lasts = True
    line, why = "judge_wait", "judge_why"

    def stays(self, table: "Table") -> bool:
        return table.called and table.ticking

    def draw(self, picture: "Picture", table: "Table") -> None:
        if table.here:
            picture.say("word", "here_word", BLACK)
            picture.say("under", "here_give", BLACK)
        else:
            picture.say("word", "judge_word", BLACK)
            picture.say("under", self.why if table.reasoned else self.line, BLACK)

    def keys(self, table: "Table") -> "ScreenKeys":
        if table.here:
            yield Key(PRESS_A, "menu_key", goes="code")
        else:
            yield Key(PRESS_A, "why_key", goes="reason")
        yield Key(PRESS_B, "back_key_b", goes=HOME)


class JudgeStill(Judge):
    """A judge has been called where no clock runs: how long ago."""

    name = "judge_still"
    digits = "waited"
    lasts = False
    line, why = "judge_line", "judge_reason"

    def stays(self, table: "Table") -> bool:
        return table.called and not table.ticking


class Reason(Menu):
    """Why a judge is called."""

    name = "reason"
    strip = WHITE
    stays_in = ANY

    def stays(self, table: "Table") -> bool:
        return table.called

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("reason_word")

    def items(self, table: "Table") -> "MenuItems":
        yield Item("call_rules", CallJudge, 1, goes=HOME)
        yield Item("call_deck", CallJudge, 2, goes=HOME)
        yield Item("call_result", CallJudge, 3, goes=HOME)
        yield Item("call_absent", CallJudge, 4, goes=HOME)
        yield Item("call_help", CallJudge, 5, goes=HOME)
        yield Item("code_item", goes="code")
        yield Item("back", goes=HOME)


class Code(Screen):
    """A judge enters a one-time code."""

    name = "code"
    strip = WHITE
    stays_in = ANY

    def stays(self, table: "Table") -> bool:
        return table.called

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("code_word")
        picture.say("big", "code_typed")
        picture.say("two", "code_line")
        picture.say("note", "code_note", GREY)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(PRESS_A, "code_up", table.entry.raise_digit)
        yield Key(PRESS_B, "code_next", table.entry.next_digit)
        yield Key(HOLD_A, "code_up", goes=HOME)
        yield Key(HOLD_B, "code_next", Verify, "judge_menu")


# a judge's visit


class Visit(Screen):
    """A screen of a judge's visit: a right code has opened it."""

    strip = WHITE
    stays_in = ANY
    judged = True

    def stays(self, table: "Table") -> bool:
        return table.visit


class VisitMenu(Menu):
    """A menu of a visit; holding ▲ ends the visit."""

    strip = WHITE
    stays_in = ANY
    judged = True
    word = ""

    def stays(self, table: "Table") -> bool:
        return table.visit

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title(self.word)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from super().keys(table)
        yield Key(HOLD_A, "back_key", Leave, goes=HOME)


class JudgeMenu(VisitMenu):
    """What a judge may do."""

    name, word = "judge_menu", "menu_word"

    def keys(self, table: "Table") -> "ScreenKeys":
        return Menu.keys(self, table)

    def items(self, table: "Table") -> "MenuItems":
        open_match = not table.idle and not table.ended
        if not table.here:
            yield Item("it_here", Arrive)
        if table.wanted:
            yield Item("it_approve", goes="judge_approve")
        if table.disputed:
            yield Item("it_roll", goes="judge_roll")
        if table.here and open_match:
            proposed_s = table.match.extension_s + 60 * table.call_minutes
            yield Item("it_give", Extend, 0, proposed_s, goes=HOME)
        if open_match:
            yield Item("it_time", goes="judge_time")
        if open_match and not table.stopped:
            yield Item("it_stop", Freeze, goes=HOME)
        if table.stopped:
            yield Item("it_go", Resume, goes=HOME)
        if not table.idle:
            yield Item("it_result", goes="judge_result")
        if open_match:
            yield Item("it_loss", goes="judge_loss")
            yield Item("it_late", goes="judge_late")
        if table.ended:
            yield Item("it_reopen", goes="judge_reopen")
        if not table.idle:
            yield Item("it_undo", Recall, ACT, 0, goes="judge_undo")
        if table.counted:
            yield Item("count_end", CountTurns, _BOTH, goes=HOME)
        elif table.begun and table.ticking and not table.shared and not table.team:
            yield Item("count_now", CountTurns, _BOTH, goes=HOME)
        if open_match:
            yield Item("it_past", Recall, PRESSES, 0, goes="undo")
        if table.called:
            yield Item("it_over", EndCall, goes=HOME)
        yield Item("back", Leave, goes=HOME)


def in_open_match(table: "Table") -> bool:
    """Return whether a judge visits a match that is not over."""
    return table.visit and not table.idle and not table.ended


class AskingMenu(VisitMenu):
    """A menu whose acts are asked once more whether they are meant, on the screen ``sure``."""

    sure = "judge_sure"

    def choose(self, table: "Table") -> Item:
        item = super().choose(table)
        if item.act is None:
            return item
        table.entry.asked = item
        return Item(None, goes=self.sure)


class OfOpenMatch(AskingMenu):
    """A menu for a match that is not over."""

    def stays(self, table: "Table") -> bool:
        return in_open_match(table)


class OfMatch(AskingMenu):
    """A menu for a table that has a match."""

    def stays(self, table: "Table") -> bool:
        return table.visit and not table.idle


class JudgeTime(VisitMenu):
    """More or less time."""

    name = "judge_time"

    def stays(self, table: "Table") -> bool:
        return in_open_match(table)

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("time_given" if table.given else "extension_word")

    def items(self, table: "Table") -> "MenuItems":
        now_s = table.match.extension_s
        for minutes in (1, 2, 3, 5, 10):
            yield Item("more_%d" % minutes, Extend, 0, now_s + 60 * minutes, goes=HOME)
        if table.given:
            for minutes in (1, 5):
                left_s = max(0, now_s - 60 * minutes)
                yield Item("less_%d" % minutes, Extend, 0, left_s, goes=HOME)
            yield Item("less_all", Extend, 0, 0, goes=HOME)
        yield Item("back", goes="judge_menu")


class JudgeLate(OfOpenMatch):
    """Who was late or away."""

    name, word = "judge_late", "late_word"

    def items(self, table: "Table") -> "MenuItems":
        yield Item("late_a", StampLate, 1)
        yield Item("late_b", StampLate, 2)
        yield Item("late_both", StampLate, 3)
        yield Item("late_none", StampLate, 0)
        yield Item("back", goes="judge_menu")


class JudgeLoss(VisitMenu):
    """Who loses a game."""

    name, word = "judge_loss", "loss_word"

    def stays(self, table: "Table") -> bool:
        return in_open_match(table)

    def items(self, table: "Table") -> "MenuItems":
        yield Item("loss_a", goes="judge_why_a")
        yield Item("loss_b", goes="judge_why_b")
        yield Item("back", goes="judge_menu")


class JudgeWhyA(OfOpenMatch):
    """Why this seat loses a game."""

    name, word = "judge_why_a", "loss_word_a"
    sure = "judge_sure_a"
    seat = 0

    def items(self, table: "Table") -> "MenuItems":
        yield Item("why_1", LoseGame, self.seat, 1)
        yield Item("why_2s" if table.scored else "why_2", LoseGame, self.seat, 2)
        yield Item("why_3", LoseGame, self.seat, 3)
        yield Item("why_4", LoseGame, self.seat, 4)
        yield Item("back", goes="judge_loss")


class JudgeWhyB(JudgeWhyA):
    """The same of the other seat."""

    name, word = "judge_why_b", "loss_word_b"
    sure = "judge_sure_b"
    seat = 1


class JudgeRoll(AskingMenu):
    """Whether a disputed roll counts."""

    name, word = "judge_roll", "roll_id"

    def stays(self, table: "Table") -> bool:
        return table.visit and table.disputed

    def items(self, table: "Table") -> "MenuItems":
        yield Item("roll_counts", RuleRoll, 1)
        yield Item("roll_again", RuleRoll, 0)
        yield Item("back", goes="judge_menu")


# a ruling on the result


def ruling(label: str, outcome: int, numbers: "tuple[int, int]", scored: int = 0) -> Item:
    """Return the line that rules a result with its games, or (``scored``) with points."""
    return Item(label, RuleResult, outcome, scored, 1, *numbers)


class JudgeResult(OfMatch):
    """What the result is."""

    name, word = "judge_result", "result_word"

    def items(self, table: "Table") -> "MenuItems":
        if table.scored:
            yield Item("it_points", goes="judge_points")
        if table.long:
            yield Item("it_games", goes="judge_points")
        if not table.many:
            yield ruling("won_a", _A, (0, 0))
            yield ruling("won_b", _B, (0, 0))
            if table.tie:
                yield ruling("tie", _TIE, (0, 0))
        elif not table.long:
            yield from self.scores(table)
        if table.many:
            yield ruling("stands_a", _A, table.match.score)
            yield ruling("stands_b", _B, table.match.score)
            if table.tie and table.long:
                yield ruling("stands", _TIE, table.match.score)
        yield Item("back", goes="judge_menu")

    def scores(self, table: "Table") -> "MenuItems":
        """Yield the results of a match of two or three games."""
        yield ruling("s20", _A, (2, 0))
        if not table.pair:
            yield ruling("s21", _A, (2, 1))
            yield ruling("s12", _B, (1, 2))
        yield ruling("s02", _B, (0, 2))
        if table.tie:
            yield ruling("s11", _TIE, (1, 1))
        yield ruling("s10", _A, (1, 0))
        yield ruling("s01", _B, (0, 1))
        if table.tie:
            yield ruling("s00", _TIE, (0, 0))


class JudgePoints(Visit):
    """A ruling with its numbers: the points that each side destroyed, by tens first, or the games
    that each won.
    """

    name = "judge_points"
    panel = BLACK
    digits = "entry"
    enters = True

    def stays(self, table: "Table") -> bool:
        return table.visit and not table.idle

    def draw(self, picture: "Picture", table: "Table") -> None:
        points = table.scored
        picture.title("destroyed_word" if points else "games_word")
        picture.say("count_a", "points_a")
        picture.say("count_b", "points_b")
        picture.say("name_1", "tens_a" if points else "games_a")
        picture.say("name_2", "tens_b" if points else "games_b")
        picture.say("note", "tens_note" if points else "ones_note", GREY)

    def keys(self, table: "Table") -> "ScreenKeys":
        if table.scored:
            yield Key(PRESS_A, "tens_key", table.entry.add_ten, 0)
            yield Key(PRESS_B, "tens_key_b", table.entry.add_ten, 1)
            yield Key(HOLD_A, "tens_key", goes="judge_ones")
            yield Key(HOLD_B, "tens_key_b", goes="judge_ones")
        else:
            yield from ones_keys(table)
        yield Key(BOTH, None, goes=HOME)


def ones_keys(table: "Table") -> "ScreenKeys":
    """Yield how single points or games are entered, and the way on."""
    yield Key(PRESS_A, "ones_key", table.entry.add_one, 0)
    yield Key(PRESS_B, "ones_key_b", table.entry.add_one, 1)
    yield Key(HOLD_A, "ones_key", goes="judge_won")
    yield Key(HOLD_B, "ones_key_b", goes="judge_won")


class JudgeOnes(JudgePoints):
    """Then by single points."""

    name = "judge_ones"
    digits = None
    enters = False

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("destroyed_word")
        picture.say("count_a", "points_a")
        picture.say("count_b", "points_b")
        picture.say("name_1", "tens_a")
        picture.say("name_2", "tens_b")
        picture.say("note", "ones_note", GREY)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from ones_keys(table)
        yield Key(BOTH, None, goes=HOME)


class JudgeWon(OfMatch):
    """Who wins with the numbers just entered."""

    name, word = "judge_won", "result_word"

    def items(self, table: "Table") -> "MenuItems":
        (first, second), scored = table.entry.numbers, int(table.scored)
        entered = first, second
        yield ruling("won_by_a", _A, entered, scored)
        yield ruling("won_by_b", _B, entered, scored)
        if table.tie:
            yield ruling("tied_by", _TIE, entered, scored)
        yield Item("back", goes="judge_result")


# whether an act is meant


class Sure(Visit):
    """Whether an act is meant: ● holds its key, ▲ goes back."""

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(HOLD_B, "sure_key_b", self.meant, table, goes=HOME)
        yield Key(PRESS_A, "back_key_a", goes="judge_menu")

    def meant(self, table: "Table") -> Item:
        """Return what is meant, to be done."""
        assert table.entry.asked is not None
        return table.entry.asked


class JudgeSure(Sure):
    """Whether an act of a menu is meant."""

    name = "judge_sure"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("sure_word")
        picture.say("over", "asked")
        picture.say("one", "name_a", GREY)
        picture.say("two", "name_b", GREY)
        picture.say("note", "sure_note")


class JudgeSureA(Sure):
    """Whether this seat is to lose a game."""

    name = "judge_sure_a"
    loss, player = "loss_a", "name_a"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("sure_word")
        picture.say("over", self.loss)
        picture.say("one", "asked")
        picture.say("three", self.player, GREY)
        picture.say("note", "sure_note")


class JudgeSureB(JudgeSureA):
    """The same of the other seat."""

    name = "judge_sure_b"
    loss, player = "loss_b", "name_b"


class JudgeApprove(Sure):
    """Whether a result is approved that both have confirmed."""

    name = "judge_approve"
    word = "approve_word"

    def stays(self, table: "Table") -> bool:
        return table.visit and table.wanted

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title(self.word)
        say_result(picture, table)
        picture.say("note", "sure_note")

    def meant(self, table: "Table") -> Item:
        return Item(None, ApproveResult)


class JudgeReopen(JudgeApprove):
    """Whether an agreed result is reopened."""

    name, word = "judge_reopen", "reopen_word"

    def stays(self, table: "Table") -> bool:
        return table.visit and table.ended

    def meant(self, table: "Table") -> Item:
        return Item(None, ReopenResult, _BY_JUDGE)


class JudgeUndo(Sure):
    """Whether the judge's last act is taken back."""

    name = "judge_undo"

    def stays(self, table: "Table") -> bool:
        return table.visit and not table.idle

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("undo_word")
        picture.say("over", "undo_1")
        picture.say("note", "sure_note")

    def meant(self, table: "Table") -> Item:
        return Item(None, TakeBack, _OWN_ACT, 0, 0)


SCREENS = (
    Judge, JudgeStill, Reason, Code, JudgeMenu, JudgeTime, JudgeLate, JudgeLoss, JudgeWhyA,
    JudgeWhyB, JudgeRoll, JudgeResult, JudgePoints, JudgeOnes, JudgeWon, JudgeSure, JudgeSureA,
    JudgeSureB, JudgeApprove, JudgeReopen, JudgeUndo,
)  # fmt: skip
