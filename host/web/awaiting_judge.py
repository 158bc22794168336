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
        current = _since(claimed, again.at_ms)  # an earlier claim was of the call before
        return _without_call(table, again.type, again.since_ms, current, put_back=True)
    if "call" in codes:
        return call_queue.card(table, fold, status, claimed, now_ms)
    for code, kind, began in _REASONS:
        if code in codes:
            times = fold.times(began) if fold else ()
            since_ms = max((at_ms for _, at_ms in times), default=now_ms)
            current = _since(claimed, since_ms)
            return _without_call(table, kind, since_ms, current, put_back=False)
    return None


def _since(claimed: ClaimCard | None, at_ms: int) -> ClaimCard | None:
    return claimed if claimed and claimed["at_ms"] >= at_ms else None


def _without_call(
    table: int, kind: str, since_ms: int, claimed: ClaimCard | None, put_back: bool
) -> CallCard:
    """Return the card of a table whose board has no call: it was put back, or the state of the
    match requires a judge.
    """
    return {
        "table": table,
        "type": kind,
        "since_ms": since_ms,
        "arrived_ms": claimed and claimed["arrived_ms"],
        "claimed": claimed,
        "asked": not put_back,
        "again": put_back,
    }
