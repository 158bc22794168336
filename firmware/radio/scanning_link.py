"""A table that listens to the beacon: its one radio scans and advertises in turn.

The air of a hall is divided (``beacon``): in the beacon's part of a cycle the board listens, in the
rest it may send one advert, at a pace that the hall's size gives (``listener``). Where the host has
all its news, it sends a heartbeat alone.

A scan tells what it has heard only once it was stopped, and not when (ScanResults.c). So the part
is listened to in pieces of random length: then the least delay of a stamp is near zero on every
board. Pieces that end by the board's own clock would have it follow its own error.
"""

from firmware.core import beacon, frames, listener
from firmware.radio import advertiser, link

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Hearing, LinkPort, Match, Sync

_CHANNEL_S = 0.01  # listened to at a stretch
_PIECE_MS = 12  # of a part at the least
_MORE_MS = 16  # and by chance more
_SHOT_MS = 16  # from the start of an advert until it was certainly sent: 10 ms are by chance
_COPY_S = 0.02  # between its copies, the shortest that a chip can
_BEAT_SHOT_MS = 80  # three copies or more, but while results wait: the next comes late
_BUFFER = 250  # five adverts
_BEACON = 31  # bytes: an advert that is nothing else
_MANUFACTURER = 0xFF
_LEAST_DBM = -127
_BEAT_MS = 30000  # and as much again, by chance
_ASKING = frames.JUDGE_WANTED | frames.TIME_WANTED | frames.IDENTIFYING | frames.ANCHOR_WANTED
_ASKING_NAMES = _ASKING | frames.NAMES_WANTED
_PAUSE, _SOONER, _PLACE, _ASK = range(4)  # what each byte of ``random`` decides


def _pause_ms(pace, random):
    """Return how long a board is silent that speaks ``pace`` in 1024 cycles. ``random``, a byte,
    spreads it from half the average to one and a half.
    """
    if not pace:
        return _BEAT_MS + random * (_BEAT_MS >> 8)
    cycles = listener.MOST * (128 + random) // pace - 128  # in 1/256; less a half for its place
    return beacon.CYCLE_MS * cycles >> 8


