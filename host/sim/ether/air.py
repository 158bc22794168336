"""The modelled air for a venue: boards with ``firmware.radio``, a host with bleak's API, gateways.

``StationAir`` is what ``EtherAir`` has in common with ``BleAir``, which has bumble's stack between
the two and costs a hall more. Create either inside a running loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from firmware.core import frames, usb
from host.base.sentences import Sentence
from host.collector.beacon_caster import ALL, sends
from host.collector.carriers.bleak import BleakCarrier
from host.collector.collector import Collector
from host.sim import bleio, bluetooth_quirks
from host.sim.bleio import ESPRESSIF, Port, structures
from host.sim.bluetooth_quirks import Profile
from host.sim.clock import VirtualLoop
from host.sim.ether import ether
from host.sim.ether.adapter import Adapter, StationRadio
from host.sim.ether.ether import Station, gateway_spots
from host.sim.ether.pc import EtherPc, Pc

if TYPE_CHECKING:
    from firmware.radio.link import Link
    from host.sim.ether.ether import Heard, Spot
    from host.sim.ether.types import Ether
    from host.sim.types import Wake

_COPY_S = 0.02  # between copies of an advert (firmware/gateway/relay.py)
_CHANNEL_S = 0.02
_OURS = bytes((0xFF, usb.COMPANY_ID & 255, usb.COMPANY_ID >> 8))


class EtherGateways:
    """Gateways at ``spots``, with the part of ``Gateways`` that a beacon's caster uses.

    ``listeners`` get each frame of a board, by whatever gateway.
    """

    def __init__(self, ether: Ether, spots: list[Spot]):
        self._ether = ether
        self.listeners: list[Callable[[bytes], None]] = []
        self._stations = [Station(ether, spot, exclusive=False) for spot in spots]
        for place, station in enumerate(self._stations):
            station.hear = self._hear
            # they start one after the other, so that at any time each scans another channel
            ether.loop.call_later(place * _CHANNEL_S, station.scan, _CHANNEL_S, _CHANNEL_S)

    @property
    def apart(self) -> int:
        """How many can be told to send alone."""
        return len(self._stations)

    def now_us(self) -> int:
        """Return the time of ``send``."""
        return self._ether.now_us

    def send(self, advert: bytes, at_us: int, span_ms: int, turn: int = ALL) -> int:
        """Have gateways send ``advert`` from ``at_us`` on; return how many will."""
        stations = self._stations
        chosen = [
            station for place, station in enumerate(stations) if sends(place, turn, len(stations))
        ]
        for station in chosen:
            self._ether.loop.call_at(at_us / 1e6, self._begin, station, advert, span_ms)
        return len(chosen)

    def _begin(self, station, advert, span_ms):
        station.advertise(advert, _COPY_S)
        data = station.data
        self._ether.loop.call_later(span_ms / 1000, self._end, station, data)

    def _end(self, station, data):
        if station.data is data:
            station.stop()

    def _hear(self, heard: Heard):
        for structure in structures(heard.data):
            if structure.startswith(_OURS) and len(structure) == len(_OURS) + frames.SIZE:
                for listen in self.listeners:
                    listen(structure[len(_OURS) :])


class StationAir:
    """The radio of a venue whose boards run ``firmware.radio``; a subclass makes their adapters.

    ``said`` are the carrier's messages to the desk.
    """

    pc: Pc  # the host's; set by the subclass

    def __init__(self):
        bleio.install()
        self.said: list[Sentence] = []
        self._adapters: dict[int, Any] = {}

    def _adapter(self, address: int, wake: Wake, port: Port) -> StationRadio:
        """Return the radio of a board that is switched on."""
        raise NotImplementedError

    def link(
        self,
        address: int,
        wake: Wake = lambda: None,
        port: Port = ESPRESSIF,
        listening: bool = False,
    ) -> Link:
        """Return the Link of the board at ``address``; ``wake`` is its radio interrupt, ``port``
        its radio. It is a ScanningLink if it is ``listening`` to a beacon.

        A second call for the same address means that the board was reset: its links are lost
        without a disconnect.
        """
        from firmware.radio import service  # these two need bleio installed
        from firmware.radio.link import Link
        from firmware.radio.scanning_link import ScanningLink

        self.power_off(address)
        adapter = self._adapters[address] = self._adapter(address, wake, port)
        kind = ScanningLink if listening else Link
        return kind(adapter, lambda: bleio.within(adapter, service.ends))  # pyright: ignore[reportArgumentType]  # our _bleio's

    def power_off(self, address: int) -> None:
        """Remove the battery of a board; its peer notices by its supervision time-out."""
        adapter = self._adapters.pop(address, None)
        if adapter is not None:
            adapter.power_off()

    def carrier(self, collector: Collector, now_ms: Callable[[], int]) -> BleakCarrier:
        """Return the host's carrier, whose ``run()`` transfers frames until it is cancelled."""
        quirks = bluetooth_quirks.quirks(self.pc.profile.name)
        return BleakCarrier(collector, now_ms, self.pc.backends(), self.said.append, quirks)


class EtherAir(StationAir):
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
        super().__init__()
        self.ether, self._spots = ether.hall_of(loop, seed, tables, load=load)
        [desk] = gateway_spots(1, tables)
        profile = bluetooth_quirks.profile(system)
        self.pc: EtherPc = EtherPc(self.ether, profile, seed, desk)  # pyright: ignore[reportIncompatibleVariableOverride]

    def _adapter(self, address: int, wake: Wake, port: Port) -> Adapter:
        spot = self._spots[(address - 1) % len(self._spots)]
        adapter = Adapter(Station(self.ether, spot, exclusive=False), address, wake, port)
        self.pc.know(adapter)
        return adapter

    def adapter(self, address: int) -> Adapter:
        """Return the radio of the board at ``address``; KeyError: it is off."""
        return self._adapters[address]
