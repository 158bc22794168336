"""A judge's last act at the table in this visit, and its take-back.

Loaded only when asked for. Nothing is kept for it: the journal tells what was done since the
judge's code, and what of it the desk had sent.
"""

from firmware.core import automatic_events, events, intents, outcome, phases, result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Event, Events, Journal, Match

# acts that can be taken back, in the order of their texts (acted_23 ...), with the desk's intents
ACTS = bytes((
    events.GAME_WON, events.FROZEN, events.RESUMED, events.EXTENDED, events.LATE_STAMPED,
    events.RESULT_RULED, events.MATCH_ENDED,
))  # fmt: skip
_SENT = bytes((
    intents.LOSE_GAME, intents.FREEZE, intents.RESUME, intents.EXTEND, intents.STAMP_LATE,
    intents.RULE_RESULT, intents.APPROVE_RESULT,
))  # fmt: skip
_FINAL = bytes((events.ROLL_RULED, events.RESULT_REOPENED, events.TAKEN_BACK))
_UNSEEN = -1


def last(journal: "Journal") -> int | None:
    """Return the place of the judge's last act since the code; None: none can be taken back."""
    sent_ms = None  # when the desk's act was that an ANSWERED after it names
    for place in range(journal.end - 1, journal.first - 1, -1):
        kind = journal.kind(place)
        if kind == events.ANSWERED:
            _, _, refused, _, sent = journal.told(place)
            if not refused and sent in _SENT:
                sent_ms = _UNSEEN
        elif kind == events.CODE_ENTERED:
            if not journal.told(place)[2]:
                return None
        elif kind and (kind in ACTS or kind in _FINAL):
            at_ms = journal.told(place)[1]
            sent_ms = at_ms if sent_ms == _UNSEEN else sent_ms
            if at_ms != sent_ms and _judged(journal, place, kind):
                return place if kind in ACTS else None
    return None


def _judged(journal, place, kind):
    """Return whether a judge did this: not a game won in play, nor an end that both confirmed."""
    if kind == events.GAME_WON:
        return journal.told(place)[3] >> 8
    ends = events.RESULT_CONFIRMED, events.RESULT_RULED
    return kind != events.MATCH_ENDED or journal.kind(place - 1) not in ends


def taken_back(journal: "Journal", match: "Match", now_ms: int) -> "Events":
    """Return the events that take the last act back, () if there is none."""
    place = last(journal)
    if place is None:
        return ()
    kind = journal.kind(place)
    if kind == events.GAME_WON:
        order = journal.order(place)
        told = events.TAKEN_BACK, now_ms, 0, order >> 16, order & 0xFFFF
        return (told,) if match.phase != phases.AGREED else ()
    if kind == events.RESULT_RULED:
        first = ((events.RESULT_REOPENED, now_ms) + _unruled(journal, match, place),)
        return automatic_events.all_events(match, first, now_ms)
    before = _before(journal, place, kind)
    asked = {
        events.FROZEN: (intents.RESUME, now_ms, 0, 0, 0),
        events.RESUMED: (intents.FREEZE, now_ms, 0, 0, 0),
        events.EXTENDED: (intents.EXTEND, now_ms, 0, before[3], 0),
        events.LATE_STAMPED: (intents.STAMP_LATE, now_ms, before[2], 0, 0),
        events.MATCH_ENDED: (intents.REOPEN_RESULT, now_ms, 0, 0, 0),
    }[kind]
    return match.decide(asked, now_ms)


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
