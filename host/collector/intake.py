"""How many new records of a board are stored: all that a real board can send, and no more."""

from typing import NamedTuple

from host.archive.records import BoardKey

MOST = 12_000  # at once; a board's journal holds 10,752
EACH_MS = 2000  # after that one in this time; a table in play writes one in 20 to 30 s
_FULL_MS = MOST * EACH_MS


class _Filled(NamedTuple):
    """How much of a board's room was filled, as the time until it is free again, and when."""

    left_ms: int
    at_ms: int


class Intake:
    """The room for each board's new records: all of it is free when the host starts.

    Times are event time in ms. While it stands, or is set back as at a new event, no room becomes
    free.
    """

    def __init__(self) -> None:
        self._filled: dict[BoardKey, _Filled] = {}

    def has_room(self, board: BoardKey, now_ms: int) -> bool:
        """Return whether a new record may be stored."""
        return self._deferral_ms(board, now_ms) + EACH_MS <= _FULL_MS

    def fill(self, board: BoardKey, now_ms: int) -> None:
        """Note that a new record was stored."""
        self._filled[board] = _Filled(self._deferral_ms(board, now_ms) + EACH_MS, now_ms)

    def _deferral_ms(self, board: BoardKey, now_ms: int) -> int:
        """Return how long it takes until all of a board's room is free again."""
        filled = self._filled.get(board)
        if filled is None:
            return 0
        passed_ms = max(now_ms - filled.at_ms, 0)
        return max(filled.left_ms - passed_ms, 0)
