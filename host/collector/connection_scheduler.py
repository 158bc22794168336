"""Ranks the boards that wait for a connection."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from firmware.core import frames
from host.collector.board_status import BoardStatus
from host.collector.listening_time import Listening
from host.collector.name_frames import NameFrames
from host.collector.order_scheduler import OrderScheduler
from host.event.holdings import Gap, Holdings

# of listening: a filter may report a board every 10 s, and connecting to an absent one blocks
ABSENT_MS = 15000


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
        self.listening = Listening()

    def __bool__(self) -> bool:
        return bool(self._ranks)

    def drop(self, device: int) -> None:
        """Forget a board that is out of use."""
        self._ranks.pop(device, None)

    def missing(self, status: BoardStatus) -> list[Gap]:
        """Return the runs ``(epoch, first counter, count)`` of the board that the archive lacks."""
        place = status.device, status.generation, status.epoch, status.news_head
        return self._holdings.gaps(*place, self._order_scheduler.event)

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
        return 3 if not status.linked or self._order_scheduler.must_prove(status) else None

    def reachable(
        self, statuses: Mapping[int, BoardStatus], busy: Collection[int], now_ms: int
    ) -> list[Candidate]:
        """Return the Candidates heard lately that are not ``busy`` (devices), the most urgent
        first.
        """
        found, since_ms = [], self.listening.since(ABSENT_MS, now_ms)
        for device, rank in self._ranks.items():
            status = statuses[device]
            if device in busy or status.address is None or status.has(frames.SHUT):
                continue
            if status.heard_ms is not None and status.heard_ms >= since_ms:
                found.append(Candidate(rank, status.served_ms, device))
        return sorted(found)

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
        if len(taken) >= links:  # so most of the time: who waits is not even ranked
            return found
        for candidate in self.reachable(statuses, busy, now_ms):
            if len(taken) + len(found) >= links:
                break
            status = statuses[candidate.device]
            address = status.address
            if (
                address is not None
                and address not in taken
                and address not in found
                and now_ms >= status.not_before_ms
            ):
                found[address] = candidate.device
        return found
