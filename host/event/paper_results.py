"""Results typed from paper, for tables with or without a board; they can be corrected or withdrawn.

Each is a notice; the newest of a pairing counts. It also stores the board's result at the time of
typing. If the board reports another result later, that is a conflict, and a judge decides. Neither
overwrites the other.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from firmware.core import events, outcome
from firmware.core.match import Match
from host.archive.notices import parse_or_none
from host.archive.roster import Format
from host.archive.store import Archive
from host.base.json_values import Json
from host.event import match_results
from host.event.match_results import PAPER, RULED, TYPED, ClaimedResult, Result
from host.systems.rules import Rules

NOTICE = "paper result"
WITHDRAWN = 0  # as an outcome: the earlier entry no longer counts
WON = {"A": 1, "B": 2, "tie": outcome.TIE, "none": WITHDRAWN}
_WORDS = {number: word for word, number in WON.items()}


class PaperResult(NamedTuple):
    """A typed result: ``outcome`` is A, B, tie or none; games and points by A and by B.

    ``board``: the board's result at that time, or None. ``at_ms`` is event time. ``narrow``: the
    game was awarded by a count at time (D03 216).
    """

    round: int
    pairing: int
    outcome: str
    games: tuple[int, int]
    destroyed: tuple[int, int] | None
    board: ClaimedResult | None
    by: str
    reason: str
    at_ms: int
    narrow: bool = False


def keep(archive: Archive, typed: PaperResult, table: int | None) -> None:
    """Store a typed result; ``table`` as its pairing has it."""
    facts: dict[str, Json] = {
        "round": typed.round,
        "pairing": typed.pairing,
        "table": table,
        "won": WON[typed.outcome],
        "games": typed.games,
        "destroyed": typed.destroyed,
        "board": typed.board and [WON[typed.board.outcome], *typed.board.games],
        "by": typed.by,
        "reason": typed.reason,
        "at_ms": typed.at_ms,
    }
    if typed.narrow:  # other entries stay as older programs wrote them
        facts["narrow"] = True
    archive.notices.add_facts(NOTICE, facts, typed.by, typed.at_ms)


def every(archive: Archive) -> list[PaperResult]:
    """Return every result typed from paper, withdrawals included, oldest first."""
    return [typed for typed in archive.notices.read(NOTICE, read) if typed is not None]


def stored(archive: Archive) -> list[tuple[int, PaperResult]]:
    """Return every result typed from paper, each with the id of its notice."""
    results = ((row, parse_or_none(value, read)) for row, value in archive.notices.rows(NOTICE))
    return [(row, typed) for row, typed in results if typed is not None]


def standing(archive: Archive, round_number: int) -> dict[int, PaperResult]:
    """Return the typed results in force in a round, by pairing."""
    newest = {typed.pairing: typed for typed in every(archive) if typed.round == round_number}
    return {pairing: typed for pairing, typed in newest.items() if WON[typed.outcome] != WITHDRAWN}


def read(facts: Mapping[str, Json]) -> PaperResult | None:
    """Return the result in a notice, None if invalid. Raises LookupError, TypeError, ValueError."""
    number, pairing, at_ms = facts["round"], facts["pairing"], facts["at_ms"]
    games, won = _pair(facts["games"]), facts["won"]
    by, reason = facts["by"], facts["reason"]
    if not (isinstance(number, int) and isinstance(pairing, int) and isinstance(at_ms, int)):
        return None
    if games is None or not isinstance(won, int) or won not in _WORDS:
        return None
    if not (isinstance(by, str) and isinstance(reason, str)):
        return None
    return PaperResult(
        number, pairing, _WORDS[won], games, _pair(facts["destroyed"]), _claim(facts["board"]),
        by, reason, at_ms, facts.get("narrow") is True,
    )  # fmt: skip


def _pair(value: Json) -> tuple[int, int] | None:
    if not isinstance(value, list):
        return None
    a, b = value
    return (a, b) if isinstance(a, int) and isinstance(b, int) else None


def _claim(value: Json) -> ClaimedResult | None:
    if not isinstance(value, list):
        return None
    won, *games = value
    pair = _pair(games)
    return ClaimedResult(_WORDS[won], pair) if isinstance(won, int) and pair else None


def settle(typed: PaperResult, result: Result, board: Result | None) -> Result:
    """Return the Result that counts: the typed one (``result``) or the ``board``'s.

    The board's counts if both are equal, or if a judge ruled at the board after the typing; not
    where only the typed one has points destroyed, beside a code or a ruling.
    Otherwise the typed one counts; its ``against`` is the board's result if that was not known at
    the time of typing.
    """
    if board is None:
        return result
    if board.by == RULED and board.ended_ms > typed.at_ms:
        return board
    on_board = ClaimedResult(board.outcome, board.games)
    # points are compared only if both have them
    same_points = None in (board.destroyed, result.destroyed) or board.destroyed == result.destroyed
    more_is_typed = result.narrow and not board.narrow
    same = same_points and on_board == ClaimedResult(result.outcome, result.games)
    only_typed_has_points = result.destroyed is not None and board.destroyed is None
    if same and only_typed_has_points and board.by in (RULED, TYPED):  # neither says any
        return result
    if same and not more_is_typed:
        return board
    if same_points and on_board == typed.board:
        return result
    return replace(result, against=on_board)


def result_of(typed: PaperResult, form: Format, rules: Rules) -> Result:
    """Return a typed result as a Result of its format, with its points."""
    match, at_ms = Match(rules), typed.at_ms
    won = WON[typed.outcome]
    equivalent: list[events.Event] = [  # what a board would have recorded
        events.RoundSet(at_ms, typed.round, 0, typed.pairing),
        events.FormatSet(at_ms, form.system, form.bits, form.minutes),
    ]
    if typed.narrow:
        equivalent.append(events.OutcomeProposed(at_ms, won, 0, 0, won))
    elif typed.destroyed is None:
        equivalent.append(events.ResultRuled(at_ms, won, 0, *typed.games))
    else:
        equivalent.append(events.DestroyedCounted(at_ms, 0, *typed.destroyed))
        equivalent.append(events.OutcomeProposed(at_ms, won, 0, 0, 0))
    for event in equivalent:
        match.apply(event)
    return replace(
        match_results.result_of(match, at_ms, incomplete=False),
        games=typed.games,
        section=None,
        by=PAPER,
        author=typed.by,
        reason=typed.reason,
    )
