"""One connection to one board: the order of its frames, and when the connection is done.

A ``Session`` has tasks, the most urgent first. Each one's ``next(now_ms)`` returns a signed frame
to send, or None; ``busy`` says that something is still expected. Frames are signed when they are
sent, so counters rise in sending order. Times are event time in ms.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from firmware.core import beacon, events, frames, intents
from host.archive.decoded_frames import VerifiedFrame
from host.archive.records import ArchivedRecord, Position
from host.collector.board_status import BoardStatus
from host.collector.frame_signer import FrameSigner
from host.collector.name_frames import NameFrames
from host.collector.order_queue import OrderQueue
from host.event.holdings import Gap, Holdings

NO_PROOF_MS = 8000
LONGEST_MS = 20000
_LINGER_MS = 300
_CROWDED_MS = 100  # instead, where other boards wait
_PATIENCE_MS = 1300
_BURST = 4
_BURST_MS = 60
_STEP_MS = 60  # time alone has its turn this often
REPEAT_MS = 1000
TRIES = 8
_FETCH_COUNT = 256
_TRAILING = 8  # seals and CLOCKs after a board's last news, of which its status does not tell
_OFTEN = 3
_QUIET_MS = 1500  # by then a board has resent the records that it believes to be missing
_AGAIN = 8  # up to so many held records between two gaps are fetched again with them
_PAUSE_MS = 1000  # by then it has begun or continued to send the requested records
_SWAP_MS = 150  # by then an earlier record has arrived, or it never will
_KNOWN_FRAMES = 8  # a board asks for the time after at most five frames
_GATHER_MS = 150  # by then more of a board's known records have come, for the same frame
_SPAN = 9  # an acknowledgement's first counter and its mask's eight


@dataclass
class Sources:
    """What the tasks of all sessions share; ``anchor(now_ms)`` as in ``AnchorTask``."""

    orders: OrderQueue
    name_frames: NameFrames
    holdings: Holdings
    anchor: Callable[[int], bytes | None] = lambda now_ms: None


class Session:
    """An open connection. ``step`` returns what to write; ``over`` whether and how it has ended.
    Both are called when ``due_ms`` has come, and before if anything about the board has changed
    (``Scheduler``).

    ``ack_task`` is given archived records to acknowledge. Times are event time in ms.
    """

    def __init__(
        self, address: str, status: BoardStatus, signer: FrameSigner, sources: Sources, now_ms: int
    ):
        self.address, self.status = address, status
        orders = sources.orders
        self.time_task, self.ack_task = TimeTask(signer), AckTask(signer)
        self._challenge_task = ChallengeTask(signer, status, orders)
        self._order_task = OrderTask(signer, status, orders)
        self._name_task = NameTask(signer, status, self._order_task, sources.name_frames)
        self._anchor_task = AnchorTask(signer, status, sources.anchor)
        self._fetch_task = FetchTask(signer, status, sources.holdings, orders.event)
        self._tasks = (  # the most urgent first
            self.time_task, self.ack_task, self._challenge_task, self._order_task, self._name_task,
            self._anchor_task, self._fetch_task, BlinkTask(signer, status),
        )  # fmt: skip
        self._asking = self._challenge_task, self._order_task, self._fetch_task
        self._opened_ms = self._heard_ms = self._active_ms = self._burst_ms = now_ms
        self.authentic = self.cancelled = False
        self._timed = not status.has(frames.TIME_WANTED)  # it has asked for the time, if it was to
        self._recorded = not status.has(frames.UNSENT)  # it has sent a record, if it was to
        self._known_head = status.epoch, status.news_head
        self._burst = 0
        self.due_ms = now_ms

    def heard(self, verified: VerifiedFrame, now_ms: int) -> None:
        """Process an authentic frame of this board from the connection.

        Anybody can replay a record. A status or a time question that gets here was never heard
        before, so it is the board that speaks.
        """
        if verified.kind < frames.FIRST_RECORD:
            self.prove(now_ms)
        if self.authentic:
            self._heard_ms = self._active_ms = now_ms
        if verified.kind == frames.TIME_ASKED:
            self.time_task.ask(verified)
            self._timed = True
        elif verified.kind == frames.STATUS:
            self._repeat()
        elif verified.kind >= frames.FIRST_RECORD:
            self._recorded = True
            is_new = (verified.epoch, verified.counter) >= self._known_head
            if verified.kind == events.EVENT_JOINED and is_new:
                self._timed = False  # a new event has a new origin: the board asks again
            self._fetch_task.note_record(verified, now_ms)

    def queue_ack(self, entry: ArchivedRecord, known: bool) -> None:
        """Queue the acknowledgement of an archived record (``known``: archived before). A record
        that was fetched although another host had acknowledged it needs none.
        """
        if not self._fetch_task.fetched(entry):
            self.ack_task.queue_ack(entry, known)

    def _repeat(self):
        """Send again what a status on this connection still asks for."""
        if self.status.has(frames.NAMES_WANTED):
            self._name_task.repeat()
        if self.status.has(frames.ANCHOR_WANTED):
            self._anchor_task.repeat()

    def prove(self, now_ms: int) -> None:
        """Note that something was heard on this connection that nobody can have replayed."""
        self.authentic = True
        self._heard_ms = self._active_ms = now_ms
        self.status.clear_failures()
        self.ack_task.renew()

    def step(self, now_ms: int) -> list[bytes]:
        """Return the frames to write now, at most a few at a time."""
        self.due_ms = now_ms + _STEP_MS
        if not self.authentic or self.cancelled:
            return []
        if now_ms - self._burst_ms >= _BURST_MS:
            self._burst, self._burst_ms = 0, now_ms
        written = []
        for task in self._tasks:
            while self._burst < _BURST:
                frame = task.next(now_ms)
                if frame is None:
                    break
                self._burst += 1
                self._active_ms = now_ms
                written.append(frame)
        return written

    def over(self, now_ms: int, crowded: bool) -> Literal["served", "failed"] | None:
        """Return how the session has ended, None while it is open; ``crowded``: other boards
        wait.
        """
        if self.cancelled or now_ms - self._heard_ms >= NO_PROOF_MS:
            return "failed"
        if any(task.tries > TRIES for task in self._asking):
            return "failed"
        if crowded and now_ms - self._opened_ms >= LONGEST_MS:
            return "served"
        if not self.authentic:
            return None
        if any(task.busy for task in self._tasks):
            return None
        may_repeat = self.ack_task.repeated and not self._fetch_task.asked
        if not self._recorded or not self._timed or (may_repeat and not crowded):
            patience_ms = _PATIENCE_MS  # the board is still to send something
        else:
            patience_ms = _CROWDED_MS if crowded else _LINGER_MS
        return "served" if now_ms - self._active_ms >= patience_ms else None


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
        self._queued: dict[tuple[int, int], bytes] = {}  # (epoch, counter) -> tag
        self._known: set[tuple[int, int]] = set()  # of the queued ones, those archived before
        self._frames_left = 0  # frames for such records alone, until the board proves itself again
        self._since_ms: int | None = None  # since when known records alone wait for a full frame
        self.repeated = False  # the board resent archived records: frames are being lost

    def queue_ack(self, entry: ArchivedRecord, known: bool) -> None:
        """Queue the acknowledgement of an archived record (``known``: archived before)."""
        self.repeated = self.repeated or known
        place = entry.epoch, entry.counter
        if known and not self._frames_left:
            return
        if known:
            self._known.add(place)
        else:
            self._known.discard(place)
        self._queued[place] = entry.frame[frames.BODY :]

    def renew(self) -> None:
        """Note that the board proved itself on this connection: nobody can have replayed that."""
        self._frames_left = _KNOWN_FRAMES

    @property
    def busy(self) -> bool:
        """Whether an acknowledgement is queued."""
        return bool(self._queued)

    def next(self, now_ms: int) -> bytes | None:
        """Return an ACK frame for the oldest queued records."""
        if not self._queued or self._gathers(now_ms):
            return None
        self._since_ms = None
        epoch, first = min(self._queued)
        mask, tags, known_alone = 0, b"", True
        for counter in range(first, first + _SPAN):
            place = epoch, counter
            tag = self._queued.pop(place, None)
            if tag is None:
                continue
            tags += tag
            mask |= 1 << (counter - first)
            if place in self._known:
                self._known.remove(place)
            else:
                known_alone = False
        if known_alone:
            self._frames_left -= 1
            if not self._frames_left:
                self._drop_known()
        payload = frames.pack_ack(epoch, first, mask >> 1, tags)
        return self._signer.frame(frames.ACK, payload)

    def _gathers(self, now_ms):
        """Return whether known records alone are queued, and others may still join their frame."""
        if len(self._known) < len(self._queued) or len(self._queued) >= _SPAN:
            return False
        if self._since_ms is None:
            self._since_ms = now_ms
        return now_ms - self._since_ms < _GATHER_MS

    def _drop_known(self):
        """Leave the queued records unacknowledged that were archived before."""
        for place in self._known:
            self._queued.pop(place, None)
        self._known.clear()


class ChallengeTask:
    """Has the board prove that it is there, repeatedly until its answer is archived."""

    def __init__(self, signer: FrameSigner, status: BoardStatus, orders: OrderQueue):
        self._signer, self._status, self._orders = signer, status, orders
        self._sent_ms = self.tries = 0

    @property
    def busy(self) -> bool:
        """Whether the board has still to answer."""
        return self._orders.must_prove(self._status)

    def next(self, now_ms: int) -> bytes | None:
        """Return the challenge, when it is due."""
        if not self.busy or (self.tries and now_ms - self._sent_ms < REPEAT_MS):
            return None
        self._sent_ms, self.tries = now_ms, self.tries + 1
        return self._orders.challenges.frame(self._status, self._signer)


class OrderTask:
    """Sends one order at a time, repeatedly until its answer is archived."""

    def __init__(self, signer: FrameSigner, status: BoardStatus, orders: OrderQueue):
        self._signer, self._status, self._orders = signer, status, orders
        self._order_id: int | None = None
        self._sent_ms = self.tries = 0
        self.round_sent = False

    @property
    def busy(self) -> bool:
        """Whether an order waits for its answer."""
        return self._orders.has_orders(self._status)

    def next(self, now_ms: int) -> bytes | None:
        """Return the frame of the current order, when it is due."""
        order = self._orders.next_order(self._status, now_ms) if self.busy else None
        if order is None:
            return None
        if order.id != self._order_id:
            self._order_id, self.tries = order.id, 0
            if order.kind == intents.SET_ROUND:
                self.round_sent, self._status.named = True, 0
        elif now_ms - self._sent_ms < REPEAT_MS:
            return None
        self._sent_ms, self.tries = now_ms, self.tries + 1
        return self._orders.signed_frame(order, self._status, self._signer)


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
        self._queue: list[bytes] = []  # the parts that are still to be sent
        self._queued = False  # once on this connection, unless a status asks again

    @property
    def busy(self) -> bool:
        """Whether parts of names are still to be sent."""
        self._update_queue()
        return bool(self._queue)

    def repeat(self) -> None:
        """Send the names again once all are sent: a status on this connection still asks for
        them.
        """
        if not self._queue:
            self._queued = False

    @property
    def _wanted(self) -> bool:
        """Whether the board needs the names, and they were not queued for it yet."""
        if self._queued:
            return False
        has_new_round = self._order_task.round_sent and not self._order_task.busy
        return has_new_round or self._status.has(frames.NAMES_WANTED)

    def _update_queue(self) -> None:
        """Queue the names if they are wanted, and drop them if their round was cleared."""
        wanted = self._wanted
        if not wanted and not self._queue:
            return
        payloads = self._name_frames.payloads(self._status.table)
        if not payloads:
            self._queue = []
        elif wanted:
            self._queued = True
            # what was lost before is sent more often
            self._status.named = min(self._status.named + 1, _OFTEN)
            self._queue = payloads * self._status.named

    def next(self, now_ms: int) -> bytes | None:
        """Return the next NAME frame."""
        self._update_queue()
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
        """Return the next frame with a part of the anchor; None if none is wanted or left."""
        if not self._queue and not self._given and self._status.has(frames.ANCHOR_WANTED):
            anchor = self._anchor(now_ms)
            if anchor is not None:
                self._given = True
                batch = (self._status.anchored + 1) % beacon.BATCHES  # not that of the last time
                self._status.anchored = batch
                parts = range(beacon.PARTS)
                self._queue = [beacon.pack_part(anchor, part, batch) for part in parts]
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
        if not self.busy or (self._sent_ms is not None and now_ms - self._sent_ms < REPEAT_MS):
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
        self._quiet_ms: int | None = None  # since when the board has sent no record
        self._gaps: list[Gap] | None = None  # those at the last request
        self.tries = 0  # requests since the gaps changed last
        # by the counter of the request's frame: the first record that it asks for
        self._requests: dict[int, Position] = {}
        # the last record that was requested, None once it has arrived
        self._last_requested: Position | None = None
        # a board sends by itself what nobody has acknowledged, from the first such record on; None:
        # not known yet
        head = Position(status.epoch, status.news_head)
        self._sends_from = None if status.has(frames.UNSENT) else head
        self._acknowledged_below = self._sends_from  # by this host or an earlier one

    def note_record(self, verified: VerifiedFrame, now_ms: int) -> None:
        """Note that a record arrived, so the board is sending. It may report another one as
        lost.
        """
        self._quiet_ms = now_ms
        position = Position(verified.epoch, verified.counter)
        if not self._requests:
            self._sends_from = min(self._sends_from or position, position)
        elif position == self._last_requested:
            self._last_requested = None
        answer = events.of_record(verified.frame)
        if not isinstance(answer, events.Answered) or answer.broadcast:
            return
        if answer.asked == frames.FETCH and answer.refusal:
            lost = self._requests.pop(answer.counter, None)
            if lost is not None:
                self._holdings.note_lost(*self._status.key, *lost)

    def fetched(self, entry: ArchivedRecord) -> bool:
        """Return whether a record came because it was requested: the board waits for no
        acknowledgement.
        """
        below = self._acknowledged_below
        return bool(self._requests) and below is not None and entry.position < below

    @property
    def asked(self) -> bool:
        """Whether records were requested that may be archived already."""
        return bool(self._requests)

    @property
    def _missing(self) -> list[Gap]:
        """The gaps in the board's records, as the archive has them."""
        status = self._status
        boot = status.device, status.generation, status.epoch
        return self._holdings.gaps(*boot, status.news_head, self._event)

    @property
    def busy(self) -> bool:
        """Whether any record is missing."""
        return bool(self._missing)

    def _pause_ms(self, gap: Gap) -> int:
        """Return how long a board must have been silent before ``gap`` is requested: by then what
        it sends without a further request has come.
        """
        if self._requests:
            # the rest of the requested records, or one that was overtaken by the last of them
            return _PAUSE_MS if self._last_requested else _SWAP_MS
        gap_end = gap.epoch, gap.first + gap.size
        if self._acknowledged_below and gap_end <= self._acknowledged_below:
            return 0  # it would never send these by itself
        if self._sends_from and gap_end <= self._sends_from:
            return _SWAP_MS  # it believes that these were acknowledged
        return _QUIET_MS if self._status.has(frames.UNSENT) else _PAUSE_MS

    def next(self, now_ms: int) -> bytes | None:
        """Return a FETCH frame when records are missing and the board has been silent."""
        if self._quiet_ms is None:
            self._quiet_ms = now_ms
        silent_ms = now_ms - self._quiet_ms
        may_send = self._requests or not self._acknowledged_below
        if may_send and silent_ms < _SWAP_MS:  # the usual case, without looking for gaps
            return None
        gaps = self._missing
        if not gaps or silent_ms < self._pause_ms(gaps[0]):
            return None
        self.tries = self.tries + 1 if gaps == self._gaps else 1
        self._gaps, self._quiet_ms = gaps, now_ms
        epoch, first, size = _merge(gaps)
        count = min(size, _FETCH_COUNT)
        to_head = (epoch, first + count) == (self._status.epoch, self._status.news_head)
        # a board sends as many of them as it has
        payload = frames.pack_fetch(epoch, first, count + _TRAILING if to_head else count)
        signed = self._signer.sign(self._status.event, frames.FETCH, payload)
        if signed is None:
            return None
        self._requests[signed.counter] = Position(epoch, first)
        self._last_requested = Position(epoch, first + count - 1)
        return signed.frame


def _merge(gaps: list[Gap]) -> Gap:
    """Return the first gap, extended to those of its epoch that begin soon after it."""
    epoch, first, size = gaps[0]
    end = first + size
    for gap in gaps[1:]:
        if gap.epoch != epoch or gap.first - end > _AGAIN:
            break
        end = gap.first + gap.size
    return Gap(epoch, first, end - first)
