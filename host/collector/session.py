"""One connection to one board: what is sent in which order, and when the connection is done."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from firmware.core import events, frames
from host.archive.decoded_frames import VerifiedFrame
from host.collector.board_status import BoardStatus
from host.collector.frame_signer import FrameSigner
from host.collector.link_tasks import (
    TRIES,
    AckTask,
    AnchorTask,
    BlinkTask,
    ChallengeTask,
    FetchTask,
    NameTask,
    OrderTask,
    TimeTask,
)
from host.collector.name_frames import NameFrames
from host.collector.order_scheduler import OrderScheduler
from host.event.holdings import Holdings

SILENT_MS = 8000
LONGEST_MS = 20000
_LINGER_MS = 300
_PATIENCE_MS = 1300
_BURST = 4
_BURST_MS = 60
_STEP_MS = 60  # time alone has its turn this often


@dataclass
class Sources:
    """What the tasks of all sessions share; ``anchor(now_ms)`` as in ``AnchorTask``."""

    order_scheduler: OrderScheduler
    name_frames: NameFrames
    holdings: Holdings
    anchor: Callable[[int], bytes | None] = lambda now_ms: None


class Session:
    """An open connection. ``step`` returns what to write; ``over`` whether and how it has ended.
    Both are called when ``due_ms`` has come, and before if anything about the board has changed
    (``SessionQueue``).

    ``ack_task`` is given archived records to acknowledge. Times are event time in ms.
    """

    def __init__(
        self, address: str, status: BoardStatus, signer: FrameSigner, sources: Sources, now_ms: int
    ):
        self.address, self.status = address, status
        scheduler = sources.order_scheduler
        self.time_task, self.ack_task = TimeTask(signer), AckTask(signer)
        self._challenge_task = ChallengeTask(signer, status, scheduler)
        self._order_task = OrderTask(signer, status, scheduler)
        self._name_task = NameTask(signer, status, self._order_task, sources.name_frames)
        self._anchor_task = AnchorTask(signer, status, sources.anchor)
        self._fetch_task = FetchTask(signer, status, sources.holdings, scheduler.event)
        self._tasks = (  # the most urgent first
            self.time_task, self.ack_task, self._challenge_task, self._order_task, self._name_task,
            self._anchor_task, self._fetch_task, BlinkTask(signer, status),
        )  # fmt: skip
        self._asking = self._challenge_task, self._order_task, self._fetch_task
        self._opened_ms = self._heard_ms = self._active_ms = self._burst_ms = now_ms
        self.authentic = self.cancelled = False
        self._timed = not status.has(frames.TIME_WANTED)
        self._recorded = not status.has(frames.UNSENT)
        self._told = status.epoch, status.news_head
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
            if (
                verified.kind == events.EVENT_JOINED
                and (verified.epoch, verified.counter) >= self._told
            ):
                self._timed = False  # a new event has a new origin: the board asks again
            self._fetch_task.note_record(verified, now_ms)

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
            while self._burst < _BURST and (frame := task.next(now_ms)) is not None:
                self._burst += 1
                self._active_ms = now_ms
                written.append(frame)
        return written

    def over(self, now_ms: int, crowded: bool) -> Literal["served", "failed"] | None:
        """Return how the session has ended, None while it is open; ``crowded``: other boards
        wait.
        """
        if self.cancelled or now_ms - self._heard_ms >= SILENT_MS:
            return "failed"
        for task in self._asking:
            if task.tries > TRIES:
                return "failed"
        if crowded and now_ms - self._opened_ms >= LONGEST_MS:
            return "served"
        if not self.authentic:
            return None
        for task in self._tasks:
            if task.busy:
                return None
        strays = self.ack_task.repeated and not self._fetch_task.asked
        waits = not self._recorded or not self._timed or strays
        patience_ms = _PATIENCE_MS if waits else _LINGER_MS
        return "served" if now_ms - self._active_ms >= patience_ms else None
