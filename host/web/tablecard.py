"""One table's card: everything for staff, the public part for viewers.

What staff see of a player beside name and number is added later (``roundcard.PlayerDetails``).
"""

from collections.abc import Collection, Sequence

from firmware.core import answers, legal, phases
from firmware.core.match import Match
from host.archive.orders import Order
from host.archive.roster import Pairing, Player
from host.base import commands
from host.desk.acts.table import ON_PAGES
from host.event import call_minutes, points, status_preview
from host.event.call_claims import ClaimCard
from host.event.calls_put_back import PutBack
from host.event.fold import TableFold
from host.event.holdings import Gap
from host.event.live_boards import Status
from host.event.match_results import Result
from host.event.points import PointsByWord
from host.web import awaiting_judge, match_part, needs
from host.web.cards import (
    BoardPart,
    CallCard,
    OrderCard,
    PairingPart,
    PlayerCard,
    ResultCard,
    TableCard,
)

REFUSALS = {
    answers.ILLEGAL: "illegal",
    answers.SUPERSEDED: "superseded",
    answers.UNKNOWN: "unknown",
    answers.TIME_STEP: "time_step",
}
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
    "boardless",
    "feature",
)
_ACTS = [(act, act.intent) for act in ON_PAGES if act.intent is not None]


def card(
    pairing: Pairing,
    fold: TableFold | None,
    status: Status | None,
    *,
    missing: Sequence[Gap],
    result: Result | None,
    worth: PointsByWord,
    claimed: ClaimCard | None,
    now_ms: int,
    again: PutBack | None = None,
    feature: bool = False,
    kept: bool = False,
) -> TableCard:
    """Return a table's card; ``missing`` as ``Collector.missing``, ``worth`` the event's points,
    ``claimed`` the claim of its call, ``again`` its call that was put back, ``feature`` and
    ``kept`` as in a card.
    """
    match = fold.match if fold and fold.match.round == pairing.round else None
    seated, done = _pairing_part(pairing, feature, kept), result is not None
    called = again is not None or needs.judge_wanted(fold, status)
    codes = needs.needs(match, fold, status, called, result, now_ms)
    proposed = None
    if fold and match and not done:
        proposed = call_minutes.proposed_minutes(fold)
    card: TableCard = {
        **seated,
        "result": result_card(result, worth),
        "call": awaiting_judge.card(seated["table"], codes, fold, status, claimed, now_ms, again),
        "device": status.device if status else None,
        "needs": codes,
        "offers": offers(match, status is not None, done),
        "extend_proposed": proposed,
        **_board_part(codes, status),
        **(match_part.of_match(match, fold) if fold and match else match_part.UNHEARD),
    }
    if not done and status_preview.ahead(status, missing):
        _preview(card, status)
    return card


def _pairing_part(pairing: Pairing, feature: bool, kept: bool) -> PairingPart:
    assert pairing.table is not None and pairing.b is not None  # a bye has no table
    return {
        "table": pairing.table,
        "pairing": pairing.pairing,
        "a": player(pairing.a),
        "b": player(pairing.b),
        "feature": feature,
        "kept": kept,
    }


def _board_part(codes: Collection[str], status: Status | None) -> BoardPart:
    return {
        "need": needs.rank(codes),
        "uncertain": "uncertain" in codes,
        "silent": "silent" in codes,
        "low": "low" in codes,
        "missing_board": needs.unheard(status),
        "boardless": status is None,
        "incomplete": "records_lost" in codes,
    }


def _preview(card: TableCard, status: Status):
    """Update a card from the status, while the records are missing."""
    preview = status_preview.preview(status, card["frozen_ms"] is not None)
    card["phase"], card["turn"], card["zero_ms"] = preview


def player(who: Player) -> PlayerCard:
    """Return a player as name and number."""
    return {"name": who.name, "number": who.number}


def result_card(result: Result | None, worth: PointsByWord) -> ResultCard | None:
    """Return a Result's card, or None."""
    if result is None:
        return None
    return {
        "outcome": result.outcome,
        "games": list(result.games),
        "narrow": result.narrow and result.points != (None, None),  # else it is a win as any
        "section": result.section,
        "by": result.by,
        "ended_ms": result.ended_ms,
        "incomplete": result.incomplete,
        "points": list(points.of(result, worth)),
        "destroyed": None if result.destroyed is None else list(result.destroyed),
        "author": result.author,
        "reason": result.reason,
        "against": result.against
        and {"outcome": result.against.outcome, "games": list(result.against.games)},
    }


def plain(whole: TableCard, hidden: bool) -> dict[str, object]:
    """Return a card's public part; ``hidden``: the players do not see the time left."""
    public: dict[str, object] = {key: whole[key] for key in _PLAIN}
    public["a"], public["b"] = {"name": whole["a"]["name"]}, {"name": whole["b"]["name"]}
    result, call = whole["result"], whole["call"]
    public["result"] = result and {key: result[key] for key in ("outcome", "games", "destroyed")}
    public["call"] = call and plain_call(call)
    if hidden:
        public["zero_ms"] = public["frozen_ms"] = None
    return public


def plain_call(call: CallCard) -> dict[str, int | None]:
    """Return a call's public part: since when, and whether a judge is there."""
    return {key: call[key] for key in ("table", "since_ms", "arrived_ms")}


def order_card(order: Order) -> OrderCard:
    """Return an Order's card for staff."""
    command = commands.of(order.kind)
    return {
        "id": order.id,
        "table": order.table,
        "what": (command and command.word) or "other",
        "state": order.state,
        "why": REFUSALS.get(order.refusal, "") if order.state == "refused" else "",
        "author": order.author,
        "reason": order.reason,
        "asked_ms": order.asked_ms,
    }


def offers(match: Match | None, has_board: bool, done: bool) -> list[str]:
    """Return the names of the acts that a table's board would accept in this phase.

    ``has_board``: the table has one, ``done``: it has its result. ``firmware.core.legal`` says what
    is legal; pages offer nothing else.
    """
    if not has_board:
        return []
    if match is None or match.phase == phases.IDLE:
        if done:
            return []
        # an order now waits for the board, which then has its match
        possible = [act for act, kind in _ACTS if legal.in_phase(kind, phases.SEATED)]
        return [act.name for act in possible if act.offered(None)]
    legal_acts = [(act, kind) for act, kind in _ACTS if legal.possible(match, kind)]
    if done:
        legal_acts = [
            (act, kind) for act, kind in legal_acts if legal.in_phase(kind, phases.AGREED)
        ]
    return [act.name for act, _ in legal_acts if act.offered(match)]
