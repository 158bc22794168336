"""Estimates when the round will end, and which tables delay it.

A table's end is computed from its board's last status:

* playing: its zero (start, minutes, extensions, time lost to freezes), then ``TURN_MS`` for each
  turn after time, or the overtime's own clock if the format has one; never before now and the
  current turn.
* frozen: the same, later by the time it has been frozen so far.
* in overtime: the remaining turns, including the current one.
* the result is counted or to be confirmed: ``RESULT_MS`` from now.
* it waits for a judge's ruling or approval: ``JUDGE_MS`` from now, and it always delays the round.
* it has no board: the room's own zero, and it delays the round after that.
* its board was never heard though the round has begun: the same, and it always delays the round.
* has its result: done.

The round's end is the latest of them; the other tables that delay it end ``HOLD_MS`` or less before
it and after the room's own zero. After that zero every table without a result delays the round.
Tables usually end sooner; the estimate does not know the state of a game *(ours)*.
"""

from collections.abc import Mapping
from typing import NamedTuple

from firmware.core import phases
from firmware.core.match import Match
from host.web import needs
from host.web.cards import ExpectedCard, ForecastCard

TURN_MS = 60_000
RESULT_MS = 90_000
JUDGE_MS = 300_000
HOLD_MS = 120_000
_SOON = (phases.RESOLVING, phases.PROPOSED)
_UNKNOWN = ("judge", "unheard")
_UNTIMED = (*_UNKNOWN, "paper")  # no time of the table's own is known
_LAST = (phases.FINISHING, phases.PLAY_ON, phases.TIEBREAKER)


class Expected(NamedTuple):
    """When a table is likely to end, and why then: a word for pages."""

    end_ms: int
    why: str


def expected_end(
    match: Match | None, now_ms: int, room_zero_ms: int | None = None, has_board: bool = True
) -> Expected | None:
    """Return when an unfinished match is likely to end, None before its start is set.

    ``room_zero_ms`` is the room's own zero once the round has begun.
    """
    if match is None or match.start_ms is None:
        if room_zero_ms is None:
            return None
        end_ms = room_zero_ms if room_zero_ms > now_ms else now_ms + RESULT_MS
        return Expected(end_ms, "unheard" if has_board else "paper")
    turns, clock_s = match.overtime
    if needs.awaits_ruling(match) or needs.awaits_approval(match):
        return Expected(now_ms + JUDGE_MS, "judge")
    if match.phase in _SOON:
        return Expected(now_ms + RESULT_MS, "result")
    if match.phase == phases.OVERTIME:
        turns_left = max(turns - (match.turn or 1) + 1, 1)
        return Expected(now_ms + turns_left * TURN_MS + RESULT_MS, "overtime")
    if match.phase in _LAST:
        return Expected(now_ms + TURN_MS + RESULT_MS, "overtime")
    stood_ms = now_ms - match.frozen_ms if match.frozen_ms is not None else 0
    assert match.zero_ms is not None  # the start is set
    overtime_ms = max(turns * TURN_MS, clock_s * 1000)
    end_ms = max(match.zero_ms + stood_ms, now_ms) + overtime_ms + RESULT_MS
    if match.frozen_ms is not None:
        return Expected(end_ms, "frozen")
    if match.phase == phases.TIME:
        return Expected(end_ms, "waiting")
    return Expected(end_ms, "extension" if match.extension_s else "playing")


def card(estimate: Expected | None) -> ExpectedCard | None:
    """Return a table's estimate for pages, without a time if it waits for a judge or was not
    heard.
    """
    if estimate is None:
        return None
    return {
        "end_ms": None if estimate.why in _UNTIMED else _rounded_up(estimate.end_ms),
        "why": estimate.why,
    }


def forecast(
    expected: Mapping[int, Expected | None], room_zero_ms: int | None, now_ms: int = 0
) -> ForecastCard:
    """Return the round's end and the tables that delay it; ``expected`` by table."""
    estimates = {table: estimate for table, estimate in expected.items() if estimate}
    ends_ms = {table: _rounded_up(estimate.end_ms) for table, estimate in estimates.items()}
    latest_ms = max(ends_ms.values(), default=None)
    if room_zero_ms is not None and now_ms > room_zero_ms:
        return {"end_ms": latest_ms, "holding": sorted(estimates)}
    holding = {table for table, estimate in estimates.items() if estimate.why in _UNKNOWN}
    late_ms = max(room_zero_ms or 0, (latest_ms or 0) - HOLD_MS)
    late = {table for table, end_ms in ends_ms.items() if end_ms >= late_ms}
    if len(late) < len(ends_ms) or len(ends_ms) == 1:  # if all end together, none delays the round
        holding |= late
    return {"end_ms": latest_ms, "holding": sorted(holding)}


def _rounded_up(at_ms: int) -> int:
    """Round up to ten seconds: an estimate that changes less often."""
    return -(-at_ms // 10_000) * 10_000
