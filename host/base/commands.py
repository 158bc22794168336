"""Every intent in words: in a terminal, on pages, and in ``plusthree dev rules --explain``."""

from typing import NamedTuple

from firmware.core import intents


class Command(NamedTuple):
    """An intent: ``asked`` in a terminal, ``what.WORD`` on pages ("" there: other), ``meaning`` in
    --explain.

    An intent without a meaning is always legal, and ``--explain`` does not list it.
    """

    kind: int
    asked: str = ""
    word: str = ""
    meaning: str = ""


COMMANDS = (
    Command(intents.JOIN_EVENT, "join the event", "join"),
    Command(intents.SET_ROUND, "set the round", "round", "the desk gives the table its pairing"),
    Command(intents.SET_FORMAT, "set the format", "format", "the desk sets the format"),
    Command(intents.SET_START, "set the start", "start", "the desk sets the round's start"),
    Command(intents.FREEZE, "freeze", "freeze", "a judge stops the clock"),
    Command(intents.RESUME, "resume", "resume", "a judge resumes the clock"),
    Command(intents.EXTEND, "extend", "extend", "a judge extends the time"),
    Command(intents.STAMP_LATE, "mark late", "late", "a judge marks a player as late or away"),
    Command(intents.RULE_RESULT, "rule the result", "rule", "a judge rules the result"),
    Command(intents.REOPEN_RESULT, "reopen the result", "reopen", "the result is reopened"),
    Command(intents.SET_POLICY, "set the switches", "policy"),
    Command(intents.RULE_ROLL, "rule the roll", "roll", "a judge rules on a roll"),
    Command(intents.END_CALL, "end the call", "end_call"),
    Command(intents.ARRIVE, "arrive", "arrive"),
    Command(intents.ADJUST_PRIZES, "adjust the prizes", "prizes", "a judge adjusts the prizes"),
    Command(intents.CLEAR_ROUND, "clear the round", "clear", "the desk clears the table"),
    Command(intents.SAY, "say", "say"),
    Command(intents.TAKE_BACK, "take back", "take_back", "a key press is taken back"),
    Command(intents.APPROVE_RESULT, "approve the result", "approve", "a judge approves the result"),
    Command(intents.SET_DRAFT, "conduct the draft", "draft"),
    Command(intents.SET_SCORE, "set the score", "score",
            "the desk tells a board that takes over the score"),
    Command(intents.SET_NONCE, "give the nonce"),
    Command(intents.SET_SQUADS, "set the squads", "squads", "the desk tells the squads' totals"),
    Command(intents.LOSE_GAME, "give a game loss", "loss", "a judge gives a game loss"),
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
)  # fmt: skip
BY_KIND = {command.kind: command for command in COMMANDS}
