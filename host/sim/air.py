"""The BLE air: boards with the real ``adafruit_ble`` and a host with the real bleak API, on bumble.

``BleAir.link(address, wake)`` returns a board's Link port, which is ``firmware.radio`` unmodified;
``BleAir.carrier(collector, now_ms)`` returns the host's carrier on the virtual adapter. All random
values come from one seed. Create it inside a running loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bumble import hci

from host.collector.carriers.bleak import BleakCarrier
from host.collector.collector import Collector
from host.sim import bleak_backend, bluetooth_quirks, medium
from host.sim.bleak_backend import BumblePc
from host.sim.bleio import radio as bleio
from host.sim.bleio.adapter import Adapter
from host.sim.bleio.radio import ESPRESSIF, Port
from host.sim.bluetooth_quirks import Profile
from host.sim.clock import VirtualLoop

if TYPE_CHECKING:
    from firmware.radio.link import Link  # it needs bleio installed
    from host.sim.types import Wake


class BleAir:
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
        bleio.install()
        medium.hush()
        self.medium = medium.Medium(loop, seed, loss)
        self._adapters = {}
        self._seed, self._system = seed, system
        self.said = []  # messages to the desk
        self._bonds = {}  # the bonds that each board has stored

    def link(self, address: int, wake: Wake = lambda: None, port: Port = ESPRESSIF) -> Link:
        """Return the Link of the board at ``address`` (an int); ``wake`` is its radio interrupt.

        ``port`` describes its radio. A second call for the same address means that the board was
        reset: its links are lost without a disconnect.
        """
        from firmware.radio import service  # these two need bleio installed
        from firmware.radio.link import Link

        self.power_off(address)
        radio_address = hci.Address(f"C0:00:00:00:{address >> 8:02X}:{address & 255:02X}")
        bonds = self._bonds.setdefault(address, {})
        adapter = Adapter(self.medium, radio_address, wake, bonds, port)
        self._adapters[address] = adapter
        return Link(adapter, lambda: bleio.within(adapter, service.ends))  # pyright: ignore[reportArgumentType]  # our _bleio's

    def power_off(self, address: int) -> None:
        """Remove the battery of a board; its peer notices after 4 s."""
        adapter = self._adapters.pop(address, None)
        if adapter is not None:
            adapter.power_off()

    def carrier(self, collector: Collector, now_ms: Callable[[], int]) -> BleakCarrier:
        """Return the host's carrier, whose ``run()`` transfers frames until it is cancelled."""
        self.pc = self.computer(0, self._system)
        quirks = bluetooth_quirks.quirks(self.pc.profile.name)
        return BleakCarrier(
            collector, now_ms, bleak_backend.backends(self.pc), self.said.append, quirks
        )

    def computer(self, number: int, system: Profile | str = bluetooth_quirks.GOOD) -> BumblePc:
        """Return a PC with an adapter of its own."""
        profile = bluetooth_quirks.profile(system)
        return bleak_backend.BumblePc(self.medium, number, profile, self._seed)
