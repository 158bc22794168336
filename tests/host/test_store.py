"""The archive loses nothing, doubles nothing, and belongs to one program at a time."""

import errno
import os
import signal
import sqlite3
import subprocess
import sys

import pytest

from firmware.core import events, frames, intents
from host.archive.orders import NewOrder
from host.archive.records import ArchivedRecord
from host.archive.roster import REVOKED, Board, Event, Format
from host.archive.store import ADDED, CONFLICT, KNOWN, MOST_QUARANTINED, Archive
from host.base.errors import UserError
from host.base.hold import Hold
from host.keys import signatures

KEY = bytes(32)


def entry(counter, a=0, kind=events.TURN_ENDED, epoch=1, b=0, c=0):
    payload = frames.plain(1000, a, b, c)
    return ArchivedRecord(
        7, 1, epoch, counter, 5, 2000, signatures.sign(KEY, kind, 7, epoch, counter, payload)
    )


pytestmark = pytest.mark.archives(always=True)


@pytest.fixture
def archive(place):
    with Archive(place) as archive:
        archive.roster.add_board(Board(7, 1, 4), 0)
        archive.roster.open_event(Event(5, "Cup", 0))
        yield archive


def test_a_round_is_of_its_own_event(archive):
    roster, lengths = archive.roster, {5: 50, 6: 30}
    for number, minutes in lengths.items():
        if number != 5:
            roster.open_event(Event(number, "League", 0))
        roster.store_round(1, Format(0, 6, minutes), [])
        assert roster.format_of(1).minutes == minutes


def test_a_record_is_added_once(archive):
    assert archive.commit([entry(0), entry(1), entry(0)]) == [ADDED, ADDED, KNOWN]
    assert archive.commit([entry(1)]) == [KNOWN]
    assert archive.records() == [entry(0), entry(1)]


def test_records_are_found_by_kinds_of_one_byte_and_of_two(archive):
    wiped = entry(0, a=3, kind=events.WIPED_OUT)
    stored = [wiped, entry(1, kind=64), entry(2, kind=127), entry(3)]
    archive.commit(stored)
    assert [one.kind for one in archive.records()] == [28, 64, 127, 22]
    assert archive.records(5, (events.WIPED_OUT,)) == [wiped]
    assert archive.records(6, (events.WIPED_OUT,)) == []
    assert archive.records(5, (events.TURN_ENDED, 64)) == [stored[1], stored[3]]
    board, all_of = wiped.board, (wiped.position, None)
    assert archive.records_between(board, *all_of, (127,)) == [stored[2]]


def test_changes_are_counted_and_looks_are_not(archive):
    counts = [archive.changes]
    nothing = "UPDATE boards SET table_number = 9 WHERE device = 99"
    for act in (
        lambda: archive.commit([entry(0)]),
        archive.records,
        lambda: archive.write(nothing),
    ):
        act()
        counts.append(archive.changes)
    assert counts[0] < counts[1] == counts[2] == counts[3]


def test_another_record_in_the_same_place_is_kept_apart(archive):
    archive.commit([entry(0)])
    assert archive.commit([entry(0, a=1), entry(0, a=1)]) == [CONFLICT, CONFLICT]
    assert archive.records() == [entry(0)]
    assert archive.quarantined == [entry(0, a=1)]


def test_a_quarantine_that_is_full_takes_no_more_of_that_board(archive):
    archive.commit([entry(0)])
    for a in range(1, MOST_QUARANTINED + 2):
        assert archive.commit([entry(0, a=a)]) == [CONFLICT]
    assert archive.quarantined == [entry(0, a=a) for a in range(1, MOST_QUARANTINED + 1)]


def test_a_batch_is_stored_whole_or_not_at_all(archive):
    broken = ArchivedRecord(7, 1, 1, 2, 5, 2000, b"short")
    with pytest.raises(sqlite3.IntegrityError):
        archive.commit([entry(0), broken])
    assert archive.records() == []


