"""The BLE air: boards with the real ``adafruit_ble`` and a host with the real bleak API, on bumble.

All random values come from one seed. Create it inside a running loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bumble import hci

from host.sim import bluetooth_quirks, medium
from host.sim.bleak_backend import BumblePc
from host.sim.bleio import Port
from host.sim.bluetooth_quirks import Profile
from host.sim.bumble_adapter import Adapter
from host.sim.clock import VirtualLoop
from host.sim.ether.air import StationAir

if TYPE_CHECKING:
    from host.sim.types import Wake


class BleAir(StationAir):
    """The radio of one venue: ``loss`` (0-1) is the probability that a packet is lost.

    ``system`` is the host PC's operating system, by name or as a ``bluetooth_quirks.Profile``.
    """

    def __init__(
        self,
        loop: VirtualLoop,
        seed: int,
        loss: float,
        system: Profile | str = bluetooth_quirks.LINUX,
    ):
        super().__init__()
        medium.hush()
        self.medium = medium.Medium(loop, seed, loss)
        self._seed = seed
        self._bonds: dict[int, dict[str, bool]] = {}  # the bonds that each board has stored
        self.pc = self.computer(0, system)

    def _adapter(self, address: int, wake: Wake, port: Port) -> Adapter:
        radio_address = hci.Address(f"C0:00:00:00:{address >> 8:02X}:{address & 255:02X}")
        bonds = self._bonds.setdefault(address, {})
        return Adapter(self.medium, radio_address, wake, bonds, port)

    def computer(self, number: int, system: Profile | str = bluetooth_quirks.GOOD) -> BumblePc:
        """Return a PC with an adapter of its own."""
        profile = bluetooth_quirks.profile(system)
        return BumblePc(self.medium, number, profile, self._seed)
