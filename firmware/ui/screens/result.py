"""Screens of the result: the menu that is one key away, what both must confirm, what is agreed."""

from firmware.core import intents, phases
from firmware.ui.colours import BLACK, DARK, GREEN, GREY, SKY, WHITE, YELLOW
from firmware.ui.gestures import BOTH, HOLD, PRESS, PRESS_A
from firmware.ui.hand import Recall
from firmware.ui.screen import BIT, HOME, SEAT, Item, Key, Menu, Picture, Screen, back, sides
from firmware.ui.screens.parts import outcomes, result_keys, say_awaited, say_result, scores
from firmware.ui.table import Table

# from the start of the round until there is a result
OPEN = (
    phases.PREGAME, phases.PLAYING, phases.FROZEN, phases.TIME, phases.OVERTIME, phases.FINISHING,
    phases.PLAY_ON, phases.TIEBREAKER, phases.RESOLVING,
)  # fmt: skip


class Result(Menu):
    """What the players may enter."""

    name, title = "result", "result_word"
    strip = SKY
    stays_in = OPEN

    def items(self, table):
        if table.several_games:
            yield Item("game_a", intents.WinGame, 0, goes=HOME)
            yield Item("game_b", intents.WinGame, 1, goes=HOME)
        if table.several_games and not table.over_three_games:
            for label, *result in scores(table):
                yield Item(label, intents.ClaimResult, *result, goes=HOME)
        if not table.several_games and not table.joint_turns:
            for label, outcome in outcomes(table, "won_a", "won_b", "tie"):
                games = int(outcome == 1), int(outcome == 2)
                yield Item(label, intents.ClaimResult, outcome, *games, goes=HOME)
        if table.joint_turns:
            yield Item("wiped_a", intents.WipeOut, 1, goes=HOME)
            yield Item("wiped_b", intents.WipeOut, 2, goes=HOME)
            yield Item("wiped_both", intents.WipeOut, 3, goes=HOME)
        if table.team and table.begun:
            yield Item("team_prize", goes="team_prize")
            yield Item("team_out", goes="team_out")
        if intents.LEVEL_GAME in table.match.rules.PLAYS:  # both can win a game at the same time
            yield Item("level", intents.LevelGame, goes=HOME)
        yield Item("concede", goes="concede")
        yield Item("undo", Recall, Recall.PRESSES, goes="undo")
        if table.can_roll or table.cannot_roll:
            yield Item("luck", goes="no_luck" if table.cannot_roll else "luck")
        if table.counted or table.countable:
            yield Item("count_off" if table.counted else "count_on", goes="count")
        yield Item("back", goes=HOME)


class ConcedeAsked(Screen):
    """Whoever concedes holds their key."""

    name, title = "concede", "concede_word"
    says = (
        ("over", "concede_ask"), ("one", "name_a"), ("two", "name_b"),
        ("note", "concede_note", GREY),
    )  # fmt: skip
    answers = sides(HOLD, "concede_key", intents.Concede, SEAT, goes=HOME)
    answers += sides(PRESS, "concede_key", goes=HOME)
    strip = DARK
    stays_in = OPEN


class Undo(Screen):
    """The last presses; both together take back the newest."""

    name, title = "undo", "undo_word"
    says = (
        ("over", "undo_1"), ("one", "undo_2", GREY), ("two", "undo_3", GREY),
        ("three", "undo_4", GREY), ("note", "undo_both"),
    )  # fmt: skip
    answers = sides(HOLD, "reopen_key", intents.TakeBack, BIT, 0, 0)
    answers += [Key(PRESS_A, "older_key", Recall, Recall.PRESSES, True)] + back(seats=2)
    strip = DARK
    stays_in = OPEN

    def draw(self, picture, table):
        say_awaited(picture, table)


class Resolving(Screen):
    """A judge decides, or the players enter a reopened result again."""

    name = "resolving"
    fill, text = WHITE, BLACK

    def draw(self, picture, table):
        if table.reopened:
            picture.say("big", "reopened_big")
            picture.say("two", "reopened_line")
            picture.say("three", "reopened_line_2")
            return
        picture.say("big", "judge_big")
        picture.say("two", "resolving_line")
        picture.say("three", "resolving_line_2")
        if table.match.elimination and not table.refused:
            picture.say("four", "goes_on")

    def keys(self, table):
        entered = (table.refused or table.reopened) and not table.joint_turns
        return result_keys(seats=3 if entered else 0)


class Ruled(Screen):
    """A judge's result, which each seat confirms with its own key, the loser first."""

    name, title = "ruled", "ruled_word"
    says = (("three", "confirm_l"), ("four", "confirm_hold"))
    strip = GREEN

    def draw(self, picture, table):
        say_result(picture, table)

    def keys(self, table):
        return sides(HOLD, "yes_key", intents.ConfirmResult, SEAT, seats=table.confirming)


class Proposed(Ruled):
    """Any other result, which may be refused."""

    name, title = "proposed", "proposed_word"

    def draw(self, picture, table):
        say_result(picture, table)
        if table.match.section:
            picture.say("two", "section", GREY)

    def keys(self, table):
        refuse = sides(PRESS, "yes_key", goes="refuse", seats=table.confirming)
        return super().keys(table) + refuse


class Refuse(Screen):
    """Whether a result is wrong; then a judge decides."""

    name, title = "refuse", "refuse_word"
    says = (("over", "proposal"), ("two", "refuse_ask"))
    strip = GREEN
    stays_in = (phases.PROPOSED,)

    def keys(self, table):
        seats = table.confirming
        yield from sides(HOLD, "refuse_key", intents.RefuseResult, SEAT, goes=HOME, seats=seats)
        yield from back("press_back")


class Agreed(Screen):
    """The match is over; both seats together may reopen it for a minute."""

    name, title = "agreed", "agreed_word"
    strip = DARK

    def draw(self, picture, table):
        say_result(picture, table)
        if table.match.section:
            picture.say("two", "section", GREY)
        if table.waiting:
            picture.say("three", "agreed_saved", YELLOW)
        else:
            picture.say("three", "agreed_sent")
        self.say_reopening(picture, table)

    def say_reopening(self, picture: Picture, table: Table) -> None:
        """Say that both may reopen it, or which seat still has to."""
        if table.requested_by:
            say_awaited(picture, table, "four")
        else:
            picture.say("note", "reopen_each", GREY)

    def keys(self, table):
        yield from sides(HOLD, "reopen_key", intents.ReopenResult, BIT)
        if table.three:
            yield Key(BOTH, None, intents.ReopenResult, 3)


class NotSent(Agreed):
    """The same where nothing can be sent: a code that staff can type at the desk."""

    name, title = "not_sent", "not_sent_word"
    says = (("over", "proposal"), ("score", "result_code", YELLOW), ("three", "code_ask"))
    foot = YELLOW

    def draw(self, picture, table):
        if table.several_games:
            picture.say("two", "games", GREY)
        self.say_reopening(picture, table)


_WAIT = (("big", "wait_big"), ("two", "wait_line"), ("three", "wait_line_2"), ("note", "proposal"))
ROWS = (Screen("waiting", "", *_WAIT, fill=WHITE, text=BLACK),)  # a judge must approve it
