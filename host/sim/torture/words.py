"""What a host says, held against the disks: it knows of nothing else, and neither may a board.

An acknowledgement is of what COMMIT has promised, byte for byte. An order goes out under a number
that is on the disk already, or its answer means nothing to the program that is started next.
"""

from firmware.core import digest, frames

_SPAN = 9  # an acknowledgement's first counter and its mask's eight
_SENT = (
    "SELECT count(*) FROM sends WHERE device = ? AND generation = ? AND epoch = ? AND counter = ?"
)


def named(ack):
    """Return ``(epoch, counters)`` that an ACK names."""
    epoch, first, mask, _ = frames.ack_of(ack)
    return epoch, [first + i for i in range(_SPAN) if i == 0 or mask >> i - 1 & 1]


def fits(ack, records):
    """Whether an ACK is of these records, none of them None."""
    if None in records:
        return False
    tags = b"".join(record[frames.BODY :] for record in records)
    return digest.sha256(tags)[:4] == frames.ack_of(ack)[3]


def faults(laptop, frame):
    """Yield what is wrong with a frame that ``laptop`` writes for the first time."""
    kind, device, number, counter = frames.head(frame)
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
