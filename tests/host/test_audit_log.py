"""What a host keeps back of all that it stored, sealed at the event's end."""

import shutil
import sqlite3

import pytest
from rolled import MASTER
from tabletop import EVENT
from unguarded import unguarded

from firmware.core import events, frames, payload
from host.archive import audit_log, schema
from host.archive.records import ArchivedRecord
from host.archive.roster import Event
from host.archive.store import Archive
from host.audit.examination import examine
from host.audit.inspection import inspect
from host.collector.undelivered import Undelivered
from host.desk import board_swap
from host.desk.station import Station
from host.event.holdings import Holdings
from host.keys import signatures
from host.keys.keyring import Keyring

pytestmark = [pytest.mark.venue(begun=True), pytest.mark.archives]


def audited(path, **options):
    with Archive(path) as archive:
        return examine(archive, Keyring(MASTER, archive.roster), **options)


def words(archive):
    return [what for what, _, _ in archive.audit_log.rows]


def closed(venue):
    board_swap.close_event(venue.station, "Olga", anyway=True)
    venue.drain()
    venue.restart()


def test_an_event_that_was_closed_is_sealed_as_its_program_ends(venue):
    venue.win(venue.boards[0])
    venue.drain()
    venue.restart()
    assert audit_log.SEALED not in words(venue.archive)
    closed(venue)
    assert words(venue.archive)[-1] == audit_log.SEALED
    venue.restart()
    assert words(venue.archive).count(audit_log.SEALED) == 1, "nothing came since"
    venue.station.close()
    assert audited(venue.path, final=True).faults == []


def test_what_is_heard_after_the_end_is_sealed_in_its_turn(venue):
    closed(venue)
    venue.boards[1].boot(venue.air.now_ms)
    venue.drain()
    assert words(venue.archive)[-1] == audit_log.RECORDS
    venue.restart()
    assert words(venue.archive)[-1] == audit_log.SEALED
    venue.station.close()
    assert audited(venue.path, final=True).faults == []


def test_the_event_after_a_sealed_one_is_not_sealed_with_it(venue):
    closed(venue)
    assert words(venue.archive)[-1] == audit_log.SEALED
    venue.archive.roster.open_event(Event(EVENT + 1, "Next Cup", 0))
    assert words(venue.archive)[-1] == audit_log.ROWS


def test_an_older_archive_takes_up_counterfoils_where_it_stands(tmp_path):
    key = frames.stream_key(frames.board_key(MASTER, 7, 1), EVENT, frames.UP, 1)
    entries = [
        ArchivedRecord(
            7, 1, 1, n, EVENT, 9, signatures.sign(key, events.CLOCK, 7, 1, n, frames.plain(9))
        )
        for n in (0, 1)
    ]
    db = sqlite3.connect(tmp_path / "a.db")
    db.executescript(schema.statements(4))
    db.execute("INSERT INTO boards VALUES (7, 1, 4, 0)")
    db.execute("INSERT INTO events VALUES (5, 'Cup', 0, 1)")
    db.execute(
        "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)",
        (*entries[0].id, EVENT, 9, entries[0].frame),
    )
    db.commit()
    db.close()
    copy = shutil.copy(tmp_path / "a.db", tmp_path / "copy.db")  # a look at it upgrades it
    assert any("add --older" in one for one in audited(copy).faults)
    assert audited(copy, older=True).faults == []
    with Station(tmp_path / "a.db", MASTER) as station:
        assert words(station.archive) == []
        station.archive.commit(entries[1:])
        assert words(station.archive) == [audit_log.BEGUN, audit_log.RECORDS, audit_log.ROWS]
    assert audited(tmp_path / "a.db").faults == []
    for older in (False, True):
        final = audited(tmp_path / "a.db", final=True, older=older)
        assert any("began over records" in one for one in final.faults) is not older
        assert final.taken_up == 1


def test_counterfoils_are_only_ever_added(venue):
    for sql in ("UPDATE counterfoils SET what = 'x'", "DELETE FROM counterfoils"):
        with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
            venue.archive.write(sql)


@pytest.mark.archives(only="sqlite")
def test_what_a_quarantine_once_held_is_missed_there(venue):
    entry = venue.archive.records()[0]
    other = ArchivedRecord(
        *entry.id, entry.event, 9, entry.frame[:-1] + bytes([entry.frame[-1] ^ 1])
    )
    venue.archive.commit([other])
    # the same, heard once more
    venue.archive.commit([ArchivedRecord(*other.id, other.event, 10, other.frame)])
    assert words(venue.archive).count(audit_log.QUARANTINED) == 1
    assert not any(
        "gone from" in one for one in inspect(venue.archive, venue.station.keyring).faults
    )
    venue.station.close()
    with unguarded(venue.path) as db:
        db.execute("DELETE FROM quarantine")
    assert any("gone from the quarantine" in one for one in audited(venue.path).faults)


