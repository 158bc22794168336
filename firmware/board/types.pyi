"""The types of what the board's modules pass around: for type checkers, laid on no board."""

from collections.abc import Callable
from typing import TypeAlias

from busdisplay import BusDisplay as BusDisplay
from microcontroller import Pin as Pin

from firmware.core.types import Settings as Settings
from firmware.core.types import Store as Store

Press: TypeAlias = tuple[int, bool, int]
"""Key (0 A, 1 B, 2 J), whether it went down, uptime in ms; 0 ms: let go, and no gesture."""
Validate: TypeAlias = Callable[[dict[str, str | None]], Settings | None]
"""Turns what ``settings.toml`` says into ``Settings``; None: it is wrong."""
