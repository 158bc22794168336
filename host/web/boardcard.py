"""A board as staff see it: when it was heard, what it owes, and what was refused of it."""

from firmware.core import events, frames
from host.web import needs

_HEARD_STEP_MS = 10_000  # a board heard all the time is news every ten seconds


def card(status, missing, refused, firmware, now_ms):
    """Return a board's card; ``missing`` as ``Collector.missing``, ``refused`` {reason: frames} of it."""
    heard_ms = status.heard_ms
    unarchived = sum(count for _, _, count in missing)
    return {
        "device": status.device,
        "table": status.table if 0 < status.table <= 65535 else 0,
        "heard_ms": None if heard_ms is None else heard_ms // _HEARD_STEP_MS * _HEARD_STEP_MS,
        "silent": needs.silent(status, now_ms),
        "battery": "unknown"
        if heard_ms is None
        else "low"
        if status.has(frames.BATTERY_LOW)
        else "ok",
        "firmware": firmware,
        "head": status.news_head,
        "unarchived": unarchived,
        "unsent": heard_ms is not None and status.has(frames.UNSENT),
        "linked": status.linked,
        "refused": refused,
    }


def refusals(refused):
    """Return ``{device: {reason: frames}}`` of a Collector's counts; None is who nobody knows."""
    found = {}
    for (device, reason), count in sorted(
        refused.items(), key=lambda item: (item[0][0] or 0, item[0][1])
    ):
        found.setdefault(device, {})[reason] = count
    return found


class Versions:
    """Which firmware each board said it runs, from its BOOTED records."""

    def __init__(self, entries):
        self.of, self._epochs = {}, {}
        self.take(entries)

    def take(self, entries):
        """Note newly archived entries."""
        for entry in entries:
            kind, _, _, version, _ = frames.event_of(entry.frame)
            if kind == events.BOOTED and entry.epoch >= self._epochs.get(entry.device, 0):
                self.of[entry.device], self._epochs[entry.device] = version, entry.epoch
