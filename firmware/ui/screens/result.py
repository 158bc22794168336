"""Screens of the result: the menu that is one key away, what both must confirm, what is agreed."""

from firmware.core import phases
from firmware.core.intents import (
    ClaimResult,
    Concede,
    ConfirmResult,
    LevelGame,
    RefuseResult,
    ReopenResult,
    TakeBack,
    WinGame,
    WipeOut,
)
from firmware.ui.colours import BLACK, DARK, GREEN, GREY, SKY, WHITE, YELLOW
from firmware.ui.screen import (
    BOTH,
    HOLD_A,
    HOLD_B,
    HOME,
    PRESS_A,
    PRESS_B,
    PRESSES,
    Item,
    Key,
    Menu,
    Recall,
    Screen,
)
from firmware.ui.screens.playing import say_half

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import MenuItems, Picture, ScreenKeys, Table

# from the start of the round until there is a result
OPEN = (
    phases.PREGAME, phases.PLAYING, phases.FROZEN, phases.TIME, phases.OVERTIME, phases.FINISHING,
    phases.PLAY_ON, phases.TIEBREAKER, phases.RESOLVING,
)  # fmt: skip
_A, _B, _TIE = 1, 2, 3  # outcomes


def say_result(picture: "Picture", table: "Table") -> None:
    """Say the proposed result, and the games won."""
    picture.say("over", "proposal")
    if table.many:
        picture.say("score", "proposal_games")


class Result(Menu):
    """What the players may enter."""

    name = "result"
    strip = SKY
    stays_in = OPEN

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("result_word")

    def items(self, table: "Table") -> "MenuItems":
        if table.many:
            yield Item("game_a", WinGame, 0, goes=HOME)
            yield Item("game_b", WinGame, 1, goes=HOME)
            if not table.long:
                yield from self.scores(table)
        elif not table.shared:
            yield Item("won_a", ClaimResult, _A, 1, 0, goes=HOME)
            yield Item("won_b", ClaimResult, _B, 0, 1, goes=HOME)
            if table.tie:
                yield Item("tie", ClaimResult, _TIE, 0, 0, goes=HOME)
        if table.shared:
            yield Item("wiped_a", WipeOut, 1, goes=HOME)
            yield Item("wiped_b", WipeOut, 2, goes=HOME)
            yield Item("wiped_both", WipeOut, 3, goes=HOME)
        if table.team and table.begun:
            yield Item("team_prize", goes="team_prize")
            yield Item("team_out", goes="team_out")
        if table.levels:
            yield Item("level", LevelGame, goes=HOME)
        yield Item("concede", goes="concede")
        yield Item("undo", Recall, PRESSES, 0, goes="undo")
        if table.lucky:
            yield Item("luck", goes="luck")
        if table.ill:
            yield Item("luck", goes="no_luck")
        if table.counted:
            yield Item("count_off", goes="count")
        elif table.begun and table.ticking and not table.shared and not table.team:
            yield Item("count_on", goes="count")
        yield Item("back", goes=HOME)

    def scores(self, table: "Table") -> "MenuItems":
        """Yield the results of a match of two or three games."""
        yield Item("s20", ClaimResult, _A, 2, 0, goes=HOME)
        if not table.pair:
            yield Item("s21", ClaimResult, _A, 2, 1, goes=HOME)
            yield Item("s12", ClaimResult, _B, 1, 2, goes=HOME)
        yield Item("s02", ClaimResult, _B, 0, 2, goes=HOME)
        if table.tie:
            yield Item("s11", ClaimResult, _TIE, 1, 1, goes=HOME)
        yield Item("s10", ClaimResult, _A, 1, 0, goes=HOME)
        yield Item("s01", ClaimResult, _B, 0, 1, goes=HOME)
        if table.tie:
            yield Item("s00", ClaimResult, _TIE, 0, 0, goes=HOME)


class ConcedeAsked(Screen):
    """Who concedes holds their key."""

    name = "concede"
    strip = DARK
    stays_in = OPEN

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("concede_word")
        picture.say("over", "concede_ask")
        picture.say("one", "name_a")
        picture.say("two", "name_b")
        picture.say("note", "concede_note", GREY)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(HOLD_A, "concede_key", Concede, 0, goes=HOME)
        yield Key(HOLD_B, "concede_key_b", Concede, 1, goes=HOME)
        yield Key(PRESS_A, "concede_key", goes=HOME)
        yield Key(PRESS_B, "concede_key_b", goes=HOME)


class Undo(Screen):
    """The last presses; both together take back the newest."""

    name = "undo"
    strip = DARK
    stays_in = OPEN

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("undo_word")
        picture.say("over", "undo_1")
        picture.say("one", "undo_2", GREY)
        picture.say("two", "undo_3", GREY)
        picture.say("three", "undo_4", GREY)
        say_half(picture, table)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(HOLD_A, "reopen_key", TakeBack, 1, 0, 0)
        yield Key(HOLD_B, "reopen_key_b", TakeBack, 2, 0, 0)
        yield Key(PRESS_A, "older_key", Recall, PRESSES, 1)
        yield Key(PRESS_B, "back_key", goes=HOME)


