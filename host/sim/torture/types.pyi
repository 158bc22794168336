"""The types of what a torture run passes around. For type checkers alone: nothing imports this
file at run time.

Import it under ``TYPE_CHECKING``; it may name any module without a cycle of imports.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from firmware.app import App
from host.sim.board import VirtualBoard
from host.sim.people import People
from host.sim.torture.acts import Acts as Acts
from host.sim.torture.foes import Foes as Foes
from host.sim.torture.frail import FrailStore as FrailStore
from host.sim.torture.hall import Hall as Hall
from host.sim.torture.laptop import Laptop as Laptop
from host.sim.torture.ordeal import Outcome as Outcome
from host.sim.torture.plan import Fault as Fault
from host.sim.torture.relay import Relay as Relay
from host.sim.torture.rough import RoughAir as RoughAir
from host.sim.torture.tables import FrailTable as FrailTable
from host.sim.torture.tables import Place as Place
from host.sim.torture.timekeeper import Timekeeper as Timekeeper
from host.sim.torture.watchman import Watchman as Watchman

RecordPlace: TypeAlias = tuple[int, int, int, int]
"""device, generation, epoch, counter of a record."""
Command: TypeAlias = tuple[int, int, int]
"""device, epoch, counter of a frame that a host wrote."""
MatchPlace: TypeAlias = tuple[int, int, int]
"""event, round, pairing."""
Placed: TypeAlias = tuple[RecordPlace, bytes]
Taped: TypeAlias = tuple[bool, int, bytes]
"""Whether a frame went up, the address it was sent from or to, and the frame."""
Tell: TypeAlias = Callable[[str], None]
"""Is told what is wrong, as a sentence."""
Spoken: TypeAlias = Callable[[Laptop, bytes], None]
"""Is told which laptop writes which frame."""
OfTable: TypeAlias = Callable[[FrailTable], None]
MakeLife: TypeAlias = Callable[[FrailTable], tuple[VirtualBoard, App]]
"""Gives the board and the program of a table's next life; PowerCut where the power ends in it."""
Seats: TypeAlias = dict[int, People]
"""The people of a round, by table."""
Expected: TypeAlias = dict[tuple[int, int], Seats]
"""The people of each (event, round) that has still to be compared with the archive."""
StolenKey: TypeAlias = tuple[int, int, bytes]
"""device, generation, key of a board that somebody stole."""
Fails: TypeAlias = Callable[[Sequence[Fault]], bool]
"""Runs these faults and says whether the same thing breaks."""
