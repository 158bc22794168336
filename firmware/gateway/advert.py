"""Our frame inside an advert of anybody."""

_MANUFACTURER = 0xFF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes


def prefixes(company: int) -> bytes:
    """Return the filter of ``start_scan``: manufacturer data of ``company`` alone.

    It is made here because the chip wants it in the heap (shared-bindings/_bleio/Adapter.c).
    """
    return bytes((3, _MANUFACTURER, company & 0xFF, company >> 8))


def frame(data: "Bytes", company: int) -> "Bytes | None":
    """Return what ``company`` says in an advert's ``data``, or None (Core Specification 3 C 11)."""
    at = 0
    while at + 4 <= len(data):
        end = at + 1 + data[at]
        if data[at + 1] == _MANUFACTURER and data[at] > 3 and end <= len(data):
            if data[at + 2] | data[at + 3] << 8 == company:
                return data[at + 4 : end]
        if end == at + 1:
            return None
        at = end
    return None
