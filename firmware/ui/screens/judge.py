"""Screens of a judge: the call, the one-time code, and what a judge does in one visit.

What an act does is seen on the table's own screen; calling the judge again leads back for more.
"""

from firmware.core import intents
from firmware.ui.colours import BLACK, GREY, WHITE
from firmware.ui.screen import (
    ACT,
    ANY,
    BOTH,
    HOLD,
    HOLD_A,
    HOLD_B,
    HOME,
    PRESS,
    PRESS_A,
    PRESS_B,
    PRESSES,
    SEAT,
    Item,
    Key,
    Leave,
    Menu,
    Recall,
    Screen,
    Verify,
    sides,
)
from firmware.ui.screens.counting import POINTS
from firmware.ui.screens.parts import TIE, outcomes, say_result, scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import MenuItems, Picture, ScreenKeys, Table

_BY_JUDGE, _OWN_ACT = 0, 4  # who takes back
_BOTH = 3  # who counts turns, as both seats
BACK = Item("back", goes="judge_menu")


# the call


class Judge(Screen):
    """A judge has been called, and a clock runs on."""

    name = "judge"
    fill, text = WHITE, BLACK
    digits, ink = "left", BLACK
    stays_in = ANY
    lasts = True
    line, why = "judge_wait", "judge_why"

    def stays(self, table: "Table") -> bool:
        return table.called and table.ticking

    def draw(self, picture: "Picture", table: "Table") -> None:
        if table.here:
            picture.say("word", "here_word")
            picture.say("under", "here_give")
        else:
            picture.say("word", "judge_word")
            picture.say("under", self.why if table.reasoned else self.line)

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

    name, title = "reason", "reason_word"
    lines = (
        Item("call_rules", intents.CallJudge, 1, goes=HOME),
        Item("call_deck", intents.CallJudge, 2, goes=HOME),
        Item("call_result", intents.CallJudge, 3, goes=HOME),
        Item("call_absent", intents.CallJudge, 4, goes=HOME),
        Item("call_help", intents.CallJudge, 5, goes=HOME),
        Item("code_item", goes="code"),
        Item("back", goes=HOME),
    )
    strip = WHITE
    stays_in = ANY
    stays_while = "called"


class Code(Screen):
    """A judge enters a one-time code."""

    name, title = "code", "code_word"
    says = (("big", "code_typed"), ("two", "code_line"), ("note", "code_note", GREY))
    strip = WHITE
    stays_in = ANY
    stays_while = "called"

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(PRESS_A, "code_up", table.entry.raise_digit)
        yield Key(PRESS_B, "code_next", table.entry.next_digit)
        yield Key(HOLD_A, "code_up", goes=HOME)
        yield Key(HOLD_B, "code_next", Verify, "judge_menu")


# a judge's visit


class VisitMenu(Menu):
    """A menu of a judge's visit; holding ▲ ends the visit."""

    strip = WHITE
    stays_in = ANY
    judged = True

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from super().keys(table)
        yield Key(HOLD_A, "back_key", Leave, goes=HOME)


class AskingMenu(VisitMenu):
    """A menu whose acts are asked once more whether they are meant, on the screen ``sure``."""

    sure = "judge_sure"

    def choose(self, table: "Table") -> Item:
        item = super().choose(table)
        if item.act is None:
            return item
        table.entry.asked = item
        return Item(None, goes=self.sure)


class JudgeMenu(VisitMenu):
    """What a judge may do."""

    name, title = "judge_menu", "menu_word"

    def keys(self, table: "Table") -> "ScreenKeys":
        return Menu.keys(self, table)

    def items(self, table: "Table") -> "MenuItems":
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
            yield Item("it_undo", Recall, ACT, 0, goes="judge_undo")
        if table.counted or table.countable:
            label = "count_end" if table.counted else "count_now"
            yield Item(label, intents.CountTurns, _BOTH, goes=HOME)
        if table.open:
            yield Item("it_past", Recall, PRESSES, 0, goes="undo")
        if table.called:
            yield Item("it_over", intents.EndCall, goes=HOME)
        yield Item("back", Leave, goes=HOME)