@pytest.mark.parametrize("table", ["records", "quarantine", "sends"])
def test_what_is_only_added_cannot_be_changed_or_removed(archive, table):
    archive.commit([entry(0)])
    archive.commit([entry(0, a=1)])
    order = archive.orders.add(NewOrder(1, 4, intents.Freeze(5), "x"), 5)
    archive.orders.sent(order, 7, 1, 1, 9)
    for sql in (f"UPDATE {table} SET epoch = 9", f"DELETE FROM {table}"):
        with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
            archive.write(sql)


@pytest.mark.archives(only="sqlite")
def test_replacing_a_record_is_refused_too(archive):
    archive.commit([entry(0)])
    with pytest.raises(sqlite3.IntegrityError):
        archive.write(
            "REPLACE INTO records SELECT device, generation, epoch, counter, 9, 9, frame FROM"
            " records"
        )


def test_down_counters_never_come_twice(archive, place):
    first, below = archive.reserve(7, 1, 3)
    assert first == 1 < below
    archive.close()
    with Archive(place) as again:
        assert again.reserve(7, 1, 3)[0] == below
        assert again.reserve(7, 1, 4)[0] == first


def test_down_counters_end_instead_of_wrapping(archive):
    below = 0
    while below < 65536:
        below = archive.reserve(7, 1, 3)[1]
    assert archive.reserve(7, 1, 3) == (65536, 65536)


def test_a_second_writer_is_refused_with_a_sentence(archive, place):
    with pytest.raises(UserError, match="in use by another plusthree"):
        Archive(place)


def test_an_archive_where_nothing_can_be_written_is_to_be_copied(tmp_path, monkeypatch):
    def take(_lock):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Hold, "take", take)
    with pytest.raises(UserError, match="Read-only file system; copy it, and what lies beside it"):
        Archive(tmp_path / "a.db")


def test_a_file_that_is_no_archive_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "photo.db"
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(UserError, match="cannot be used as an archive"):
        Archive(path)
    assert path.read_bytes() == b"this is no database" * 100


def test_another_programs_database_is_refused(tmp_path):
    path = tmp_path / "other.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE things (x)")
    db.close()
    with pytest.raises(UserError, match="not an archive"):
        Archive(path)


def test_an_answer_settles_its_order_with_the_record(archive):
    order = archive.orders.add(NewOrder(1, 4, intents.Freeze(5), "x"), 5)
    archive.orders.sent(order, 7, 1, 1, 9)
    archive.commit([entry(0, a=1, kind=events.ANSWERED, b=9, c=intents.FREEZE)])
    assert archive.orders.get(order).state == "refused" and archive.orders.get(order).refusal == 1
    archive.orders.sent(order, 7, 1, 1, 10)
    archive.commit([entry(1, a=0, kind=events.ANSWERED, b=10, c=intents.FREEZE)])
    assert archive.orders.get(order).state == "done"
    assert archive.orders.pending == []


class Newer(intents.Intent):
    """An intent that a board's older program does not know."""

    kind = 64


@pytest.mark.parametrize(("order", "asked", "refusal"), [
    (Newer(5), intents.SET_SCORE, 3),
    (Newer(5), 64, 1),
    (intents.SetScore(5, 0, 0, 0, 0, 0, 0, 0), 28, 1),
], ids=repr)  # fmt: skip
def test_an_older_board_that_took_an_order_for_a_score_does_not_know_it(
    archive, order, asked, refusal
):
    number = archive.orders.add(NewOrder(1, 4, order, "x"), 5)
    archive.orders.sent(number, 7, 1, 1, 9)
    archive.commit([entry(0, a=1, kind=events.ANSWERED, b=9, c=asked)])
    settled = archive.orders.get(number)
    assert (settled.state, settled.refusal) == ("refused", refusal)


