"""What takes a judge's last act of the visit back. Loaded only when a judge does that."""

from firmware.core import automatic_events, events, intents, judging, outcome, phases, result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Event, Events, Journal, Match


def taken_back(journal: "Journal", match: "Match", now_ms: int) -> "Events":
    """Return the events that take the last act back, () if there is none."""
    place = judging.last(journal)
    if place is None:
        return ()
    kind = journal.kind(place)
    if kind == events.GAME_WON or kind == events.CONCEDED:
        return (_named(journal, place, now_ms),) if match.phase != phases.AGREED else ()
    if kind == events.RESULT_RULED:
        first = ((events.RESULT_REOPENED, now_ms) + _unruled(journal, match, place),)
        told = automatic_events.all_events(match, first, now_ms)
        counted = place - 1  # the points that the ruling brought with it
        if journal.kind(counted) != events.DESTROYED_COUNTED:
            return told
        if journal.told(counted)[1] != journal.told(place)[1]:
            return told
        return told + (_named(journal, counted, now_ms),)
    before = _before(journal, place, kind)
    asked = {
        events.FROZEN: (intents.RESUME, now_ms, 0, 0, 0),
        events.RESUMED: (intents.FREEZE, now_ms, 0, 0, 0),
        events.EXTENDED: (intents.EXTEND, now_ms, 0, before[3], 0),
        events.STAMPED_LATE: (intents.STAMP_LATE, now_ms, before[2], 0, 0),
        events.MATCH_ENDED: (intents.REOPEN_RESULT, now_ms, 0, 0, 0),
    }[kind]
    return match.decide(asked, now_ms)


def _named(journal, place, now_ms) -> "Event":
    """Return the event that takes back what stands at a place."""
    order = journal.order(place)
    return events.TAKEN_BACK, now_ms, 0, order >> 16, order & 0xFFFF


def _before(journal, place, kind) -> "Event":
    """Return the last event of a kind before a place of the match, zeros without one."""
    for earlier in range(place - 1, journal.first - 1, -1):
        if journal.kind(earlier) == kind:
            return journal.told(earlier)
    return 0, 0, 0, 0, 0


def _unruled(journal, match, place):
    """Return phase, outcome and claim after a ruling is taken back: as if it had not been given."""
    for earlier in range(place - 1, journal.first - 1, -1):
        kind = journal.kind(earlier)
        if kind == events.MATCH_ENDED:
            return phases.RESOLVING, outcome.ASK, result.REOPENED
        if kind == events.RESULT_REOPENED:
            break
    return phases.FROZEN if match.frozen_ms is not None else result.before(match), 0, 0
