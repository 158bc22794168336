"""The state of one board as the host knows it from its status frames and its connections
(docs/architecture.md).
"""

from firmware.core import frames
from host.archive.decoded_frames import VerifiedFrame, status_of
from host.archive.records import BoardKey

_ECHO_MS = 2000  # within it an advert from before a connection may still arrive
_SERVED = frames.UNSENT | frames.TIME_WANTED | frames.NAMES_WANTED | frames.ANCHOR_WANTED
_ARCHIVED = 32  # twice as many as a board has waiting for an acknowledgement
_BACK_OFF_MS = 500
_BACK_OFF_MOST_MS = 15000
# after an attempt that failed within _QUICK_MS: in a hall every second one does, by chance
_SOON_MOST_MS, _CHANCES = 2000, 5
_ALONE_MS = 500  # where nobody else waits
_QUICK_MS = 6000


class BoardStatus:
    """One board as last heard. A status informs: nothing but ``announced`` settles anything.

    ``table`` is where orders for it go (``Board.address``). Times are event time in ms.
    """

    def __init__(self, device: int, generation: int, table: int):
        self.device, self.generation, self.table = device, generation, table
        self.address: str | None = None  # the radio address that advertised last
        self.frame: bytes | None = None  # the last STATUS
        self.heard_ms: int | None = None
        self.epoch = self.counter = -1
        self._asked = self._shown = -1, -1  # epoch and counter of the last TIME_ASKED, and STATUS
        self.event, self._joined = 0, -1  # ``_joined``: the counter of its record EVENT_JOINED
        self.zero_ms = self.phase = self.turn = self.flags = self.news_head = 0
        self.announced: int | None = None  # its match's result (``firmware/core/announced.py``)
        self.changed = False  # by the last status
        self.failures, self.served_ms = 0, -1
        self.not_before_ms = self.alone_not_before_ms = 0  # if others wait; if nobody else does
        self.tried_ms = 0  # when a connection was begun last
        self.anchored = -1  # the batch of the anchor that was sent last
        self.named = 0  # how often the names of this round were sent
        self.blink_s = 0  # how long it is to blink, 0 for not at all
        self.visited = False  # by a connection that completed all its tasks, as ``mark_served``
        self.linked = False  # ever, since this host started
        self.listens = False  # to the hall's beacon, as far as it has said so
        self._archived: dict[bytes, None] = {}  # records that came as adverts, the newest last

    @property
    def key(self) -> BoardKey:
        """The board and the generation of its key."""
        return BoardKey(self.device, self.generation)

    @property
    def _acted_on(self):
        """What the host acts on."""
        return self.epoch, self.event, self.flags, self.news_head, self.phase

    def take_status(self, verified: VerifiedFrame, now_ms: int) -> str | None:
        """Process an authentic STATUS; return None, or why it is refused.

        A question that was signed later may have been heard first, over a connection: boards of
        before 2026-11-29 then advertise a status that is older. ``changed`` is from now on whether
        anything has changed that the host acts on.
        """
        before, signed = self._acted_on, (verified.epoch, verified.counter)
        refusal = self.take_head(verified)
        if refusal == "counter" and signed > self._shown:
            refusal = None
        if refusal is None:
            self.frame, self.heard_ms, self._shown = verified.frame, now_ms, signed
            self._read(verified.frame)
        self.changed = self._acted_on != before
        return refusal

    def take_question(self, verified: VerifiedFrame) -> str | None:
        """Process an authentic TIME_ASKED; return None, or why it is refused.

        A STATUS that was signed later may have been heard first, as an advert, while the question
        waited in the board's queue.
        """
        signed, refusal = (verified.epoch, verified.counter), self.take_head(verified)
        if refusal == "counter" and signed > self._asked:
            refusal = None
        if refusal is None:
            self._asked = signed
        return refusal

    def hear_again(self, now_ms: int) -> bool:
        """Note that the same status was heard again; return whether that opens requests again.

        ``mark_served`` took them for fulfilled. A board that still sends the status some time
        after the connection still has them.
        """
        self.heard_ms = now_ms
        if self.frame is None or now_ms - self.served_ms <= _ECHO_MS:
            return False
        flags = self.flags
        self._read(self.frame)
        return self.flags != flags

    def note_archived(self, record: bytes) -> None:
        """Note that a record from an advert is archived; the last few are remembered."""
        self._archived[record] = None
        if len(self._archived) > _ARCHIVED:
            del self._archived[next(iter(self._archived))]

    def has_archived(self, record: bytes) -> bool:
        """Return whether just this record was noted as archived, lately."""
        return record in self._archived

    def _read(self, frame: bytes):
        """Take over the fields of a STATUS."""
        status = status_of(frame)
        self.phase, self.turn, self.flags = status.phase, status.turn, status.flags
        self.news_head = status.news_head
        self.zero_ms, self.announced = status.zero_ms, None
        if self.has(frames.RESULT_ANNOUNCED):  # the field of the time of zero holds the result
            self.zero_ms, self.announced = 0, status.zero_ms
        self.listens = self.listens or self.has(frames.ANCHOR_WANTED)

    def take_head(self, verified: VerifiedFrame) -> str | None:
        """Process boot, counter and event of an authentic STATUS or TIME_ASKED.

        Returns None, or why the frame is refused: ``generation``, ``epoch`` or ``counter``.
        """
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

    def join(self, event: int, counter: int) -> None:
        """Note the board's event, from an archived record of the current epoch.

        An older status, signed under another event's key, then has no effect.
        """
        if counter > self._joined:
            self.event, self._joined = event, counter

    def mark_served(self, proved: bool = True) -> None:
        """Note that a connection completed all its tasks: the last status' requests are fulfilled.

        ``proved``: the board has answered its challenge, or needs none.
        """
        self.visited = self.visited or proved
        self.flags &= ~_SERVED

    def has(self, flag: int) -> bool:
        """Return whether a flag of ``frames`` was set in the last status."""
        return bool(self.flags & flag)

    def back_off(self, now_ms: int) -> None:
        """Note that a connection failed or brought nothing; the wait grows each time."""
        self.failures += 1
        if now_ms - self.tried_ms < _QUICK_MS:
            quarterings = max(0, _CHANCES - self.failures)
            wait_ms = alone_ms = _SOON_MOST_MS >> 2 * quarterings
            if self.failures <= 2 * _CHANCES:
                alone_ms = min(wait_ms, _ALONE_MS)
        else:
            doublings = min(self.failures, 10)
            wait_ms = alone_ms = min(_BACK_OFF_MS << doublings, _BACK_OFF_MOST_MS)
        self.not_before_ms, self.alone_not_before_ms = now_ms + wait_ms, now_ms + alone_ms

    def clear_failures(self) -> None:
        """Reset the wait: the board sent something authentic on a connection."""
        self.changed = False  # by the last status
        self.failures = self.not_before_ms = self.alone_not_before_ms = 0
