"""How fast the archive takes verified records, beside raw inserts of the same rows."""

from __future__ import annotations

import contextlib
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from firmware.core import events, frames
from host.archive import audit_log, schema
from host.archive.records import ArchivedRecord
from host.archive.roster import Event
from host.archive.store import Archive
from host.sim.figures.found import Found
from host.sim.figures.rows import Row

_BOARDS, _EVENT = 200, 1
_COUNT, _TOGETHER, _TURNS = 4096, 256, 5


def ingest(seed: int, folder: Path) -> Found:
    """Records a second on the disk that ``folder`` is on; the best of five turns each."""
    ways = (_archived, _one_by_one, _raw)
    rates: dict[Callable, list[float]] = {way: [] for way in ways}
    luck = random.Random(seed)
    for _ in range(_TURNS):
        made = _records(_COUNT, luck)
        for way in ways:
            some = made[: _COUNT // 8] if way is _one_by_one else made
            with tempfile.TemporaryDirectory(dir=folder) as place:
                rates[way].append(len(some) / way(Path(place) / "a.db", some))
    ours, naive, best = (max(rates[way]) for way in ways)
    said = f"raw inserts of the same rows, {_TOGETHER} a commit"
    return Found([
        Row(f"verified records archived, {_TOGETHER} a commit", "1/s", ours, naive, best,
            "raw inserts, each its own commit", said),
    ])  # fmt: skip


def _records(count: int, luck: random.Random) -> list[ArchivedRecord]:
    first = bytes([frames.VERSION << 6 | events.CLOCK])
    return [
        ArchivedRecord(n % _BOARDS + 1, 1, 3, n // _BOARDS, _EVENT, n, first + luck.randbytes(23))
        for n in range(count)
    ]


def _batches(made: Sequence[ArchivedRecord], size: int) -> list[Sequence[ArchivedRecord]]:
    return [made[at : at + size] for at in range(0, len(made), size)]


def _archived(path: Path, made: Sequence[ArchivedRecord]) -> float:
    """Return the seconds that the archive takes."""
    with Archive(path) as archive:
        archive.roster.open_event(Event(_EVENT, "Cup", 0))
        archive.audit_log.begin(audit_log.key_of(bytes(32)))
        began_s = time.perf_counter()
        for batch in _batches(made, _TOGETHER):
            archive.commit(batch)
        return time.perf_counter() - began_s


def _raw(path: Path, made: Sequence[ArchivedRecord], size: int = _TOGETHER) -> float:
    """Return the seconds that raw inserts take, as durable, ``size`` a commit."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("PRAGMA journal_mode = WAL")
        raw.execute("PRAGMA synchronous = FULL")
        raw.executescript(schema.TABLES)
        rows = [[tuple(one) for one in batch] for batch in _batches(made, size)]
        began_s = time.perf_counter()
        for batch in rows:
            raw.execute("BEGIN")
            raw.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)", batch)
            raw.execute("COMMIT")
        return time.perf_counter() - began_s


def _one_by_one(path: Path, made: Sequence[ArchivedRecord]) -> float:
    return _raw(path, made, 1)
