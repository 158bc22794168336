"""Which intents are legal in which phase, and which function handles each.

``_LEGAL`` is the left half of the transition table: for each intent the phases, as bits, in which
it can be legal, and the function that decides its events (``becomes``: one of the same fields).
"""

from firmware.core import acts, events, intents, luck, phases, play, result, team
from firmware.core.acts import becomes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Events, Intent, Match, Rolls

_ALL = 0x1FFF
_SET_UP = 1 << phases.SEATED | 1 << phases.PREGAME
_TABLE = _ALL & ~(1 << phases.IDLE)
_OPEN = _TABLE & ~(1 << phases.AGREED)
_RUNNING = 1 << phases.PLAYING | 1 << phases.OVERTIME | 1 << phases.PLAY_ON | 1 << phases.TIEBREAKER
_GAME = _RUNNING | 1 << phases.FINISHING | 1 << phases.TIME
_STARTS = 1 << phases.PREGAME | 1 << phases.PLAYING | 1 << phases.TIEBREAKER
_ENDED = 1 << phases.RESOLVING | 1 << phases.PROPOSED | 1 << phases.AGREED
_LOSES = _SET_UP | _GAME | 1 << phases.FROZEN | 1 << phases.RESOLVING
_COUNT = _GAME | 1 << phases.FROZEN | 1 << phases.RESOLVING | 1 << phases.PROPOSED

