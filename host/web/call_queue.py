"""Calls for a judge as the pages see them: since when, what for, and who goes there."""

from firmware.core import events
from firmware.core.match import JUDGE_IS_HERE
from host.event import call_minutes, judge_calls
from host.event.call_claims import ClaimCard
from host.event.fold import TableFold
from host.event.live_boards import Status
from host.web.cards import CallCard, PastCallCard


def card(
    table: int,
    fold: TableFold | None,
    status: Status | None,
    claimed: ClaimCard | None,
    now_ms: int,
) -> CallCard:
    """Return a table's call; ``claimed`` is its entry in ``claims``, or None."""
    began_ms, _ = call_minutes.span(fold) if fold else (None, None)
    if began_ms is None:  # the status is ahead of the journal
        began_ms = status.heard_ms if status and status.heard_ms is not None else now_ms
    arrived_ms = None
    if fold and fold.match.call == JUDGE_IS_HERE:
        arrived_ms = fold.last_ms(events.JudgeArrived)
    return {
        "table": table,
        "type": _type(fold),
        "since_ms": began_ms,
        "arrived_ms": arrived_ms,
        "claimed": claimed if claimed and claimed["at_ms"] >= began_ms else None,
        "asked": False,
        "again": False,
    }


def _type(fold: TableFold | None) -> str:
    number = fold.match.call if fold else None
    if fold and number == JUDGE_IS_HERE:
        called = fold.last_event(events.JudgeCalled)
        number = called and called.call
    return judge_calls.type_of(number)


def past(table: int, fold: TableFold | None) -> list[PastCallCard]:
    """Return the past calls of a table's match as everybody may see them: when, not why."""
    if fold is None:
        return []
    found: list[PastCallCard] = []
    since_ms = arrived_ms = None
    kinds = (events.JUDGE_CALLED, events.JUDGE_ARRIVED, events.CALL_ENDED)
    for kind, at_ms in fold.times(kinds):
        if since_ms is None:  # a judge may come, and go, without a call
            if kind == events.JUDGE_CALLED:
                since_ms = at_ms
        elif kind == events.JUDGE_ARRIVED:
            arrived_ms = at_ms
        elif kind == events.CALL_ENDED:
            found.append(
                {"table": table, "since_ms": since_ms, "arrived_ms": arrived_ms, "ended_ms": at_ms}
            )
            since_ms = arrived_ms = None
    return found