def test_an_answer_of_another_boot_settles_nothing(archive):
    order = archive.orders.add(NewOrder(1, 4, intents.Freeze(5), "x"), 5)
    archive.orders.sent(order, 7, 1, 1, 9)
    archive.commit([entry(0, kind=events.ANSWERED, b=9, c=intents.FREEZE, epoch=2)])
    assert archive.orders.get(order).state == "pending"


def test_table_numbers_are_given_once(archive):
    with pytest.raises(UserError, match="table 4 already has board 7"):
        archive.roster.add_board(Board(8, 1, 4), 0)
    with pytest.raises(UserError, match="already has key generation 1"):
        archive.roster.add_board(Board(7, 1, 4), 0)
    archive.roster.add_board(Board(7, 2, 4), 0)
    assert archive.roster.current_boards == {7: Board(7, 2, 4)}
    archive.roster.move(7, REVOKED, "Ann", "stolen", 0)
    assert archive.roster.current_boards == {}, "an older key does not come back"


WRITER = """
import sys
sys.path.append(sys.argv[2])
from tests_archive_entries import entry
from host.archive.store import Archive
from host.cli.options import place
with Archive(place(sys.argv[1])) as archive:
    start = len(archive.records())
    print("start", start, flush=True)
    for n in range(start, 60000):
        archive.commit([entry(n % 60000), entry(n % 60000)])
        low, below = archive.reserve(7, 1, n)
        print("acked", n, flush=True)
"""
ENTRIES = """
from firmware.core import events, frames
from host.archive.records import ArchivedRecord
from host.keys import signatures
def entry(counter):
    frame = signatures.sign(bytes(32), events.TURN_ENDED, 7, 1, counter, frames.plain(counter))
    return ArchivedRecord(7, 1, 1, counter, 5, 2000, frame)
"""


def test_killed_in_the_middle_of_commits_it_loses_and_doubles_nothing(tmp_path, root):
    (tmp_path / "tests_archive_entries.py").write_text(ENTRIES)
    path, acked = tmp_path / "a.db", -1
    for lines in (3, 40, 90, 17):
        child = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(tmp_path)],
            stdout=subprocess.PIPE, text=True, cwd=root,
            env={**os.environ, "PYTHONPATH": str(root)},
        )  # fmt: skip
        for _ in range(lines):
            word, number = child.stdout.readline().split()
            assert word == "start" and int(number) > acked or word == "acked"
            acked = max(acked, int(number) if word == "acked" else -1)
        os.kill(child.pid, signal.SIGKILL)
        for line in child.stdout.read().splitlines(keepends=True):
            if line.startswith("acked") and line.endswith("\n"):  # the kill may cut the last
                acked = int(line.split()[1])
        child.wait()
        child.stdout.close()
        with Archive(path) as archive:
            counters = [entry.counter for entry in archive.records()]
            assert counters == list(range(len(counters))) and len(counters) > acked
            assert archive.query("PRAGMA integrity_check") == [("ok",)]
    assert acked > 100


def test_a_full_disk_is_called_so_and_loses_nothing(tmp_path):
    with Archive(tmp_path / "full.db") as archive:
        archive.roster.open_event(Event(5, "Cup", 0))
        db = archive._db
        db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0] + 2}")
        stored = 0
        with pytest.raises(sqlite3.OperationalError) as caught:
            while True:
                frames_of = [
                    signatures.sign(bytes(32), events.TURN_ENDED, 7, 1, stored + i, frames.plain(i))
                    for i in range(20)
                ]
                archive.commit(
                    [
                        ArchivedRecord(7, 1, 1, stored + i, 5, 2000, frame)
                        for i, frame in enumerate(frames_of)
                    ]
                )
                stored += 20
        assert caught.value.sqlite_errorname == "SQLITE_FULL" and not db.in_transaction
        assert len(archive.records()) == stored
        db.execute("PRAGMA max_page_count = 100000")
        frame = signatures.sign(bytes(32), events.TURN_ENDED, 7, 1, stored, frames.plain(0))
        assert archive.commit([ArchivedRecord(7, 1, 1, stored, 5, 2000, frame)]) == ["added"]
