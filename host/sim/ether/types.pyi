"""Types of the modelled air, for type checkers only: nothing imports this file at run time."""

from host.sim.ether.ether import Ether as Ether
from host.sim.ether.station import Station as Station
