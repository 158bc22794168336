"""The types of what the virtual bench passes around. For type checkers alone: nothing imports this
file at run time.

Import it under ``TYPE_CHECKING``; it may name any module without a cycle of imports.
"""

from host.sim.bench.chip import Chip as Chip
from host.sim.bench.works import Works as Works
