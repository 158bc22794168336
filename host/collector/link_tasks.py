"""The tasks of one connection; each one's ``next(now_ms)`` returns a signed frame to send, or None.

``busy`` says that something is still expected. Frames are signed when they are sent, so counters
rise in sending order. Times are event time in ms.
"""

from collections.abc import Callable

from firmware.core import beacon, events, frames, intents
from host.archive.decoded_frames import VerifiedFrame
from host.archive.records import ArchivedRecord
from host.collector.board_status import BoardStatus
from host.collector.frame_signer import FrameSigner
from host.collector.name_frames import NameFrames
from host.collector.order_scheduler import OrderScheduler
from host.event.holdings import Gap, Holdings

REPEAT_MS = 1000
TRIES = 8
_FETCH_COUNT = 64
_OFTEN = 3
_QUIET_MS = 1500  # by then a board has resent what it believes to be missing
_AGAIN = 8  # up to so many held records between two gaps are fetched again with them
_PAUSE_MS = 600  # by then it has begun or continued to send what was requested
_SWAP_MS = 150  # by then an earlier record has arrived, or it never will
_KNOWN_FRAMES = 8  # a board asks for the time after at most five frames
_GATHER_MS = 150  # by then more of a board's known records have come, for the same frame
_SPAN = 9  # an acknowledgement's first counter and its mask's eight


class TimeTask:
    """Answers TIME_ASKED at once, under the key of the question."""

    busy = False

    def __init__(self, signer: FrameSigner):
        self._signer = signer
        self._asked: VerifiedFrame | None = None

    def ask(self, verified: VerifiedFrame) -> None:
        """Note an authentic TIME_ASKED; only the last one is answered."""
        self._asked = verified

    def next(self, now_ms: int) -> bytes | None:
        """Return a TIME frame with the current event time."""
        asked, self._asked = self._asked, None
        if asked is None:
            return None
        payload = frames.pack_time(now_ms, frames.fields(asked.frame)[0])
        signed = self._signer.sign(asked.event, frames.TIME, payload)
        return signed and signed.frame


class AckTask:
    """Acknowledges archived records, up to nine of one epoch per frame.

    Somebody who replays records that were archived before gets few frames for them: else each
    would use up a down counter, and without one the host is mute to that board.
    """

    def __init__(self, signer: FrameSigner):
        self._signer = signer
        self._owed: dict[tuple[int, int], bytes] = {}  # (epoch, counter) -> tag
        self._known: set[tuple[int, int]] = set()  # of the owed ones, those archived before
        self._left = 0  # frames for such records alone, until the board proves itself again
        self._since_ms: int | None = None  # since when known records alone wait for a full frame
        self.repeated = False  # the board resent archived records: frames are being lost

    def owe(self, entry: ArchivedRecord, known: bool) -> None:
        """Queue the acknowledgement of an archived record (``known``: archived before)."""
        self.repeated = self.repeated or known
        place = entry.epoch, entry.counter
        if not known:
            self._known.discard(place)
        elif self._left:
            self._known.add(place)
        else:
            return
        self._owed[place] = entry.frame[frames.BODY :]

    def renew(self) -> None:
        """Note that the board proved itself on this connection: nobody can have replayed that."""
        self._left = _KNOWN_FRAMES

    @property
    def busy(self) -> bool:
        """Whether an acknowledgement is queued."""
        return bool(self._owed)

    def next(self, now_ms: int) -> bytes | None:
        """Return an ACK frame for the oldest queued records."""
        if not self._owed or self._gathers(now_ms):
            return None
        self._since_ms = None
        epoch, first = min(self._owed)
        mask, tags, before = 0, b"", len(self._owed) - len(self._known)
        for counter in range(first, first + _SPAN):
            tag = self._owed.pop((epoch, counter), None)
            self._known.discard((epoch, counter))
            if tag is not None:
                tags += tag
                mask |= 1 << counter - first
        if len(self._owed) - len(self._known) == before:  # for known records alone
            self._left -= 1
            if not self._left:
                self._drop_known()
        payload = frames.pack_ack(epoch, first, mask >> 1, tags)
        return self._signer.frame(frames.ACK, payload)

    def _gathers(self, now_ms):
        """Return whether known records alone are owed, and others may still join their frame."""
        if len(self._known) < len(self._owed) or len(self._owed) >= _SPAN:
            return False
        if self._since_ms is None:
            self._since_ms = now_ms
        return now_ms - self._since_ms < _GATHER_MS

    def _drop_known(self):
        for place in self._known:
            self._owed.pop(place, None)
        self._known.clear()


