"""What a host says, held against the disks: it knows of nothing else, and neither may a board.

An acknowledgement is of what COMMIT has promised, byte for byte. An order goes out under a number
that is on the disk already, or its answer means nothing to the program that is started next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from firmware.core import digest, frames
from host.sim.tap import head_of

if TYPE_CHECKING:
    from host.sim.torture.types import Laptop


_SPAN = 9  # an acknowledgement's first counter and its mask's eight
_SENT = (
    "SELECT count(*) FROM sends WHERE device = ? AND generation = ? AND epoch = ? AND counter = ?"
)


def named(ack: bytes) -> tuple[int, list[int]]:
    """Return ``(epoch, counters)`` that an ACK names."""
    epoch, first, mask, _ = frames.ack_of(ack)
    return epoch, [first + i for i in range(_SPAN) if i == 0 or mask >> i - 1 & 1]


def fits(ack: bytes, records: Sequence[bytes | None]) -> bool:
    """Whether an ACK is of these records, none of them None."""
    whole = [record for record in records if record is not None]
    if len(whole) < len(records):
        return False
    tags = b"".join(record[frames.BODY :] for record in whole)
    return digest.sha256(tags)[:4] == frames.ack_of(ack)[3]


def faults(laptop: Laptop, frame: bytes) -> Iterator[str]:
    """Yield what is wrong with a frame that ``laptop`` writes for the first time."""
    kind, device, number, counter = head_of(frame)
    generation = laptop.generation_of(device)
    if kind == frames.ACK:
        epoch, counters = named(frame)
        if not fits(
            frame, [laptop.durable.get((device, generation, epoch, one)) for one in counters]
        ):
            yield f"the acknowledgement is not of what is on the disk: {device} {epoch}/{counters}"
    elif kind >= frames.FIRST_COMMAND and not laptop.holds(
        _SENT, device, generation, number, counter
    ):
        yield f"ordered under a number that is not on the disk: {device} {number}/{counter}"
