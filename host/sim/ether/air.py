"""The modelled air for a venue: boards with ``firmware.radio`` and a host with the bleak API.

It has the interface of ``BleAir`` and the same system's faults, but no bumble stack below: what
collides is modelled more truly and a hall costs less. Create it inside a running loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from host.base.sentences import Sentence
from host.collector.carriers.bleak import BleakCarrier
from host.collector.collector import Collector
from host.sim import bluetooth_quirks
from host.sim.bleio import module as bleio
from host.sim.bleio.port import ESPRESSIF, Port
from host.sim.bluetooth_quirks import Profile
from host.sim.clock import VirtualLoop
from host.sim.ether import client, ether, hall
from host.sim.ether.adapter import Adapter
from host.sim.ether.pc import EtherPc

if TYPE_CHECKING:
    from firmware.radio.link import Link  # it needs bleio installed
    from host.sim.types import Wake


class EtherAir:
    """The radio of a venue with ``tables`` tables; ``load`` as in ``Ether``.

    ``system`` is the host PC's operating system, as a ``bluetooth_quirks.Profile`` or its name.
    """

    def __init__(
        self,
        loop: VirtualLoop,
        seed: int,
        tables: int,
        load: float = ether.LOAD,
        system: Profile | str = bluetooth_quirks.LINUX,
    ):
        bleio.install()
        if not isinstance(system, Profile):
            system = bluetooth_quirks.profile(system)
        self.ether, self._spots = ether.hall_of(loop, seed, tables, load=load)
        self.said: list[Sentence] = []  # messages to the desk
        [desk] = hall.gateways(1, tables)
        self.pc = EtherPc(self.ether, system, seed, desk, {})
        self._adapters: dict[int, Adapter] = {}

    def link(
        self,
        address: int,
        wake: Wake = lambda: None,
        port: Port = ESPRESSIF,
        listening: bool = False,
    ) -> Link:
        """Return the Link of the board at ``address``; ``wake`` is its radio interrupt. It is
        a ScanningLink if it is ``listening`` to a beacon.

        A second call for the same address means that the board was reset.
        """
        from firmware.radio import service  # these two need bleio installed
        from firmware.radio.link import Link
        from firmware.radio.scanning_link import ScanningLink

        self.power_off(address)
        spot = self._spots[(address - 1) % len(self._spots)]
        station = self.ether.station(spot, exclusive=False)
        adapter = self._adapters[address] = Adapter(station, address, wake, port)
        self.pc.know(adapter)
        kind = ScanningLink if listening else Link
        return kind(adapter, lambda: bleio.within(adapter, service.ends))  # pyright: ignore[reportArgumentType]  # our _bleio's

    def adapter(self, address: int) -> Adapter:
        """Return the radio of the board at ``address``; KeyError: it is off."""
        return self._adapters[address]

    def power_off(self, address: int) -> None:
        """Remove the battery of a board; its peer notices by its supervision time-out."""
        adapter = self._adapters.pop(address, None)
        if adapter is not None:
            adapter.power_off()

    def carrier(self, collector: Collector, now_ms: Callable[[], int]) -> BleakCarrier:
        """Return the host's carrier, whose ``run()`` transfers frames until it is cancelled."""
        quirks = bluetooth_quirks.quirks(self.pc.profile.name)
        return BleakCarrier(collector, now_ms, client.backends(self.pc), self.said.append, quirks)
