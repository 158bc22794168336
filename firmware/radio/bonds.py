"""Erases bonds: a bond gives a stranger access to the board's files (docs/board.md, Radio).

Any guest may pair without the program being notified (Connection.c), and the chip then keeps a
bond. With a bond CircuitPython starts its file service at boot (bluetooth.c), which gives
settings.toml and the board's key to that guest as soon as boot.py is skipped, in safe mode. Our
host never pairs. Where somebody has paired, erasing bonds writes the chip's own flash (NVS), which
wears, so a guest that pairs repeatedly must not trigger it each time.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _bleio import Adapter, Connection

_WRITTEN_MS = (
    2000  # a guest's key is written at the next background run, its subscriptions 1 s later
)
_RAREST_MS = 300000


class Bonds:
    """The bonds of an adapter; creating this erases all of them."""

    def __init__(self, adapter: "Adapter"):
        self._adapter = adapter
        self._seen_ms: int | None = None
        self._erased_ms: int | None = None
        adapter.erase_bonding()

    def note(self, connection: "Connection", uptime_ms: int) -> bool:
        """Return whether a connection's guest has paired; ``poll`` then erases the bond."""
        if not connection.paired:
            return False
        self._seen_ms = uptime_ms
        return True

    def poll(self, uptime_ms: int) -> None:
        """Erase bonds once the chip has written them, every five minutes at most."""
        if self._seen_ms is None or uptime_ms - self._seen_ms < _WRITTEN_MS:
            return
        if self._erased_ms is None or uptime_ms - self._erased_ms >= _RAREST_MS:
            self._seen_ms, self._erased_ms = None, uptime_ms
            self._adapter.erase_bonding()
