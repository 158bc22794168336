"""What a board did at an event of another archive: it was handed on from there to this one.

Its records of then are in that archive. This one could not even verify them, as they are signed
under a key of that event.
"""

from collections.abc import Collection

from firmware.core import events
from host.archive.records import ArchivedRecord


def came_from_one(record: ArchivedRecord, own: Collection[int]) -> bool:
    """Return whether a board came from an event of another archive with this record; ``own`` are
    the numbers of this archive's events.
    """
    if record.kind != events.EVENT_JOINED:
        return False
    joined = record.board_event
    assert isinstance(joined, events.EventJoined)
    return joined.before not in (0, joined.event) and joined.before not in own