class JudgeTime(VisitMenu):
    """More or less time."""

    name, title = "judge_time", "extension_word"
    stays_while = "open"

    def draw(self, picture: "Picture", table: "Table") -> None:
        if table.match.extension_s:
            picture.title("time_given")

    def items(self, table: "Table") -> "MenuItems":
        now_s = table.match.extension_s
        for minutes in (1, 2, 3, 5, 10):
            yield Item("more_%d" % minutes, intents.Extend, 0, now_s + 60 * minutes, goes=HOME)
        if now_s:
            for minutes in (1, 5):
                left_s = max(0, now_s - 60 * minutes)
                yield Item("less_%d" % minutes, intents.Extend, 0, left_s, goes=HOME)
            yield Item("less_all", intents.Extend, 0, 0, goes=HOME)
        yield BACK


class JudgeLate(AskingMenu):
    """Who was late or away."""

    name, title = "judge_late", "late_word"
    lines = (
        Item("late_a", intents.StampLate, 1),
        Item("late_b", intents.StampLate, 2),
        Item("late_both", intents.StampLate, 3),
        Item("late_none", intents.StampLate, 0),
        BACK,
    )
    stays_while = "open"


class JudgeLoss(VisitMenu):
    """Who loses a game."""

    name, title = "judge_loss", "loss_word"
    lines = (Item("loss_a", goes="judge_why_a"), Item("loss_b", goes="judge_why_b"), BACK)
    stays_while = "open"


class JudgeWhyA(AskingMenu):
    """Why ▲ loses a game."""

    name, title = "judge_why_a", "loss_word_a"
    stays_while = "open"
    sure = "judge_sure_a"
    seat = 0

    def items(self, table: "Table") -> "MenuItems":
        for why in (1, 2, 3, 4):
            label = "why_2s" if why == 2 and table.match.cap else "why_%d" % why
            yield Item(label, intents.LoseGame, self.seat, why)
        yield Item("back", goes="judge_loss")


class JudgeWhyB(JudgeWhyA):
    """Why ● does."""

    name, title = "judge_why_b", "loss_word_b"
    sure = "judge_sure_b"
    seat = 1


class JudgeRoll(AskingMenu):
    """Whether a disputed roll counts."""

    name, title = "judge_roll", "roll_id"
    lines = (
        Item("roll_counts", intents.RuleRoll, 1),
        Item("roll_again", intents.RuleRoll, 0),
        BACK,
    )
    stays_while = "disputed"


# a ruling on the result


def ruling(label: str, outcome: int, first: int, second: int, points: int = 0) -> Item:
    """Return the line that rules a result with its games, or its ``points`` (1)."""
    return Item(label, intents.RuleResult, outcome, points, 1, first, second)


class JudgeResult(AskingMenu):
    """What the result is."""

    name, title = "judge_result", "result_word"
    stays_while = "matched"

    def items(self, table: "Table") -> "MenuItems":
        if table.match.cap:
            yield Item("it_points", goes="judge_points")
        if table.long:
            yield Item("it_games", goes="judge_points")
        if not table.many:
            for label, outcome in outcomes(table, "won_a", "won_b", "tie"):
                yield ruling(label, outcome, 0, 0)
        elif not table.long:
            for result in scores(table):
                yield ruling(*result)
        if table.many:
            for label, outcome in outcomes(table, "stands_a", "stands_b", "stands"):
                if outcome != TIE or table.long:
                    yield ruling(label, outcome, *table.match.score)
        yield BACK


