"""The types of what the board's modules pass around: for type checkers, laid on no board."""

from collections.abc import Callable
from typing import TypeAlias

from busdisplay import BusDisplay as BusDisplay
from microcontroller import Pin as Pin

from firmware.core.types import Settings as Settings
from firmware.core.types import Store as Store

Wires: TypeAlias = tuple[str, str]
"""A panel's command and chip select, by the names of their pins."""
Gauge: TypeAlias = tuple[str, int]
"""A battery's pin, and the cell's millivolts at full scale."""
Row: TypeAlias = tuple[
    str,
    tuple[int, int],
    tuple[str, ...],
    tuple[int, ...],
    str,
    str,
    int,
    Gauge | None,
    Wires | None,
    int,
    int,
]
"""A board model (``pins``): what each field is stands at the head of that file."""
Press: TypeAlias = tuple[int, bool, int]
"""Key (0 A, 1 B, 2 J), whether it went down, uptime in ms; 0 ms: let go, and no gesture."""
Validate: TypeAlias = Callable[[dict[str, str | None]], Settings | None]
"""Turns what ``settings.toml`` says into ``Settings``; None: it is wrong."""
