"""Forgets who has paired: a bond is a stranger's key to the board's files (docs/board.md, Radio).

Any guest may pair, unasked and without a word to the program (Connection.c), and the chip then
keeps a bond. With a bond CircuitPython starts its file service at boot (bluetooth.c), which gives
settings.toml and the board's key to that guest as soon as boot.py is skipped, in safe mode. No host
of ours ever pairs. To forget means to erase eight pages of the chip's own flash: two thirds of a
second, and 10,000 times in all, so not at the pleasure of whoever pairs again and again.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _bleio import Adapter, Connection

_WRITTEN_MS = (
    2000  # a guest's key is written at the next background run, its subscriptions 1 s later
)
_RAREST_MS = 300000


class Bonds:
    """The bonds of an adapter. All are gone when this has been made."""

    def __init__(self, adapter: "Adapter"):
        self._adapter = adapter
        self._seen_ms: int | None = None
        self._erased_ms: int | None = None
        adapter.erase_bonding()

    def note(self, connection: "Connection", uptime_ms: int) -> bool:
        """Whether a connection's guest has paired; it will be forgotten."""
        if not connection.paired:
            return False
        self._seen_ms = uptime_ms
        return True

    def poll(self, uptime_ms: int) -> None:
        """Forget who has paired once the chip has written it down, every five minutes at most."""
        if self._seen_ms is None or uptime_ms - self._seen_ms < _WRITTEN_MS:
            return
        if self._erased_ms is None or uptime_ms - self._erased_ms >= _RAREST_MS:
            self._seen_ms, self._erased_ms = None, uptime_ms
            self._adapter.erase_bonding()
