"""What the host knows of one board from its status frames and its connections."""

from firmware.core import frames
from host.archive.decoded_frames import VerifiedFrame

_ECHO_MS = 2000  # an advert from before a connection may still arrive for so long
_BACK_OFF_MS = 500
_BACK_OFF_MOST_MS = 15000


class BoardStatus:
    """One board as last heard. A status informs, it never decides (docs/architecture.md).

    ``table`` is where orders for it go (``Board.address``). Times are event time in ms.
    """

    def __init__(self, device: int, generation: int, table: int):
        self.device, self.generation, self.table = device, generation, table
        self.address: str | None = None  # the radio address that advertised last
        self.frame: bytes | None = None  # the last STATUS
        self.heard_ms: int | None = None
        self.epoch = self.counter = -1
        self.event, self._joined = 0, -1  # the latter: the counter of the record that said so
        self.zero_ms = self.phase = self.turn = self.flags = self.news_head = 0
        self.failures, self.not_before_ms, self.served_ms = 0, 0, -1
        self.named = 0  # how often the names of this round were sent
        self.blink_s = 0  # how long it is to blink, 0 for not at all
        self.visited = False  # by a connection that did all it was for
        self.linked = False  # ever, since this host started

    def take_status(self, verified: VerifiedFrame, now_ms: int) -> str | None:
        """Take in an authentic STATUS; return None, or why it is refused."""
        refusal = self.take_head(verified)
        if refusal is None:
            self.frame, self.heard_ms = verified.frame, now_ms
            self._read(verified.frame)
        return refusal

    def hear_again(self, now_ms: int) -> bool:
        """Note that the present status frame was heard once more; return whether it says more now.

        Some time after a connection it does: the wishes in it would have changed if the
        connection had fulfilled them.
        """
        self.heard_ms = now_ms
        if self.frame is None or now_ms - self.served_ms <= _ECHO_MS:
            return False
        flags = self.flags
        self._read(self.frame)
        return self.flags != flags

    def _read(self, frame: bytes):
        self.zero_ms, self.phase, self.turn, self.flags, self.news_head = frames.status_of(frame)

    def take_head(self, verified: VerifiedFrame) -> str | None:
        """Take in boot, counter and event of an authentic STATUS or TIME_ASKED.

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
        """Note from an archived record of the present epoch which event the board is in.

        From then on an older status, signed under another event's key, changes nothing.
        """
        if counter > self._joined:
            self.event, self._joined = event, counter

    def mark_served(self) -> None:
        """Note that a connection did all it was for: the last status' wishes are fulfilled."""
        self.visited = True
        self.flags &= ~(frames.UNSENT | frames.TIME_WANTED | frames.NAMES_WANTED)

    def has(self, flag: int) -> bool:
        """Say whether the last status raised a flag of ``frames``."""
        return bool(self.flags & flag)

    def back_off(self, now_ms: int) -> None:
        """Note that a connection failed or brought nothing: wait longer each time."""
        self.failures += 1
        wait_ms = min(_BACK_OFF_MS << min(self.failures, 10), _BACK_OFF_MOST_MS)
        self.not_before_ms = now_ms + wait_ms

    def clear_failures(self) -> None:
        """Note that the board sent something authentic on a connection."""
        self.failures, self.not_before_ms = 0, 0
