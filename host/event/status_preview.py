"""What a board's status says while its records have still to come, as after a restore (docs/architecture.md).

A status decides nothing. It says which phase a table is in and when its zero is, under the board's
key, long before a link has brought the records that say why.
"""

from firmware.core import frames, phases
from host.systems.match_facts import PHASES


def ahead(status, missing):
    """Say whether a board's status knows more than the archive; ``missing`` as ``Collector.missing``.

    Only until a link has heard the board out since it or this host began: then the fold keeps up.
    """
    known = status is not None and status.heard_ms is not None and status.phase < len(PHASES)
    return bool(known and not status.visited and missing)


def frozen(status):
    """Say whether a board's clock stands."""
    return status.has(frames.CLOCK_FROZEN) or status.phase == phases.FROZEN


def standing(status, known):
    """Return ``phase``, ``turn`` and ``zero_ms`` as told; ``known``: the archive holds the freeze, if there is one.

    A status does not say since when a clock stands: its zero alone would let it run.
    """
    zero_ms = status.zero_ms if known or not frozen(status) else None
    return {"phase": PHASES[status.phase], "turn": status.turn, "zero_ms": zero_ms or None}


def to_come(missing):
    """Return how many records a board has still to tell."""
    return sum(count for _, _, count in missing)
