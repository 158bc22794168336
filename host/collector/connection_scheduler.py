"""Ranks the boards that wait for a connection, and keeps them in a queue.

A hall has hundreds of them while it has a free link many times a second. So no walk over all of
them: each is put in the queue by what happens to it, and taken out when its turn comes.
"""

import heapq
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from firmware.core import frames
from host.collector.board_status import BoardStatus
from host.collector.listening_time import Listening
from host.collector.name_frames import NameFrames
from host.collector.order_scheduler import OrderScheduler
from host.event.holdings import Gap, Holdings

# of listening: a filter may report a board every 10 s, and connecting to an absent one blocks
ABSENT_MS = 15000
_VOID = 64  # entries that are not worth clearing away


class Candidate(NamedTuple):
    """A board that waits: its rank (0 first), and when it was connected last (-1 never)."""

    rank: int
    served_ms: int
    device: int


class ConnectionScheduler:
    """Ranks boards by their BoardStatus; true while any waits."""

    def __init__(
        self, order_scheduler: OrderScheduler, name_frames: NameFrames, holdings: Holdings
    ):
        self._order_scheduler, self._name_frames = order_scheduler, name_frames
        self._holdings = holdings
        self._ranks: dict[int, int] = {}  # by device
        self._queue: list[Candidate] = []  # a heap; an entry that is not in ``_queued`` is void
        self._queued: dict[int, Candidate] = {}  # by device
        self._later: list[tuple[int, int]] = []  # a heap of (when, device): a link has failed
        self.listening = Listening()
        self.anchors = False  # whether there is a beacon to tell boards of

    def __bool__(self) -> bool:
        return bool(self._ranks)

    def drop(self, device: int) -> None:
        """Forget a board that is out of use."""
        self._ranks.pop(device, None)
        self._queued.pop(device, None)

    def missing(self, status: BoardStatus) -> list[Gap]:
        """Return the runs ``(epoch, first counter, count)`` of the board that the archive lacks."""
        place = status.device, status.generation, status.epoch, status.news_head
        return self._holdings.gaps(*place, self._order_scheduler.event)

    def rests(self, status: BoardStatus) -> bool:
        """Return whether a board waits for nothing, and no order for it."""
        idle = status.device not in self._ranks
        return idle and not self._order_scheduler.waiting(status.table)

    def complete(self, status: BoardStatus) -> bool:
        """Return whether a board answered its challenge, and every record up to the answer is
        archived.
        """
        scheduler = self._order_scheduler
        proved = status.event == scheduler.event and scheduler.challenges.answered(status)
        return proved and not self.missing(status)

    def review(self, status: BoardStatus) -> None:
        """Update a board's rank."""
        rank = self._rank(status)
        if rank is None:
            self.drop(status.device)
        else:
            self._ranks[status.device] = 0 if self._order_scheduler.urgent(status) else rank
            self._put(status)

    def note_heard(self, status: BoardStatus) -> None:
        """Queue a board again that was put aside, as it was not heard for a while."""
        if status.device in self._ranks and status.device not in self._queued:
            self._put(status)

    def _put(self, status: BoardStatus) -> None:
        candidate = Candidate(self._ranks[status.device], status.served_ms, status.device)
        if self._queued.get(status.device) != candidate:
            self._queued[status.device] = candidate
            heapq.heappush(self._queue, candidate)
            if len(self._queue) > 2 * len(self._queued) + _VOID:
                self._queue = sorted(self._queued.values())

    def _rank(self, status: BoardStatus) -> int | None:
        """Return the rank of a board's first need, None for a board without any."""
        if self._order_scheduler.has_orders(status):
            return 0
        if status.has(frames.UNSENT) or self.missing(status):
            return 1
        if status.has(frames.TIME_WANTED) or status.blink_s > 0:
            return 2
        if status.has(frames.NAMES_WANTED) and self._name_frames.payloads(status.table):
            return 2
        if self.anchors and status.has(frames.ANCHOR_WANTED):
            return 2
        return 3 if not status.linked or self._order_scheduler.must_prove(status) else None

    def reachable(
        self, statuses: Mapping[int, BoardStatus], busy: Collection[int], now_ms: int
    ) -> bool:
        """Return whether any board waits that was heard lately and is not ``busy`` (devices)."""
        since_ms = self.listening.since(ABSENT_MS, now_ms)
        waiting = (statuses[device] for device in self._ranks if device not in busy)
        return any(_accepts(status, since_ms) for status in waiting)

    def queued(self, now_ms: int) -> bool:
        """Return whether ``choose`` has anybody to look at."""
        return bool(self._queue or self._later and self._later[0][0] <= now_ms)

    def choose(
        self,
        statuses: Mapping[int, BoardStatus],
        busy: Collection[int],
        taken: Collection[str],
        links: int,
        now_ms: int,
    ) -> dict[str, int]:
        """Return ``{address: device}`` to connect to now, the most urgent first.

        ``busy`` devices and ``taken`` addresses have a connection; ``links`` is the limit of open
        connections.
        """
        found: dict[str, int] = {}
        if len(taken) >= links:
            return found
        shared: list[BoardStatus] = []
        for status in self._taken_out(statuses, busy, now_ms):
            address = status.address
            if address is None or address in taken or address in found:
                shared.append(status)
            else:
                found[address] = status.device
            if len(taken) + len(found) >= links:
                break
        for status in shared:
            self._put(status)
        return found

    def _taken_out(
        self, statuses: Mapping[int, BoardStatus], busy: Collection[int], now_ms: int
    ) -> Iterator[BoardStatus]:
        """Take each board that may be connected to now out of the queue, the most urgent first.

        One that may not is put aside: it is heard or reviewed when that changes, or its time comes.
        """
        since_ms = self.listening.since(ABSENT_MS, now_ms)
        while self._later and self._later[0][0] <= now_ms:
            status = statuses.get(heapq.heappop(self._later)[1])
            if status is not None:
                self.note_heard(status)
        while self._queue:
            candidate = heapq.heappop(self._queue)
            if self._queued.get(candidate.device) != candidate:
                continue
            del self._queued[candidate.device]
            status = statuses[candidate.device]
            if candidate.device in busy or not _accepts(status, since_ms):
                continue
            if now_ms < status.not_before_ms:
                heapq.heappush(self._later, (status.not_before_ms, candidate.device))
                continue
            yield status


def _accepts(status: BoardStatus, since_ms: int) -> bool:
    """Return whether a board was heard since then, and accepts connections."""
    if status.heard_ms is None or status.address is None or status.has(frames.SHUT):
        return False
    return status.heard_ms >= since_ms