class ScanningLink(link.Link):
    """A Link that hears the beacon once it is attached to a program."""

    def attach(self, program: "Hearing") -> "ScanningLink":
        """Receive in place of the ``program``'s Sync; return itself."""
        self.listener = listener.Listener(program.sync, program.match)
        self._draw = program.sync.entropy
        program.sync.receive = self.listener.receive  # pyright: ignore[reportAttributeAccessIssue]  (for this one alone)
        self.advert_frame = self.news
        self.interval_s = _COPY_S
        self.due_ms = self.turn_ms = self.send_ms = 0  # ``send_ms``: of the next advert
        self.queued = None  # the frame of that advert
        self.result = self.pace = 0
        return self

    def poll(self, uptime_ms: int) -> None:
        """Go on with listening and sending, besides what a Link does."""
        link.Link.poll(self, uptime_ms)
        self.listener.clock.steer(uptime_ms)
        if uptime_ms < self.due_ms:
            return
        cycle_ms = self.listener.cycle_ms(uptime_ms)
        if self.entries is not None:
            self._read(uptime_ms)
        self.adapter.stop_advertising()
        left_ms = beacon.PART_MS - cycle_ms
        if left_ms >= _PIECE_MS:
            piece_ms = _PIECE_MS + (self._draw(1)[0] * _MORE_MS >> 8)
            if left_ms - piece_ms < _PIECE_MS:  # no room for another piece
                piece_ms = left_ms
            self.due_ms = uptime_ms + piece_ms
            self._scan()
            return
        self.due_ms = uptime_ms + beacon.CYCLE_MS - cycle_ms
        if self.queued is not None:
            self._send_queued(self.queued, cycle_ms, uptime_ms)

    def _send_queued(self, frame, cycle_ms, uptime_ms):
        """Send the advert that waits, once it is its time and there is room in this cycle."""
        if uptime_ms < self.send_ms:
            self.due_ms = min(self.due_ms, self.send_ms)
        elif cycle_ms < beacon.CYCLE_MS - _SHOT_MS:
            if frame[0] & 63 == frames.STATUS:
                self.listener.sends_status(frame, uptime_ms)
            self.packed = advertiser.pack(frame)
            if self.announce():  # else it waits for the next cycle
                self.queued = None
            self.packed = None  # so a Link's ``poll`` does not begin it again
            one_copy = self.pace or uptime_ms < self.listener.busy_ms
            self.due_ms = uptime_ms + (_SHOT_MS if one_copy else _BEAT_SHOT_MS)

    def _scan(self):
        try:
            self.entries = self.adapter.start_scan(
                # made here: the chip wants them in the heap (shared-bindings/_bleio/Adapter.c)
                prefixes=bytes((3, 255, frames.COMPANY_ID & 255, frames.COMPANY_ID >> 8)),
                buffer_size=_BUFFER, interval=_CHANNEL_S, window=_CHANNEL_S,
                minimum_rssi=_LEAST_DBM, active=False,
            )  # fmt: skip
        except link.REFUSALS:
            self.adapter.stop_scan()
            if self.refused_ms is None:
                self.refused_ms = self.now_ms

    def restart(self) -> None:
        """Restart the radio, as a Link; what it has just heard is lost."""
        self.adapter.stop_scan()
        self.entries = None
        link.Link.restart(self)

    def _read(self, uptime_ms):
        """End the scan, and take what it has heard."""
        self.adapter.stop_scan()
        for entry in self.entries or ():
            data = entry.advertisement_bytes
            if len(data) == _BEACON and data[1] == _MANUFACTURER:
                self.listener.listen(data[4:], uptime_ms)
        self.entries = None

    def receive(self) -> bytes | None:
        """Return the next frame the host wrote, or a piece of work, or None."""
        frame = link.Link.receive(self)
        return listener.WORK if frame is None and self.listener.busy else frame

    def news(
        self, sync: "Sync", port: "LinkPort", match: "Match", flags: int, uptime_ms: int
    ) -> bytes:
        """Return the frame to advertise, as ``advertiser.frame``."""
        ear, advertising, random = self.listener, sync.advertising, self._draw(4)
        wanted = ear.wants(uptime_ms)
        result = ear.result_word(self.result)
        asks_time = wanted & frames.TIME_WANTED
        flags |= wanted | (frames.RESULT_ANNOUNCED if result else 0)
        frame = status = sync.status_frame(match, flags, uptime_ms, result)
        _, _, _, flags, _ = frames.status_of(status)
        asks = flags & (_ASKING if result else _ASKING_NAMES)
        pace = ear.pace(asks, uptime_ms)
        self._move_turn(result, pace, random, uptime_ms)
        if uptime_ms >= self.turn_ms:
            if asks_time:
                ear.asked_ms = uptime_ms  # once
            self._turn(ear.pace(asks & ~asks_time, uptime_ms), random, uptime_ms)
            must_tell = not ear.present or (result and not ear.least)  # only a status can
            status_first = must_tell or (asks_time and random[_ASK] & 1)
            if sync.waiting and pace and not status_first:
                frame = advertiser.news(sync.window, advertising) or status
            self.queued = frame
        advertising.turn_ms = self.turn_ms
        return frame

    def _move_turn(self, result, pace, random, uptime_ms):
        """Move the next turn, where there is another result or another pace."""
        if result != self.result:
            self.turn_ms = 0
        elif pace < self.pace:  # what it was to send is known by now
            self.queued, self.turn_ms = None, uptime_ms + _pause_ms(pace, random[_PAUSE])
        elif pace and self.turn_ms - uptime_ms > _pause_ms(pace, 255):
            # later than this pace allows: soon, but not all of a hall at once
            self.turn_ms = uptime_ms + (_pause_ms(pace, random[_PAUSE]) * random[_SOONER] >> 8)
        self.result, self.pace = result, pace

    def _turn(self, pace, random, uptime_ms):
        """Choose the place in the cycle, and the next turn: from now on at this ``pace``."""
        room_ms = beacon.CYCLE_MS - beacon.PART_MS - (_SHOT_MS if self.pace else _BEAT_SHOT_MS)
        # any place of the boards' part is as likely: else they would crowd at its end
        place_ms = beacon.PART_MS + (random[_PLACE] * room_ms >> 8)
        wait_ms = (place_ms - self.listener.cycle_ms(uptime_ms)) % beacon.CYCLE_MS
        self.send_ms = uptime_ms + wait_ms
        self.turn_ms, self.due_ms = uptime_ms + _pause_ms(pace, random[_PAUSE]), 0
        self.pace = pace

    def advertise(self, frame: bytes, welcome: bool = True) -> None:
        """Do nothing: ``poll`` sends what ``news`` has told it to."""
