"""The audit log's end beside the key: a log that was wiped, cut off or begun anew is refused."""

import contextlib
import shutil
import sqlite3
import stat

import laid
import pytest
from commands import plusthree
from tabletop import MASTER
from unguarded import change, unguarded

from host.archive import audit_log, chain_head, master_key
from host.archive.roster import Event
from host.archive.store import Archive
from host.base.errors import UserError
from host.desk.station import Station

KEY = audit_log.key_of(MASTER)
WIPE = "DELETE FROM counterfoils"
CUT = "DELETE FROM counterfoils WHERE id > 3"
ANEW = "UPDATE counterfoils SET mark = zeroblob(16) WHERE id = (SELECT max(id) FROM counterfoils)"


@pytest.fixture
def path(played, tmp_path):
    shutil.copy(chain_head.path_of(played), tmp_path)
    return laid.copied(played, tmp_path)


def head_of(path):
    place = chain_head.path_of(path)
    return chain_head.read(place, chain_head.text_of(place), KEY)


def test_the_head_is_the_chains_end_and_its_owners_alone(path):
    with Archive(path) as archive:
        rows = archive.audit_log.rows
    assert head_of(path) == (len(rows), rows[-1].mark)
    assert stat.S_IMODE(chain_head.path_of(path).stat().st_mode) == 0o600
    assert MASTER.hex() not in chain_head.path_of(path).read_text()


@pytest.mark.parametrize("sql", (WIPE, CUT, ANEW))
def test_a_host_does_not_go_on_over_a_log_that_was_cut_off(path, sql, capsys):
    change(path, sql)
    held = path.read_bytes()
    with pytest.raises(UserError, match="its audit log .*plusthree restore"):
        Station(path)
    assert plusthree("serve", path, "--no-radio", "--no-web") == 2
    assert plusthree("link", "judge", "Eve", path) == 2
    capsys.readouterr()
    assert plusthree("audit", path) == 1
    assert "DOES NOT FIT: its audit log " in capsys.readouterr().out
    assert path.read_bytes()[:100] == held[:100]


def test_a_wiped_log_is_not_begun_anew_over_records_without_a_head_either(path, capsys):
    change(path, WIPE)
    chain_head.path_of(path).unlink()
    with pytest.raises(UserError, match="holds records and no audit log"):
        Station(path)
    assert plusthree("link", "judge", "Eve", path) == 2
    with Archive(path) as archive:
        assert archive.audit_log.length == 0


def test_one_begun_over_records_by_a_pretended_upgrade_is_reported_and_never_final(path, capsys):
    with unguarded(path) as db:
        held = db.execute("SELECT count(*) FROM records").fetchone()[0]
        db.execute("DROP TABLE counterfoils")
        db.execute("PRAGMA user_version = 4")
    chain_head.path_of(path).unlink()
    with Station(path) as station:
        station.archive.notices.add("closed", "{}", "Eve", 1)
    assert plusthree("audit", path) == 0
    assert f"missing: the audit log began over {held} records" in capsys.readouterr().out
    assert plusthree("audit", path, "--final") == 1
    assert "DOES NOT FIT: the audit log began over records" in capsys.readouterr().out
    assert plusthree("audit", path, "--final", "--older") == 0
    capsys.readouterr()


def test_an_upgrade_in_the_presence_of_the_head_is_refused(path):
    with unguarded(path) as db:
        db.execute("DROP TABLE counterfoils")
        db.execute("PRAGMA user_version = 4")
    with pytest.raises(UserError, match="had .* rows or more, and has 0"):
        Archive(path)


@pytest.mark.parametrize("text", (b"", b"1 2", b"\xff", b"9" * 500, b"5 00 00", None))
def test_a_head_that_is_none_of_this_key_is_said(path, text):
    if text is None:
        head = head_of(path)
        chain_head.write(chain_head.path_of(path), audit_log.key_of(bytes(32)), head)
    else:
        chain_head.path_of(path).write_bytes(text)
    with pytest.raises(UserError, match="not written under this key"):
        Station(path)


def test_a_copy_that_is_older_than_the_head_beside_the_key_is_said_and_is_not_all(path, capsys):
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    with Station(path) as station:
        station.archive.notices.add("points", "win 3", "Olga", 1)
    key = ("--key", master_key.path_of(path))
    assert plusthree("audit", copy, *key) == 0
    assert "missing: its audit log had" in capsys.readouterr().out
    assert plusthree("audit", copy, *key, "--final") == 1
    change(copy, ANEW)
    shutil.copy(copy, path)
    assert plusthree("audit", copy, *key) == 1
    capsys.readouterr()


