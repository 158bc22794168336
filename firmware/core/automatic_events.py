"""Events that follow from a table's state without an intent: time's events and proposals.

``step`` depends only on the state, so it also completes what a power cut left half written.
"""

from firmware.core import acts, events, outcome, phases, play

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Event, Events, Match

CLOCK_MS = 60000


def all_events(match: "Match", first: "Events", now_ms: int) -> "Events":
    """Return ``first`` and everything that follows from it at ``now_ms``; changes nothing."""
    if not first and not match.situation and not match.called:
        due = due_ms(match)
        if due is None or now_ms < due:
            return ()
    ahead = match
    if first:
        ahead = match.copy()
        for event in first:
            ahead.apply(event)
    while True:
        event = step(ahead, now_ms)
        if event is None:
            return first
        if ahead is match:
            ahead = match.copy()
        ahead.apply(event)
        first += (event,)


def due_ms(match: "Match") -> int | None:
    """Return when time alone will next change something, or None."""
    phase = match.phase
    if match.start_ms is None or phase == phases.FROZEN:
        return None
    start_ms = match.start_ms + match.lost_ms
    if phase == phases.SEATED:
        return max(0, start_ms - match.rules.PREGAME_S * 1000)
    if phase == phases.PREGAME:
        return start_ms
    assert match.zero_ms is not None
    if match.called:
        if phase == phases.OVERTIME and match.overtime[1]:
            return match.zero_ms + match.overtime[1] * 1000
    elif match.clock_ms is None:  # ruled on before the round had begun
        return None
    elif phase == phases.PLAYING or match.tiebreaker:
        zero_ms, minute_ms = match.zero_ms, match.clock_ms + CLOCK_MS
        return minute_ms if minute_ms < zero_ms else zero_ms
    return None


def step(match: "Match", now_ms: int) -> "Event | None":
    """Return the next event that follows from the state by ``now_ms``, or None."""
    phase = match.phase
    if phase <= phases.PREGAME:
        return _due_event(match, now_ms)
    if phase == phases.FROZEN or phase == phases.AGREED:
        return None
    if phase == phases.PROPOSED and match.confirmed == 3 and not match.format >> 15:
        return events.MatchEnded(now_ms)
    taker = match.first_prize_taker
    if taker is not None:
        return outcome.game_won(match, now_ms, taker)
    if match.claimed:
        return None
    if match.called:
        assert match.zero_ms is not None
        if now_ms < match.zero_ms and not _decided(match):
            return acts.reopen(match, now_ms)
    if _sets_up(match):
        return events.PregameBegun(now_ms, match.game + 1)
    if match.situation:
        event = _verdict(match, now_ms)
        if event:
            return event
    return _due_event(match, now_ms)


def _sets_up(match: "Match") -> bool:
    """Return whether the 2:00 before the next game are to begin: the last one is over."""
    if match.phase == phases.PLAYING:
        between_games = match.progress == 2 and not match.situation and not match.called
    else:
        between_games = match.tiebreaker and match.progress != 1
    if not between_games or match.pregame_ms is not None:
        return False
    return 0 < match.rules.PREGAME_S < acts.UNTIMED_S


def _decided(match: "Match") -> bool:
    """Return whether the match was won on the table; an extension does not undo that."""
    if match.situation in (phases.LEFT, phases.WIPED, phases.WON):
        return True
    return max(match.score) > match.best_of // 2


def _verdict(match: "Match", now_ms: int) -> "Event | None":
    """Return the event of the tree's verdict, None if the table already shows it."""
    verdict = outcome.verdict(match)
    if verdict[0] == outcome.PLAY_ON and match.prizes == (0, 0):
        return play.level(match, now_ms)
    if verdict == (match.outcome, match.section, match.missing, match.award):
        return None
    won, section, missing, award = verdict
    return events.OutcomeProposed(now_ms, won, section, missing, award)


def _due_event(match: "Match", now_ms: int) -> "Event | None":
    """Return the event that time alone brings by ``now_ms``, or None."""
    due = due_ms(match)
    if due is None or now_ms < due:
        return None
    if match.phase == phases.SEATED:
        return events.PregameBegun(due, 0)
    if match.phase == phases.PREGAME:
        return events.RoundBegun(due)
    if match.phase == phases.OVERTIME:
        return events.OvertimeEnded(due, phases.LAST)
    zero_ms = match.zero_ms
    assert zero_ms is not None and match.clock_ms is not None
    if now_ms >= zero_ms:
        phase, turn, missing, situation = _at_zero(match)
        return events.TimeCalled(zero_ms, phase, turn, missing, situation)
    whole_minutes = (now_ms - match.clock_ms) // CLOCK_MS
    at_ms = match.clock_ms + whole_minutes * CLOCK_MS
    return events.Clock(at_ms, (zero_ms - at_ms) // 1000)


def _at_zero(match: "Match") -> tuple[int, int, int, int]:
    """Return (phase, turn, missing, situation) of a table at its zero, from its presses."""
    if match.tiebreaker:
        halted = phases.HALTED if match.progress == 1 else phases.LEVEL
        if outcome.row(match, halted)[0] == "-":
            return match.phase, 0, 0, match.situation
        return match.phase, 0, 0, halted
    if match.progress == 2:
        return match.phase, 0, 0, phases.BETWEEN
    if not match.progress and not match.pressed:
        return phases.TIME, 0, match.rules.ASKED, 0
    # a counted turn ends by one press: whether the next one has begun nobody told
    known = match.known and (match.turning or not match.policy & play.COUNTED)
    if not known and match.rules.ASKED & phases.TURN:
        return phases.TIME, 0, phases.TURN, 0
    phase, turn, situation = play.after_time(match, match.turning)
    return phase, turn, 0, situation
