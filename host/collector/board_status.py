"""What the host knows of one board from its status frames and its links."""

from firmware.core import frames

_ECHO_MS = 2000  # for so long an advert from before a link may still arrive
_BACK_OFF_MS = 500
_BACK_OFF_MOST_MS = 15000


class BoardStatus:
    """One board as last heard. A status informs, it never decides (docs/architecture.md)."""

    def __init__(self, device, generation, table):
        self.device, self.generation, self.table = device, generation, table
        self.address = self.frame = self.heard_ms = None
        self.epoch = self.counter = -1
        self.event, self._joined = 0, -1  # the latter: the counter of the record that said so
        self.zero_ms = self.phase = self.turn = self.flags = self.news_head = 0
        self.failures, self.not_before_ms, self.served_ms = 0, 0, -1
        self.named = 0  # how often the names of this round were given
        self.blink_s = 0  # for how long it is to show itself
        self.visited = False  # by a link that did all it was for
        self.linked = False  # ever, since this host started

    def told(self, verified, now_ms):
        """Take in an authentic STATUS; return None, or why it is refused."""
        refusal = self.asked(verified)
        if refusal is None:
            self.frame, self.heard_ms = verified.frame, now_ms
            self._read()
        return refusal

    def again(self, now_ms):
        """The present status frame was heard once more; return whether it tells more now.

        Some time after a link it does: what it wants would have changed had the link done its work.
        """
        self.heard_ms = now_ms
        if now_ms - self.served_ms <= _ECHO_MS:
            return False
        flags = self.flags
        self._read()
        return self.flags != flags

    def _read(self):
        status = frames.status_of(self.frame)
        self.zero_ms, self.phase, self.turn, self.flags, self.news_head = status

    def asked(self, verified):
        """Take in which boot and event an authentic STATUS or TIME_ASKED is of, likewise."""
        if verified.generation != self.generation:
            return "generation"
        if verified.epoch < self.epoch:
            return "epoch"
        if verified.epoch == self.epoch and verified.counter <= self.counter:
            return "counter"
        if verified.epoch > self.epoch:
            self.news_head, self._joined, self.visited = 0, -1, False
        if self._joined < 0:
            self.event = verified.event
        self.epoch, self.counter = verified.epoch, verified.counter
        return None

    def joined(self, event, counter):
        """An archived record of the present epoch says which event the board is in.

        From then on a late status of before, signed under another event's key, changes nothing.
        """
        if counter > self._joined:
            self.event, self._joined = event, counter

    def served(self):
        """A link did all it was for: what the last status wanted, it has; the next will tell."""
        self.visited = True
        self.flags &= ~(frames.UNSENT | frames.TIME_WANTED | frames.NAMES_WANTED)

    def has(self, flag):
        """Whether the last status raised a flag of ``frames``."""
        return bool(self.flags & flag)

    def failed(self, now_ms):
        """A link could not be had or brought nothing: wait longer each time."""
        self.failures += 1
        wait_ms = min(_BACK_OFF_MS << min(self.failures, 10), _BACK_OFF_MOST_MS)
        self.not_before_ms = now_ms + wait_ms

    def spoke(self):
        """The board said something authentic on a link."""
        self.failures, self.not_before_ms = 0, 0
