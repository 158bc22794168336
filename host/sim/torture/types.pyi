"""Types of a torture run, for type checkers only: nothing imports this file at run time.

Import it under ``TYPE_CHECKING``; it may name any module without a cycle of imports.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from firmware.app import App
from host.sim.board import VirtualBoard
from host.sim.people import People
from host.sim.torture.attackers import Impostor as Impostor
from host.sim.torture.attackers import Relay as Relay
from host.sim.torture.fault_injector import FaultInjector as FaultInjector
from host.sim.torture.fault_plan import Fault as Fault
from host.sim.torture.faulty_air import FaultyAir as FaultyAir
from host.sim.torture.faulty_run import Outcome as Outcome
from host.sim.torture.faulty_tables import FaultyTable as FaultyTable
from host.sim.torture.faulty_venue import FaultyVenue as FaultyVenue
from host.sim.torture.invariants import ClockChecker as ClockChecker
from host.sim.torture.invariants import InvariantChecker as InvariantChecker
from host.sim.torture.laptop import Laptop as Laptop

RecordPlace: TypeAlias = tuple[int, int, int, int]
"""device, generation, epoch, counter of a record."""
Command: TypeAlias = tuple[int, int, int]
"""device, epoch, counter of a frame that a host sent."""
MatchPlace: TypeAlias = tuple[int, int, int]
"""event, round, pairing."""
Placed: TypeAlias = tuple[RecordPlace, bytes]
CapturedFrame: TypeAlias = tuple[bool, int, bytes]
"""Whether a frame went up, the address it was sent from or to, and the frame."""
Tell: TypeAlias = Callable[[str], None]
"""Gets a violation as a sentence."""
FrameSent: TypeAlias = Callable[[Laptop, bytes], None]
"""Gets each frame that a laptop sends."""
TableCallback: TypeAlias = Callable[[FaultyTable], None]
BootBoard: TypeAlias = Callable[[FaultyTable], tuple[VirtualBoard, App]]
"""Boots a table's board; returns board and program, or raises PowerCut."""
Seats: TypeAlias = dict[int, People]
"""The people of a round, by table."""
Expected: TypeAlias = dict[tuple[int, int], Seats]
"""The people of each (event, round) not yet compared with the archive."""
StolenKey: TypeAlias = tuple[int, int, bytes]
"""device, generation, key of a stolen board."""
Fails: TypeAlias = Callable[[Sequence[Fault]], bool]
"""Runs these faults and returns whether the same thing fails."""
