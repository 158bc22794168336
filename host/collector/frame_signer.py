"""Signs frames for one board; a counter never repeats within an epoch."""

from typing import NamedTuple

from firmware.core import beacon, frames
from host.archive.store import Archive
from host.collector.board_status import BoardStatus
from host.keys.keyring import Keyring

_END = 1 << 16
_MASKED = (frames.NAME, beacon.ANCHOR)  # children's names, and the group key of the beacon
_FEW = 4096  # a board's evening uses a few hundred


class Signed(NamedTuple):
    """A signed 24-byte frame and the counter in it."""

    frame: bytes
    counter: int


class FrameSigner:
    """Signs down frames for the board's current epoch; counters are on the disk before use."""

    def __init__(self, archive: Archive, keyring: Keyring, status: BoardStatus):
        self._archive, self._keyring, self._status = archive, keyring, status
        self._epoch = None
        self._next = self._end = 0

    @property
    def runs_low(self) -> bool:
        """Whether few counters are left in the board's epoch; its next boot begins another."""
        return self._epoch == self._status.epoch and _END - self._next < _FEW

    def sign(self, event: int, kind: int, payload: bytes) -> Signed | None:
        """Sign a 9-byte payload under ``event``'s key; return None if no counter is left."""
        status = self._status
        device, generation, epoch = status.device, status.generation, status.epoch
        if self._epoch != status.epoch or self._next >= self._end:
            self._epoch = status.epoch
            self._next, self._end = self._archive.reserve(device, generation, epoch)
        if self._next >= self._end:
            return None
        counter, self._next = self._next, self._next + 1
        blocks = self._keyring.blocks(device, generation, event, frames.DOWN, epoch)
        head = blocks, kind, device, epoch, counter
        frame = frames.signed(*head, payload)
        if kind in _MASKED:
            hidden = frames.mask_name(self._keyring.board(device, generation), frame, payload[1:])
            frame = frames.signed(*head, payload[:1] + hidden)
        return Signed(frame, counter)

    def frame(self, kind: int, payload: bytes) -> bytes | None:
        """Sign a frame under the key of the board's event; return None if no counter is left."""
        signed = self.sign(self._status.event, kind, payload)
        return signed and signed.frame
