"""What a program does for itself, beside its table: garbage, a host that is silent, crashes."""

from firmware.core import phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Heap, Match

EACH_MS = 60000  # garbage is collected so often
_ACTS = 64  # until it is asked what is free: an act allocates a few KB at the most
NOTHING, RADIO, BOARD = 0, 1, 2  # to be restarted
RADIO_MS = 120000  # the last of 32 results is acknowledged after 12 s (docs/air.md); then doubled
BOARD_MS = 600000
_CALM_MS = 10000  # a press must not wait for the radio's restart
_REST_MS = 60000
_BETWEEN = phases.IDLE, phases.SEATED, phases.AGREED  # no names are needed
FAILURES = 5  # in a row, each soon after a start: then the match is set aside
WELL_MS = 30000
_SIZE = 7  # bytes of the heartbeat: u16 event, u32 event time, u8 failures in a row


class Garbage:
    """When the garbage of a ``heap`` is collected: once a minute, just after a finished picture. So
    it is never between a press and the picture that shows it. Where less than 1 MB was free when
    last asked (``low``), garbage is collected more often.
    """

    def __init__(self, heap: "Heap", uptime_ms: int):
        self._heap, self._last_ms = heap, uptime_ms
        self._acts = 0
        self.low = heap.low

    def acted(self) -> None:
        """Note an act of the program (a gesture, a frame, what time brings)."""
        self._acts += 1
        if self._acts == _ACTS:
            self._acts = 0
            self.low = self._heap.low

    def due(self, drawn: bool, uptime_ms: int) -> bool:
        """Whether to collect now; a minute later unless ``drawn`` (this step sent a picture)."""
        passed_ms = uptime_ms - self._last_ms
        if self.low or passed_ms >= 2 * EACH_MS:
            return True
        return drawn and passed_ms >= EACH_MS

    def collect(self, uptime_ms: int) -> None:
        """Collect the garbage."""
        self._last_ms, self._acts, self.low = uptime_ms, 0, False
        self._heap.collect()


class Silence:
    """Whether the host still answers, and what to restart when it does not any more.

    A radio can die without an error. All that a board can notice is that it asks, was answered
    before and is not now, and that nobody connects. The host may as well be switched off, so a
    restart must not disturb a table: the radio's waits until no key is in use, the board's for ten
    minutes and for the time between two matches, as it forgets the time. After a reset nobody has
    answered yet, so a board resets once and not again while the host is away.
    """

    def __init__(self):
        self._since_ms: int | None = None  # since when it asks
        self._heard_ms, self._next_ms = 0, RADIO_MS

    def due(
        self, asks: bool, heard_ms: int, touched_ms: int, match: "Match", uptime_ms: int
    ) -> int:
        """Return what to restart; ``asks``: the board wants an answer, ``heard_ms``: when it was
        certainly heard, 0 never, ``touched_ms``: when a key was.
        """
        if not asks or not heard_ms:
            self._since_ms = None
            return NOTHING
        if self._since_ms is None:
            self._since_ms = max(uptime_ms, heard_ms)
            self._heard_ms, self._next_ms = heard_ms, RADIO_MS
        elif heard_ms != self._heard_ms:
            self._since_ms = self._heard_ms = heard_ms
            self._next_ms = RADIO_MS
        silent_ms, untouched_ms = uptime_ms - self._since_ms, uptime_ms - touched_ms
        start_due = match.start_ms is not None and match.phase != phases.AGREED
        idle = match.phase in _BETWEEN and not start_due
        if silent_ms >= BOARD_MS and untouched_ms >= _REST_MS and idle:
            return BOARD
        if silent_ms < self._next_ms or untouched_ms < _CALM_MS:
            return NOTHING
        self._next_ms *= 2
        return RADIO


# crashes, and event time kept across resets


def failures(kept: bytes) -> int:
    """Return how often in a row the program failed; ``kept`` from ``pack``, or any bytes."""
    return kept[6] if len(kept) == _SIZE else 0


def time_ms(kept: bytes, event: int) -> int:
    """Return the event time, 0 if none of this event is kept."""
    if len(kept) != _SIZE or int.from_bytes(kept[:2], "little") != event:
        return 0
    return int.from_bytes(kept[2:6], "little")


def pack(event: int, now_ms: int, failed: int) -> bytes:
    """Return the seven bytes to keep."""
    return event.to_bytes(2, "little") + now_ms.to_bytes(4, "little") + bytes((failed,))


def fail(kept: bytes) -> bytes:
    """Return the bytes that replace ``kept`` when the program has failed."""
    whole = kept if len(kept) == _SIZE else bytes(_SIZE)
    return whole[:6] + bytes((min(failures(kept) + 1, FAILURES),))
