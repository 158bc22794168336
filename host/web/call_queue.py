"""Calls for a judge: who goes to which, and how much time a call has cost its table.

A claim is the host's own note, stored in the archive and not shown at the table. The time from the
call to its end, less the time that the table's clock was frozen, is proposed as an extension: whole
minutes, rounded up, from one minute on *(ours)*.
"""

import json
from collections.abc import Mapping

from firmware.core import events
from host.archive.access_links import AccessLink
from host.archive.store import Archive
from host.base.json_values import Json
from host.event.fold import TableFold
from host.event.live_boards import Status
from host.web.cards import CallCard, ClaimCard, PastCallCard

CLAIMED = "call claimed"
ARRIVED = 128  # the bit that JUDGE_ARRIVED sets in ``match.call``
TYPES = {
    1: "rules",
    2: "deck",
    3: "result",
    4: "absent",
    5: "help",
    254: "failed",
    255: "different",
}
_MINUTE_MS = 60_000


def claim(
    archive: Archive,
    round_number: int,
    table: int,
    author: str,
    who: AccessLink | None,
    now_ms: int,
    arrived_ms: int | None = None,
) -> None:
    """Store who goes to a table's call, or has been there since ``arrived_ms``; None: ``author``
    gives it back.
    """
    taken: ClaimCard = {
        "by": who.name if who else "",
        "link": who.id if who else None,
        "at_ms": now_ms,
        "arrived_ms": arrived_ms,
    }
    value = json.dumps({"round": round_number, "table": table, **taken}, sort_keys=True)
    unix_ms = archive.roster.current_event.origin_unix_ms + now_ms
    archive.notices.add(CLAIMED, value, author, unix_ms)


def claims(archive: Archive, round_number: int) -> dict[int, ClaimCard]:
    """Return the newest claim of each table in a round, without those given back."""
    found: dict[int, ClaimCard] = {}
    for number, table, taken in filter(None, archive.notices.read(CLAIMED, _claimed)):
        if number == round_number:
            found[table] = taken
    return {table: one for table, one in found.items() if one["by"]}


def _claimed(told: Mapping[str, Json]) -> tuple[int, int, ClaimCard] | None:
    """Return round, table and claim in a notice, None if it is invalid."""
    number, table, at_ms = told["round"], told["table"], told["at_ms"]
    by, link, arrived_ms = told.get("by"), told.get("link"), told.get("arrived_ms")
    if not (isinstance(number, int) and isinstance(table, int) and isinstance(at_ms, int)):
        return None
    taken: ClaimCard = {
        "by": by if isinstance(by, str) else "",
        "link": link if isinstance(link, int) else None,
        "at_ms": at_ms,
        "arrived_ms": arrived_ms if isinstance(arrived_ms, int) else None,
    }
    return number, table, taken


def card(
    table: int,
    fold: TableFold | None,
    status: Status | None,
    claimed: ClaimCard | None,
    now_ms: int,
) -> CallCard:
    """Return a table's call; ``claimed`` is its entry in ``claims``, or None."""
    began_ms = _span(fold)[0] if fold else None
    here = fold if fold and fold.match.call == ARRIVED else None
    if began_ms is None:  # the status is ahead of the journal
        began_ms = status.heard_ms if status and status.heard_ms is not None else now_ms
    return {
        "table": table,
        "type": _type(fold),
        "since_ms": began_ms,
        "arrived_ms": here.last_ms(events.JUDGE_ARRIVED) if here else None,
        "claimed": claimed if claimed and claimed["at_ms"] >= began_ms else None,
        "asked": False,
        "again": False,
    }


def _type(fold: TableFold | None) -> str:
    if fold is None:
        return "other"
    code = fold.match.call
    if code == ARRIVED:
        called = fold.last_event(events.JUDGE_CALLED)
        code = called and called.a
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


def proposed_minutes(fold: TableFold, now_ms: int, running: bool = False) -> int | None:
    """Return the whole minutes that the last call cost; None if there was none, if it cost under
    one, or if minutes were given since.
    """
    match = fold.match
    began_ms, ended_ms = _span(fold)
    ended_ms = now_ms if running else ended_ms
    given_ms = fold.last_ms(events.EXTENDED)
    if began_ms is None or ended_ms is None or (given_ms is not None and given_ms >= began_ms):
        return None
    lost_ms = (
        ended_ms - max(began_ms, match.start_ms or began_ms) - _frozen_ms(fold, began_ms, ended_ms)
    )
    return -(-lost_ms // _MINUTE_MS) if lost_ms >= _MINUTE_MS else None


def _span(fold: TableFold) -> tuple[int | None, int | None]:
    """Return when the last call began (its reason may come later) and ended (None: open)."""
    began_ms = ended_ms = None
    for kind, at_ms in fold.times((events.JUDGE_CALLED, events.CALL_ENDED)):
        if kind == events.CALL_ENDED:
            ended_ms = at_ms
        elif began_ms is None or ended_ms is not None:
            began_ms, ended_ms = at_ms, None
    return began_ms, ended_ms


def _frozen_ms(fold: TableFold, began_ms: int, ended_ms: int) -> int:
    """Return how long the clock was frozen between two times."""
    stopped_ms, total_ms = None, 0
    for kind, at_ms in fold.times((events.FROZEN, events.RESUMED)):
        if kind == events.FROZEN:
            stopped_ms = at_ms
        elif stopped_ms is not None:
            total_ms += max(0, min(at_ms, ended_ms) - max(stopped_ms, began_ms))
            stopped_ms = None
    if stopped_ms is not None:
        total_ms += max(0, ended_ms - max(stopped_ms, began_ms))
    return total_ms
