"""Reads the records in a board's flash from outside, in ways that no board needs itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.core.journal import Journal
    from firmware.core.ring import Ring


def walk(ring: Ring, index: int) -> Iterator[tuple[int, bytes | None]]:
    """Yield ``(index, record)`` from ``index`` on; None instead of a record that is lost."""
    while ring.oldest <= index < ring.head:
        yield index, ring.at(index)
        index += 1


def read(journal: Journal, epoch: int, counter: int) -> bytes | None:
    """Return the record of an epoch and counter, or None."""
    place = journal.find(epoch, counter)
    return None if place is None else journal.ring.at(place)


def replay(journal: Journal) -> Iterator[bytes]:
    """Yield the genuine records of the current match, oldest first."""
    for place in range(journal.first, journal.end):
        if journal.kind(place):
            record = journal.ring.at(place)
            assert record is not None, "it has a kind"
            yield record