# intent: (phases as bits, function)
_LEGAL = {
    intents.SET_ROUND: (_SET_UP | 1 << phases.IDLE | 1 << phases.AGREED, becomes(events.RoundSet)),
    intents.SET_FORMAT: (_SET_UP, becomes(events.FormatSet)),
    intents.SET_START: (_SET_UP | 1 << phases.FROZEN, acts.set_start),
    intents.FREEZE: (_SET_UP | (_GAME & ~(1 << phases.PLAY_ON)), acts.freeze),
    intents.RESUME: (1 << phases.FROZEN, acts.resume),
    intents.EXTEND: (_OPEN, becomes(events.Extended)),
    intents.STAMP_LATE: (_OPEN, becomes(events.StampedLate)),
    intents.RULE_RESULT: (_TABLE, result.rule),
    intents.REOPEN_RESULT: (_ENDED, result.reopen),
    intents.SET_POLICY: (_ALL, becomes(events.PolicySet)),
    intents.RULE_ROLL: (_OPEN, luck.rule),
    intents.END_CALL: (_ALL, becomes(events.CallEnded)),
    intents.ARRIVE: (_ALL, becomes(events.JudgeArrived)),
    intents.ADJUST_PRIZES: (_COUNT, becomes(events.PrizesAdjusted)),
    intents.CLEAR_ROUND: (_TABLE, becomes(events.RoundCleared)),
    intents.SAY: (_ALL, becomes(events.OrganiserSaid)),
    intents.TAKE_BACK: (_TABLE, becomes(events.TakenBack)),
    intents.APPROVE_RESULT: (1 << phases.PROPOSED, becomes(events.MatchEnded)),
    intents.SET_SQUADS: (_OPEN, luck.set_squads),
    intents.LOSE_GAME: (_LOSES, play.lose_game),
    intents.SET_SCORE: (_SET_UP | 1 << phases.PLAYING | 1 << phases.FROZEN, acts.set_score),
    intents.CONFIRM_SEAT: (_SET_UP | 1 << phases.PLAYING | 1 << phases.FROZEN, play.confirm_seat),
    intents.SET_STARTER: (_STARTS, play.set_starter),
    intents.START_TURN: (_RUNNING, play.start_turn),
    intents.END_TURN: (_RUNNING | 1 << phases.FINISHING, play.end_turn),
    intents.WIN_GAME: (_GAME, play.win_game),
    intents.LEVEL_GAME: (_GAME, play.level_game),
    intents.COUNT_PRIZES: (_COUNT, play.count_prizes),
    intents.COUNT_DESTROYED: (_COUNT, play.count_destroyed),
    intents.WIPE_OUT: (_GAME | 1 << phases.RESOLVING, play.wipe_out),
    intents.CONCEDE: (_OPEN, play.concede),
    intents.SEE_EXTENSION: (_OPEN, becomes(events.ExtensionSeen)),
    intents.TELL_STATE: (1 << phases.TIME, play.tell_state),
    intents.TELL_TURN: (1 << phases.TIME, play.tell_turn),
    intents.CLAIM_RESULT: (_GAME | 1 << phases.RESOLVING, result.claim),
    intents.CONFIRM_RESULT: (1 << phases.PROPOSED, becomes(events.ResultConfirmed)),
    intents.REFUSE_RESULT: (1 << phases.PROPOSED, becomes(events.ResultRefused)),
    intents.CALL_JUDGE: (_ALL, becomes(events.JudgeCalled)),
    intents.CONSENT: (_OPEN, becomes(events.ConsentGiven)),
    intents.ROLL: (_OPEN, luck.roll),
    intents.AGREE_ROLL: (_OPEN, luck.agree),
    intents.DISPUTE_ROLL: (_OPEN, becomes(events.RollDisputed)),
    intents.PLACE_OBSTACLE: (_SET_UP, play.place_obstacle),
    intents.TAKE_PRIZE: (_GAME, team.take),
    intents.COUNT_TURNS: (1 << phases.PLAYING, play.count_turns),
}
# what an intent that becomes an event needs besides a phase
_NEEDS = {
    intents.SET_FORMAT: lambda match, intent: (
        intent.system == match.rules.NUMBER
        # the games' bits: of our systems an odd number, of own ones also an even one
        and intent.format & (2 if intent.system < 16 else 0x306)
    ),
    intents.EXTEND: lambda match, intent: intent.total_s != match.extension_s,
    intents.STAMP_LATE: lambda match, intent: intent.seats <= 3,
    intents.APPROVE_RESULT: lambda match, intent: match.confirmed == 3,
    intents.SEE_EXTENSION: lambda match, intent: (
        match.extension_s and not match.seen >> intent.seat & 1
    ),
    intents.CONFIRM_RESULT: lambda match, intent: (
        not match.confirmed >> intent.seat & 1
        and (match.confirmed or match.outcome != 1 + intent.seat)  # the loser first
    ),
    intents.CONSENT: lambda match, intent: not match.consent >> intent.seat & 1,
    intents.DISPUTE_ROLL: lambda match, intent: match.rolled == luck.SHOWN,
}
# intents of one of two seats, or sides of a team match
_OF_TWO = (
    intents.LOSE_GAME, intents.SET_STARTER, intents.WIN_GAME, intents.CONCEDE,
    intents.SEE_EXTENSION, intents.CONFIRM_RESULT, intents.REFUSE_RESULT, intents.CONSENT,
    intents.AGREE_ROLL, intents.DISPUTE_ROLL, intents.PLACE_OBSTACLE,
)  # fmt: skip
# which of these a system has, its ``PLAYS`` lists
_OF_SOME_SYSTEMS = (
    intents.SET_STARTER, intents.START_TURN, intents.END_TURN, intents.WIN_GAME,
    intents.LEVEL_GAME, intents.COUNT_PRIZES, intents.ADJUST_PRIZES, intents.CLAIM_RESULT,
    intents.COUNT_DESTROYED, intents.WIPE_OUT,
)  # fmt: skip


def possible(match: "Match", kind: int) -> bool:
    """Return whether an intent of this kind can be legal in the match's phase and system."""
    if kind in _OF_SOME_SYSTEMS and kind not in match.rules.PLAYS:
        return False
    return in_phase(kind, match.phase)


def in_phase(kind: int, phase: int) -> bool:
    """Return whether an intent of this kind can be legal in a phase of any system."""
    return kind in _LEGAL and bool(_LEGAL[kind][0] >> phase & 1)


def ask(match: "Match", intent: "Intent", now_ms: int, rolls: "Rolls | None") -> "Events":
    """Return an intent's own events, () if it is refused. An act of the desk takes effect at the
    desk's time, unless that is still to come; a key's when it is read.
    """
    kind, at_ms = intent.kind, intent.at_ms
    if not possible(match, kind) or not intent.fits:
        return ()
    if kind in _OF_TWO and intent.seat > 1:
        return ()
    needs = _NEEDS.get(kind)
    if needs is not None and not needs(match, intent):
        return ()
    _, decide = _LEGAL[kind]
    in_future = at_ms > now_ms and kind != intents.SET_START  # a start may lie in the future
    if in_future or at_ms <= 0 or not intents.from_desk(kind):
        intent = intent.at(now_ms)
    if kind == intents.ROLL:
        return decide(match, intent, rolls)
    return decide(match, intent)
