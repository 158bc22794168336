"""The organiser's PC on the ether: one adapter with the habits of its system (``computer.Pc``)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from bumble import hci
from bumble.device import Advertisement

from host.sim import computer
from host.sim.bluetooth_quirks import Profile
from host.sim.ether.hall import Spot
from host.sim.ether.station import Heard

if TYPE_CHECKING:
    from host.sim.ether.types import Adapter, Connection, Ether, EtherClient, Station
    from host.sim.types import Medium

SCAN_S = 0.01125  # window and interval of BlueZ's discovery, one after the other


class EtherPc(computer.Pc):
    """A PC at ``spot``; ``boards`` are those that it may hear, by the text of their address."""

    def __init__(
        self, ether: Ether, profile: Profile, seed: int, spot: Spot, boards: dict[str, Adapter]
    ):
        self._ether, self._spot, self.boards = ether, spot, boards
        self._station: Station | None = None
        self._names: dict[Station, hci.Address] = {}
        self._ether_links: dict[str, Connection] = {}
        super().__init__(cast("Medium", ether), 0, profile, seed)  # which it asks for the loop

    @property
    def station(self) -> Station:
        """The radio; AssertionError without one."""
        assert self._station is not None
        return self._station

    @property
    def powered(self) -> bool:
        """Whether there is a radio."""
        return self._station is not None

    def plug(self) -> None:
        """Insert a radio."""
        if self._station is None:
            self._station = self._ether.station(self._spot, exclusive=False)
            self._station.hear = self._hear

    def pull(self) -> None:
        """Remove the radio: scanners get nothing any more, and all connections end."""
        if self._station is not None:
            self._station.power_off()
            links, self._ether_links = list(self._ether_links.values()), {}
            station, self._station = self._station, None
            self.scanners, self._known = [], {}
            for link in links:
                link.ended[station]()

    async def listen(self, scanner: computer.Scanner) -> None:
        """Report adverts to ``scanner``; the first scanner empties the filter."""
        if not self.scanners:
            self.forget()
            self.station.scan(SCAN_S, SCAN_S)
        self.scanners.append(scanner)

    async def ignore(self, scanner: computer.Scanner) -> None:
        """Stop reporting to ``scanner``."""
        if scanner in self.scanners:
            self.scanners.remove(scanner)
            if not self.scanners and self._station is not None and self.station.wanted is None:
                self.station.stop_scan()

    def know(self, board: Adapter) -> str:
        """Note a board that was switched on; return the text of its address."""
        address = hci.Address(board.address.address_bytes, hci.Address.RANDOM_DEVICE_ADDRESS)
        self._names[board.station] = address
        self.boards[str(address)] = board
        return str(address)

    def _hear(self, heard: Heard):
        address = self._names.get(heard.sender)
        if address is not None and self.scanners:
            self._heard(
                Advertisement(
                    address, heard.rssi_dbm, is_connectable=heard.connectable, data_bytes=heard.data
                )
            )

    # links

    @property
    def full(self) -> bool:
        """Whether the adapter can hold no more connections."""
        return len(self._ether_links) >= self.profile.links

    def open_link(self, address: str) -> Connection | None:
        """Return the open link to ``address``, or None."""
        return self._ether_links.get(address)

    def opened(self, address: str, link: Connection) -> None:
        """A link is open, first with the system's own supervision time-out; boards then ask for
        4 s.
        """
        self._ether_links[address] = link
        link.timeout_us = self.profile.supervision_ms * 1000
        link.ended[self.station] = lambda: self.unlinked(address, link)
        self._ether.loop.call_later(
            computer.AGREED_S, setattr, link, "timeout_us", round(computer.ASKED_S * 1_000_000)
        )
        self.touch(address)

    def unlinked(self, address: str, link: Connection) -> None:
        """A link has ended."""
        if self._ether_links.get(address) is link:
            del self._ether_links[address]
            self.touch(address)

    def end_late(self, address: str, link: Connection, client: EtherClient) -> None:
        """End a link that was disconnected, unless it has ended or another client uses it."""
        if self.open_link(address) is link and self._users.get(address) is client:
            link.hang_up(self.station)


async def lost_or(link_end: asyncio.Event, answer: asyncio.Future[None]) -> bool:
    """Wait for ``answer``; return False if the link ends before."""
    ended = asyncio.ensure_future(link_end.wait())
    try:
        await asyncio.wait({ended, answer}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        ended.cancel()
    return answer.done()
