"""Open sessions in the order in which they are due: in a large hall each frame concerns one of
hundreds, so nothing walks over all.
"""

import heapq

from host.collector.board_status import BoardStatus
from host.collector.session import Session

_NEVER_MS = 1 << 60


class SessionQueue:
    """The open sessions: each is due at its ``due_ms``, and at once when its board was stirred.

    Times are event time in ms.
    """

    def __init__(self):
        self._open: dict[BoardStatus, Session] = {}
        self._numbers: dict[Session, int] = {}  # in the order of their opening
        self._count = 0
        self._stirred: set[Session] = set()
        self._later: list[tuple[int, int, Session]] = []  # a heap of (when, number, session)

    def add(self, session: Session) -> None:
        """Take in a session that has opened; it is due when it says."""
        self._count += 1
        self._numbers[session], self._open[session.status] = self._count, session
        self.put(session)

    def put(self, session: Session) -> None:
        """Queue a session again after its step, for when it says; nothing, if it has ended."""
        number = self._numbers.get(session)
        if number is not None:
            heapq.heappush(self._later, (session.due_ms, number, session))

    def drop(self, session: Session) -> None:
        """Forget a session that has ended."""
        if self._numbers.pop(session, None) is None:
            return
        self._stirred.discard(session)
        if self._open.get(session.status) is session:
            del self._open[session.status]

    def stir(self, status: BoardStatus) -> None:
        """Have a board's session, if it has one, be due at once: something about it changed."""
        session = self._open.get(status)
        if session is not None:
            self._stirred.add(session)

    @property
    def due_ms(self) -> int:
        """When the next session is due: 0 for at once, the end of time for none."""
        if self._stirred:
            return 0
        later = self._later
        while later:
            when_ms, _, session = later[0]
            if session.due_ms == when_ms and session in self._numbers:
                return when_ms
            heapq.heappop(later)  # it ended, or has had a step since
        return _NEVER_MS

    def take(self, now_ms: int) -> list[Session]:
        """Take out the sessions that are due, in the order of their opening."""
        if self.due_ms > now_ms:
            return []
        due, self._stirred = self._stirred, set()
        while self._later and self._later[0][0] <= now_ms:
            when_ms, _, session = heapq.heappop(self._later)
            if session.due_ms == when_ms and session in self._numbers:
                due.add(session)
        return sorted(due, key=self._numbers.__getitem__)
