"""Checks the frames that a host sends against what its disk holds.

An acknowledgement must match committed records byte for byte. A command's number must be stored
before it is sent; otherwise its answer means nothing to a restarted program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from firmware.core import digest, frames
from host.collector.challenges import is_challenge
from host.sim.tap import head_of

if TYPE_CHECKING:
    from host.sim.torture.types import Laptop


_SPAN = 9  # an acknowledgement names a first counter and eight more by its mask
_SENT = (
    "SELECT count(*) FROM sends WHERE device = ? AND generation = ? AND epoch = ? AND counter = ?"
)


def ack_counters(ack: bytes) -> tuple[int, list[int]]:
    """Return ``(epoch, counters)`` that an ACK names."""
    epoch, first, mask, _ = frames.ack_of(ack)
    return epoch, [first + i for i in range(_SPAN) if i == 0 or mask >> i - 1 & 1]


def ack_matches(ack: bytes, records: Sequence[bytes | None]) -> bool:
    """Return whether an ACK's digest is that of ``records``, and none of them is None."""
    whole = [record for record in records if record is not None]
    if len(whole) < len(records):
        return False
    tags = b"".join(record[frames.BODY :] for record in whole)
    return digest.sha256(tags)[:4] == frames.ack_of(ack)[3]


def frame_faults(laptop: Laptop, frame: bytes) -> Iterator[str]:
    """Yield what is wrong with a frame that ``laptop`` sends for the first time."""
    kind, device, number, counter = head_of(frame)
    generation = laptop.generation_of(device)
    if kind == frames.ACK:
        epoch, counters = ack_counters(frame)
        if not ack_matches(
            frame, [laptop.durable.get((device, generation, epoch, one)) for one in counters]
        ):
            yield f"the acknowledgement is not of what is on the disk: {device} {epoch}/{counters}"
    elif kind < frames.FIRST_COMMAND or is_challenge(frame):
        return
    elif not laptop.has_rows(_SENT, device, generation, number, counter):
        yield f"ordered under a number that is not on the disk: {device} {number}/{counter}"
