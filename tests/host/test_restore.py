"""Which copy a restore goes on from, and what it cannot be made to do."""

import contextlib
import json
import os
import shutil
import sqlite3

import pytest
from commands import plusthree
from stick import PHRASE, keyed
from tabletop import EVENT, MASTER
from unguarded import change

from host.archive import audit_log, master_key
from host.archive.roster import Event
from host.archive.store import Archive
from host.backup import backup, copy_seal
from host.backup.restore import LEAP, leap_counters, restore
from host.base.errors import UserError


@pytest.fixture
def stick(tmp_path, venue, monkeypatch):
    """A stick with one whole copy of a venue's archive, and its keys."""
    folder = keyed(tmp_path, venue, monkeypatch)
    whole = backup.write(venue.archive, folder)
    os.utime(whole, (1_790_000_000, 1_790_000_000))
    return folder


def copy_of(stick, venue, number):
    return stick / f"{venue.path.stem}.{number}.backup"


def foreign(path, *statements):
    db = sqlite3.connect(path)
    for sql in ("CREATE TABLE notes (text TEXT)", *statements):
        db.execute(sql)
    db.commit()
    db.close()


def of_nobody(path):
    with Archive(path):
        pass


def altered(path, *statements):
    """Put the first copy there with some SQL run on it."""
    shutil.copy(path.with_name(path.name.replace(".2.", ".1.")), path)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        for sql in statements:
            db.execute(sql)


def of_others(path):
    shutil.copy(path.with_name(path.name.replace(".2.", ".1.")), path)
    change(path, "UPDATE records SET frame = zeroblob(24)")


def cut_off(path):
    path.write_bytes(path.with_name(path.name.replace(".2.", ".1.")).read_bytes()[:6000])


def with_a_page_of_nobody(path):
    """What only a whole check of the file sees."""
    altered(
        path,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master"
        " WHERE name = 'notices') WHERE name = 'moves'",
    )


BAD = (
    (lambda path: path.touch(), "it is empty"),
    (foreign, "no archive of this plusthree"),
    (lambda path: foreign(path, "PRAGMA user_version = 5"), "changed by another program"),
    (of_nobody, "no event and no board"),
    (of_others, "another archive"),
    (cut_off, "cannot be read"),
    (with_a_page_of_nobody, "it is damaged"),
    (lambda path: path.mkdir(), "cannot be read"),
)


@pytest.mark.parametrize(("make", "why"), BAD, ids=[why for _, why in BAD])
def test_a_copy_that_nothing_can_go_on_from_is_passed_over_and_said(
    make, why, venue, stick, tmp_path, capsys
):
    make(copy_of(stick, venue, 2))
    new = tmp_path / "new.db"
    assert plusthree("restore", stick, new) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith(f"passed over {copy_of(stick, venue, 2)}: ") and why in told[0]
    assert f"from {copy_of(stick, venue, 1)}, made 2026-09-21 " in told[1]
    assert told[2].endswith(f"plusthree serve {new} --backup {stick}")
    with Archive(new) as archive:
        assert archive.records() == venue.archive.records() and archive.roster.event.number == EVENT


def test_where_no_copy_is_whole_each_is_named(venue, stick, tmp_path, capsys):
    copy_of(stick, venue, 1).write_bytes(b"")
    foreign(copy_of(stick, venue, 2))
    assert plusthree("restore", stick, tmp_path / "new.db") == 2
    told = capsys.readouterr().err
    assert "holds no whole copy" in told and ".1.backup: it is empty" in told
    assert ".2.backup: it is no archive" in told
    assert not (tmp_path / "new.db").exists()
    assert not master_key.path_of(tmp_path / "new.db").exists()


def test_an_archive_without_records_comes_back(venue, stick, tmp_path):
    with Archive(tmp_path / "young.db") as archive:
        archive.roster.open_event(Event(7, "Young", 0))
        archive.audit_log.begin(audit_log.key_of(MASTER))
        archive.copy_to(copy_of(stick, venue, 2))
        copy_seal.append(copy_of(stick, venue, 2), archive.audit_log.copies_key, 2)
    assert restore(stick, tmp_path / "new.db", PHRASE, 5).copy == copy_of(stick, venue, 2)


