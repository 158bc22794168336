"""One link to one board: what goes out in which order, and when the link has served."""

from firmware.core import events, frames
from host.collector.link_tasks import (
    TRIES,
    AckTask,
    BlinkTask,
    FetchTask,
    NameTask,
    OrderTask,
    TimeTask,
)

SILENT_MS = 8000
LONGEST_MS = 20000
_LINGER_MS = 300
_PATIENCE_MS = 1300
_BURST = 4
_BURST_MS = 60


class Session:
    """A link that is open. ``step`` says what to write; ``over`` when and how it has ended."""

    def __init__(self, address, watch, errands, now_ms):
        self.address, self.watch = address, watch
        self.hours, self.receipts, self._errand, self._names, self._fetches, _ = errands
        self._errands = errands
        self._opened_ms = self._heard_ms = self._active_ms = self._burst_ms = now_ms
        self.authentic = self.cancelled = False
        self._timed = not watch.has(frames.TIME_WANTED)
        self._recorded = not watch.has(frames.UNSENT)
        self._told = watch.epoch, watch.news_head
        self._burst = 0

    @classmethod
    def open(cls, address, watch, post, parts, now_ms):
        """Begin a session; ``parts`` is ``(commander, placards, holdings)``."""
        commander, placards, holdings = parts
        errand = OrderTask(post, watch, commander)
        names = NameTask(post, watch, errand, placards)
        fetches = FetchTask(post, watch, holdings, commander.event)
        errands = (TimeTask(post), AckTask(post), errand, names, fetches, BlinkTask(post, watch))
        return cls(address, watch, errands, now_ms)

    def heard(self, verified, now_ms):
        """An authentic frame of this board came in on the link."""
        self.authentic = True
        self._heard_ms = self._active_ms = now_ms
        self.watch.spoke()
        if verified.kind == frames.TIME_ASKED:
            self.hours.ask(verified)
            self._timed = True
        elif verified.kind == frames.STATUS and self.watch.has(frames.NAMES_WANTED):
            self._names.again()
        elif verified.kind >= frames.FIRST_RECORD:
            self._recorded = True
            if (
                verified.kind == events.EVENT_JOINED
                and (verified.epoch, verified.counter) >= self._told
            ):
                self._timed = False  # a new event has a new origin: the board asks again
            self._fetches.came(verified, now_ms)

    def step(self, now_ms):
        """Return the frames to write now, at most a few at a time."""
        if not self.authentic or self.cancelled:
            return []
        if now_ms - self._burst_ms >= _BURST_MS:
            self._burst, self._burst_ms = 0, now_ms
        written = []
        for errand in self._errands:
            while self._burst < _BURST and (frame := errand.next(now_ms)) is not None:
                self._burst += 1
                self._active_ms = now_ms
                written.append(frame)
        return written

    def over(self, now_ms, crowded):
        """Return None, ``"served"`` or ``"failed"``; ``crowded`` when other boards wait."""
        if self.cancelled or now_ms - self._heard_ms >= SILENT_MS:
            return "failed"
        if max(self._errand.tries, self._fetches.tries) > TRIES:
            return "failed"
        if crowded and now_ms - self._opened_ms >= LONGEST_MS:
            return "served"
        if not self.authentic or any(errand.busy for errand in self._errands):
            return None
        strays = self.receipts.repeated and not self._fetches.asked
        waits = not self._recorded or not self._timed or strays
        patience_ms = _PATIENCE_MS if waits else _LINGER_MS
        return "served" if now_ms - self._active_ms >= patience_ms else None
