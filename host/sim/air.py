"""The real air: boards with the real ``adafruit_ble`` and a host with the real bleak API, on
bumble.

``BleAir.link(address, wake)`` gives a board its Link port, which is ``firmware.radio`` unmodified;
``BleAir.carrier(collector, now_ms)`` gives the host's carrier on the virtual adapter. Everything
that is chance is drawn from one seed. To be made inside a running loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bumble import hci

from host.collector.carriers.bleak import BleakCarrier
from host.collector.collector import Collector
from host.sim import bleak_backend, bleio, bluetooth_quirks, computer, controller, medium
from host.sim.bleio.port import NORDIC, Port
from host.sim.bluetooth_quirks import Profile
from host.sim.clock import VirtualLoop
from host.sim.computer import Pc

if TYPE_CHECKING:
    from firmware.radio.link import Link  # it needs bleio installed
    from host.sim.types import Wake


class BleAir:
    """The radio of one venue: ``loss`` (0-1) is the probability that a packet is not received.

    ``system`` is what the host's PC runs, by name or as a ``bluetooth_quirks.Profile``.
    """

    def __init__(
        self,
        loop: VirtualLoop,
        seed: int,
        loss: float,
        system: Profile | str = bluetooth_quirks.LINUX,
    ):
        bleio.install()
        controller.hush()
        self.medium = medium.Medium(loop, seed, loss)
        self._adapters = {}
        self._seed, self._system = seed, system
        self.said = []  # to the desk
        self._bonds = {}  # what boards have written down of those who paired

    def link(
        self, address: int, wake: Wake = lambda: None, distance_m: int = 5, port: Port = NORDIC
    ) -> Link:
        """Return the Link of the board at ``address``, a number; ``wake`` as on an interrupt.

        ``port`` is what its radio does (``bleio.port``).

        Asked again, the board has been reset: its links are gone without a good-bye.
        """
        from firmware.radio import service  # these two need bleio installed
        from firmware.radio.link import Link

        self.power_off(address)
        radio_address = hci.Address(f"C0:00:00:00:{address >> 8:02X}:{address & 255:02X}")
        bonds = self._bonds.setdefault(address, {})
        adapter = bleio.Adapter(self.medium, radio_address, distance_m, wake, bonds, port)
        self._adapters[address] = adapter
        with bleio.on(adapter):
            return Link(adapter, service.ends())  # pyright: ignore[reportArgumentType]  # our _bleio's

    def power_off(self, address: int) -> None:
        """Pull the battery of a board: it falls silent, and its peer finds out after 4 s."""
        adapter = self._adapters.pop(address, None)
        if adapter is not None:
            adapter.power_off()

    def carrier(self, collector: Collector, now_ms: Callable[[], int]) -> BleakCarrier:
        """Return the host's carrier, whose ``run()`` moves frames until it is cancelled."""
        self.pc = self.computer(0, self._system)
        quirks = bluetooth_quirks.quirks(self.pc.profile.name)
        return BleakCarrier(
            collector, now_ms, bleak_backend.backends(self.pc), self.said.append, quirks
        )

    def computer(self, number: int, system: Profile | str = bluetooth_quirks.GOOD) -> Pc:
        """Return a PC with an adapter of its own."""
        profile = (
            system
            if isinstance(system, bluetooth_quirks.Profile)
            else bluetooth_quirks.profile(system)
        )
        return computer.Pc(self.medium, number, profile, self._seed)
