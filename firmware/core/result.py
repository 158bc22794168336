"""The events of claiming, confirming, refusing, ruling and reopening a result."""

from firmware.core import events, outcome, phases, play

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core import intents
    from firmware.core.types import Events, Match

# the source of a proposal (``match.claimed``); 0 is by play
CLAIMED = 1
RULED = 2
DISPUTED = 3
# since 2026-11-22: both seats or a judge opened an agreed one again; nobody waits for a judge
REOPENED = 4
REOPEN_MS = 60000
_JUDGE, _BOTH = 0, 3  # ``by`` of a REOPEN_RESULT


def _possible(match: "Match", won: int, first: int, second: int) -> bool:
    """Return whether the format allows this outcome and these games (a ruling may defy them)."""
    need = match.best_of // 2 + 1
    if max(first, second) > need or first + second > match.best_of:
        return False
    if won not in (1, 2, outcome.TIE):
        return False
    return won != outcome.TIE or not match.elimination


def claim(match: "Match", intent: "intents.Intent") -> "Events":
    """The players enter the final result by hand; it must agree with the games."""
    won, first, second = intent.outcome, intent.first, intent.second
    if match.phase == phases.RESOLVING and match.claimed not in (DISPUTED, REOPENED):
        return ()
    if not _possible(match, won, first, second) or outcome.winner_of((first, second)) != won:
        return ()
    return (events.ResultClaimed(intent.at_ms, won, first, second),)


def rule(match: "Match", intent: "intents.Intent") -> "Events":
    """A judge rules: a result to be confirmed, a final one, or a Tiebreaker Game. With the points
    that each side destroyed (``scored``), where the system counts them.
    """
    at_ms, won, first, second = intent.at_ms, intent.outcome, intent.first, intent.second
    counted = ()
    if intent.scored:
        if not match.cap or max(first, second) > match.cap:
            return ()
        counted = (events.DestroyedCounted(at_ms, 0, first, second),)
        first = second = 0
    if won == outcome.TIEBREAKER:
        if match.phase != phases.RESOLVING or not match.rules.FIRST_PRIZE:
            return ()
        return (events.ResultRuled(at_ms, won, 0, match.score[0], match.score[1]),)
    if not _possible(match, won, first, second):
        return ()
    ruled = counted + (events.ResultRuled(at_ms, won, intent.final, first, second),)
    return ruled + (events.MatchEnded(at_ms),) if intent.final else ruled


def reopen(match: "Match", intent: "intents.Intent") -> "Events":
    """Reopen a result: both seats within 60 s of the end, or a judge."""
    at_ms, by = intent.at_ms, intent.by
    if match.phase == phases.AGREED:
        assert match.ended_ms is not None
        both_in_time = by == _BOTH and at_ms - match.ended_ms <= REOPEN_MS
        if by != _JUDGE and not both_in_time:
            return ()
        return (events.ResultReopened(at_ms, phases.RESOLVING, outcome.ASK, REOPENED),)
    if by != _JUDGE or not match.claimed:
        return ()
    return (events.ResultReopened(at_ms, phase_of_play(match), 0, 0),)


def phase_of_play(match: "Match") -> int:
    """Return the phase that play had reached."""
    if match.situation:
        return phases.RESOLVING
    if match.clock_ms is None:  # ruled before the round had begun
        return phases.SEATED
    if not match.called:
        return phases.PLAYING
    if match.missing:
        return phases.TIME
    phase, _, _ = play.after_time(match, turning=1)
    return phase
