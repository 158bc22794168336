"""The events of claiming, confirming, refusing, ruling and reopening a result."""

from firmware.core import events, outcome, phases, play

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Events, Intent, Match

# the source of a proposal (``match.claimed``); 0 is by play
CLAIMED = 1
RULED = 2
DISPUTED = 3
# since 2026-11-22: both seats or a judge opened an agreed one again; nobody waits for a judge
REOPENED = 4
REOPEN_MS = 60000
SCORED = 64  # of RULE_RESULT's a


def _possible(match: "Match", won: int, b: int, c: int) -> bool:
    """Return whether ``won`` is possible with ``b`` to ``c`` games in the match's format."""
    need = match.best_of // 2 + 1
    if max(b, c) > need or b + c > match.best_of or won not in (1, 2, outcome.TIE):
        return False
    return won != outcome.TIE or not match.elimination


def claim(match: "Match", intent: "Intent") -> "Events":
    """The players enter the final result by hand; it must agree with the games."""
    _, at, a, b, c = intent
    if match.phase == phases.RESOLVING and match.claimed not in (DISPUTED, REOPENED):
        return ()
    if not _possible(match, a, b, c) or outcome.winner_of((b, c)) != a:
        return ()
    return ((events.RESULT_CLAIMED, at, a, b, c),)


def rule(match: "Match", intent: "Intent") -> "Events":
    """A judge rules: a result to be confirmed, a final one (bit 7), or a Tiebreaker Game.

    With the points that each side destroyed (bit 6), where the system counts them.
    """
    _, at, a, b, c = intent
    won, counted = a & 15, ()
    if a & SCORED:
        if not match.cap or max(b, c) > match.cap:
            return ()
        counted = ((events.DESTROYED_COUNTED, at, 0, b, c),)
        a, b, c = a - SCORED, 0, 0
    if won == outcome.TIEBREAKER:
        if match.phase != phases.RESOLVING or not match.rules.FIRST_PRIZE:
            return ()
        return ((events.RESULT_RULED, at, won, match.score[0], match.score[1]),)
    if not _possible(match, won, b, c):
        return ()
    ruled = counted + ((events.RESULT_RULED, at, a, b, c),)
    return ruled + ((events.MATCH_ENDED, at, 0, 0, 0),) if a >> 7 else ruled


def confirm(match: "Match", intent: "Intent") -> "Events":
    """Each seat confirms with its own key, the loser first; after a tie either."""
    _, at, a, _, _ = intent
    if a > 1 or match.confirmed >> a & 1:
        return ()
    if not match.confirmed and match.outcome == 1 + a:
        return ()
    return ((events.RESULT_CONFIRMED, at, a, 0, 0),)


def approve(match: "Match", intent: "Intent") -> "Events":
    """A judge approves what both seats confirmed, if the format requires it (bit 15)."""
    if match.confirmed != 3:
        return ()
    return ((events.MATCH_ENDED, intent[1], 0, 0, 0),)


def refuse(match: "Match", intent: "Intent") -> "Events":
    """Either seat refuses: a judge is needed."""
    _, at, a, _, _ = intent
    if a > 1:
        return ()
    return ((events.RESULT_REFUSED, at, a, 0, 0),)


def reopen(match: "Match", intent: "Intent") -> "Events":
    """Reopen a result: both seats within 60 s of the end, or a judge; then it is entered again or
    play resumes.
    """
    _, at, a, _, _ = intent
    if match.phase == phases.AGREED:
        assert match.ended_ms is not None
        if a and (a != 3 or at - match.ended_ms > REOPEN_MS):
            return ()
        back = (phases.RESOLVING, outcome.ASK, REOPENED)
    elif a or not match.claimed:
        return ()
    else:
        back = (before(match), 0, 0)
    return ((events.RESULT_REOPENED, at) + back,)


def before(match: "Match") -> int:
    """Return the phase that play had reached."""
    if match.situation:
        return phases.RESOLVING
    if match.clock_ms is None:  # ruled before the round had begun
        return phases.SEATED
    if not match.called:
        return phases.PLAYING
    return phases.TIME if match.missing else play.after(match, 1)[0]
