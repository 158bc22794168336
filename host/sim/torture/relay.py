"""A box that speaks for a board under an address of its own, and passes all it hears on, late.

It holds the board's link while the host holds a link with it: the host may take it for the board,
and nothing but delay may come of that. Both directions keep their order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from host.sim.torture.types import RoughAir
    from host.sim.types import Later, Peer


FAR = 1000  # what a relay's address is ahead of its board's
DELAY_S = (0.05, 3)


class Relay:
    """A relay to the board at ``address`` on ``air``; ``used()`` is called for each link that it
    made.
    """

    def __init__(self, air: RoughAir, address: int, delay_s: float, used: Callable[[], None]):
        self._air, self._board, self._delay_s, self._used = air, air.links[address], delay_s, used
        self.address = FAR + address
        self.welcome, self.live, self._on = True, False, True
        self.session: Peer | None = None
        air.links[self.address] = air.relays[address] = self

    def stop(self) -> None:
        """It is carried away."""
        self._on = False
        if self._air.relays.get(self.address - FAR) is self:
            del self._air.relays[self.address - FAR]
        self.end()

    def _later(self, act, *args):
        self._air.loop.call_later(self._delay_s, act, *args)

    def hears(self, frame: bytes) -> None:
        """Say the board's advert again."""
        self._later(lambda: self._on and self._air.tell(self.address, frame))

    # what the host takes for a board's link

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
        """The host has connected: so does the relay."""
        self.session = session
        if not self._on or self._board.connected:
            self._later(session.end)
            return
        self.live = True
        self._used()
        self._board.open(self)

    def close(self) -> None:
        """The host's link has gone."""
        self.session = None
        self.end()

    def put(self, frame: bytes) -> None:
        """Pass a frame down."""
        self._later(lambda: self._holds() and self._board.put(frame))

    # what the board takes for the host

    def _holds(self):
        return self.live and self._board.session is self

    def up(self, frame: bytes) -> None:
        """Pass a frame up."""
        session = self.session
        self._later(lambda: session is not None and session.up(frame))

    def end(self) -> None:
        """The board has hung up, or the host."""
        held, self.live = self._holds(), False
        if held:
            self._board.close()
        if self.session is not None:
            self._later(self.session.end)

    def vanish(self, later: Later) -> None:
        """The board has died: the host finds out in time."""
        self.live = False
        if self.session is not None:
            later(self.session.end)
