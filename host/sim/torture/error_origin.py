"""Whether an exception comes from the program under test or from the simulator."""

from __future__ import annotations

import pathlib
import traceback

_HARNESS = "host.sim"
_PASSES_ON = "host.sim.torture.faulty_database"  # hands the program's statements to SQLite


def is_harness(error: BaseException) -> bool:
    """Return whether the simulator's own code raised ``error``.

    The innermost function decides, not counting the one that only passes the program's calls on.
    """
    modules = [
        frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)
    ]
    inmost = next((name for name in reversed(modules) if name != _PASSES_ON), "")
    return f"{inmost}.".startswith(f"{_HARNESS}.")


def describe(program: str, error: BaseException) -> str:
    """Return a violation's sentence: which side failed (``program``, or the harness), how and
    where.
    """
    frame, line = list(traceback.walk_tb(error.__traceback__))[-1]
    place = f"{pathlib.Path(frame.f_code.co_filename).name}:{line} ({frame.f_code.co_name})"
    who = "the harness" if is_harness(error) else program
    return f"{who} broke: {type(error).__name__} at {place}: {error}"
