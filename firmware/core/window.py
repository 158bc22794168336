"""What goes up over a link: records that wait for an acknowledgement, and those asked for.

Records are named by their place in the journal. The first 16 without an acknowledgement are sent
in order, and again from the first after a second without one. Places before ``first`` are done.
"""

from firmware.core import digest, frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Journal

WIDTH = 16
RESEND_MS = 1000
_ACKED = 9  # an ACK names one record and up to eight after it


class Window:
    """The sender's half of reliability, over a Journal that is open."""

    def __init__(self, journal: "Journal"):
        self.journal = journal
        # after a reset nobody knows what the host has of the current match: all of it is offered
        self.restart(journal.base if journal.start is None else journal.start)

    def restart(self, place: int) -> None:
        """Take the record at ``place`` for the first that the host does not have."""
        self.first = place
        self.done = 0  # bit i: the record at first + i is acknowledged
        self.cursor = self.first
        self.sent_ms = 0
        self.asked = self.asked_end = 0

    @property
    def waiting(self) -> int:
        """How many records there are from the first unacknowledged to the last that is news."""
        return max(0, self.journal.base + self.journal.news_head - self.first)

    def acked(self, epoch: int, counter: int) -> bool:
        """Whether the host has this record for certain."""
        place = self.journal.find(epoch, counter)
        if place is None:
            return False
        return place < self.first or self.done >> (place - self.first) & 1 == 1

    def fetch(self, epoch: int, first: int, count: int) -> bool:
        """Send records again on the host's wish; says whether the first of them is held."""
        place = self.journal.find(epoch, first)
        if place is None:
            return False
        self.asked, self.asked_end = place, min(place + count, self.journal.ring.head)
        return True

    def frame(self, uptime_ms: int) -> bytes | None:
        """Return the record that is due, or None; ``sent`` moves on."""
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
                self._mark(self.cursor)  # lost or withheld: nothing is left to wait for
                self.cursor += 1
            elif uptime_ms - self.sent_ms >= RESEND_MS:
                self.cursor = self.first
            else:
                break
            end = min(head, self.first + WIDTH)
        return None

    def sent(self, uptime_ms: int) -> None:
        """Note that the record ``frame`` gave is on its way."""
        if self.asked < self.asked_end:
            self.asked += 1
        else:
            self.cursor += 1
            self.sent_ms = uptime_ms

    def acknowledge(self, frame: bytes) -> bool:
        """Take an ACK; False when it names a record that is not held or its digest differs."""
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
