"""What can be taken back (docs/architecture.md, At the table), and what is left then.

A TAKEN_BACK names a press by epoch and counter: that press and all later presses of the seats are
undone, with the automatic events that followed. A judge's acts and rolls stay in force, except a
game loss by penalty that the TAKEN_BACK names directly: then a judge took it back. A judge at the
table may take back the last act of this visit: the journal shows what was done since the judge's
code, and which of it the desk had ordered. A ``log`` is the current match, as a Journal gives it
(``types.Log``); an *order* is a record's epoch << 16 | counter, which rises.
"""

from firmware.core import automatic_events, events, intents, outcome, phases, result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware.core.types import Events, Intent, Log, Match

_PRESSES = bytes((
    events.STARTER_SET, events.TURN_STARTED, events.TURN_ENDED, events.GAME_WON,
    events.GAME_LEVELLED, events.PRIZES_COUNTED, events.DESTROYED_COUNTED, events.WIPED_OUT,
    events.CONCEDED, events.STATE_TOLD, events.TURN_TOLD, events.RESULT_CLAIMED,
    events.RESULT_CONFIRMED, events.RESULT_REFUSED,
))  # fmt: skip
_BY_PENALTY = bytes((events.GAME_WON, events.CONCEDED))  # where they name one
# presses before these cannot be undone: their phase depends on them, or they end the match
_BARRIERS = bytes((
    events.ROUND_SET, events.FROZEN, events.RESUMED, events.RESULT_RULED, events.RESULT_REOPENED,
    events.MATCH_ENDED,
))  # fmt: skip
# automatic events: the machine produces them again if they still apply
_FOLLOWED = bytes((
    events.TIME_CALLED, events.OUTCOME_PROPOSED, events.OVERTIME_ENDED, events.PLAY_RESUMED,
    events.PREGAME_BEGUN,  # between games; no press comes before the round's own
))  # fmt: skip
# a judge's acts that can be taken back, as their texts name them (acted_23 ...)
ACTS = bytes((
    events.GAME_WON, events.CONCEDED, events.FROZEN, events.RESUMED, events.EXTENDED,
    events.STAMPED_LATE, events.RESULT_RULED, events.MATCH_ENDED,
))  # fmt: skip
_SENT = bytes((  # the desk's intents for them
    intents.LOSE_GAME, intents.FREEZE, intents.RESUME, intents.EXTEND, intents.STAMP_LATE,
    intents.RULE_RESULT, intents.APPROVE_RESULT,
))  # fmt: skip
_FINAL = bytes((events.ROLL_RULED, events.RESULT_REOPENED, events.TAKEN_BACK))


def pressed(log: "Log", place: int, kind: int) -> bool:
    """Return whether the seats pressed this, and not a judge who gave a penalty."""
    return kind in _PRESSES and not _is_penalty(log, place, kind)


def _is_penalty(log, place, kind):
    """Return whether a judge's penalty lost a game or the match here."""
    return kind in _BY_PENALTY and log.event_at(place).penalty > 0


def press_of(event: "events.Event") -> int:
    """Return the order of the press that a TAKEN_BACK names."""
    return event.epoch << 16 | event.counter


def _newest(log):
    """Yield the places of presses in force, and of barriers, newest first."""
    undone_from = None  # the order from which on presses were taken back
    for place in range(log.end - 1, log.first - 1, -1):
        kind = log.kind(place)
        if kind == events.TAKEN_BACK:
            named = press_of(log.event_at(place))
            undone_from = named if undone_from is None else min(named, undone_from)
        elif kind in _BARRIERS:
            yield place
        elif pressed(log, place, kind) and (undone_from is None or log.order(place) < undone_from):
            yield place


def presses(log: "Log", count: int = 10) -> list[int]:
    """Return the places of the last ``count`` presses in force, oldest first."""
    found = []
    for place in _newest(log):
        if log.kind(place) in _PRESSES:
            found.insert(0, place)
            if len(found) == count:
                break
    return found


def order_of(log: "Log", wanted: int) -> int | None:
    """Return the order (epoch << 16 | counter) of the press to take back, None if it is not
    allowed. ``wanted``: the order of the press, or 0 for the last press.
    """
    for place in _newest(log):
        if log.kind(place) in _BARRIERS:
            return None
        if wanted in (0, log.order(place)):
            return log.order(place)
    return None


