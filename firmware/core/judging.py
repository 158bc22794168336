"""A judge's last act at the table in this visit; ``unjudged`` takes it back.

Loaded only when asked for. Nothing is kept for it: the journal tells what was done since the
judge's code, and what of it the desk had sent.
"""

from firmware.core import events, intents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Journal

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
    """Return whether a judge did this: no win or concession of the players, nor an end that both
    confirmed.
    """
    if kind == events.GAME_WON or kind == events.CONCEDED:
        return journal.told(place)[3] >> 8
    ends = events.RESULT_CONFIRMED, events.RESULT_RULED
    return kind != events.MATCH_ENDED or journal.kind(place - 1) not in ends
