"""Calls for a judge as the pages see them: since when, what for, and who goes there."""

from firmware.core import events
from firmware.core.match import JUDGE_IS_HERE
from host.event import call_minutes
from host.event.call_claims import ClaimCard
from host.event.fold import TableFold
from host.event.live_boards import Status
from host.web.cards import CallCard, PastCallCard

TYPES = {
    1: "rules",
    2: "deck",
    3: "result",
    4: "absent",
    5: "help",
    254: "failed",
    255: "different",
}


def card(
    table: int,
    fold: TableFold | None,
    status: Status | None,
    claimed: ClaimCard | None,
    now_ms: int,
) -> CallCard:
    """Return a table's call; ``claimed`` is its entry in ``claims``, or None."""
    began_ms = call_minutes.span(fold)[0] if fold else None
    here = fold if fold and fold.match.call == JUDGE_IS_HERE else None
    if began_ms is None:  # the status is ahead of the journal
        began_ms = status.heard_ms if status and status.heard_ms is not None else now_ms
    return {
        "table": table,
        "type": _type(fold),
        "since_ms": began_ms,
        "arrived_ms": here.last_ms(events.JudgeArrived) if here else None,
        "claimed": claimed if claimed and claimed["at_ms"] >= began_ms else None,
        "asked": False,
        "again": False,
    }


def _type(fold: TableFold | None) -> str:
    if fold is None:
        return "other"
    code = fold.match.call
    if code == JUDGE_IS_HERE:
        called = fold.last_event(events.JudgeCalled)
        code = called and called.call
    return "other" if code is None else TYPES.get(code, "other")


def past(table: int, fold: TableFold | None) -> list[PastCallCard]:
    """Return the past calls of a table's match as everybody may see them: when, not why."""
    found: list[PastCallCard] = []
    began_ms = here_ms = None
    for kind, at_ms in (
        fold.times((events.JUDGE_CALLED, events.JUDGE_ARRIVED, events.CALL_ENDED)) if fold else ()
    ):
        if kind == events.JUDGE_CALLED:
            began_ms = at_ms if began_ms is None else began_ms
        elif kind == events.JUDGE_ARRIVED:
            here_ms = at_ms
        elif began_ms is not None:
            found.append(
                {"table": table, "since_ms": began_ms, "arrived_ms": here_ms, "ended_ms": at_ms}
            )
            began_ms = here_ms = None
    return found
