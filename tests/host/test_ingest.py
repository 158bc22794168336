"""How fast the archive takes verified records, beside raw batched inserts of the same rows in the
same run: what makes them safe (the audit log, the orders that they settle) costs little.

On a disk, where a commit waits for its pages; other tests' files are in memory. Seconds are held
by ``make prove``, where nothing else is running.
"""

import contextlib
import pathlib
import random
import sqlite3
import statistics
import tempfile
import time

import pytest

from firmware.core import events, frames
from host.archive import audit_log, schema
from host.archive.records import ArchivedRecord
from host.archive.roster import Event
from host.archive.store import ADDED, CONFLICT, KNOWN, Archive

LEAST = 0.6  # of the raw inserts' rate
BOARDS, EVENT = 200, 1


def batches(count, size, luck):
    """Return ``count`` different records of many boards, ``size`` at a time."""
    first = bytes([frames.VERSION << 6 | events.CLOCK])
    made = [
        ArchivedRecord(n % BOARDS + 1, 1, 3, n // BOARDS, EVENT, n, first + luck.randbytes(23))
        for n in range(count)
    ]
    return [made[at : at + size] for at in range(0, count, size)]


def taken_s(archive, batch):
    began_s = time.perf_counter()
    fates = archive.commit(batch)
    took_s = time.perf_counter() - began_s
    assert fates == [ADDED] * len(batch)
    return took_s


def inserted_s(raw, batch):
    """Return the seconds that raw inserts of the same rows take, as durable."""
    rows = [tuple(one) for one in batch]
    began_s = time.perf_counter()
    raw.execute("BEGIN")
    raw.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    raw.execute("COMMIT")
    return time.perf_counter() - began_s


def side_by_side_s(folder, found):
    """Return ``(the archive's seconds, those of raw inserts)``.

    Batch by batch in turn: what else the machine does, and its clock's rate, touch both alike.
    """
    with (
        Archive(folder / "archive.db") as archive,
        contextlib.closing(sqlite3.connect(folder / "raw.db", isolation_level=None)) as raw,
    ):
        archive.roster.open_event(Event(EVENT, "Cup", 0))
        archive.audit_log.begin(audit_log.key_of(bytes(32)))
        raw.execute("PRAGMA journal_mode = WAL")
        raw.execute("PRAGMA synchronous = FULL")
        raw.executescript(schema.TABLES)
        archive_s = raw_s = 0.0
        for number, batch in enumerate(found):
            if number & 1:  # whoever comes first finds what the other has left behind
                raw_s += inserted_s(raw, batch)
            archive_s += taken_s(archive, batch)
            if not number & 1:
                raw_s += inserted_s(raw, batch)
    return archive_s, raw_s


@pytest.fixture
def disk(root):
    (root / "out").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root / "out") as folder:
        yield pathlib.Path(folder)


@pytest.mark.parametrize("size", (32, 512))
def test_records_are_taken_about_as_fast_as_raw_rows(disk, size, proving, printed):
    count, turns = (20_000, 5) if proving else (1024, 1)
    luck, ratios, raw_s = random.Random(size), [], 0.0
    for turn in range(turns):
        (folder := disk / str(turn)).mkdir()
        archive_s, raw_s = side_by_side_s(folder, batches(count, size, luck))
        ratios.append(raw_s / archive_s)
    middle = statistics.median(ratios)
    printed(
        f"ingest, {size} records a commit",
        [f"{count / raw_s:.0f} raw rows a second; the archive at {100 * middle:.0f} % of that"],
    )
    assert middle >= LEAST or not proving


def test_what_is_not_new_is_told_in_its_place(venue):
    luck = random.Random(4)
    ((old, new, other),) = batches(3, 3, luck)
    forged = ArchivedRecord(*old[:-1], old.frame[:-1] + bytes([old.frame[-1] ^ 1]))
    assert venue.archive.commit([old]) == [ADDED]
    before = len(venue.archive.records())
    told = venue.archive.commit([new, old, forged, new, other])
    assert told == [ADDED, KNOWN, CONFLICT, KNOWN, ADDED]
    assert len(venue.archive.records()) == before + 2
    assert venue.archive.quarantined == [forged]
