"""The soak of ``plusthree board bringup --virtual``: the board's half over the modelled adapter.

Its time is the loop's, so that a day passes in a minute.
"""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from host.boards.bringup.serial_console import SOAK
from host.sim import bleio, bluetooth_quirks
from host.sim.bleio import ESPRESSIF, Hung, Port
from host.sim.clock import VirtualLoop
from host.sim.ether import ether
from host.sim.ether.adapter import Adapter
from host.sim.ether.air import EtherAir
from host.sim.ether.ether import Station

if TYPE_CHECKING:
    from host.sim.types import SoakWorks

_BUSY_S, _IDLE_S = 0.02, 0.1  # between two turns; a real board always takes ``_BUSY_S``
_LOAD = 0.05  # a workshop is no hall


class _Works:
    """A board's gauge on the loop's time."""

    def __init__(self, loop: VirtualLoop, gauge: SoakWorks, adapter: Adapter):
        self._loop, self.write, self.free, self._adapter = loop, gauge.write, gauge.free, adapter

    def ticks(self) -> int:
        """Return the clock's milliseconds."""
        return round(self._loop.time() * 1000) % (1 << 29)

    def rest(self) -> None:
        """Do nothing: ``turn`` rests."""

    def chip_free(self) -> int:
        """Return what NimBLE has left, if an advert takes 100 bytes."""
        left = self._adapter.faults.adverts_left
        return 100_000 if left is None else 100 * left


class VirtualSoak:
    """A board in its soak, and the PC beside it; ``gauge`` is its bench's. Create it inside a
    running loop.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        seed: int,
        gauge: SoakWorks,
        both: bool,
        port: Port = ESPRESSIF,
    ):
        assert isinstance(loop, VirtualLoop)
        self._loop = loop
        air = EtherAir(loop, seed, 1, load=_LOAD, system="good")
        [spot] = ether.table_spots(1)
        station = Station(air.ether, spot, exclusive=False)
        self.adapter = Adapter(station, 1, lambda: None, port)
        air.pc.know(self.adapter)
        self.backends = air.pc.backends()
        self.quirks = bluetooth_quirks.quirks(air.pc.profile.name)
        works = _Works(loop, gauge, self.adapter)
        self._soak = bleio.within(self.adapter, lambda: self._start(works, both))  # pyright: ignore[reportArgumentType]  # what services ask for

    @staticmethod
    def _start(works: _Works, both: bool) -> Any:
        space: dict[str, Any] = {"__name__": "soak"}
        exec(SOAK.read_text("utf-8"), space)  # as a board does that it is sent to
        return space["Soak"](works, both)

    async def turn(self, ms: int) -> Sequence[int]:
        """Let the board go on for ``ms``; ConnectionError once its chip has died."""
        until_s = self._loop.time() + ms / 1000
        try:
            while self._loop.time() < until_s:
                bleio.within(self.adapter, self._soak.step)  # pyright: ignore[reportArgumentType]  # as above
                await asyncio.sleep(_BUSY_S if self.adapter.held else _IDLE_S)
        except Hung as death:
            raise ConnectionError(str(death)) from death
        return self._soak.told()
