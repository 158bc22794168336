"""A board's card for staff: when it was heard, its battery, missing records, refused frames."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from firmware.core import events, frames
from host.archive.records import ArchivedRecord
from host.event.holdings import Gap
from host.event.live_boards import Status
from host.web import needs
from host.web.cards import BoardCard

_HEARD_STEP_MS = 10_000  # a board that is heard all the time is updated every ten seconds


class ShownStatus(Status, Protocol):
    """A status (``host.collector.board_status``) with what a board's card shows in addition."""

    news_head: int
    linked: bool


def card(
    status: ShownStatus,
    missing: Sequence[Gap],
    refused: Mapping[str, int],
    firmware: int | None,
    now_ms: int,
) -> BoardCard:
    """Return a board's card; ``missing`` as ``Collector.missing``, ``refused`` {reason: frames} of
    it.
    """
    heard_ms = status.heard_ms
    unarchived = sum(gap.size for gap in missing)
    return {
        "device": status.device,
        "table": status.table if 0 < status.table <= 65535 else 0,
        "heard_ms": None if heard_ms is None else heard_ms // _HEARD_STEP_MS * _HEARD_STEP_MS,
        "silent": needs.silent(status, now_ms),
        "battery": _battery(status),
        "firmware": firmware,
        "head": status.news_head,
        "unarchived": unarchived,
        "unsent": heard_ms is not None and status.has(frames.UNSENT),
        "linked": status.linked,
        "listens": status.listens,
        "refused": dict(refused),
    }


def _battery(status: ShownStatus) -> str:
    if status.heard_ms is None:
        return "unknown"
    return "low" if status.has(frames.BATTERY_LOW) else "ok"


def refusals(refused: Mapping[tuple[int | None, str], int]) -> dict[int | None, dict[str, int]]:
    """Return ``{device: {reason: frames}}`` of a Collector's counts; device None: unknown
    boards.
    """
    found: dict[int | None, dict[str, int]] = {}
    for device, reason in sorted(refused, key=lambda key: (key[0] or 0, key[1])):
        found.setdefault(device, {})[reason] = refused[device, reason]
    return found


class Versions:
    """Each board's firmware version, from its BOOTED records."""

    def __init__(self, records: Iterable[ArchivedRecord]):
        self.of: dict[int, int] = {}
        self._epochs: dict[int, int] = {}
        self.take(records)

    def take(self, records: Iterable[ArchivedRecord]) -> None:
        """Note newly archived records."""
        for record in records:
            if record.kind != events.BOOTED:
                continue
            booted = record.board_event
            assert isinstance(booted, events.Booted)
            if record.epoch >= self._epochs.get(record.device, 0):
                self.of[record.device], self._epochs[record.device] = booted.version, record.epoch