def test_a_kill_leaves_an_older_head_which_still_holds(path):
    before = chain_head.path_of(path).read_bytes()
    with Station(path) as station:
        station.archive.notices.add("points", "win 3", "Olga", 1)
    chain_head.path_of(path).write_bytes(before)
    with Station(path) as station:
        station.archive.notices.add("points", "win 3", "Olga", 2)
    assert head_of(path).length > int(before.split()[0]) + 2
    assert plusthree("audit", path) == 0


def test_the_head_is_kept_every_so_many_rows_and_not_more_often(path):
    with Station(path) as station:
        log = station.archive.audit_log
        before = log.length
        while head_of(path).length == before:
            assert log.length - before < audit_log._KEEP_EVERY
            station.archive.notices.add("points", "win 3", "Olga", log.length)
        assert head_of(path).length == log.length == before + audit_log._KEEP_EVERY


def test_a_head_that_stands_is_not_written_again(path):
    made = chain_head.path_of(path).stat().st_ino
    with Station(path):
        pass
    assert chain_head.path_of(path).stat().st_ino == made
    with Station(path) as station:
        station.archive.notices.add("points", "win 3", "Olga", 1)
        station.archive.audit_log.keep_head()
        made = chain_head.path_of(path).stat().st_ino
    assert chain_head.path_of(path).stat().st_ino == made


def test_what_changes_nothing_of_the_set_up_does_not_ask_for_the_key(path):
    with Archive(path) as archive:
        master_key.path_of(path).write_text("no key")
        assert archive.has_disk_space()
        with pytest.raises(UserError):
            archive.notices.add("points", "win 3", "Olga", 1)


def test_an_upgraded_archive_that_has_its_log_is_read_without_the_key(path):
    master_key.path_of(path).unlink()
    with Archive(path) as archive:
        before = archive.audit_log.length
        audit_log.AuditLog(archive, path, archive.roster, upgraded=True).begin_upgraded()
        assert archive.audit_log.length == before


def test_without_a_key_no_row_is_written(tmp_path):
    with Archive(tmp_path / "b.db") as archive:
        assert archive.audit_log.event_closed is False, "there is no event yet"
        archive.roster.open_event(Event(7, "Cup", 0))
        archive.notices.add("closed", "{}", "Olga", 1)
        archive.audit_log.prepare()
        archive.audit_log.close_event()
        assert archive.audit_log.rows == []


def test_the_first_thing_stored_begins_the_log(tmp_path):
    with Archive(tmp_path / "b.db") as archive:
        archive.audit_log.begin(KEY)
        archive.audit_log.add_notice(audit_log.NoticeRow(7, "points", "win 3", "Olga", 1))
        what = [row.what for row in archive.audit_log.rows]
        assert what == [audit_log.BEGUN, audit_log.NOTICE]


@pytest.mark.parametrize("emptied", ("away", "empty", "without tables"))
def test_a_new_archive_at_an_old_ones_place_begins_once_a_person_takes_the_head_away(
    path, emptied, capsys
):
    """Else an older copy would pass once a host had run over an emptied file."""
    path.unlink()
    if emptied == "empty":
        path.touch()
    if emptied == "without tables":
        with contextlib.closing(sqlite3.connect(path)) as db:
            db.executescript("CREATE TABLE t (a); DROP TABLE t; VACUUM")
    assert plusthree("import", "examples/winter-cup.csv", path) == 2
    said = capsys.readouterr().err
    assert f"take {chain_head.path_of(path)} away if a new event begins here" in said
    with pytest.raises(UserError, match="is new or was emptied: .* plusthree restore"):
        Station(path, MASTER)
    chain_head.path_of(path).unlink()
    with Station(path, MASTER) as station:
        assert station.archive.audit_log.rows == []
    assert not chain_head.path_of(path).exists()


@pytest.mark.parametrize("length", (1, 2, (1 << 64) - 1))
def test_a_head_is_read_as_it_was_written(tmp_path, length):
    head = chain_head.ChainHead(length, bytes(range(16)))
    place = chain_head.path_of(tmp_path / "a.db")
    chain_head.write(place, KEY, head)
    assert head_of(tmp_path / "a.db") == head


@pytest.mark.parametrize("length", (-1, 0, 1 << 64, 1 << 65))
def test_a_head_of_an_impossible_length_is_refused(tmp_path, length):
    place = chain_head.path_of(tmp_path / "a.db")
    zero = chain_head.ChainHead(0, bytes(16))
    tag = chain_head._tag(KEY, zero) if length == 0 else bytes(16)
    place.write_text(f"{length} {bytes(16).hex()} {tag.hex()}")
    with pytest.raises(UserError, match="was not written under this key"):
        head_of(tmp_path / "a.db")