class ChallengeTask:
    """Has the board prove that it is there, repeatedly until its answer is archived."""

    def __init__(self, signer: FrameSigner, status: BoardStatus, order_scheduler: OrderScheduler):
        self._signer, self._status, self._order_scheduler = signer, status, order_scheduler
        self._sent_ms = self.tries = 0

    @property
    def busy(self) -> bool:
        """Whether the board has still to answer."""
        return self._order_scheduler.must_prove(self._status)

    def next(self, now_ms: int) -> bytes | None:
        """Return the challenge, when it is due."""
        if not self.busy or self.tries and now_ms - self._sent_ms < REPEAT_MS:
            return None
        self._sent_ms, self.tries = now_ms, self.tries + 1
        return self._order_scheduler.challenges.frame(self._status, self._signer)


class OrderTask:
    """Sends one order at a time, repeatedly until its answer is archived."""

    def __init__(self, signer: FrameSigner, status: BoardStatus, order_scheduler: OrderScheduler):
        self._signer, self._status, self._order_scheduler = signer, status, order_scheduler
        self._order_id: int | None = None
        self._sent_ms = self.tries = 0
        self.round_told = False

    @property
    def busy(self) -> bool:
        """Whether an order waits for its answer."""
        return self._order_scheduler.has_orders(self._status)

    def next(self, now_ms: int) -> bytes | None:
        """Return the frame of the current order, when it is due."""
        order = self._order_scheduler.next_order(self._status, now_ms) if self.busy else None
        if order is None:
            return None
        if order.id != self._order_id:
            self._order_id, self.tries = order.id, 0
            if order.kind == intents.SET_ROUND:
                self.round_told, self._status.named = True, 0
        elif now_ms - self._sent_ms < REPEAT_MS:
            return None
        self._sent_ms, self.tries = now_ms, self.tries + 1
        return self._order_scheduler.signed_frame(order, self._status, self._signer)


class NameTask:
    """Sends the board its players' names: once per connection, and again when a status asks."""

    def __init__(
        self,
        signer: FrameSigner,
        status: BoardStatus,
        order_task: OrderTask,
        name_frames: NameFrames,
    ):
        self._signer, self._status = signer, status
        self._order_task, self._name_frames = order_task, name_frames
        self._queue: list[bytes] = []
        self._given = False

    @property
    def busy(self) -> bool:
        """Whether parts of names are still to be sent."""
        self._fill()
        return bool(self._queue)

    def repeat(self) -> None:
        """Send the names again once all are sent: a status on this connection still asks for
        them.
        """
        if not self._queue:
            self._given = False

    def _fill(self) -> None:
        if self._queue and not self._name_frames.payloads(self._status.table):
            self._queue = []  # its round was cleared meanwhile
        told = self._order_task.round_told and not self._order_task.busy
        if not self._given and (self._status.has(frames.NAMES_WANTED) or told):
            payloads = self._name_frames.payloads(self._status.table)
            self._given = bool(payloads)
            if payloads:  # what was lost before is sent more often
                self._status.named = min(self._status.named + 1, _OFTEN)
                self._queue = payloads * self._status.named

    def next(self, now_ms: int) -> bytes | None:
        """Return the next NAME frame."""
        self._fill()
        if not self._queue:
            return None
        return self._signer.frame(frames.NAME, self._queue.pop(0))


class AnchorTask:
    """Tells a board of the beacon's chain: once per connection, and again when a status asks.

    ``anchor(now_ms)`` returns the 32 bytes, None where there is no beacon.
    """

    def __init__(
        self, signer: FrameSigner, status: BoardStatus, anchor: Callable[[int], bytes | None]
    ):
        self._signer, self._status, self._anchor = signer, status, anchor
        self._queue: list[bytes] = []
        self._given = False

    @property
    def busy(self) -> bool:
        """Whether parts are still to be sent."""
        return bool(self._queue)

    def repeat(self) -> None:
        """Send it again once all is sent: a status on this connection still asks for it."""
        self._given = False

    def next(self, now_ms: int) -> bytes | None:
        """Return the next part."""
        if not self._queue and not self._given and self._status.has(frames.ANCHOR_WANTED):
            whole = self._anchor(now_ms)
            if whole is not None:
                self._given = True
                batch = self._status.anchored = (self._status.anchored + 1) % beacon.BATCHES
                self._queue = [beacon.pack_part(whole, part, batch) for part in range(beacon.PARTS)]
        if not self._queue:
            return None
        return self._signer.frame(beacon.ANCHOR, self._queue.pop(0))


