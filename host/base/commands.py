"""Every intent in words: in a terminal, on pages, in the logs, and in ``dev rules --explain``.

An act of several orders is named after its first row here that has a ``title``, so the order of the
rows matters.
"""

from typing import NamedTuple

from firmware.core import events, intents


class Command(NamedTuple):
    """The texts of an intent.

    ``asked``: in a terminal; ``word``: of ``what.WORD``, its text on pages ("": ``what.other``),
    which only have a text of their own if it differs from ``title`` (``host/web/texts.py``).
    ``meaning``: for --explain; without it the intent is always legal, and not listed. ``title``:
    its line in the desk log; without it the intent is part of an act with another line, or an order
    of the host itself. ``incident``: its word in the incident log ("": not listed there);
    ``becomes``: the kinds of its events at the table; ``at_board``: the board's text for each
    (``acted_KIND``). ``button``: the text of the button and the help of a judge's act that only
    orders the intent, and to which a typed line may add a reason; "" if the act has more fields
    (``host/desk/acts``).
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
    # always part of an act with another line
    Command(intents.SET_FORMAT, "set the format", "format", "the desk sets the format"),
    Command(intents.SET_SQUADS, "set the squads", "squads", "the desk tells the squads' totals"),
    Command(intents.SET_SCORE, "set the score", "score",
            "the desk tells a board that takes over the score"),
    Command(intents.SET_NONCE, "give the nonce"),
    # intents of the seats
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


_BY_KIND = {row.kind: row for row in COMMANDS}
_BY_EVENT = {kind: row for row in COMMANDS for kind in row.becomes}


def of(kind: int) -> Command | None:
    """Return the row of an intent's kind, None without one."""
    return _BY_KIND.get(kind)


def behind(kind: int) -> Command | None:
    """Return the row of the intent behind an event's kind, None if the event is no incident."""
    return _BY_EVENT.get(kind)
