"""What can be taken back (docs/architecture.md, At the table), and what is left then.

A TAKEN_BACK names a press by epoch and counter: that press and all later presses of the seats are
undone, with the automatic events that followed. A judge's acts and rolls stay in force, except a
game loss by penalty that the TAKEN_BACK names directly: then a judge took it back. A judge at the
table may take back the last act of this visit. Nothing extra is stored for that: the journal shows
what was done since the judge's code, and which of it the desk had ordered. A ``log``
is the current match, as a Journal gives it: the places from ``first`` to before ``end``;
``kind(place)``, 0 for a record without effect; ``event_at(place)``, its event; and
``order(place)``, the rising epoch << 16 | counter that a TAKEN_BACK names a press by.
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
_LOST = bytes((events.GAME_WON, events.CONCEDED))  # by a penalty, where it has one
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
# a judge's acts that can be taken back, in the order of their texts (acted_23 ...), with the desk's
# intents
ACTS = bytes((
    events.GAME_WON, events.CONCEDED, events.FROZEN, events.RESUMED, events.EXTENDED,
    events.STAMPED_LATE, events.RESULT_RULED, events.MATCH_ENDED,
))  # fmt: skip
_SENT = bytes((
    intents.LOSE_GAME, intents.FREEZE, intents.RESUME, intents.EXTEND, intents.STAMP_LATE,
    intents.RULE_RESULT, intents.APPROVE_RESULT,
))  # fmt: skip
_FINAL = bytes((events.ROLL_RULED, events.RESULT_REOPENED, events.TAKEN_BACK))
_UNSEEN = -1


def pressed(log: "Log", place: int, kind: int) -> bool:
    """Return whether the seats pressed this; a game lost by a judge's penalty is none of it."""
    return kind in _PRESSES and not (kind in _LOST and log.event_at(place).penalty)  # pyright: ignore[reportAttributeAccessIssue]  (its kind has one)


def press_of(event: "events.Event") -> int:
    """Return the order of the press that a TAKEN_BACK names."""
    return event.epoch << 16 | event.counter


def _newest(log):
    """Yield the places of presses in force, and of barriers, newest first."""
    reach = None
    for place in range(log.end - 1, log.first - 1, -1):
        kind = log.kind(place)
        if kind == events.TAKEN_BACK:
            named = press_of(log.event_at(place))
            reach = named if reach is None or named < reach else reach
        elif kind in _BARRIERS:
            yield place
        elif pressed(log, place, kind) and (reach is None or log.order(place) < reach):
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


def standing(log: "Log") -> "Iterator[int]":
    """Yield the places of events in force, oldest first, TAKEN_BACK included."""
    undone = []  # how far back each reaches, and its own order
    named = []
    for place in range(log.first, log.end):
        if log.kind(place) == events.TAKEN_BACK:
            named.append(press_of(log.event_at(place)))
            undone.append((named[-1], log.order(place)))
    for i in range(len(undone) - 2, -1, -1):  # each reaches as far back as any after it
        undone[i] = min(undone[i][0], undone[i + 1][0]), undone[i][1]
    i = 0
    for place in range(log.first, log.end):
        kind, order = log.kind(place), log.order(place)
        while i < len(undone) and undone[i][1] <= order:
            i += 1
        lost = i < len(undone) and undone[i][0] <= order
        lost = lost and (pressed(log, place, kind) or kind in _FOLLOWED)
        if kind and not lost and not _forgiven(log, place, kind, named):
            yield place


def _forgiven(log, place, kind, named):
    """Return whether this is a penalty that a judge took back, or the start of its own game."""
    if kind == events.STARTER_SET and place + 1 < log.end:
        at_ms, place = log.event_at(place).at_ms, place + 1
        kind = log.kind(place)
        if not kind or log.event_at(place).at_ms != at_ms:
            return False
    return kind in _LOST and log.event_at(place).penalty and log.order(place) in named


# a judge's last act


def last_act(log: "Log") -> int | None:
    """Return the place of the judge's last act since the code; None: none can be taken back."""
    sent_ms = None  # when the desk's act was that an ANSWERED after it names
    for place in range(log.end - 1, log.first - 1, -1):
        kind = log.kind(place)
        if kind == events.ANSWERED:
            answer = log.event_at(place)
            if not answer.refusal and not answer.broadcast and answer.asked in _SENT:
                sent_ms = _UNSEEN
        elif kind == events.CODE_ENTERED:
            if not log.event_at(place).wrong:
                return None
        elif kind and (kind in ACTS or kind in _FINAL):
            at_ms = log.event_at(place).at_ms
            sent_ms = at_ms if sent_ms == _UNSEEN else sent_ms
            if at_ms != sent_ms and _judged(log, place, kind):
                return place if kind in ACTS else None
    return None


def _judged(log, place, kind):
    """Return whether a judge did this, neither the players nor an end that both confirmed."""
    if kind in _LOST:
        return log.event_at(place).penalty
    ends = events.RESULT_CONFIRMED, events.RESULT_RULED
    return kind != events.MATCH_ENDED or log.kind(place - 1) not in ends


def act_taken_back(log: "Log", match: "Match", now_ms: int) -> "Events":
    """Return the events that take the last act back, () if there is none."""
    place = last_act(log)
    if place is None:
        return ()
    kind = log.kind(place)
    if kind in _LOST:
        return (_event(log, place, now_ms),) if match.phase != phases.AGREED else ()
    if kind == events.RESULT_RULED:
        phase, won, claimed = _unrule(log, match, place)
        first = (events.ResultReopened(now_ms, phase, won, claimed),)
        reopened = automatic_events.all_events(match, first, now_ms)
        counted = place - 1  # the points that the ruling brought with it
        if log.kind(counted) != events.DESTROYED_COUNTED:
            return reopened
        if log.event_at(counted).at_ms != log.event_at(place).at_ms:
            return reopened
        return reopened + (_event(log, counted, now_ms),)
    return match.decide(_undoing(log, place, kind, now_ms), now_ms)


def _undoing(log, place, kind, now_ms) -> "Intent":
    """Return the intent that puts right what a judge's act at a place has done."""
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


def _event(log, place, now_ms) -> events.Event:
    """Return the event that takes back what stands at a place."""
    order = log.order(place)
    return events.TakenBack(now_ms, 0, order >> 16, order & 0xFFFF)


def _before(log, place, kind):
    """Return the last event of a kind before a place of the match, None without one."""
    for earlier in range(place - 1, log.first - 1, -1):
        if log.kind(earlier) == kind:
            return log.event_at(earlier)
    return None


def _unrule(log, match, place):
    """Return phase, outcome and claim after a ruling is taken back: as if it had not been given."""
    for earlier in range(place - 1, log.first - 1, -1):
        kind = log.kind(earlier)
        if kind == events.MATCH_ENDED:
            return phases.RESOLVING, outcome.ASK, result.REOPENED
        if kind == events.RESULT_REOPENED:
            break
    return phases.FROZEN if match.frozen_ms is not None else result.before(match), 0, 0
