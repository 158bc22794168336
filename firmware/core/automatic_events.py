"""Events that follow from a table's state without an intent: time's events and proposals.

``next_event`` reads only the state, so it also completes what a power cut left half written.
"""

from firmware.core import acts, events, outcome, phases, play

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Event, Events, Match

CLOCK_MS = 60000


def all_events(match: "Match", first: "Events", now_ms: int) -> "Events":
    """Return ``first`` and everything that follows from it at ``now_ms``; changes nothing."""
    if not first and not match.situation and not match.called:  # only time adds events then
        due = due_ms(match)
        if due is None or now_ms < due:
            return ()
    if not first and next_event(match, now_ms) is None:
        return ()  # nothing is copied in a quiet second
    ahead, happened = match.copy(), first
    for event in first:
        ahead.apply(event)
    while True:
        event = next_event(ahead, now_ms)
        if event is None:
            return happened
        ahead.apply(event)
        happened += (event,)


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
        if phase == phases.OVERTIME and match.overtime_s:
            return match.zero_ms + match.overtime_s * 1000
    elif match.clock_ms is None:  # a judge ruled before the round had begun
        return None
    elif phase == phases.PLAYING or match.tiebreaker:
        return min(match.clock_ms + CLOCK_MS, match.zero_ms)
    return None


def next_event(match: "Match", now_ms: int) -> "Event | None":
    """Return the next event that follows from the state by ``now_ms``, or None."""
    phase = match.phase
    if phase <= phases.PREGAME:
        return _due_event(match, now_ms)
    if phase == phases.FROZEN or phase == phases.AGREED:
        return None
    if phase == phases.PROPOSED and match.confirmed == 3 and not match.needs_approval:
        return events.MatchEnded(now_ms)
    taker = match.first_prize_taker
    if taker is not None:
        return outcome.game_won(match, now_ms, taker)
    if match.claimed:
        return None
    if match.called:
        assert match.zero_ms is not None
        if now_ms < match.zero_ms and not _decided(match):
            return acts.play_resumed(match, now_ms)
    if _pregame_is_due(match):
        return events.PregameBegun(now_ms, match.game + 1)
    if match.situation:
        event = _proposal(match, now_ms)
        if event:
            return event
    return _due_event(match, now_ms)


def _pregame_is_due(match: "Match") -> bool:
    """Return whether the 2:00 before the next game are to begin: the last one is over."""
    if match.phase == phases.PLAYING:
        goes_on = not match.situation and not match.called
        between_games = match.progress == phases.GAME_OVER and goes_on
    else:
        between_games = match.tiebreaker and match.progress != phases.IN_PROGRESS
    if not between_games or match.pregame_ms is not None:
        return False
    return 0 < match.rules.PREGAME_S < acts.UNTIMED_S


def _decided(match: "Match") -> bool:
    """Return whether the match was won on the table; an extension does not undo that."""
    if match.situation in (phases.LEFT, phases.WIPED, phases.WON):
        return True
    return max(match.score) > match.best_of // 2


def _proposal(match: "Match", now_ms: int) -> "Event | None":
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
        situation = phases.HALTED if match.progress == phases.IN_PROGRESS else phases.LEVEL
        if outcome.row(match, situation)[0] == "-":  # the tree has no verdict on it
            situation = match.situation
        return match.phase, 0, 0, situation
    if match.progress == phases.GAME_OVER:
        return match.phase, 0, 0, phases.BETWEEN
    if match.progress == phases.NOT_BEGUN and not match.pressed:
        return phases.TIME, 0, match.rules.ASKED, 0
    turn_is_known = match.known
    if match.policy & play.COUNTED and not match.turning:
        turn_is_known = 0  # a counted turn has ended, and no press says that the next one has begun
    if not turn_is_known and match.rules.ASKED & phases.TURN:
        return phases.TIME, 0, phases.TURN, 0
    phase, turn, situation = play.after_time(match, match.turning)
    return phase, turn, 0, situation
