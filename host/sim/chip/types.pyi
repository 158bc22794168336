"""Types of the chip, for type checkers only: nothing imports this file at run time."""

from types import ModuleType, SimpleNamespace
from typing import TypeAlias

from host.sim.chip.chip import Chip as Chip
from host.sim.chip.glass import Glass as Glass
from host.sim.chip.radio import Adapter as Adapter

Modules: TypeAlias = dict[str, ModuleType | SimpleNamespace]
"""A VM's modules by name."""
