"""A roll that is not settled, as a part of a phase's own screen."""

from firmware.core.intents import AgreeRoll
from firmware.ui.colours import YELLOW
from firmware.ui.screen import HOLD_A, HOLD_B, PRESS_A, PRESS_B, Key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Picture, ScreenKeys, Table


def say_title(picture: "Picture", table: "Table") -> None:
    """Say the roll's number and commitment, or what is more urgent."""
    if not table.rolled:
        return
    if table.setting:
        picture.title("set_up_word")
    elif table.uncertain:
        picture.title("at_most_word")
    elif table.calls:
        say_call(picture, table)
    else:
        picture.title("roll_id")


def say_call(picture: "Picture", table: "Table") -> None:
    """Say who calls a flip (D03 App. B 3), and at the side the roll's number and commitment."""
    picture.title("roll_calls")
    if not (table.called or table.unsynced or table.low):
        picture.say("tag_right", "roll_id", patched=True)


def say_coin(picture: "Picture", table: "Table") -> None:
    """Say how a coin fell; where X-Wing is played heads is the first seat's, tails the second's."""
    if table.heads_up:
        picture.say("left", "heads_a" if table.shared else "heads")
    if table.tails_up:
        picture.say("left", "tails_b" if table.shared else "tails")


def say_fallen(picture: "Picture", table: "Table") -> None:
    """Say what fell of a die, or of several coins."""
    if table.rolled_die:
        picture.say("left", "die_face")
    if table.many_flips:
        picture.say("left", "flips_heads")
    if table.streak:
        picture.say("left", "streak_heads")


def say_roll(picture: "Picture", table: "Table") -> None:
    """Say what fell, and how to agree or not."""
    if not table.rolled:
        return
    say_fallen(picture, table)
    say_coin(picture, table)
    if table.disputed:
        picture.say("right", "roll_judge", YELLOW)
    elif table.many_flips:
        picture.say("right", "flips_each", YELLOW)
    elif table.streak:
        picture.say("right", "streak_tails")
    elif table.rolled_die and table.tested:
        picture.say("right", "no_die_note", YELLOW)
    else:
        picture.say("right", "roll_wrong")


def roll_keys(table: "Table", question: str) -> "ScreenKeys":
    """Yield how to agree to a roll, and the way to the ``question`` whether it is agreed.

    The question is asked beside the screen's own clock. Keys that end a turn go before these.
    """
    if table.rolled and not table.disputed:
        yield Key(PRESS_A, "agree_key", goes=question)
        yield Key(PRESS_B, "agree_key", goes=question)
        yield Key(HOLD_A, "agree_key", AgreeRoll, 0)
        yield Key(HOLD_B, "agree_key", AgreeRoll, 1)
