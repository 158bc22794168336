"""One table as the pages see it: everything for staff, the plain part of it for viewers."""

from firmware.core import phases, sync
from host.event import points, status_preview
from host.event.match_results import as_paired
from host.systems.match_facts import PHASES
from host.web import awaiting_judge, call_queue, needs

REFUSALS = {
    sync.ILLEGAL: "illegal",
    sync.SUPERSEDED: "superseded",
    sync.UNKNOWN: "unknown",
    sync.TIME_STEP: "time_step",
}
_ROLLS = {1: "shown", needs.DISPUTED: "disputed"}
_PLAIN = (
    "table",
    "phase",
    "turn",
    "turns",
    "games",
    "best_of",
    "zero_ms",
    "frozen_ms",
    "extension_s",
    "called",
)
_OVER = (phases.IDLE, phases.AGREED)


def card(pairing, fold, status, missing, result, said, claimed, now_ms):
    """Return a table's card; ``missing`` as ``Collector.missing``, ``said`` the event's points, ``claimed`` who took its call."""
    match = fold.match if fold and fold.match.round == pairing.round else None
    done = result is not None
    called = needs.wanted(fold, status)
    codes = needs.needs(match, fold, status, called, done, now_ms)
    found = {
        "table": pairing.table,
        "pairing": pairing.pairing,
        "a": player(pairing.a),
        "b": player(pairing.b),
        "result": result_card(result, said),
        "call": awaiting_judge.card(pairing.table, codes, fold, status, claimed, now_ms),
        "device": status and status.device,
        "needs": codes,
        "need": needs.rank(codes),
        **{word: word in codes for word in ("uncertain", "silent", "low")},
        "missing_board": "no_board" in codes,
        "incomplete": "records_lost" in codes,
        "extend_proposed": call_queue.proposed_minutes(fold, now_ms)
        if match and not done
        else None,
    }
    found |= _of_match(match, fold) if match else _UNHEARD
    if not done and status_preview.ahead(status, missing):
        found |= status_preview.preview(status, found["frozen_ms"] is not None)._asdict()
    return found


_UNHEARD = {
    "phase": "idle", "turn": 0, "turns": 0, "games": [0, 0], "best_of": 1, "zero_ms": None, "frozen_ms": None,
    "extension_s": 0, "late": 0, "present": 0, "called": False, "proposal": None, "roll": None, "policy": 0,
}  # fmt: skip


def _of_match(match, fold):
    return {
        "phase": PHASES[match.phase],
        "turn": match.turn or 0,
        "turns": match.overtime[0],
        "games": list(as_paired(match, match.games)),
        "best_of": match.best_of,
        "zero_ms": match.zero_ms,
        "frozen_ms": match.frozen_ms,
        "extension_s": match.extension_s,
        "late": as_paired(match, match.late),
        "present": as_paired(match, match.present),
        "called": bool(match.called),
        "proposal": _proposal(match, fold),
        "roll": _ROLLS.get(match.rolled),
        "policy": match.policy,
    }


def _proposal(match, fold):
    if not match.outcome or match.phase in _OVER:
        return None
    name, section = fold.proposal
    return {
        "outcome": name,
        "section": section,
        "confirmed": as_paired(match, match.confirmed),
        "approval": needs.awaits_approval(match),
    }


def player(one):
    """Return a player as name and number, None for nobody."""
    return one and {"name": one.name, "number": one.number}


def result_card(result, said):
    """Return a Result as the pages see it, None where there is none."""
    return result and {
        "outcome": result.outcome,
        "games": list(result.games),
        "section": result.section,
        "by": result.by,
        "ended_ms": result.ended_ms,
        "incomplete": result.incomplete,
        "points": list(points.of(result, said)),
    }


def plain(told, hidden):
    """Return what viewers see of a card; ``hidden``: the players do not see the time left."""
    found = {key: told[key] for key in _PLAIN}
    for seat in "ab":
        found[seat] = told[seat] and {"name": told[seat]["name"]}
    result, call = told["result"], told["call"]
    found["result"] = result and {"outcome": result["outcome"], "games": result["games"]}
    found["call"] = call and plain_call(call)
    if hidden:
        found["zero_ms"] = found["frozen_ms"] = None
    return found


def plain_call(call):
    """Return what viewers see of a call: since when, and whether a judge is there."""
    return {key: call[key] for key in ("table", "since_ms", "arrived_ms")}


def order_card(order, words):
    """Return an Order as staff see it; ``words`` by intent."""
    return {
        "id": order.id,
        "table": order.table,
        "what": words.get(order.kind, "other"),
        "state": order.state,
        "why": REFUSALS.get(order.refusal, "") if order.state == "refused" else "",
        "author": order.author,
        "reason": order.reason,
        "asked_ms": order.asked_ms,
    }
