"""The records to send over a link: unacknowledged ones, and those requested.

Records are named by their place in the journal. The first 16 unacknowledged records are sent in
order, and again from the first after a second without an acknowledgement. Places before ``first``
are done.
"""

from firmware.core import digest, frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Journal

WIDTH = 16
RESEND_MS = 1000
_ACKED = 9  # an ACK names one record and up to eight after it


class Window:
    """The sending side of the reliable transfer, over an open Journal."""

    def __init__(self, journal: "Journal"):
        self.journal = journal
        # after a reset it is unknown what the host has of the current match: send all of it
        self.restart(journal.base if journal.start is None else journal.start)

    def restart(self, place: int) -> None:
        """Set the first record that the host does not have to ``place``."""
        self.first = place
        self.done = 0  # bit i: the record at first + i is acknowledged
        self.cursor = self.first
        self.sent_ms = 0
        self.asked = self.asked_end = 0

    @property
    def waiting(self) -> int:
        """The number of records from the first unacknowledged one to the last one to send."""
        count = self.journal.base + self.journal.news_head - self.first
        return count if count > 0 else 0

    def acked(self, epoch: int, counter: int) -> bool:
        """Return whether the host has certainly got this record."""
        place = self.journal.find(epoch, counter)
        if place is None:
            return False
        return place < self.first or self.done >> (place - self.first) & 1 == 1

    def fetch(self, epoch: int, first: int, count: int) -> bool:
        """Send records again at the host's request; return whether the first of them is held."""
        place = self.journal.find(epoch, first)
        if place is None:
            return False
        self.asked, self.asked_end = place, min(place + count, self.journal.ring.head)
        return True

    def frame(self, uptime_ms: int) -> bytes | None:
        """Return the record that is due, or None; ``sent`` advances."""
        while self.asked < self.asked_end:
            record = self.journal.shown(self.asked)
            if record:
                return record
            self.asked += 1  # lost in both copies, or withheld
        head = self.journal.ring.head
        end = min(head, self.first + WIDTH)
        while self.first < end:
            if self.cursor < end:
                record = None if self._done(self.cursor) else self.journal.shown(self.cursor)
                if record:
                    return record
                self._mark(self.cursor)  # lost or withheld: there is nothing to wait for
                self.cursor += 1
            elif uptime_ms - self.sent_ms >= RESEND_MS:
                self.cursor = self.first
            else:
                break
            end = min(head, self.first + WIDTH)
        return None

    def sent(self, uptime_ms: int) -> None:
        """Note that the record from ``frame`` was sent."""
        if self.asked < self.asked_end:
            self.asked += 1
        else:
            self.cursor += 1
            self.sent_ms = uptime_ms

    def acknowledge(self, frame: bytes) -> bool:
        """Process an ACK; False if it names a record that is not held or its digest differs."""
        epoch, first, mask, seen = frames.ack_of(frame)
        place = self.journal.find(epoch, first)
        if place is None:
            return False
        over = digest.new_sha256()
        for i in range(_ACKED):
            if i == 0 or mask >> (i - 1) & 1:
                if self.journal.ring.order(place + i) >> 16 != epoch:
                    return False  # of another epoch, lost, or still to come
                over.update(self.journal.ring.tag(place + i))  # pyright: ignore[reportArgumentType]  (it has an order)
        if not digest.same(seen, over.digest()[:4]):
            return False
        for i in range(_ACKED):
            if i == 0 or mask >> (i - 1) & 1:
                self._mark(place + i)
        return True

    def _done(self, place):
        return place < self.first or self.done >> (place - self.first) & 1

    def _mark(self, place):
        if self.first <= place < self.first + WIDTH:
            self.done |= 1 << (place - self.first)
        while self.done & 1:
            self.done >>= 1
            self.first += 1
