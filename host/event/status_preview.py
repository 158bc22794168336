"""What a board's status says while its records have still to come, as after a restore (docs/architecture.md).

A status decides nothing. It says which phase a table is in and when its zero is, under the board's
key, long before a link has brought the records that say why.
"""

from firmware.core import frames, phases
from host.systems.match_facts import PHASES


def ahead(watch, owed):
    """Say whether a board's status knows more than the archive; ``owed`` as ``Collector.owed``.

    Only until a link has heard the board out since it or this host began: then the fold keeps up.
    """
    known = watch is not None and watch.heard_ms is not None and watch.phase < len(PHASES)
    return bool(known and not watch.visited and owed)


def frozen(watch):
    """Say whether a board's clock stands."""
    return watch.has(frames.CLOCK_FROZEN) or watch.phase == phases.FROZEN


def standing(watch, known):
    """Return ``phase``, ``turn`` and ``zero_ms`` as told; ``known``: the archive holds the freeze, if there is one.

    A status does not say since when a clock stands: its zero alone would let it run.
    """
    zero_ms = watch.zero_ms if known or not frozen(watch) else None
    return {"phase": PHASES[watch.phase], "turn": watch.turn, "zero_ms": zero_ms or None}


def to_come(owed):
    """Return how many records a board has still to tell."""
    return sum(count for _, _, count in owed)
