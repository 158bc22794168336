"""``plusthree audit``: an archive that fits, each way in which one may not, and files of all sorts."""

import json
import shutil

import laid
import pytest
from commands import plusthree
from tabletop import MASTER, Venue
from unguarded import change

from firmware.core import code, events, frames, payload
from host.archive import master_key
from host.archive.store import Archive
from host.audit import seal_check
from host.audit.inspection import inspect
from host.audit.seal_check import seal_over
from host.desk import code_entry
from host.desk.staff import Staff
from host.desk.station import Station
from host.event import typed_results
from host.event.typed_results import TypedResult
from host.keys import signatures
from host.keys.keyring import Keyring


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    def end(venue):
        venue.win(venue.boards[0])
        venue.drain()

    return laid.played(tmp_path_factory.mktemp("played"), end)


def inspected(path):
    with Archive(path) as archive:
        return inspect(archive, Keyring(MASTER, archive.roster))


def row(path, kind, device=101):
    with Archive(path) as archive:
        found = [e for e in archive.records() if e.kind == kind and e.device == device]
    return found[-1]


def test_an_archive_that_fits(path, capsys):
    report = inspected(path)
    assert not report.faults and not report.remarks
    assert report.records > 30 and report.seals >= 1 and report.results == 1
    assert plusthree("audit", path) == 0
    assert "everything that is here fits" in capsys.readouterr().out
    assert plusthree("audit", path, "--json") == 0
    assert json.loads(capsys.readouterr().out)["records"] == report.records


def test_a_changed_record_is_found(path, capsys):
    entry = row(path, events.GAME_WON)
    frame = bytearray(entry.frame)
    frame[11] ^= 1  # the other seat has won
    change(path, "UPDATE records SET frame = ? WHERE frame = ?", bytes(frame), entry.frame)
    report = inspected(path)
    assert any("the tag or the place does not fit" in sentence for sentence in report.faults)
    assert plusthree("audit", path) == 1
    assert "DOES NOT FIT" in capsys.readouterr().out


def test_a_record_made_anew_with_the_key_breaks_its_seal(path):
    entry = row(path, events.GAME_WON)
    key = frames.stream_key(frames.board_key(MASTER, 101, 1), 5, frames.UP, entry.epoch)
    won = entry.board_event
    won.seat = 1 - won.seat
    forged = signatures.sign(key, won.kind, 101, entry.epoch, entry.counter, payload.pack(won))
    change(path, "UPDATE records SET frame = ? WHERE frame = ?", forged, entry.frame)
    assert any("the seal at" in sentence for sentence in inspected(path).faults)


def test_a_record_that_is_gone_is_missed(path):
    entry = row(path, events.GAME_WON)
    change(path, "DELETE FROM records WHERE frame = ?", entry.frame)
    report = inspected(path)
    assert any("1 record is not here" in sentence for sentence in report.remarks)
    assert any("1 seals cover records" in sentence for sentence in report.remarks)
    assert any("lie behind a gap" in sentence for sentence in report.remarks) and not report.results


def test_an_order_without_an_answer_is_found(path):
    change(path, "UPDATE commands SET state = 'done' WHERE id = 1")
    change(
        path,
        "INSERT INTO commands (event, round, table_number, kind, at_ms, a, b, c, author, reason,"
        " asked_ms, state) VALUES (5, 1, 1, 14, 0, 0, 300, 0, 'x', '', 0, 'done')",
    )
    assert any("no answer says so" in sentence for sentence in inspected(path).faults)


def test_a_quarantined_record_and_a_contradicted_code_are_found(path):
    with Archive(path) as archive:
        entry = archive.records()[3]
        key = frames.stream_key(frames.board_key(MASTER, 101, 1), 5, frames.UP, entry.epoch)
        other = signatures.sign(
            key, events.CLOCK, entry.device, entry.epoch, entry.counter, frames.plain(9)
        )
        archive.commit([type(entry)(*entry.id, entry.event, 7, other)])
        typed_results.store(archive, TypedResult(1, 1, 2, (0, 2), 5, "ABCDEF"), "helper")
    faults = inspected(path).faults
    assert any("in quarantine" in sentence for sentence in faults)
    assert any("other than its code" in sentence for sentence in faults)


def test_seals_follow_one_another():
    key, tags = bytes(32), b""
    records = {}
    for counter in range(3):
        records[counter] = signatures.sign(key, events.CLOCK, 7, 1, counter, frames.plain(counter))
        tags += records[counter][16:]
    first = seal_over(0, bytes(7), tags)
    records[3] = signatures.sign(key, events.SEALED, 7, 1, 3, payload.pack(first))
    second = seal_over(4, first.digest, b"")
    records[4] = signatures.sign(key, events.SEALED, 7, 1, 4, payload.pack(second))
    assert seal_check.check(records) == ([], 2, 0)
    del records[1]
    assert seal_check.check(records) == ([], 1, 1)
    other = payload.pack(seal_over(4, bytes(7), b""))
    records[4] = signatures.sign(key, events.SEALED, 7, 1, 4, other)
    assert len(seal_check.check(records)[0]) == 1


