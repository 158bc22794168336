"""Journal heads that boards announced without delivering the records: stored as evidence only."""

from collections import OrderedDict
from typing import NamedTuple

from host.archive.decoded_frames import VerifiedFrame, status_of
from host.archive.records import BoardKey
from host.archive.store import Archive
from host.event.holdings import Holdings

_DUE_MS = 10_000  # records usually follow their status within this time


class _Head(NamedTuple):
    """The end of a board's journal: its boot, and 1 + the counter of that boot's last record to
    send.
    """

    epoch: int
    news_head: int


class _Waiting(NamedTuple):
    """A head whose records have not arrived, the status that names it, and since when."""

    head: _Head
    verified: VerifiedFrame
    since_ms: int


class Undelivered:
    """Stores the signed status of a board whose records do not arrive, as evidence of them."""

    def __init__(self, archive: Archive, holdings: Holdings):
        self._archive, self._holdings = archive, holdings
        self._stored: dict[BoardKey, _Head] = {}
        # the longest waiting first: a newer head of the same board waits in its place
        self._waiting: OrderedDict[BoardKey, _Waiting] = OrderedDict()

    def note(self, verified: VerifiedFrame, now_ms: int) -> None:
        """Note the head in an authentic STATUS."""
        board = BoardKey(verified.device, verified.generation)
        head = _Head(verified.epoch, status_of(verified.frame).news_head)
        if not self._holdings.lacks(*board, *head):  # the usual case; a stored record stays
            return
        stored, waiting = self._stored.get(board, _Head(0, 0)), self._waiting.get(board)
        if waiting is None:
            if head > stored:
                self._waiting[board] = _Waiting(head, verified, now_ms)
        elif head > max(stored, waiting.head):
            self._waiting[board] = _Waiting(head, verified, waiting.since_ms)

    def store_due(self, now_ms: int) -> None:
        """Store the statuses whose records have not followed in time."""
        missed = []
        while self._waiting and now_ms - next(iter(self._waiting.values())).since_ms >= _DUE_MS:
            board, waiting = self._waiting.popitem(last=False)
            if self._holdings.lacks(*board, *waiting.head):
                self._stored[board] = waiting.head
                missed.append(waiting.verified)
        if missed:
            with self._archive.transaction():
                for verified in missed:
                    self._archive.audit_log.add_head(verified)
