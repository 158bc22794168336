"""What a table waits for a judge for: its own call, or without one a ruling, a disputed roll, an
approval, two results that contradict each other.

What nobody called for stands in the queue like a call, from the moment in which the board came to
it. That a judge has come to it is the host's note (``call_queue``): the board has no call to quiet.
The act ends it.
"""

from collections.abc import Collection

from firmware.core import events
from host.event.fold import TableFold
from host.event.live_boards import Status
from host.web import call_queue
from host.web.cards import CallCard, ClaimCard

# what a match may wait for: its need, its type in the queue, and the events with which it begins
_ASKS = (
    ("dispute", "roll", (events.ROLL_DISPUTED,)),
    ("conflict", "conflict", (events.MATCH_ENDED,)),
    (
        "ruling",
        "ruling",
        (
            events.RESULT_REFUSED,
            events.RESULT_REOPENED,
            events.OUTCOME_PROPOSED,
            events.TIME_CALLED,
        ),
    ),
    ("approval", "approval", (events.RESULT_CONFIRMED,)),
)


def card(
    table: int,
    codes: Collection[str],
    fold: TableFold | None,
    status: Status | None,
    claimed: ClaimCard | None,
    now_ms: int,
) -> CallCard | None:
    """Return a table's entry in the queue, None where it waits for nobody; ``codes`` as
    ``needs.needs`` gave them.
    """
    if "call" in codes:
        return call_queue.card(table, fold, status, claimed, now_ms)
    for code, kind, began in _ASKS:
        if code in codes:
            times = fold.times(began) if fold else ()
            return _asked(table, kind, max((at for _, at in times), default=now_ms), claimed)
    return None


def _asked(table: int, kind: str, since_ms: int, claimed: ClaimCard | None) -> CallCard:
    held = claimed if claimed and claimed["at_ms"] >= since_ms else None
    return {
        "table": table,
        "type": kind,
        "since_ms": since_ms,
        "arrived_ms": held and held["arrived_ms"],
        "claimed": held,
        "asked": True,
    }
