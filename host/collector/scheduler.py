"""Decides whom to talk to next: which boards to connect to, and which open sessions are due.

A hall has hundreds of boards, and something happens many times a second. So nothing walks over all
of them: whatever happens to a board, ``reschedule`` puts that one in its place.
"""

import heapq
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from firmware.core import frames, phases
from host.collector.board_status import BoardStatus
from host.collector.listening_time import Listening
from host.collector.name_frames import NameFrames
from host.collector.order_queue import OrderQueue
from host.collector.session import Session
from host.event.holdings import Gap, Holdings

# of listening: a filter may report a board every 10 s, and connecting to an absent one blocks
ABSENT_MS = 15000
_STALE = 64  # so many entries are not worth clearing away
_NEVER_MS = 1 << 60
_FEWEST = 3  # every adapter holds so many links
_REFUSALS = 10  # attempts in a row that fail beside as many links: hardly ever by chance
_FULL_MS = 60_000
# ranks of a board's needs, the most urgent first
_ORDERS, _RESULT, _RECORDS, _ANSWERS, _VISIT = range(5)


class Candidate(NamedTuple):
    """A board that waits: its rank (0 first), and when it was connected last (-1 never)."""

    rank: int
    served_ms: int
    device: int


class Scheduler:
    """Ranks the boards that wait for a connection, and knows when each open session is due.

    Times are event time in ms.
    """

    def __init__(self, orders: OrderQueue, name_frames: NameFrames, holdings: Holdings):
        self._orders, self._name_frames, self._holdings = orders, name_frames, holdings
        self._ranks: dict[int, int] = {}  # by device
        self._queue: list[Candidate] = []  # a heap; an entry that is not in ``_queued`` is stale
        self._queued: dict[int, Candidate] = {}  # by device
        self._later: list[tuple[int, int]] = []  # a heap of (when, device): a link has failed
        self._open: dict[BoardStatus, Session] = {}
        self._numbers: dict[Session, int] = {}  # in the order of their opening
        self._count = 0
        self._at_once: set[Session] = set()
        self._due: list[tuple[int, int, Session]] = []  # a heap of (when, number, session)
        self.adapter = AdapterLimit()
        self.listening = Listening()
        self.anchors = False  # whether there is a beacon to tell boards of

    # boards

    def reschedule(self, status: BoardStatus) -> None:
        """Rank a board again, about which something has changed; its session is due at once."""
        self.reschedule_session(status)
        if self._orders.holds_back(status) and self._complete(status):
            self._orders.release(status)
        self._rank(status)

    def reschedule_unchanged(self, status: BoardStatus) -> None:
        """As ``reschedule``, after a status that asks for the same as the one before."""
        if status.device in self._ranks or self._orders.waiting(status.table):
            self.reschedule(status)
        else:
            self.reschedule_session(status)

    def drop(self, device: int) -> None:
        """Forget a board that is out of use."""
        self._ranks.pop(device, None)
        self._queued.pop(device, None)

    def missing(self, status: BoardStatus) -> list[Gap]:
        """Return the runs ``(epoch, first counter, count)`` of the board that the archive lacks."""
        head = status.device, status.generation, status.epoch, status.news_head
        return self._holdings.gaps(*head, self._orders.event)

    def _complete(self, status: BoardStatus) -> bool:
        """Return whether a board answered its challenge, and every record up to the answer is
        archived.
        """
        proved = status.event == self._orders.event and self._orders.challenges.answered(status)
        return proved and not self.missing(status)

    def _rank(self, status: BoardStatus):
        rank = self._first_need(status)
        if rank is None:
            self.drop(status.device)
        else:
            self._ranks[status.device] = _ORDERS if self._orders.urgent(status) else rank
            self._enqueue(status)

    def _first_need(self, status: BoardStatus) -> int | None:
        """Return the rank of a board's most urgent need, None for a board without any."""
        if self._orders.has_orders(status):
            return _ORDERS
        if status.has(frames.UNSENT):
            return _RESULT if status.phase == phases.AGREED else _RECORDS
        if self.missing(status):
            return _RECORDS
        if status.has(frames.TIME_WANTED) or status.blink_s > 0:
            return _ANSWERS
        if status.has(frames.NAMES_WANTED) and self._name_frames.payloads(status.table):
            return _ANSWERS
        if self.anchors and status.has(frames.ANCHOR_WANTED):
            return _ANSWERS
        if not status.linked or self._orders.must_prove(status):
            return _VISIT
        return None

    def note_heard(self, status: BoardStatus) -> None:
        """Queue a board again that was put aside, as it was not heard for a while."""
        if status.device in self._ranks and status.device not in self._queued:
            self._enqueue(status)

    def _enqueue(self, status: BoardStatus):
        candidate = Candidate(self._ranks[status.device], status.served_ms, status.device)
        if self._queued.get(status.device) != candidate:
            self._queued[status.device] = candidate
            heapq.heappush(self._queue, candidate)
            if len(self._queue) > 2 * len(self._queued) + _STALE:
                self._queue = sorted(self._queued.values())

    @property
    def waited_for(self) -> bool:
        """Whether any board waits for something, connected or not."""
        return bool(self._ranks)

    def others_wait(self, busy: Collection[int]) -> bool:
        """Return whether any board waits that is not ``busy`` (devices)."""
        return len(self._ranks) > sum(device in self._ranks for device in busy)

    def reachable(
        self, statuses: Mapping[int, BoardStatus], busy: Collection[int], now_ms: int
    ) -> bool:
        """Return whether any board waits that was heard lately and is not ``busy`` (devices)."""
        since_ms = self.listening.since(ABSENT_MS, now_ms)
        waiting = (statuses[device] for device in self._ranks if device not in busy)
        return any(_accepts(status, since_ms) for status in waiting)

    def queued(self, now_ms: int) -> bool:
        """Return whether ``choose`` has anybody to look at."""
        return bool(self._queue) or self._later_due(now_ms)

    def _later_due(self, now_ms: int) -> bool:
        """Return whether a board whose link failed may be tried again."""
        if not self._later:
            return False
        when_ms, _ = self._later[0]
        return when_ms <= now_ms

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
        chosen: dict[str, int] = {}
        links = min(links, self.adapter.holds(now_ms))
        if len(taken) >= links:
            return chosen
        not_free: list[BoardStatus] = []  # another board is connected at their address
        for status in self._dequeue(statuses, busy, now_ms):
            address = status.address
            if address is None or address in taken or address in chosen:
                not_free.append(status)
            else:
                chosen[address] = status.device
            if len(taken) + len(chosen) >= links:
                break
        for status in not_free:
            self._enqueue(status)
        return chosen

    def _dequeue(
        self, statuses: Mapping[int, BoardStatus], busy: Collection[int], now_ms: int
    ) -> Iterator[BoardStatus]:
        """Take each board that may be connected to now out of the queue, the most urgent first.

        A board that may not is taken out, too. It is queued again when it is heard, when its rank
        changes, or, after a failed connection, when its wait is over.
        """
        since_ms = self.listening.since(ABSENT_MS, now_ms)
        while self._later_due(now_ms):
            _, device = heapq.heappop(self._later)
            status = statuses.get(device)
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
            alone = not self._queued
            when_ms = status.alone_not_before_ms if alone else status.not_before_ms
            if now_ms < when_ms:
                heapq.heappush(self._later, (when_ms, candidate.device))
                continue
            yield status

    # open sessions

    def open_session(self, session: Session) -> None:
        """Add a session that has opened; it is due at its ``due_ms``."""
        self._count += 1
        self._numbers[session], self._open[session.status] = self._count, session
        self.requeue(session)

    def requeue(self, session: Session) -> None:
        """Queue a session again after its step, for its ``due_ms``; nothing, if it has ended."""
        number = self._numbers.get(session)
        if number is not None:
            heapq.heappush(self._due, (session.due_ms, number, session))

    def end_session(self, session: Session) -> None:
        """Forget a session that has ended."""
        if self._numbers.pop(session, None) is None:
            return
        self._at_once.discard(session)
        if self._open.get(session.status) is session:
            del self._open[session.status]

    def reschedule_session(self, status: BoardStatus) -> None:
        """Have a board's session, if it has one, be due at once: something about it changed."""
        session = self._open.get(status)
        if session is not None:
            self._at_once.add(session)

    @property
    def due_ms(self) -> int:
        """When the next session is due: 0 for at once, the end of time for none."""
        if self._at_once:
            return 0
        due = self._due
        while due:
            when_ms, _, session = due[0]
            if session.due_ms == when_ms and session in self._numbers:
                return when_ms
            heapq.heappop(due)  # it ended, or has had a step since
        return _NEVER_MS

    def take_due(self, now_ms: int) -> list[Session]:
        """Take out the sessions that are due, in the order of their opening."""
        if self.due_ms > now_ms:
            return []
        sessions, self._at_once = self._at_once, set()
        while self._due:
            when_ms, _, session = self._due[0]
            if when_ms > now_ms:
                break
            heapq.heappop(self._due)
            if session.due_ms == when_ms and session in self._numbers:
                sessions.add(session)
        return sorted(sessions, key=self._numbers.__getitem__)


class AdapterLimit:
    """How many connections the adapter holds, learned from what fails: other programs, keyboards
    and mice use some of them.
    """

    def __init__(self) -> None:
        self._links, self._failures = _FEWEST, 0  # how many attempts beside so many links failed
        self._until_ms = -1

    def holds(self, now_ms: int) -> int:
        """Return how many connections can be open now, as far as that is known."""
        return self._links if now_ms < self._until_ms else _NEVER_MS

    def note_failure(self, links: int, now_ms: int) -> None:
        """Note that an attempt failed while so many links were open."""
        if links < _FEWEST:
            return
        self._failures = self._failures + 1 if links == self._links else 1
        self._links = links
        if self._failures >= _REFUSALS:
            self._failures, self._until_ms = 0, now_ms + _FULL_MS

    def note_success(self) -> None:
        """Note that a connection was made."""
        self._failures = 0


def _accepts(status: BoardStatus, since_ms: int) -> bool:
    """Return whether a board was heard since ``since_ms``, and accepts connections."""
    if status.heard_ms is None or status.address is None or status.has(frames.SHUT):
        return False
    return status.heard_ms >= since_ms
