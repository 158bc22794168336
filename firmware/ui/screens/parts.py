"""Parts of screens: texts and keys that several families share."""

from firmware.core import events, intents
from firmware.core.intents import AgreeRoll, CallJudge, ConfirmSeat, EndTurn, SetStarter, StartTurn
from firmware.ui.colours import YELLOW
from firmware.ui.gestures import HOLD, PRESS, PRESS_A, PRESS_B
from firmware.ui.screen import BIT, SEAT, Key, Picture, sides
from firmware.ui.table import Table

A, B, TIE = 1, 2, 3  # outcomes
_RULES = 1  # of CALL_JUDGE: a question about the rules
WARNS = {"strip": YELLOW, "foot": YELLOW, "ink": YELLOW}  # in the last five minutes
HIDDEN = (("big", "hidden_big"), ("two", "hidden_line"))  # the players see no clock


def here_keys(table: Table, gesture: int = HOLD, seat: object = SEAT) -> list[Key]:
    """Return how each seat says that it is taken."""
    return sides(gesture, "here_key", ConfirmSeat, seat, seats=3 & ~table.match.present)


def say_awaited(picture: Picture, table: Table, place: str = "note") -> None:
    """Say which seat still has to ask for what the other has."""
    if table.requested_by:
        picture.say(place, "half_a" if table.requested_by & 1 else "half_b", YELLOW)


def check_keys(table: Table) -> list[Key]:
    """Return how the other seat says that what one has entered is right, or not."""
    given = table.match.pending_answer
    if isinstance(given, events.StateTold):
        right = (intents.TellState, given.started, BIT, given.first, given.second)
    elif isinstance(given, events.TurnTold):
        right = (intents.TellTurn, given.seat, BIT, given.turning)
    elif isinstance(given, events.PrizesCounted):
        right = (intents.CountPrizes, BIT, given.first, given.second)
    elif isinstance(given, events.DestroyedCounted):
        right = (intents.CountDestroyed, BIT, given.first, given.second)
    else:  # it is answered, and another screen is about to follow
        return []
    found = sides(PRESS, "right_key", *right, seats=table.checking)
    return found + sides(HOLD, "right_key", CallJudge, _RULES, seats=table.checking)


def result_keys(gesture: int = PRESS, seats: int = 3) -> list[Key]:
    """Return the way to the result."""
    return sides(gesture, "result_key", goes="result", seats=seats)


def starter_keys(table: Table) -> list[Key]:
    """Return how it is said who starts, while nobody has."""
    return sides(PRESS, "starter_key", SetStarter, SEAT, seats=0 if table.begun else 3)


def counted_keys(table: Table) -> list[Key]:
    """Return the keys of counted turns: to end or to begin one; holding opens the result."""
    if not table.counted:
        return []
    if table.on_turn:
        found = sides(PRESS, "end_key", EndTurn, seats=table.on_turn)
    else:
        found = sides(PRESS, "mine_key", StartTurn, SEAT)
    return found + result_keys(HOLD)


def clock_keys(table: Table) -> list[Key]:
    """Return the keys of a running clock: the result is one key away, or who starts is said first.
    In X-Wing ▲ begins and ends a game round.
    """
    if table.joint_turns and not table.hidden:
        round_key = Key(PRESS_A, "round_key", StartTurn, 0)
        if table.match.turning:
            round_key = Key(PRESS_A, "round_end", EndTurn)
        return [round_key, Key(PRESS_B, "result_key_b", goes="result")]
    way = result_keys(PRESS if table.begun else HOLD)
    return counted_keys(table) + starter_keys(table) + way


def outcomes(table: Table, *labels: str) -> list[tuple[str, int]]:
    """Return the labels of A, B and, where the round may end so, TIE."""
    return list(zip(labels, (A, B) if table.match.elimination else (A, B, TIE)))


def scores(table: Table) -> list[tuple[str, int, int, int]]:
    """Return label, outcome and games of each result of a match of two or three games."""
    found = [
        ("s20", A, 2, 0), ("s21", A, 2, 1), ("s12", B, 1, 2), ("s02", B, 0, 2),
        ("s11", TIE, 1, 1), ("s10", A, 1, 0), ("s01", B, 0, 1), ("s00", TIE, 0, 0),
    ]  # fmt: skip
    if table.match.elimination:
        found = [(label, who, a, b) for label, who, a, b in found if who != TIE]
    most_games = 2 if table.two_games else 3
    return [(label, who, a, b) for label, who, a, b in found if a + b <= most_games]


def say_result(picture: Picture, table: Table) -> None:
    """Say the proposed result, and the games won."""
    picture.say("over", "proposal")
    if table.several_games:
        picture.say("score", "proposal_games")


def say_faces(picture: Picture, table: Table, judge: bool = False) -> None:
    """Say what a roll shows, and how to agree or not; ``judge``: that a judge rules otherwise."""
    text = table.roll_text
    if not text:
        return
    picture.say("left", text)
    asks = not table.disputed
    if asks and text == "flips_heads":
        picture.say("right", "flips_each", YELLOW)
    elif asks and text == "streak_heads":
        picture.say("right", "streak_tails")
    elif judge or not asks:
        picture.say("right", "roll_judge", YELLOW)
    elif text == "die_face" and table.tested:
        picture.say("right", "no_die_note", YELLOW)
    else:
        picture.say("right", "roll_wrong")


def say_roll(picture: Picture, table: Table) -> None:
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
    say_faces(picture, table)


def roll_keys(table: Table, question: str) -> list[Key]:
    """Return the keys for a roll: a hold agrees, a press opens the screen ``question`` (with the
    same clock), which asks for agreement. Keys that end a turn go before these.
    """
    if not table.agreeing:
        return []
    found = sides(PRESS, "agree_key", goes=question, alike=True)
    return found + sides(HOLD, "agree_key", AgreeRoll, SEAT, alike=True)
