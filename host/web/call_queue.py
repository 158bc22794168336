"""Calls for a judge: who takes which, and how much time a call has cost its table.

A claim is the host's own note, kept in the archive and told to nobody at the table. The stopwatch
runs from the call to its end; what it took is proposed as an extension in whole minutes, rounded up,
from one minute on and less what the table's clock was frozen for *(ours)*.
"""

import json

from firmware.core import events

CLAIMED = "call claimed"
ARRIVED = 128  # what JUDGE_ARRIVED leaves in ``match.call``
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
_KEPT = ("by", "link", "at_ms", "arrived_ms")


def claim(archive, round_number, table, who, now_ms, arrived_ms=None):
    """Keep that somebody (a AccessLink) takes a table's call, or is there since ``arrived_ms``; ``who`` None gives it back."""
    taken = {
        "by": who.name if who else "",
        "link": who and who.id,
        "at_ms": now_ms,
        "arrived_ms": arrived_ms,
    }
    value = json.dumps({"round": round_number, "table": table} | taken, sort_keys=True)
    archive.notices.add(
        CLAIMED, value, taken["by"] or "desk", archive.roster.event.origin_unix_ms + now_ms
    )


def claims(archive, round_number):
    """Return ``{table: {"by", "link", "at_ms", "arrived_ms"}}`` of a round, the newest each; those given back are left out."""
    found = {}
    for number, table, taken in filter(None, archive.notices.read(CLAIMED, _claimed)):
        if number == round_number:
            found[table] = taken
    return {table: one for table, one in found.items() if one["by"]}


def _claimed(told):
    """Return the round, the table and who took its call when, None where that makes no sense."""
    number, table, at_ms = told["round"], told["table"], told["at_ms"]
    whole = all(isinstance(one, int) for one in (number, table, at_ms))
    return (number, table, {name: told.get(name) for name in _KEPT}) if whole else None


def card(table, fold, status, claimed, now_ms):
    """Return a table's Call; ``claimed`` as ``claims`` has it, or None."""
    began_ms = _span(fold)[0] if fold else None
    here = bool(fold) and fold.match.call == ARRIVED
    if began_ms is None:  # the status is ahead of the journal
        began_ms = status.heard_ms if status and status.heard_ms is not None else now_ms
    return {
        "table": table,
        "type": _type(fold, here),
        "since_ms": began_ms,
        "arrived_ms": fold.last_ms(events.JUDGE_ARRIVED) if here else None,
        "claimed": claimed if claimed and claimed["at_ms"] >= began_ms else None,
    }


def _type(fold, here):
    if here:
        called = fold.last_event(events.JUDGE_CALLED)
        code = called and called.a
    else:
        code = fold.match.call if fold else None
    return TYPES.get(code, "other")


def past(table, fold):
    """Return the calls of a table's match that are over, as everybody may see them: when, not why."""
    found, began_ms, here_ms = [], None, None
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


def proposed_minutes(fold, now_ms, running=False):
    """Return the whole minutes that the last call cost, or None: none, under one, or given since."""
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


def _span(fold):
    """Return when the last call began (its reason may come later) and ended, None where it did not."""
    began_ms = ended_ms = None
    for kind, at_ms in fold.times((events.JUDGE_CALLED, events.CALL_ENDED)):
        if kind == events.CALL_ENDED:
            ended_ms = at_ms
        elif began_ms is None or ended_ms is not None:
            began_ms, ended_ms = at_ms, None
    return began_ms, ended_ms


def _frozen_ms(fold, began_ms, ended_ms):
    """Return for how long the clock stood still between two moments."""
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
