"""A table's needs, most urgent first."""

from collections.abc import Iterable

from firmware.core import frames, phases
from firmware.core.match import Match
from firmware.core.result import REOPENED
from host.event import table_rows
from host.event.fold import TableFold
from host.event.live_boards import Status
from host.event.match_results import Result

DISPUTED = 3  # of ``match.rolled``: see core.luck


def unheard(status: Status | None) -> bool:
    """Return whether a table has no board, or its board was never heard."""
    return status is None or status.heard_ms is None


def silent(status: Status, now_ms: int) -> bool:
    """Return whether a board that was heard before is silent now."""
    return status.heard_ms is not None and now_ms - status.heard_ms > table_rows.SILENT_MS


def awaits_approval(match: Match) -> bool:
    """Return whether both seats confirmed and the format requires a judge's approval."""
    is_confirmed = match.phase == phases.PROPOSED and match.confirmed == 3
    return is_confirmed and bool(match.needs_approval)


def awaits_ruling(match: Match) -> bool:
    """Return whether a judge must rule: a result was refused, or the rules leave it to a judge and
    the seats have entered everything.

    If the players reopened a result themselves, they enter it again if the system allows it.
    """
    if match.phase != phases.RESOLVING or match.missing:
        return False
    return match.claimed != REOPENED or not match.rules.SEATS


def judge_wanted(fold: TableFold | None, status: Status | None) -> bool:
    """Return whether a judge was called and has not arrived, by journal or by a newer status."""
    if fold is not None and fold.match.call is not None:
        return True
    return bool(status and status.has(frames.JUDGE_WANTED))


def needs(
    match: Match | None,
    fold: TableFold | None,
    status: Status | None,
    called: bool,
    result: Result | None,
    now_ms: int,
) -> list[str]:
    """Return the codes that hold at a table, most urgent first; ``result``: its own, or None."""
    done = result is not None
    playing = None if done else match
    holds = (
        ("call", called),
        ("dispute", playing is not None and playing.rolled == DISPUTED),
        ("conflict", result is not None and result.against is not None),
        ("points", result is not None and result.unscored),
        ("ruling", playing is not None and awaits_ruling(playing)),
        ("approval", playing is not None and awaits_approval(playing)),
        ("uncertain", bool(status and status.has(frames.CLOCK_UNCERTAIN)) and not done),
        ("no_board", unheard(status) and not done),
        ("silent", bool(status and silent(status, now_ms)) and not done),
        ("records_lost", bool(fold and fold.doubtful)),
        ("low", bool(status and status.has(frames.BATTERY_LOW))),
        ("late", playing is not None and bool(playing.late)),
    )
    return [code for code, held in holds if held]


def rank(codes: Iterable[str]) -> int:
    """Return the urgency of a table with these codes; 0: none."""
    weights = {
        "call": 100,
        "dispute": 90,
        "conflict": 85,
        "ruling": 80,
        "approval": 70,
        "uncertain": 50,
    }
    return max((weights.get(code, 10) for code in codes), default=0)