class JudgePoints(Screen):
    """A ruling with its numbers: the points that each side destroyed, by tens first, or the games
    that each won.
    """

    name, title = "judge_points", "destroyed_word"
    says = POINTS + (("note", "tens_note", GREY),)
    strip, panel = WHITE, BLACK
    digits = "entry"
    enters = True
    stays_in = ANY
    stays_while = "matched"
    judged = True

    def draw(self, picture: "Picture", table: "Table") -> None:
        if not table.match.cap:
            picture.title("games_word")
            picture.say("name_1", "games_a")
            picture.say("name_2", "games_b")
            picture.say("note", "ones_note", GREY)

    def keys(self, table: "Table") -> "ScreenKeys":
        if table.match.cap:
            yield from sides(PRESS, "tens_key", table.entry.add_ten, SEAT)
            yield from sides(HOLD, "tens_key", goes="judge_ones")
        else:
            yield from ones_keys(table)
        yield Key(BOTH, None, goes=HOME)


def ones_keys(table: "Table") -> "ScreenKeys":
    """Yield how single points or games are entered, and the way on."""
    yield from sides(PRESS, "ones_key", table.entry.add_one, SEAT)
    yield from sides(HOLD, "ones_key", goes="judge_won")


class JudgeOnes(JudgePoints):
    """Then by single points."""

    name = "judge_ones"
    says = POINTS + (("note", "ones_note", GREY),)
    digits = None
    enters = False

    def draw(self, picture: "Picture", table: "Table") -> None:
        pass

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from ones_keys(table)
        yield Key(BOTH, None, goes=HOME)


class JudgeWon(AskingMenu):
    """Who wins with the numbers just entered."""

    name, title = "judge_won", "result_word"
    stays_while = "matched"

    def items(self, table: "Table") -> "MenuItems":
        first, second = table.entry.numbers
        for label, outcome in outcomes(table, "won_by_a", "won_by_b", "tied_by"):
            yield ruling(label, outcome, first, second, int(bool(table.match.cap)))
        yield Item("back", goes="judge_result")


# whether an act is meant


class JudgeSure(Screen):
    """Whether an act of a menu is meant: ● holds its key, ▲ goes back."""

    name, title = "judge_sure", "sure_word"
    says = (
        ("over", "asked"), ("one", "name_a", GREY), ("two", "name_b", GREY), ("note", "sure_note"),
    )  # fmt: skip
    strip = WHITE
    stays_in = ANY
    judged = True

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(HOLD_B, "sure_key_b", self.meant, table, goes=HOME)
        yield Key(PRESS_A, "back_key_a", goes="judge_menu")

    def meant(self, table: "Table") -> Item:
        """Return what is meant, to be done."""
        assert table.entry.asked is not None
        return table.entry.asked


class JudgeSureA(JudgeSure):
    """Whether ▲ is to lose a game."""

    name = "judge_sure_a"
    says = (
        ("over", "loss_a"), ("one", "asked"), ("three", "name_a", GREY), ("note", "sure_note"),
    )  # fmt: skip


class JudgeSureB(JudgeSure):
    """Whether ● is."""

    name = "judge_sure_b"
    says = (
        ("over", "loss_b"), ("one", "asked"), ("three", "name_b", GREY), ("note", "sure_note"),
    )  # fmt: skip


class JudgeApprove(JudgeSure):
    """Whether a result is approved that both have confirmed."""

    name, title = "judge_approve", "approve_word"
    says = (("note", "sure_note"),)
    stays_while = "wanted"

    def draw(self, picture: "Picture", table: "Table") -> None:
        say_result(picture, table)

    def meant(self, table: "Table") -> Item:
        return Item(None, intents.ApproveResult)


class JudgeReopen(JudgeApprove):
    """Whether an agreed result is reopened."""

    name, title = "judge_reopen", "reopen_word"
    stays_while = "ended"

    def meant(self, table: "Table") -> Item:
        return Item(None, intents.ReopenResult, _BY_JUDGE)


class JudgeUndo(JudgeSure):
    """Whether the judge's last act is taken back."""

    name, title = "judge_undo", "undo_word"
    says = (("over", "undo_1"), ("note", "sure_note"))
    stays_while = "matched"

    def meant(self, table: "Table") -> Item:
        return Item(None, intents.TakeBack, _OWN_ACT, 0, 0)
