"""An anchor of the beacon (``beacon``) in four frames under a board's own key, kind ``ANCHOR``.

Each payload: u8 the part (low 2 bits) and a batch (the rest), 8 bytes of the anchor, masked like a
NAME's (``frames.mask_name``), as the group key is for boards alone. Parts of two anchors are never
put together: the host gives another batch to each. A board loads this for the moment in which it
``take``s a part.
"""

from firmware.core import beacon, frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Anchored, Bytes, Sync

_PART = 8
PARTS = 4
BATCHES = 64


def pack_part(anchor: "Bytes", part: int, batch: int) -> bytes:
    """Return the payload of a part (0 to 3), before it is masked."""
    return bytes((part | batch % BATCHES << 2,)) + anchor[_PART * part : _PART * (part + 1)]


def take(ear: "Anchored", protocol: "Sync", frame: bytes) -> None:
    """Take a part of an anchor for ``ear``, which follows the chain once it has all of one batch.

    Its ``taking`` is the counter of the last part, the parts that it has (low 4 bits, above them
    the batch; -1 none), and their bytes.
    """
    journal, head, batch, part = protocol.journal, frames.head(frame), frame[7] >> 2, frame[7] & 3
    told, parts, whole = ear.taking
    if head is None or head[1:3] != (journal.device, journal.epoch) or head[3] <= told:
        return
    for key in protocol.keys:
        if journal.frame.verify(key, frame):
            if batch != parts >> 4:
                parts, whole = batch << 4, bytearray(beacon.ANCHOR_SIZE)
            parts |= 1 << part
            eight = frames.mask_name(journal.key, frame, frame[8 : frames.BODY])
            whole[_PART * part : _PART * part + _PART] = eight
            if parts & 15 == 15:
                ear.follow_chain(whole)
                parts, whole = -1, bytearray()
            ear.taking = head[3], parts, whole
