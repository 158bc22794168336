"""A relay attack: a device advertises in a board's name under its own address and forwards frames
both ways, late.

It connects to the board while the host is connected to it. The host may take it for the board, but
nothing worse than delay may follow. Frames keep their order in both directions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from host.sim.torture.types import FaultyAir
    from host.sim.types import Later, Peer


FAR = 1000  # a relay's address minus its board's
DELAY_S = (0.05, 3)


class Relay:
    """A relay to the board at ``address`` on ``air``; ``used()`` is called for each connection it
    makes.
    """

    def __init__(self, air: FaultyAir, address: int, delay_s: float, used: Callable[[], None]):
        self._air, self._board, self._delay_s, self._used = air, air.links[address], delay_s, used
        self.address = FAR + address
        self.welcome, self.live, self._on = True, False, True
        self.session: Peer | None = None
        air.links[self.address] = air.relays[address] = self

    def stop(self) -> None:
        """Remove the relay."""
        self._on = False
        if self._air.relays.get(self.address - FAR) is self:
            del self._air.relays[self.address - FAR]
        self.end()

    def _later(self, act, *args):
        self._air.loop.call_later(self._delay_s, act, *args)

    def repeat_advert(self, frame: bytes) -> None:
        """Send the board's advert again."""
        self._later(lambda: self._on and self._air.tell(self.address, frame))

    # the link that the host uses

    @property
    def connected(self) -> bool:
        """Whether nobody can connect now."""
        return (
            self.session is not None
            or not self._on
            or self._board.connected
            or not self._board.welcome
        )

    def open(self, session: Peer) -> None:
        """The host has connected; connect to the board."""
        self.session = session
        if not self._on or self._board.connected:
            self._later(session.end)
            return
        self.live = True
        self._used()
        self._board.open(self)

    def close(self) -> None:
        """The host's connection has ended."""
        self.session = None
        self.end()

    def put(self, frame: bytes) -> None:
        """Forward a frame to the board."""
        self._later(lambda: self._holds() and self._board.put(frame))

    # the session that the board sees

    def _holds(self):
        return self.live and self._board.session is self

    def up(self, frame: bytes) -> None:
        """Forward a frame to the host."""
        session = self.session
        self._later(lambda: session is not None and session.up(frame))

    def end(self) -> None:
        """The board or the host has disconnected."""
        held, self.live = self._holds(), False
        if held:
            self._board.close()
        if self.session is not None:
            self._later(self.session.end)

    def vanish(self, later: Later) -> None:
        """The board has gone; the host notices after the supervision time-out."""
        self.live = False
        if self.session is not None:
            later(self.session.end)