class BlinkTask:
    """Has the board blink. There is no answer, so the frame is sent a few times."""

    def __init__(self, signer: FrameSigner, status: BoardStatus):
        self._signer, self._status, self._times = signer, status, 0
        self._sent_ms: int | None = None

    @property
    def busy(self) -> bool:
        """Whether it is to be sent once more."""
        return self._status.blink_s > 0

    def next(self, now_ms: int) -> bytes | None:
        """Return an IDENTIFY frame when it is due."""
        if not self.busy or self._sent_ms is not None and now_ms - self._sent_ms < REPEAT_MS:
            return None
        self._times, self._sent_ms = self._times + 1, now_ms
        frame = self._signer.frame(frames.IDENTIFY, frames.plain(0, 0, self._status.blink_s))
        if self._times >= _OFTEN:
            self._status.blink_s = 0
        return frame


class FetchTask:
    """Fetches records that the archive lacks and the board does not send by itself."""

    def __init__(self, signer: FrameSigner, status: BoardStatus, holdings: Holdings, event: int):
        self._signer, self._status, self._holdings = signer, status, holdings
        self._event = event
        self._quiet_ms: int | None = None
        self._runs: list[Gap] | None = None
        self.tries = 0
        self._sent: dict[int, tuple[int, int]] = {}  # counter of the frame -> (epoch, first)
        # by itself a board resends from its first unacknowledged record on
        self._again = None if status.has(frames.UNSENT) else (status.epoch, status.news_head)
        # the last record that was requested, None once it has arrived
        self._last: tuple[int, int] | None = None

    def note_record(self, verified: VerifiedFrame, now_ms: int) -> None:
        """Note that a record arrived, so the board is sending. It may report another one as
        lost.
        """
        self._quiet_ms = now_ms
        place = verified.epoch, verified.counter
        if not self._sent:
            self._again = min(self._again or place, place)
        elif place == self._last:
            self._last = None
        answer = events.of_record(verified.frame)
        if not isinstance(answer, events.Answered) or answer.broadcast:
            return
        if answer.asked == frames.FETCH and answer.refusal:
            lost = self._sent.pop(answer.counter, None)
            if lost is not None:
                self._holdings.note_lost(self._status.device, self._status.generation, *lost)

    @property
    def asked(self) -> bool:
        """Whether records were requested that may be archived already."""
        return bool(self._sent)

    @property
    def missing(self) -> list[Gap]:
        """The runs ``(epoch, first counter, count)`` of the board that the archive lacks."""
        status = self._status
        place = (status.device, status.generation, status.epoch)
        return self._holdings.gaps(*place, status.news_head, self._event)

    @property
    def busy(self) -> bool:
        """Whether any record is missing."""
        return bool(self.missing)

    def _pause_ms(self, runs: list[Gap]) -> int:
        """Return how long a board must be silent before ``runs`` are requested."""
        if self._sent:
            return _PAUSE_MS if self._last else _SWAP_MS
        epoch, first, count = runs[0]
        if self._again and (epoch, first + count) <= self._again:
            return _SWAP_MS  # it believes that these were acknowledged
        return _QUIET_MS if self._status.has(frames.UNSENT) else _PAUSE_MS

    def next(self, now_ms: int) -> bytes | None:
        """Return a FETCH frame when records are missing and the board has been silent."""
        if self._quiet_ms is None:
            self._quiet_ms = now_ms
        if now_ms - self._quiet_ms < _SWAP_MS:
            return None
        runs = self.missing
        if not runs or now_ms - self._quiet_ms < self._pause_ms(runs):
            return None
        self.tries = self.tries + 1 if runs == self._runs else 1
        self._runs, self._quiet_ms = runs, now_ms
        epoch, first, count = _span(runs)
        count = min(count, _FETCH_COUNT)
        payload = frames.pack_fetch(epoch, first, count)
        signed = self._signer.sign(self._status.event, frames.FETCH, payload)
        if signed is None:
            return None
        self._sent[signed.counter] = epoch, first
        self._last = epoch, first + count - 1
        return signed.frame


def _span(runs: list[Gap]) -> tuple[int, int, int]:
    """Merge the first of ``runs`` with those of its epoch that begin soon after it."""
    epoch, first, count = runs[0]
    for other, begins, more in runs[1:]:
        if other != epoch or begins - first - count > _AGAIN:
            break
        count = begins + more - first
    return epoch, first, count
