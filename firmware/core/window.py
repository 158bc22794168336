"""The records to send over a link: unacknowledged ones, and those requested.

Records are named by their place in the journal. Places before ``first`` are done. How they are sent
and acknowledged is in ``talk``.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Journal


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
