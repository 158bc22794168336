"""What a table needs of the people who walk the room, most urgent first."""

from firmware.core import frames, phases
from firmware.core.result import REOPENED

DISPUTED = 3  # of ``match.rolled``: see core.luck
LATE_MS = 30_000  # as in ``host.event.table_rows``
SEEN = ("no_board", "silent", "records_lost", "low", "uncertain")  # of the board, not of its match


def silent(status, now_ms):
    """Say whether a board that was heard is not heard any more."""
    return status.heard_ms is not None and now_ms - status.heard_ms > LATE_MS


def awaits_approval(match):
    """Say whether both seats confirmed and the format wants a judge's word on it."""
    return match.phase == phases.PROPOSED and match.confirmed == 3 and bool(match.format >> 15 & 1)


def awaits_ruling(match):
    """Say whether a judge is to rule: a result was refused, or the text asks, and the seats have nothing left to tell.

    What they opened again themselves they enter anew, where the system lets them.
    """
    if match.phase != phases.RESOLVING or match.missing:
        return False
    return match.claimed != REOPENED or not match.rules.SEATS


def wanted(fold, status):
    """Say whether a judge is wanted and not there: by the journal, or sooner by the status."""
    if fold is not None and fold.match.call is not None:
        return True
    return bool(status and status.has(frames.JUDGE_WANTED))


def needs(match, fold, status, called, done, now_ms):
    """Return the codes that hold at a table, most urgent first; ``done``: it has its result."""
    open_match = match is not None and not done
    holds = (
        ("call", called),
        ("dispute", open_match and match.rolled == DISPUTED),
        ("ruling", open_match and awaits_ruling(match)),
        ("approval", open_match and awaits_approval(match)),
        ("uncertain", bool(status and status.has(frames.CLOCK_UNCERTAIN)) and not done),
        ("no_board", status is None or status.heard_ms is None),
        ("silent", bool(status and silent(status, now_ms)) and not done),
        ("records_lost", bool(fold and fold.doubtful)),
        ("low", bool(status and status.has(frames.BATTERY_LOW))),
        ("late", open_match and bool(match.late)),
    )
    return [code for code, held in holds if held]


def rank(codes):
    """Return how soon a table with these codes wants somebody: 0 not at all."""
    weights = {"call": 100, "dispute": 90, "ruling": 80, "approval": 70, "uncertain": 50}
    return max((weights.get(code, 10) for code in codes), default=0)
