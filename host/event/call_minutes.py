"""How much time a judge's call has cost its table.

The time from the call to its end, less the time that the table's clock was frozen, is proposed as
an extension: whole minutes, rounded up, from one minute on *(ours)*.
"""

from firmware.core import events
from host.event.fold import TableFold

_MINUTE_MS = 60_000


def proposed_minutes(fold: TableFold, end_ms: int | None = None) -> int | None:
    """Return the whole minutes that the last call cost; None if there was none, if it cost less
    than a minute, or if time was given since.

    ``end_ms``: the event time at which it ends, None if its end is recorded.
    """
    began_ms, ended_ms = span(fold)
    if end_ms is not None:
        ended_ms = end_ms
    if began_ms is None or ended_ms is None:
        return None
    given_ms = fold.last_ms(events.Extended)
    if given_ms is not None and given_ms >= began_ms:
        return None
    counted_from_ms = max(began_ms, fold.match.start_ms or began_ms)
    lost_ms = ended_ms - counted_from_ms - _frozen_ms(fold, began_ms, ended_ms)
    return -(-lost_ms // _MINUTE_MS) if lost_ms >= _MINUTE_MS else None


def span(fold: TableFold) -> tuple[int | None, int | None]:
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
