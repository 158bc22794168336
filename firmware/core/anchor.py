"""An anchor of the beacon (``beacon``) in four frames under a board's own key, kind ``ANCHOR``.

Each payload: u8 the part (low 2 bits) and a batch (the rest), 8 bytes of the anchor, masked like a
NAME's (``frames.mask_name``), as the group key is for boards alone. Parts of two anchors are never
put together: the host gives another batch to each. ``listener`` puts them together on a board.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes

_PART = 8
PARTS = 4
BATCHES = 64


def pack_part(anchor: "Bytes", part: int, batch: int) -> bytes:
    """Return the payload of a part (0 to 3), before it is masked."""
    return bytes((part | batch % BATCHES << 2,)) + anchor[_PART * part : _PART * (part + 1)]
