"""The day that reports and exports date an event by: the PC's own, on which the event began.

It is kept at the first start, so that an evening past midnight, a change of the clocks and a PC in
another time zone do not move it. An event that never started here has the day on which it was
opened.
"""

import datetime
import json
from collections.abc import Mapping

from host.archive.store import Archive
from host.base.json_values import Json

DAY = "day"


def keep(archive: Archive, at_ms: int, author: str) -> None:
    """Store the day of the event's first start, ``at_ms`` in event time."""
    if not archive.notices.every(DAY):
        unix_ms = archive.roster.current_event.origin_unix_ms + at_ms
        value = json.dumps({"day": local(unix_ms).isoformat()})
        archive.notices.add(DAY, value, author, unix_ms)


def of(archive: Archive) -> datetime.date:
    """Return the current event's day."""
    kept = [day for day in archive.notices.read(DAY, read) if day is not None]
    return kept[0] if kept else local(archive.roster.current_event.origin_unix_ms)


def read(told: Mapping[str, Json]) -> datetime.date:
    """Return the day in a notice. Raises LookupError, TypeError, ValueError."""
    return datetime.date.fromisoformat(str(told["day"]))


def local(unix_ms: int) -> datetime.date:
    """Return the day of a moment by this PC's clock."""
    return datetime.datetime.fromtimestamp(unix_ms / 1000).date()