@pytest.fixture
def told(venue):
    """Boards that have news which the host does not get, though it hears their statuses."""
    venue.drain()
    for board in venue.boards:
        venue.air.cut(board)
    venue.station.collector.links = 0
    venue.win(venue.boards[0])
    venue.air.run(15_000)
    assert words(venue.archive).count(audit_log.HEAD) == 1
    return venue


def test_a_head_that_was_told_of_is_kept_and_its_records_are_missed_by_number(told):
    there = told.boards[0].journal
    had = sum(1 for entry in told.archive.records() if entry.device == 101)
    told.station.close()
    report = audited(told.path)
    assert report.faults == []
    assert (
        f"board 101 (key 1), boot 1: {there.news_head - had} records are not here" in report.remarks
    )


def test_a_boot_that_closes_with_fewer_records_than_it_had_told_of_is_found(told):
    board, entries = told.boards[0], told.archive.records()
    held = max(entry.counter for entry in entries if entry.device == 101) + 1
    key = frames.stream_key(frames.board_key(MASTER, 101, 1), EVENT, frames.UP, 2)
    happened = (events.Booted(5, 0, 1, 1), events.EpochClosed(5, 1, held))
    records = [
        signatures.sign(key, one.kind, 101, 2, n, payload.pack(one))
        for n, one in enumerate(happened)
    ]
    told.archive.commit(
        [ArchivedRecord(101, 1, 2, n, EVENT, 9, record) for n, record in enumerate(records)]
    )
    head = board.journal.news_head
    told.station.close()
    assert (
        f"board 101 (key 1), boot 1: {head} records, more than the {held} that it closed with"
        in audited(told.path).faults
    )


def test_a_head_whose_records_follow_in_time_is_not_kept(venue):
    venue.win(venue.boards[0])
    venue.drain()
    venue.air.run(20_000)
    assert audit_log.HEAD not in words(venue.archive)
    undelivered = Undelivered(venue.archive, Holdings(venue.archive.records()))
    status = next(iter(venue.station.collector.statuses.values()))
    verified = venue.station.keyring.verify(status.frame)
    undelivered.note(verified, 0)
    undelivered.store_due(60_000)
    assert audit_log.HEAD not in words(venue.archive)


def test_a_head_is_stored_once_however_often_it_is_said(venue):
    venue.drain()
    status = next(iter(venue.station.collector.statuses.values()))
    verified = venue.station.keyring.verify(status.frame)
    undelivered = Undelivered(venue.archive, Holdings())
    for now_ms in (0, 60_000, 120_000):
        undelivered.note(verified, now_ms)
        undelivered.store_due(now_ms + 30_000)
        assert words(venue.archive).count(audit_log.HEAD) == 1


@pytest.mark.archives(only="sqlite")
def test_a_row_that_was_changed_is_named_alone(venue):
    venue.win(venue.boards[0])
    venue.drain()
    venue.station.close()
    with unguarded(venue.path) as db:
        db.execute("UPDATE counterfoils SET body = zeroblob(9) WHERE id = 2")
    torn = [one for one in audited(venue.path).faults if "does not fit what stands before" in one]
    assert len(torn) == 1 and torn[0].startswith("row 2 of ")


def test_what_a_transaction_undid_the_log_and_the_roster_have_forgotten(venue):
    """The mark written last and the event opened last are kept in memory, but not those."""
    archive, before = venue.archive, venue.archive.roster.event
    with pytest.raises(ZeroDivisionError), archive.transaction():
        archive.notices.add("judge", "", "Olga", 1)
        archive.roster.open_event(Event(before.number + 1, "Second Cup", 0))
        assert archive.roster.event.name == "Second Cup"
        raise ZeroDivisionError
    assert archive.roster.event == before
    archive.notices.add("judge", "", "Ada", 2)
    archive.roster.open_event(Event(before.number + 1, "Third Cup", 0))
    assert archive.roster.current_event.name == "Third Cup"
    venue.station.close()
    assert audited(venue.path).faults == []


def test_a_log_begins_with_what_was_stored_before_there_was_a_key(tmp_path):
    with Archive(tmp_path / "a.db") as archive:
        archive.roster.open_event(Event(1, "Cup", 0))
        archive.notices.add("points", "win 3", "Olga", 1)  # nothing is signed yet
        archive.audit_log.begin(audit_log.key_of(MASTER))
        archive.notices.add("points", "win 1", "Olga", 2)
        assert words(archive)[:3] == [audit_log.BEGUN, audit_log.NOTICE, audit_log.NOTICE]
