"""What the audit says of an archive that departs from its log: which records and rows, and how."""

import pytest
from tabletop import EVENT, MASTER
from unguarded import unguarded

from firmware.core import events, frames
from host.archive import audit_log
from host.archive.records import ArchivedRecord, RecordId
from host.archive.store import Archive
from host.audit import log_check
from host.keys import signatures

KEY = audit_log.key_of(MASTER)
BOARD = "board 101 (key 1), record 1/"


def faults(path, *statements):
    """Return what is said after some SQL behind the program's back."""
    with unguarded(path) as db:
        for sql in statements:
            db.execute(sql)
    with Archive(path) as archive:
        return log_check.gather(archive, KEY).faults


def test_records_that_follow_one_another_are_one_sentence(path):
    gone = "DELETE FROM records WHERE device = 101 AND epoch = 1 AND counter"
    said = faults(path, f"{gone} BETWEEN 6 AND 8", f"{gone} = 10")
    assert said == [
        f"{BOARD}6 to 1/8, round 1, table 1: {log_check.GONE}",
        f"{BOARD}10, round 1, table 1: {log_check.GONE}",
    ]


def test_a_record_is_gone_or_another_or_was_never_stored(path):
    where = "WHERE device = 101 AND epoch = 1 AND counter"
    said = faults(
        path,
        f"UPDATE records SET received_ms = 7 {where} = 6",
        f"DELETE FROM records {where} = 7",
        f"INSERT INTO records SELECT 101, 1, 1, 900, event, 7, frame FROM records {where} = 8",
    )
    assert [one.rpartition(": ")[2] for one in said] == [
        log_check.OTHER, log_check.GONE, log_check.STRANGE
    ]  # fmt: skip
    assert [one.startswith(BOARD) for one in said] == [True] * 3


def test_rows_are_gone_or_others_or_were_never_stored(path):
    said = faults(
        path,
        "DELETE FROM players WHERE number = '0'",
        "UPDATE players SET name = 'Eve' WHERE number = '1'",
        f"INSERT INTO players VALUES ({EVENT}, '9', 'Eve')",
    )
    assert said == [
        f"players, event {EVENT}, number 0: {log_check.GONE}",
        f"players, event {EVENT}, number 1: {log_check.OTHER}",
        f"players, event {EVENT}, number 9: {log_check.STRANGE}",
    ]


@pytest.mark.parametrize(
    ("many", "more"), ((4, []), (5, []), (7, ["players: 2 more rows do not fit"]))
)
def test_of_a_table_the_first_five_rows_are_named_and_the_others_counted(path, many, more):
    rows = (f"INSERT INTO players VALUES ({EVENT}, 'x{n}', 'Eve')" for n in range(many))
    said = faults(path, *rows)
    assert [one.rpartition(": ")[2] for one in said[:5]] == [log_check.STRANGE] * min(many, 5)
    assert said[5:] == more


def test_a_row_that_does_not_fit_counts_for_nothing_and_the_others_do(path):
    with Archive(path) as archive:
        rows = archive.audit_log.rows
    kinds = [row.what for row in rows]
    at = next(n for n in range(1, len(rows)) if {*kinds[n - 1 : n + 2]} == {audit_log.RECORDS})
    named, unread = log_check._contents(rows, KEY)
    swapped = [*rows[:at], rows[at]._replace(mark=bytes(16)), *rows[at + 1 :]]
    fewer, odd = log_check._contents(swapped, KEY)
    assert not unread and {*odd} == {at + 1, at + 2}, "the next one stood behind another mark"
    lost = {one for row in rows[at : at + 2] for one, _ in audit_log.unpack_records(row.body)}
    assert {*named.records} - {*fewer.records} == lost


def test_an_empty_archive_needs_no_log_and_one_with_records_does(tmp_path, path):
    with Archive(tmp_path / "b.db") as archive:
        assert log_check.gather(archive, KEY) == log_check.Evidence()
    (said,) = faults(path, "DELETE FROM counterfoils")
    assert said.startswith("there is no audit log")


def test_against_another_copy_each_record_is_gone_or_another(path, played):
    where = "WHERE device = 101 AND epoch = 1 AND counter"
    with unguarded(path) as db:
        db.execute(f"UPDATE records SET frame = zeroblob(24) {where} = 6")
        db.execute(f"DELETE FROM records {where} = 7")
    with Archive(path) as archive, Archive(played) as other:
        assert [one.rpartition(": ")[2] for one in log_check.missing_records(archive, other)] == [
            log_check.OTHER, log_check.GONE
        ]  # fmt: skip


def begun(number, counter, kind=events.ROUND_SET):
    frame = signatures.sign(KEY, kind, 7, 1, counter, frames.plain(0, number, 4, 4))
    return ArchivedRecord(7, 1, 1, counter, EVENT, 9, frame)


def test_a_record_belongs_to_the_match_begun_last_before_it():
    rounds = begun(1, 2), begun(2, 5), begun(0, 9, events.ROUND_CLEARED)
    matches = log_check.Matches(rounds)
    named = [matches.of(RecordId(7, 1, 1, counter)) for counter in (1, 2, 4, 5, 8, 9)]
    between, first, second = "between matches", "round 1, table 4", "round 2, table 4"
    assert named == [between, first, first, second, second, between]
    assert matches.of(RecordId(8, 1, 1, 4)) == between, "another board's"
