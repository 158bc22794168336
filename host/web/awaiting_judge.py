"""Why a table waits for a judge: its call, a ruling, a disputed roll, an approval, a result
conflict.

Without a call, the entry is queued like a call from the time at which its state began. A judge's
arrival is then only a notice of the host (``call_claims``), because the board has no call. The
judge's act ends it.
"""

from collections.abc import Collection

from firmware.core import events
from host.event.call_claims import ClaimCard
from host.event.calls_put_back import PutBack
from host.event.fold import TableFold
from host.event.live_boards import Status
from host.web import call_queue, needs
from host.web.cards import CallCard

# a match's reason to wait: its need, its type in the queue, and the events that begin it
_REASONS = (
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
    again: PutBack | None = None,
) -> CallCard | None:
    """Return a table's entry in the queue, None if it does not wait; ``codes`` as from
    ``needs.needs``.
    """
    if again is not None and not needs.judge_wanted(fold, status):
        return _put_back_card(again, claimed)
    if "call" in codes:
        return call_queue.card(table, fold, status, claimed, now_ms)
    for code, kind, began in _REASONS:
        if code in codes:
            times = fold.times(began) if fold else ()
            return _state_card(table, kind, max((at for _, at in times), default=now_ms), claimed)
    return None


def _put_back_card(again: PutBack, claimed: ClaimCard | None) -> CallCard:
    """Return the card of a call that was put back; earlier claims do not count."""
    current = claimed if claimed and claimed["at_ms"] >= again.at_ms else None
    return {
        "table": again.table,
        "type": again.type,
        "since_ms": again.since_ms,
        "arrived_ms": current and current["arrived_ms"],
        "claimed": current,
        "asked": False,
        "again": True,
    }


def _state_card(table: int, kind: str, since_ms: int, claimed: ClaimCard | None) -> CallCard:
    current = claimed if claimed and claimed["at_ms"] >= since_ms else None
    return {
        "table": table,
        "type": kind,
        "since_ms": since_ms,
        "arrived_ms": current and current["arrived_ms"],
        "claimed": current,
        "asked": True,
        "again": False,
    }