def test_another_key_fits_nothing(path, tmp_path):
    master_key.keep(tmp_path / "other.key", bytes(32))
    assert plusthree("audit", path, "--key", tmp_path / "other.key") == 1


def test_an_archive_that_is_not_there_is_named_and_nothing_is_made(tmp_path, capsys):
    assert plusthree("audit", tmp_path / "none.db") == 2
    assert f"there is no archive {tmp_path / 'none.db'}" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.fixture
def typed(tmp_path):
    """An archive with a result that staff typed from table 1's screen: A wins, 2-0."""
    venue = Venue(tmp_path / "t.db", tables=2)
    venue.begin()
    board, station = venue.win_unheard(), venue.station
    code_entry.enter(Staff(station, "helper"), 1, code.result(board.journal, board.match))
    station.close()
    return tmp_path / "t.db"


def test_a_typed_result_is_held_against_its_code(typed):
    assert not inspected(typed).faults


@pytest.mark.parametrize("words", [
    ('"won": 1', '"won": 2'), ('"won": 1', '"won": 9'), ("[2, 0]", "[2, 1]"), ("[2, 0]", "[2]"),
    ('"pairing": 1', '"pairing": 2'),
    ('"code"', '"kode"'), ("{", ""),
])  # fmt: skip
def test_a_typed_result_that_was_changed_is_found(typed, words):
    sql = "UPDATE notices SET value = replace(value, ?, ?) WHERE what = 'result code'"
    assert change(typed, sql, *words) == 1
    assert any("typed" in sentence for sentence in inspected(typed).faults)


def audited(path, capsys):
    code, said = plusthree("audit", path), capsys.readouterr()
    assert "copy.db" not in said.out + said.err
    return code, said.out + said.err


def test_an_empty_file_is_no_archive(tmp_path, capsys):
    (tmp_path / "a.db").touch()
    said = f"plusthree audit: {tmp_path / 'a.db'} is no archive of plusthree\n"
    assert audited(tmp_path / "a.db", capsys) == (2, said)


def test_another_programs_file_is_no_archive(tmp_path, capsys):
    change(tmp_path / "a.db", "CREATE TABLE songs (name TEXT)")
    (tmp_path / "b.db").write_bytes(b"once upon a time " * 99)
    for name in ("a.db", "b.db"):
        code, said = audited(tmp_path / name, capsys)
        assert code == 2 and str(tmp_path / name) in said


def test_an_archive_of_a_later_plusthree_is_named(path, capsys):
    change(path, "PRAGMA user_version = 99")
    code, said = audited(path, capsys)
    assert code == 2 and f"{path} is not an archive of this plusthree (it says version 99)" in said


def test_an_archive_where_nothing_can_be_written_is_looked_at_with_what_waits_in_its_log(
    path, tmp_path, capsys
):
    before = audited(path, capsys)[1]
    shut = tmp_path / "shut"
    shut.mkdir()
    with Station(path, MASTER) as station:
        station.archive.notices.add("points", "win 3", "Olga", 1)
        for part in ("a.db", "a.db-wal", "a.db.key"):
            shutil.copy(path.with_name(part), shut / part)
    (shut / "a.db-shm").mkdir()  # what a folder that is read-only comes to, for root too
    held = (shut / "a.db").read_bytes(), (shut / "a.db-wal").read_bytes()
    assert audited(shut / "a.db", capsys) == (0, before)
    assert ((shut / "a.db").read_bytes(), (shut / "a.db-wal").read_bytes()) == held


def test_a_damaged_archive_is_called_by_its_own_name(path, capsys):
    held = bytearray(path.read_bytes())
    held[4096 * 5 + 8 : 4096 * 6] = bytes(4088)
    path.write_bytes(held)
    code, said = audited(path, capsys)
    assert code == 2 and str(path) in said


@pytest.mark.parametrize("command", ["show results", "export csv --out {out}", "show status"])
def test_an_archive_is_looked_at_where_nothing_can_be_written(path, tmp_path, command, capsys):
    """A write-protected stick or card, on which ``serve`` has ended the archive."""
    words = command.format(out=tmp_path / "out").split()
    assert plusthree(*words, path) == 0
    before = capsys.readouterr().out
    shut = tmp_path / "shut"
    (shut / f"{path.name}-shm").mkdir(parents=True)  # what a read-only folder comes to
    shutil.copy(path, shut)
    assert plusthree(*words, shut / path.name) == 0
    assert capsys.readouterr().out == before
