"""Shows a table from its board's status while records are missing, as after a restore
(docs/architecture.md).

A status settles nothing but a result that it announces (``announced_results``). But it gives a
table's phase and zero, signed with the board's key, long before a connection has brought the
records.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeGuard

from firmware.core import frames, phases
from host.event.holdings import Gap
from host.event.live_boards import Status, StatusT
from host.systems.match_facts import PHASES


class StatusPreview(NamedTuple):
    """A match from a status: phase (a word), overtime turn, the zero's event time in ms or None."""

    phase: str
    turn: int
    zero_ms: int | None


def ahead(status: StatusT | None, missing: Sequence[Gap]) -> TypeGuard[StatusT]:
    """Whether a board's status is newer than the archive; ``missing`` as ``Collector.missing``.

    That ends once a connection has fetched all records since the board or this host started.
    """
    if status is None or status.heard_ms is None or status.phase >= len(PHASES):
        return False
    return bool(not status.visited and missing)


def frozen(status: Status) -> bool:
    """Whether a board's clock is frozen."""
    return status.has(frames.CLOCK_FROZEN) or status.phase == phases.FROZEN


def preview(status: Status, freeze_known: bool) -> StatusPreview:
    """Return the StatusPreview of a status; ``freeze_known``: the archive has the freeze, if any.

    A status does not say since when a clock is frozen; its zero alone would show a running clock.
    """
    zero_ms = status.zero_ms if freeze_known or not frozen(status) else None
    return StatusPreview(PHASES[status.phase], status.turn, zero_ms or None)


def to_come(missing: Iterable[Gap]) -> int:
    """Return how many records a board has still to send."""
    return sum(gap.size for gap in missing)
