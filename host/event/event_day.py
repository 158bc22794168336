"""The day that reports and exports date an event by: this PC's own, on which the event began.

That is the day of the first start, so that an evening past midnight stays on its first day; an
event that never started here has the day on which it was opened. No archive holds a time zone: a
PC in another one may name the day before or after.
"""

import datetime

from firmware.core import intents
from host.archive.store import Archive


def of(archive: Archive) -> datetime.date:
    """Return the current event's day."""
    orders, origin_ms = archive.orders, archive.roster.current_event.origin_unix_ms
    starts = (orders.latest_of(intents.SET_START, number) for number in archive.roster.rounds)
    first = next((start for start in starts if start), None)
    return local(origin_ms + (first.at_ms if first else 0))


def local(unix_ms: int) -> datetime.date:
    """Return the day of a moment by this PC's clock."""
    return datetime.datetime.fromtimestamp(unix_ms / 1000).date()
