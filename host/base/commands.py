"""Every intent in words: in a terminal, on pages, in the logs, and in ``dev rules --explain``.

The rows stand in the order in which an act of several orders is named: by the first of them that
has a ``title``.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from firmware.core import events, intents
from firmware.core.events import Event
from firmware.core.intents import Intent


class Command(NamedTuple):
    """What is said of an intent: ``asked`` in a terminal, ``what.WORD`` on pages ("" there: other).

    ``meaning`` is for --explain: an intent without one is always legal, and not listed. ``title``
    is its line in the desk log; without one it is part of an act with another line, or the host's
    own. ``incident`` is its word in the incident log ("": it is none there), ``becomes`` are the
    events it becomes at the table. Intents that share a number have a row each: the first whose
    ``when`` holds of the intent, or of its event, tells them apart; None always holds.
    """

    kind: int
    asked: str = ""
    word: str = ""
    meaning: str = ""
    title: str = ""
    incident: str = ""
    becomes: tuple[int, ...] = ()
    when: Callable[[Any], bool] | None = None


COMMANDS = (
    Command(intents.SET_ROUND, "set the round", "round", "the desk gives the table its pairing",
            "round published"),
    Command(intents.SET_START, "set the start", "start", "the desk sets the round's start",
            "start of the round set"),
    Command(intents.CLEAR_ROUND, "clear the round", "clear", "the desk clears the table",
            "round cleared from the boards"),
    Command(intents.SAY, "say", "say", title="message to the boards"),
    Command(intents.SET_DRAFT, "conduct the draft", "draft", title="draft at a board"),
    Command(intents.JOIN_EVENT, "join the event", "join",
            title="this PC's time given to boards anew"),
    Command(intents.FREEZE, "freeze", "freeze", "a judge stops the clock",
            "clock stopped", "freeze", (events.FROZEN,)),
    Command(intents.RESUME, "resume", "resume", "a judge resumes the clock",
            "clock resumed", "resume", (events.RESUMED,)),
    Command(intents.EXTEND, "extend", "extend", "a judge extends the time",
            "extra time", "extension", (events.EXTENDED,)),
    Command(intents.STAMP_LATE, "mark late", "late", "a judge marks a player as late or away",
            "late or away", "late", (events.STAMPED_LATE,)),
    Command(intents.RULE_RESULT, "rule the result", "rule", "a judge rules the result",
            "result ruled", "ruling", (events.RESULT_RULED,)),
    Command(intents.LOSE_GAME, "give a game loss", "loss", "a judge gives a game loss",
            "game loss", "game_loss", (events.GAME_WON, events.CONCEDED)),
    Command(intents.REOPEN_RESULT, "reopen the result", "reopen", "the result is reopened",
            "result reopened", "reopened", (events.RESULT_REOPENED,)),
    Command(intents.APPROVE_RESULT, "approve the result", "approve", "a judge approves the result",
            "result approved", "approved", (events.MATCH_ENDED,)),
    Command(intents.RULE_ROLL, "rule the roll", "roll", "a judge rules on a roll",
            "disputed roll ruled", "roll", (events.ROLL_RULED,)),
    Command(intents.ADJUST_PRIZES, "adjust the prizes", "prizes", "a judge adjusts the prizes",
            "prize penalty", "prizes", (events.PRIZES_ADJUSTED,)),
    Command(intents.TAKE_BACK, "take back", "take_back", "a key press is taken back",
            "key press taken back", "taken_back", (events.TAKEN_BACK,)),
    Command(intents.ARRIVE, "arrive", "arrive", title="judge at the table"),
    Command(intents.END_CALL, "end the call", "end_call", title="call ended"),
    Command(intents.SET_POLICY, "set the switches", "policy",
            title="sound, rolls and counted turns"),
    # always a part of an act with another line
    Command(intents.SET_FORMAT, "set the format", "format", "the desk sets the format"),
    Command(intents.SET_SQUADS, "set the squads", "squads", "the desk tells the squads' totals"),
    Command(intents.SET_SCORE, "set the score", "score",
            "the desk tells a board that takes over the score"),
    Command(intents.SET_NONCE, "give the nonce"),
    # asked by the seats
    Command(intents.CONFIRM_SEAT, meaning="a player takes a seat"),
    Command(intents.SET_STARTER, meaning="the next game's starter is determined"),
    Command(intents.START_TURN, meaning="a turn starts"),
    Command(intents.END_TURN, meaning="a turn ends"),
    Command(intents.WIN_GAME, meaning="a game is won"),
    Command(intents.LEVEL_GAME, meaning="both complete a win condition at once"),
    Command(intents.COUNT_PRIZES, meaning="prizes are counted"),
    Command(intents.COUNT_DESTROYED, meaning="destroyed points are counted"),
    Command(intents.WIPE_OUT, meaning="a side has lost all its ships"),
    Command(intents.CONCEDE, meaning="a player concedes"),
    Command(intents.SEE_EXTENSION, meaning="a player has seen the extension"),
    Command(intents.TELL_STATE,
            meaning="the players tell the score and whether a game has started"),
    Command(intents.TELL_TURN, meaning="the players tell whose turn it is"),
    Command(intents.CLAIM_RESULT, meaning="the players enter the result"),
    Command(intents.CONFIRM_RESULT, meaning="a seat confirms the result"),
    Command(intents.REFUSE_RESULT, meaning="a seat refuses the result"),
    Command(intents.CALL_JUDGE),
    Command(intents.CONSENT),
    Command(intents.ROLL),
    Command(intents.AGREE_ROLL),
    Command(intents.DISPUTE_ROLL),
    Command(intents.COUNT_TURNS, meaning="turns are counted before time, too, or no longer"),
    Command(intents.PLACE_OBSTACLE, meaning="a seat places an obstacle"),
    Command(intents.TAKE_PRIZE, meaning="a team takes a prize"),
)  # fmt: skip


class Asked(Protocol):
    """An order, as far as its row depends on it."""

    @property
    def kind(self) -> int:
        """Its intent's number."""
        ...

    @property
    def intent(self) -> Intent:
        """What it asks."""
        ...


def of(order: Asked) -> Command | None:
    """Return an order's row, None where it has none."""
    for one in COMMANDS:
        if one.kind == order.kind and (one.when is None or one.when(order.intent)):
            return one
    return None


def behind(event: Event) -> Command | None:
    """Return the row of the incident that an event of a table is, None where it is none."""
    made = (one for one in COMMANDS if event.kind in one.becomes)
    return next((one for one in made if one.when is None or one.when(event)), None)