def test_a_sealed_copy_of_nothing_is_passed_over(venue, stick, tmp_path):
    with Archive(tmp_path / "empty.db") as archive:
        archive.audit_log.begin(audit_log.key_of(MASTER))
        archive.copy_to(copy_of(stick, venue, 2))
        copy_seal.append(copy_of(stick, venue, 2), archive.audit_log.copies_key, 2)
    restored = restore(stick, tmp_path / "new.db", PHRASE, 5)
    assert restored.copy == copy_of(stick, venue, 1)
    assert restored.passed == ((copy_of(stick, venue, 2), "it holds no event and no board"),)


def test_of_several_archives_on_a_stick_one_is_named(venue, stick, tmp_path):
    shutil.copy(stick / f"{venue.path.stem}.keys", stick / "other.keys")
    with pytest.raises(UserError, match="holds several archives: give --name, one of a, other"):
        restore(stick, tmp_path / "new.db", PHRASE, 5)
    with pytest.raises(UserError, match="holds no sealed keys of an archive"):
        restore(stick, tmp_path / "new.db", PHRASE, 5, stem="third")
    assert restore(stick, tmp_path / "new.db", PHRASE, 5, stem="a").copy.name == "a.1.backup"


def test_the_folder_of_an_event_is_named_where_a_stick_holds_several(venue, stick, tmp_path):
    (stick / "cup").mkdir()
    for path in stick.glob("a.*"):
        path.rename(stick / "cup" / path.name)
    with pytest.raises(UserError) as refused:
        restore(stick, tmp_path / "new.db", PHRASE, 5)
    assert f"{stick / 'cup'} has them: name that folder" in str(refused.value)
    with pytest.raises(UserError, match="there is no folder"):
        restore(stick / "league", tmp_path / "new.db", PHRASE, 5)


def test_an_archive_is_restored_as_often_as_there_are_counters(tmp_path):
    with Archive(tmp_path / "b.db") as archive:
        archive.write("INSERT INTO restores VALUES (1, ?, 0, 0)", 60_000 - LEAP)
        leap_counters(archive, 5)
        assert archive.floor == 60_000
        with pytest.raises(UserError, match="restored too often: give every board a new key"):
            leap_counters(archive, 6)
        assert archive.floor == 60_000


def test_what_was_passed_over_is_in_the_object_too(venue, stick, tmp_path, capsys):
    copy_of(stick, venue, 2).touch()
    new = str(tmp_path / "new.db")
    assert plusthree("restore", stick, new, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["archive"] == new and told["copy"] == str(copy_of(stick, venue, 1))
    assert told["copied_at"][:4] == "2026"
    assert told["passed_over"] == [{"copy": str(copy_of(stick, venue, 2)), "why": "it is empty"}]


def test_keys_that_are_none_are_a_sentence(stick, tmp_path, capsys):
    next(stick.glob("*.keys")).write_bytes(b"\xff\xfe keys")
    assert plusthree("restore", stick, tmp_path / "new.db") == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_target_without_a_folder_or_room_is_a_sentence(stick, tmp_path, capsys, monkeypatch):
    assert plusthree("restore", stick, tmp_path / "none" / "new.db") == 2
    assert "No such file" in capsys.readouterr().err

    def full(_, path, sealed):
        path.write_bytes(b"part of it")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(copy_seal, "extract", full)
    assert plusthree("restore", stick, tmp_path / "new.db") == 2
    assert "No space left" in capsys.readouterr().err
    assert not (tmp_path / "new.db").exists(), "or the next try would find it there"


def test_a_disk_that_fills_up_while_the_copy_is_set_right_is_a_sentence(
    stick, tmp_path, capsys, monkeypatch
):
    def full(archive, unix_ms):
        archive._db.execute("PRAGMA max_page_count = 1")
        archive.write(
            "INSERT INTO restores (floor, last_order, unix_ms) VALUES (zeroblob(100000), 0, 0)"
        )

    monkeypatch.setattr("host.backup.restore.leap_counters", full)
    assert plusthree("restore", stick, tmp_path / "new.db") == 2
    assert "full" in capsys.readouterr().err
    assert not list(tmp_path.glob("new.db*[!k]"))
