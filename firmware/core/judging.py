"""A judge's last act at the table in this visit, and what takes it back.

Nothing is kept for it: the journal tells what was done since the judge's code, and what of it the
desk had sent.
"""

from firmware.core import automatic_events, events, intents, outcome, phases, result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Events, Intent, Journal, Match

# acts that can be taken back, in the order of their texts (acted_23 ...), with the desk's intents
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


def last(journal: "Journal") -> int | None:
    """Return the place of the judge's last act since the code; None: none can be taken back."""
    sent_ms = None  # when the desk's act was that an ANSWERED after it names
    for place in range(journal.end - 1, journal.first - 1, -1):
        kind = journal.kind(place)
        if kind == events.ANSWERED:
            answer = journal.told(place)
            if not answer.refusal and not answer.broadcast and answer.asked in _SENT:
                sent_ms = _UNSEEN
        elif kind == events.CODE_ENTERED:
            if not journal.told(place).wrong:
                return None
        elif kind and (kind in ACTS or kind in _FINAL):
            at_ms = journal.told(place).at_ms
            sent_ms = at_ms if sent_ms == _UNSEEN else sent_ms
            if at_ms != sent_ms and _judged(journal, place, kind):
                return place if kind in ACTS else None
    return None


def _judged(journal, place, kind):
    """Return whether a judge did this: no win or concession of the players, nor an end that both
    confirmed.
    """
    if kind == events.GAME_WON or kind == events.CONCEDED:
        return journal.told(place).penalty
    ends = events.RESULT_CONFIRMED, events.RESULT_RULED
    return kind != events.MATCH_ENDED or journal.kind(place - 1) not in ends


def taken_back(journal: "Journal", match: "Match", now_ms: int) -> "Events":
    """Return the events that take the last act back, () if there is none."""
    place = last(journal)
    if place is None:
        return ()
    kind = journal.kind(place)
    if kind == events.GAME_WON or kind == events.CONCEDED:
        return (_named(journal, place, now_ms),) if match.phase != phases.AGREED else ()
    if kind == events.RESULT_RULED:
        phase, won, claimed = _unruled(journal, match, place)
        first = (events.ResultReopened(now_ms, phase, won, claimed),)
        told = automatic_events.all_events(match, first, now_ms)
        counted = place - 1  # the points that the ruling brought with it
        if journal.kind(counted) != events.DESTROYED_COUNTED:
            return told
        if journal.told(counted).at_ms != journal.told(place).at_ms:
            return told
        return told + (_named(journal, counted, now_ms),)
    return match.decide(_undoing(journal, place, kind, now_ms), now_ms)


def _undoing(journal, place, kind, now_ms) -> "Intent":
    """Return the intent that puts right what a judge's act at a place has done."""
    if kind == events.FROZEN:
        return intents.Resume(now_ms)
    if kind == events.RESUMED:
        return intents.Freeze(now_ms)
    before = _before(journal, place, kind)
    if kind == events.EXTENDED:
        return intents.Extend(now_ms, 0, before.total_s if before else 0)
    if kind == events.STAMPED_LATE:
        return intents.StampLate(now_ms, before.seats if before else 0)
    return intents.ReopenResult(now_ms, 0)


def _named(journal, place, now_ms) -> events.TakenBack:
    """Return the event that takes back what stands at a place."""
    order = journal.order(place)
    return events.TakenBack(now_ms, 0, order >> 16, order & 0xFFFF)


def _before(journal, place, kind):
    """Return the last event of a kind before a place of the match, None without one."""
    for earlier in range(place - 1, journal.first - 1, -1):
        if journal.kind(earlier) == kind:
            return journal.told(earlier)
    return None


def _unruled(journal, match, place):
    """Return phase, outcome and claim after a ruling is taken back: as if it had not been given."""
    for earlier in range(place - 1, journal.first - 1, -1):
        kind = journal.kind(earlier)
        if kind == events.MATCH_ENDED:
            return phases.RESOLVING, outcome.ASK, result.REOPENED
        if kind == events.RESULT_REOPENED:
            break
    return phases.FROZEN if match.frozen_ms is not None else result.before(match), 0, 0
