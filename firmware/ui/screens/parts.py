"""Parts of screens: texts and keys that several families share."""

from firmware.core.intents import AgreeRoll, CallJudge, ConfirmSeat, EndTurn, SetStarter, StartTurn
from firmware.ui.colours import YELLOW
from firmware.ui.screen import HOLD, PRESS, PRESS_A, PRESS_B, SEAT, Key, sides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from firmware.ui.types import Picture, ScreenKeys, Table

A, B, TIE = 1, 2, 3  # outcomes
_RULES = 1  # of CALL_JUDGE: a question about the rules


# the seats


def here_keys(table: "Table", gesture: int = HOLD, seat: object = SEAT) -> "ScreenKeys":
    """Yield how each seat says that it is taken."""
    return sides(gesture, "here_key", ConfirmSeat, seat, seats=3 & ~table.match.present)


def check_keys(table: "Table", act: "Callable[..., object]", *told: object) -> "ScreenKeys":
    """Yield how the other seat says that what one has ``told`` is right, or not."""
    yield from sides(PRESS, "right_key", act, *told, seats=table.checking)
    yield from sides(HOLD, "right_key", CallJudge, _RULES, seats=table.checking)


def say_half(picture: "Picture", table: "Table", place: str = "note") -> None:
    """Say which seat still has to ask for what the other has."""
    if table.half:
        picture.say(place, "half_a" if table.half & 1 else "half_b", YELLOW)


# a running game


def result_keys(gesture: int = PRESS, seats: int = 3) -> "ScreenKeys":
    """Yield the way to the result."""
    return sides(gesture, "result_key", goes="result", seats=seats)


def starter_keys(table: "Table") -> "ScreenKeys":
    """Yield how it is said who starts, while nobody has."""
    return sides(PRESS, "starter_key", SetStarter, SEAT, seats=0 if table.begun else 3)


def counted_keys(table: "Table") -> "ScreenKeys":
    """Yield the keys of turns that are counted before time: whose turn it is ends it, the other key
    opens the result.
    """
    if table.counted:
        yield from sides(PRESS, "end_key", EndTurn, seats=table.on_turn)
        if not table.on_turn:
            yield from sides(PRESS, "mine_key", StartTurn, SEAT)
        yield from result_keys(HOLD)


def clock_keys(table: "Table") -> "ScreenKeys":
    """Yield the keys of a running clock: the result is one key away, or who starts is said first.

    In X-Wing ▲ begins and ends a game round.
    """
    if table.shared and not table.hidden:
        if table.match.turning:
            yield Key(PRESS_A, "round_end", EndTurn)
        else:
            yield Key(PRESS_A, "round_key", StartTurn, 0)
        yield Key(PRESS_B, "result_key_b", goes="result")
        return
    yield from counted_keys(table)
    yield from starter_keys(table)
    yield from result_keys(PRESS if table.begun else HOLD)


# results


def outcomes(table: "Table", *labels: str) -> "Iterable[tuple[str, int]]":
    """Yield the labels of A, B and, where the round may end so, TIE."""
    return zip(labels, (A, B) if table.match.elimination else (A, B, TIE))


def scores(table: "Table") -> "Iterable[tuple[str, int, int, int]]":
    """Yield label, outcome and games of each result of a match of two or three games."""
    for label, outcome, first, second in (
        ("s20", A, 2, 0), ("s21", A, 2, 1), ("s12", B, 1, 2), ("s02", B, 0, 2),
        ("s11", TIE, 1, 1), ("s10", A, 1, 0), ("s01", B, 0, 1), ("s00", TIE, 0, 0),
    ):  # fmt: skip
        ties = outcome == TIE and table.match.elimination
        if not ties and not (table.pair and first + second == 3):
            yield label, outcome, first, second


def say_result(picture: "Picture", table: "Table") -> None:
    """Say the proposed result, and the games won."""
    picture.say("over", "proposal")
    if table.many:
        picture.say("score", "proposal_games")


# a roll that is not settled, beside what a phase shows


def say_fallen(picture: "Picture", table: "Table") -> None:
    """Say what fell, and how to agree or not."""
    fallen = table.fallen
    if not fallen:
        return
    picture.say("left", fallen)
    if table.disputed:
        picture.say("right", "roll_judge", YELLOW)
    elif fallen == "flips_heads":
        picture.say("right", "flips_each", YELLOW)
    elif fallen == "streak_heads":
        picture.say("right", "streak_tails")
    elif fallen == "die_face" and table.tested:
        picture.say("right", "no_die_note", YELLOW)
    else:
        picture.say("right", "roll_wrong")


def say_roll(picture: "Picture", table: "Table") -> None:
    """Say also the roll's number and commitment, or what is more urgent."""
    if not table.rolled:
        return
    if table.setting:
        picture.title("set_up_word")
    elif table.uncertain:
        picture.title("at_most_word")
    elif table.calls:  # who calls a flip (D03 App. B 3)
        picture.title("roll_calls")
        picture.tag("roll_id")
    else:
        picture.title("last_word" if table.warn and table.last else "roll_id")
    say_fallen(picture, table)


def roll_keys(table: "Table", question: str) -> "ScreenKeys":
    """Yield how to agree to a roll, and the way to the ``question`` whether it is agreed.

    The question is asked beside the screen's own clock. Keys that end a turn go before these.
    """
    if table.agreeing:
        yield from sides(PRESS, "agree_key", goes=question, alike=True)
        yield from sides(HOLD, "agree_key", AgreeRoll, SEAT, alike=True)
