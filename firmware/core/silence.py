"""Whether the host still answers, and what to restart when it does not any more.

A radio can die without an error: for the program its adverts are out, and nobody hears them. All
that a board can notice is that it asks for something, has been answered before, and is not now;
and that nobody at all connects, as whoever does has heard it. The host may as well be switched off,
so a restart must not disturb a table: the radio's waits until no key is in use, the board's for ten
minutes and for the time between two matches. A reset forgets that there was an answer, so the board
resets once and not again while the host is away.
"""

from firmware.core import phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Match

NOTHING, RADIO, BOARD = 0, 1, 2  # to be restarted
RADIO_MS = 120000  # the last of 32 results is acknowledged after 65 s (docs/air.md); then doubled
BOARD_MS = 600000
_CALM_MS = 10000  # a press must not wait for the radio's restart
_REST_MS = 60000
_BETWEEN = phases.IDLE, phases.SEATED, phases.AGREED  # no clock runs, no names are needed


class Silence:
    """How long a board has asked in vain."""

    def __init__(self):
        self._since_ms: int | None = None  # since when it asks
        self._heard_ms, self._next_ms = 0, RADIO_MS

    def due(
        self, asks: bool, heard_ms: int, touched_ms: int, match: "Match", uptime_ms: int
    ) -> int:
        """Return what to restart now.

        ``asks``: the board wants an answer; ``heard_ms``: uptime at which it was certainly heard,
        0 if the host has never answered; ``touched_ms``: of the last key.
        """
        if not (asks and heard_ms):
            self._since_ms = None
            return NOTHING
        if self._since_ms is None or heard_ms != self._heard_ms:
            self._since_ms = max(uptime_ms if self._since_ms is None else 0, heard_ms)
            self._heard_ms, self._next_ms = heard_ms, RADIO_MS
        silent_ms, untouched_ms = uptime_ms - self._since_ms, uptime_ms - touched_ms
        if silent_ms >= BOARD_MS and untouched_ms >= _REST_MS and match.phase in _BETWEEN:
            return BOARD
        if silent_ms < self._next_ms or untouched_ms < _CALM_MS:
            return NOTHING
        self._next_ms *= 2
        return RADIO
