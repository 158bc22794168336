"""Sets the clocks of boards that want nothing, while the adapter has nothing else to do.

Every connection begins with the board's question for the time. Between two a crystal may go wrong
by 50 us a second, and a board asks by itself only when half a second may have gathered; so each
board is visited every few minutes, in a large hall more seldom, that others never wait for it.
"""

from collections import deque
from collections.abc import Mapping

from firmware.core import frames
from host.collector.board_status import BoardStatus
from host.collector.listening_time import Listening

EVERY_MS = 90_000
SHARE_MS = 4000  # of the adapter's time that each board of the hall adds to it
_HEARD_MS = 15000


class ClockRounds:
    """Goes round the boards; ``listening`` says how long the adapter has heard."""

    def __init__(self, listening: Listening):
        self._listening = listening
        self._turns: deque[int] = deque()

    def refresh(self, devices: Mapping[int, BoardStatus]) -> None:
        """Visit these boards in turn from now on."""
        self._turns = deque(devices)

    def choose(self, statuses: Mapping[int, BoardStatus], now_ms: int) -> dict[str, int]:
        """Return ``{address: device}`` of the next board if it should be visited now, else {}."""
        if not self._turns:
            return {}
        self._turns.rotate(-1)
        status = statuses.get(self._turns[-1])
        if status is None or status.address is None or status.heard_ms is None:
            return {}
        every_ms = max(EVERY_MS, len(self._turns) * SHARE_MS)
        heard_lately = status.heard_ms >= self._listening.since(_HEARD_MS, now_ms)
        due = now_ms >= max(status.served_ms + every_ms, status.not_before_ms)
        if heard_lately and due and status.linked and not status.has(frames.SHUT):
            return {status.address: status.device}
        return {}