class Resolving(Screen):
    """A judge decides, or the players enter a reopened result again."""

    name = "resolving"
    fill = WHITE

    def draw(self, picture: "Picture", table: "Table") -> None:
        if table.reopened:
            picture.say("big", "reopened_big", BLACK)
            picture.say("two", "reopened_line", BLACK)
            picture.say("three", "reopened_line_2", BLACK)
        else:
            picture.say("big", "judge_big", BLACK)
            picture.say("two", "resolving_line", BLACK)
            picture.say("three", "resolving_line_2", BLACK)
            if not table.tie and not table.refused:
                picture.say("four", "goes_on", BLACK)

    def keys(self, table: "Table") -> "ScreenKeys":
        if (table.refused or table.reopened) and not table.shared:
            yield Key(PRESS_A, "result_key", goes="result")
            yield Key(PRESS_B, "result_key_b", goes="result")


class Proposed(Screen):
    """A result that each seat confirms with its own key, the loser first."""

    name = "proposed"
    strip = GREEN

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("proposed_word")
        say_result(picture, table)
        if table.sectioned:
            picture.say("two", "section", GREY)
        picture.say("three", "confirm_l")
        picture.say("four", "confirm_hold")

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from self.yes_keys(table)
        if table.asked_a:
            yield Key(PRESS_A, "yes_key", goes="refuse")
        if table.asked_b:
            yield Key(PRESS_B, "yes_key_b", goes="refuse")

    def yes_keys(self, table: "Table") -> "ScreenKeys":
        """Yield how who is asked confirms."""
        if table.asked_a:
            yield Key(HOLD_A, "yes_key", ConfirmResult, 0)
        if table.asked_b:
            yield Key(HOLD_B, "yes_key_b", ConfirmResult, 1)


class Ruled(Proposed):
    """A judge's result: nobody refuses it."""

    name = "ruled"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("ruled_word")
        say_result(picture, table)
        picture.say("three", "confirm_l")
        picture.say("four", "confirm_hold")

    def keys(self, table: "Table") -> "ScreenKeys":
        return self.yes_keys(table)


class Refuse(Screen):
    """Whether a result is wrong; then a judge decides."""

    name = "refuse"
    strip = GREEN
    stays_in = (phases.PROPOSED,)

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("refuse_word")
        picture.say("over", "proposal")
        picture.say("two", "refuse_ask")

    def keys(self, table: "Table") -> "ScreenKeys":
        if table.asked_a:
            yield Key(HOLD_A, "refuse_key", RefuseResult, 0, goes=HOME)
        if table.asked_b:
            yield Key(HOLD_B, "refuse_key_b", RefuseResult, 1, goes=HOME)
        yield Key(PRESS_A, "press_back", goes=HOME)
        yield Key(PRESS_B, "press_back", goes=HOME)


class Waiting(Screen):
    """Both have confirmed, and a judge must approve it."""

    name = "waiting"
    fill = WHITE

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.say("big", "wait_big", BLACK)
        picture.say("two", "wait_line", BLACK)
        picture.say("three", "wait_line_2", BLACK)
        picture.say("note", "proposal", BLACK)


class Agreed(Screen):
    """The match is over; both seats together may reopen it for a minute."""

    name = "agreed"
    strip = DARK

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("agreed_word")
        say_result(picture, table)
        if table.sectioned:
            picture.say("two", "section", GREY)
        if table.waiting:
            picture.say("three", "agreed_saved", YELLOW)
        else:
            picture.say("three", "agreed_sent")
        self.say_reopening(picture, table)

    def say_reopening(self, picture: "Picture", table: "Table") -> None:
        """Say that both may reopen it, or which seat still has to."""
        if table.half_a:
            picture.say("four", "half_a", YELLOW)
        elif table.half_b:
            picture.say("four", "half_b", YELLOW)
        else:
            picture.say("note", "reopen_each", GREY)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(HOLD_A, "reopen_key", ReopenResult, 1)
        yield Key(HOLD_B, "reopen_key_b", ReopenResult, 2)
        if table.three:
            yield Key(BOTH, None, ReopenResult, 3)


class NotSent(Agreed):
    """The same where nothing can be sent: a code that staff can type at the desk."""

    name = "not_sent"
    foot = YELLOW

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("not_sent_word")
        picture.say("over", "proposal")
        picture.say("score", "result_code", YELLOW)
        if table.many:
            picture.say("two", "games", GREY)
        picture.say("three", "code_ask")
        self.say_reopening(picture, table)


SCREENS = (
    Result, ConcedeAsked, Undo, Resolving, Proposed, Ruled, Refuse, Waiting, Agreed, NotSent,
)  # fmt: skip