def in_force(log: "Log") -> "Iterator[int]":
    """Yield the places of events in force, oldest first, TAKEN_BACK included."""
    undone = []  # for each TAKEN_BACK the orders of the press that it names, and of itself
    for place in range(log.first, log.end):
        if log.kind(place) == events.TAKEN_BACK:
            undone.append((press_of(log.event_at(place)), log.order(place)))
    named = [press for press, _ in undone]
    for place in range(log.first, log.end):
        kind = log.kind(place)
        if not kind:
            continue
        if kind in _FOLLOWED or pressed(log, place, kind):
            order = log.order(place)
            if any([press <= order < end for press, end in undone]):
                continue
        if not _penalty_undone(log, place, kind, named):
            yield place


def _penalty_undone(log, place, kind, named):
    """Return whether a judge took this back: a penalty, or the starter that was set with it (of a
    game lost before it began). ``named``: the orders of what was taken back.
    """
    if kind == events.STARTER_SET and place + 1 < log.end:
        started_ms = log.event_at(place).at_ms
        place += 1  # its penalty follows at once
        kind = log.kind(place)
        if not kind or log.event_at(place).at_ms != started_ms:
            return False
    return _is_penalty(log, place, kind) and log.order(place) in named


def last_act(log: "Log") -> int | None:
    """Return the place of the judge's last act since the code, None if it cannot be taken back."""
    answered = False  # an ANSWERED was read, so the act before it is the desk's
    desk_ms = None  # the time of that act: all its events have it
    for place in range(log.end - 1, log.first - 1, -1):
        kind = log.kind(place)
        if kind == events.ANSWERED:
            answer = log.event_at(place)
            if answer.asked in _SENT and not answer.refusal and not answer.broadcast:
                answered = True
        elif kind == events.CODE_ENTERED:
            if not log.event_at(place).wrong:
                return None
        elif kind and (kind in ACTS or kind in _FINAL):
            at_ms = log.event_at(place).at_ms
            if answered:
                desk_ms, answered = at_ms, False
            if at_ms != desk_ms and _by_judge(log, place, kind):
                return place if kind in ACTS else None
    return None


def _by_judge(log, place, kind):
    """Return whether a judge did this, neither the players nor an end that both confirmed."""
    if kind in _BY_PENALTY:
        return _is_penalty(log, place, kind)
    if kind == events.MATCH_ENDED:
        return log.kind(place - 1) not in (events.RESULT_CONFIRMED, events.RESULT_RULED)
    return True


def act_taken_back(log: "Log", match: "Match", now_ms: int) -> "Events":
    """Return the events that take the last act back, () if there is none."""
    place = last_act(log)
    if place is None:
        return ()
    kind = log.kind(place)
    if kind in _BY_PENALTY:
        return (_taken_back(log, place, now_ms),) if match.phase != phases.AGREED else ()
    if kind == events.RESULT_RULED:
        phase, won, claimed = _state_before_ruling(log, match, place)
        first = (events.ResultReopened(now_ms, phase, won, claimed),)
        reopened = automatic_events.all_events(match, first, now_ms)
        counted = place - 1  # the points that the ruling brought with it
        if log.kind(counted) != events.DESTROYED_COUNTED:
            return reopened
        if log.event_at(counted).at_ms != log.event_at(place).at_ms:
            return reopened
        return reopened + (_taken_back(log, counted, now_ms),)
    return match.decide(_reversal(log, place, kind, now_ms), now_ms)


def _reversal(log, place, kind, now_ms) -> "Intent":
    """Return the intent that reverses a judge's act at a place."""
    if kind == events.FROZEN:
        return intents.Resume(now_ms)
    if kind == events.RESUMED:
        return intents.Freeze(now_ms)
    before = _before(log, place, kind)
    if kind == events.EXTENDED:
        return intents.Extend(now_ms, 0, before.total_s if before else 0)
    if kind == events.STAMPED_LATE:
        return intents.StampLate(now_ms, before.seats if before else 0)
    return intents.ReopenResult(now_ms, 0)


def _taken_back(log, place, now_ms) -> events.Event:
    """Return the event that takes back what is at a place."""
    order = log.order(place)
    return events.TakenBack(now_ms, 0, order >> 16, order & 0xFFFF)


def _before(log, place, kind):
    """Return the last event of a kind before a place of the match, None without one."""
    for earlier in range(place - 1, log.first - 1, -1):
        if log.kind(earlier) == kind:
            return log.event_at(earlier)
    return None


def _state_before_ruling(log, match, place):
    """Return phase, outcome and claim after a ruling is taken back: as if it had not been given."""
    for earlier in range(place - 1, log.first - 1, -1):
        kind = log.kind(earlier)
        if kind == events.MATCH_ENDED:
            return phases.RESOLVING, outcome.ASK, result.REOPENED
        if kind == events.RESULT_REOPENED:
            break
    phase = phases.FROZEN if match.frozen_ms is not None else result.phase_of_play(match)
    return phase, 0, 0
