"""A tap between a board's program and its link: it sees every frame that the board sends."""

from __future__ import annotations

import struct
from collections import deque
from typing import TYPE_CHECKING

from firmware.core import frames

if TYPE_CHECKING:
    from firmware.core.types import AdvertFrame, Bytes, Head, LinkPort
    from host.sim.types import Numbered, Pay


_PLACE = struct.Struct("<3xHH")  # a frame's epoch and counter
_KEPT = 32  # of the frames that a board does not store; it repeats only its last ones


def head_of(frame: Bytes) -> Head:
    """Return ``(kind, device, epoch, counter)`` of a frame of the right size and version."""
    head = frames.head(frame)
    assert head is not None
    return head


class Tap:
    """The Link port over another Link; ``reused`` lists frame numbers that were used twice, and
    those of frames that no board stores which are lower than all lately used.

    ``pay`` gets what the tags of frames cost the board, as in ``VirtualBoard``.
    """

    def __init__(self, link: LinkPort, pay: Pay = lambda price, times=1: None):
        self._link, self._pay = link, pay
        # frames that a board stores, by epoch and counter, and those that it does not: of the
        # latter a thousand boards send half a million, so only the last ones are kept
        self._stored: dict[tuple[int, int], bytes] = {}
        self._fleeting = deque[bytes](maxlen=_KEPT)
        self._spoken, self._newest = 0, (-1, 0)  # of the latter: how many, and the last
        self.reused: list[Numbered] = []
        self._shown: bytes | None = None

    @property
    def signed(self) -> int:
        """How many different frames the board has sent."""
        return len(self._stored) + self._spoken

    def _note(self, frame):
        place = _PLACE.unpack_from(frame)
        if frame[0] & 63 >= frames.FIRST_RECORD:
            if self._stored.setdefault(place, frame) != frame:
                self.reused.append((True, *place))
        elif place > self._newest:  # so most of the time
            self._newest = place
            self._fleeting.append(frame)
            self._spoken += 1
        elif frame not in self._fleeting:
            self._note_late(frame, place)

    def _note_late(self, frame, place):
        """Note a frame that another one with a higher number came before."""
        spoken = [_PLACE.unpack_from(one) for one in self._fleeting]
        if place in spoken or len(spoken) == _KEPT and place < min(spoken):
            self.reused.append((False, *place))
        else:
            self._fleeting.append(frame)
            self._spoken += 1

    def advertise(self, frame: bytes, welcome: bool = True) -> None:
        """As the Link's."""
        if frame is not self._shown:
            self._shown = frame
            self._pay("hmac_us")
            self._note(frame)
        self._link.advertise(frame, welcome)

    def send(self, frame: bytes) -> bool:
        """As the Link's."""
        self._note(frame)
        return self._link.send(frame)

    def flush(self) -> None:
        """As the Link's."""
        self._link.flush()

    def receive(self) -> bytes | None:
        """As the Link's; a frame's tag is checked under at most two keys."""
        frame = self._link.receive()
        if frame is not None:
            self._pay("hmac_us", 2)
        return frame

    @property
    def connected(self) -> bool:
        """As the Link's."""
        return self._link.connected

    @property
    def guests(self) -> int:
        """As the Link's."""
        return self._link.guests

    @property
    def audible(self) -> int | bool:
        """As the Link's."""
        return self._link.audible

    @property
    def full(self) -> bool:
        """As the Link's."""
        return self._link.full

    @property
    def due_ms(self) -> int:
        """As the Link's."""
        return self._link.due_ms

    @property
    def advert_frame(self) -> AdvertFrame:
        """As the Link's."""
        return self._link.advert_frame

    def poll(self, uptime_ms: int) -> None:
        """As the Link's."""
        self._link.poll(uptime_ms)

    def heard(self, frame: bytes) -> None:
        """As the Link's."""
        self._link.heard(frame)

    def drop(self) -> None:
        """As the Link's."""
        self._link.drop()

    def restart(self) -> None:
        """As the Link's."""
        self._link.restart()
