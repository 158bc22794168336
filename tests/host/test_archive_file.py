"""The archive's file: how it is made, opened, refused, copied, and who may read it."""

import os
import sqlite3
import stat

import pytest

from host.archive import chain_head
from host.archive.store import Archive
from host.base.errors import UserError


@pytest.mark.parametrize("there", (False, True), ids=("no file", "an empty file"))
def test_a_new_archive_is_its_owners_alone_and_takes_no_former_ones_head_away(
    tmp_path, there, umask
):
    path = tmp_path / "a.db"
    if there:
        path.touch(0o600)
    chain_head.path_of(path).write_text("of another")
    umask(0)
    with Archive(path) as archive:
        assert archive.latest_ms == 0 and archive.records() == []
        assert chain_head.path_of(path).read_text() == "of another"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_head_beside_an_archive_that_is_there_stays(tmp_path):
    with Archive(tmp_path / "a.db"):
        pass
    chain_head.path_of(tmp_path / "a.db").write_text("its own")
    with Archive(tmp_path / "a.db"):
        assert chain_head.path_of(tmp_path / "a.db").read_text() == "its own"


def test_an_empty_database_of_another_program_is_refused(tmp_path):
    with sqlite3.connect(tmp_path / "a.db") as db:
        db.execute("PRAGMA user_version = 77")
    db.close()
    with pytest.raises(UserError, match="it says version 77"):
        Archive(tmp_path / "a.db")


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="no list of open files on this system")
def test_a_file_that_was_refused_is_neither_open_nor_locked(tmp_path):
    path = tmp_path / "a.db"
    path.write_bytes(b"this is no database" * 100)
    before = len(os.listdir("/dev/fd"))
    with pytest.raises(UserError):
        Archive(path)
    assert len(os.listdir("/dev/fd")) == before
    path.unlink()
    with Archive(path) as archive:
        assert archive.records() == []


def test_a_copy_is_one_file_that_needs_no_other_beside_it(tmp_path):
    with Archive(tmp_path / "a.db") as archive:
        archive.copy_to(tmp_path / "copy.db")
    held = (tmp_path / "copy.db").read_bytes()
    assert held[18:20] == b"\x01\x01", "no write-ahead log (sqlite.org/fileformat.html)"
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600


def test_what_is_written_is_synced_through_the_disks_own_cache_and_refers_to_what_is_there(
    tmp_path,
):
    with Archive(tmp_path / "a.db") as archive:
        asked = ("synchronous", "fullfsync", "foreign_keys", "recursive_triggers")
        assert [archive.number(f"PRAGMA {one}") for one in asked] == [2, 1, 1, 1]
        assert archive.query("PRAGMA journal_mode") == [("wal",)]
