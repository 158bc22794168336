"""An anchor of the beacon (``beacon``) in four frames under a board's own key, kind ``ANCHOR``.

Each payload: u8 the part (low 2 bits) and a batch (the rest), 8 bytes of the anchor, masked like a
NAME's (``frames.mask_name``), as the group key is for boards alone. Parts of two anchors are never
put together: the host gives another batch to each.
"""

from firmware.core import beacon

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes

_PART = 8
_WHOLE = 15  # the four parts, as bits
BATCHES = 64


def pack_part(anchor: "Bytes", part: int, batch: int) -> bytes:
    """Return the payload of a part (0 to 3), before it is masked."""
    return bytes((part | batch % BATCHES << 2,)) + anchor[_PART * part : _PART * (part + 1)]


class AnchorParts:
    """Puts the parts together on a board."""

    def __init__(self):
        self._whole = bytearray(beacon.ANCHOR_SIZE)
        self._batch, self._parts = -1, 0

    def add(self, first: int, eight: "Bytes") -> "bytearray | None":
        """Take the payload of an authentic frame; return the anchor once it is whole."""
        part, batch = first & 3, first >> 2
        if batch != self._batch:
            self._batch, self._parts = batch, 0
        self._whole[_PART * part : _PART * (part + 1)] = eight
        self._parts |= 1 << part
        return self._whole if self._parts == _WHOLE else None
