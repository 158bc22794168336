"""Types of the modelled air, for type checkers only: nothing imports this file at run time."""

from host.sim.ether.adapter import Adapter as Adapter
from host.sim.ether.connection import Connection as Connection
from host.sim.ether.connection import Initiation as Initiation
from host.sim.ether.ether import Ether as Ether
from host.sim.ether.ether import Station as Station
