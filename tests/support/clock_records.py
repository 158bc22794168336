"""Records of one board (device 7, generation 1) that say no more than that its clock runs."""

from tabletop import EVENT, MASTER

from firmware.core import events, frames
from host.archive.records import ArchivedRecord
from host.keys import signatures

_KEY = frames.stream_key(frames.board_key(MASTER, 7, 1), EVENT, frames.UP, 1)


def record(counter):
    """Return the CLOCK record with this counter, signed, as an archive holds it."""
    frame = signatures.sign(_KEY, events.CLOCK, 7, 1, counter, frames.plain(9))
    return ArchivedRecord(7, 1, 1, counter, EVENT, 9, frame)
