"""Every intent in words: in a terminal, on pages, in the logs, and in ``dev rules --explain``.

The rows stand in the order in which an act of several orders is named: by the first of them that
has a ``title``.
"""

from typing import NamedTuple

from firmware.core import events, intents


class Command(NamedTuple):
    """What is said of an intent: ``asked`` in a terminal, ``what.WORD`` on pages ("" there: other).

    What pages say is in their texts only where it is not the ``title`` (``host/web/texts.py``).
    ``meaning`` is for --explain: an intent without one is always legal, and not listed. ``title``
    is its line in the desk log; without one it is part of an act with another line, or the host's
    own. ``incident`` is its word in the incident log ("": it is none there), ``becomes`` are the
    events it becomes at the table, ``at_board`` what a board says of each: its text ``acted_KIND``.
    ``button`` makes an act of a judge that only orders it: what its button and help say; a typed
    line may add a reason. "" where its act asks for more (``host/desk/acts``).
    """

    kind: int
    asked: str = ""
    word: str = ""
    meaning: str = ""
    title: str = ""
    incident: str = ""
    becomes: tuple[int, ...] = ()
    at_board: str = ""
    button: str = ""


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
            title="this PC's time given to boards again"),
    Command(intents.FREEZE, "freeze", "freeze", "a judge stops the clock",
            "clock stopped", "freeze", (events.FROZEN,), "Clock stopped"),
    Command(intents.RESUME, "resume", "resume", "a judge resumes the clock",
            "clock resumed", "resume", (events.RESUMED,), "Clock resumed"),
    Command(intents.EXTEND, "extend", "extend", "a judge extends the time",
            "extra time", "extension", (events.EXTENDED,), "Added time"),
    Command(intents.STAMP_LATE, "mark late", "late", "a judge marks a player as late or away",
            "late or away", "late", (events.STAMPED_LATE,), "Late or away"),
    Command(intents.RULE_RESULT, "rule the result", "rule", "a judge rules the result",
            "result ruled", "ruling", (events.RESULT_RULED,), "Result ruled"),
    Command(intents.LOSE_GAME, "give a game loss", "loss", "a judge gives a game loss",
            "game loss", "game_loss", (events.GAME_WON, events.CONCEDED), "Game loss"),
    Command(intents.REOPEN_RESULT, "reopen the result", "reopen", "the result is reopened",
            "result reopened", "reopened", (events.RESULT_REOPENED,)),
    Command(intents.APPROVE_RESULT, "approve the result", "approve", "a judge approves the result",
            "result approved", "approved", (events.MATCH_ENDED,), "Result approved"),
    Command(intents.RULE_ROLL, "rule the roll", "roll", "a judge rules on a roll",
            "disputed roll ruled", "roll", (events.ROLL_RULED,)),
    Command(intents.ADJUST_PRIZES, "adjust the prizes", "prizes", "a judge adjusts the prizes",
            "prize penalty", "prizes", (events.PRIZES_ADJUSTED,)),
    Command(intents.TAKE_BACK, "take back", "take_back", "a key press is taken back",
            "key press taken back", "taken_back", (events.TAKEN_BACK,),
            button="take back the last key press"),
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


_BY_KIND = {one.kind: one for one in COMMANDS}
_BY_EVENT = {kind: one for one in COMMANDS for kind in one.becomes}


def of(kind: int) -> Command | None:
    """Return the row of an intent's number, None where it has none."""
    return _BY_KIND.get(kind)


def behind(kind: int) -> Command | None:
    """Return the row of the incident that an event of this number is, None where it is none."""
    return _BY_EVENT.get(kind)
