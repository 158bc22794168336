"""Files of an archive and its keys: how they are made, opened and refused; neither lost nor read by others."""

import errno
import os
import sqlite3
import stat

import pytest
from commands import plusthree
from tabletop import MASTER

from host.archive import chain_head, master_key
from host.archive.roster import Roster
from host.archive.store import Archive
from host.base import private_files
from host.base.errors import UserError
from host.reports import exports


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def full_sqlite(*_):
    with sqlite3.connect(":memory:") as db:
        db.execute("PRAGMA max_page_count = 1")
        db.execute("CREATE TABLE full (x)")


def full_disk(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


def provision(path, out, *more):
    return plusthree("board", "provision", path, "--device", "1", "--out", out, *more)


@pytest.mark.parametrize("full", (full_sqlite, full_disk))
def test_no_key_is_handed_out_that_was_not_recorded(full, tmp_path, monkeypatch, capsys):
    out = tmp_path / "pk.toml"
    monkeypatch.setattr(Roster, "add_board", full)
    assert provision(tmp_path / "a.db", out) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "full" in told or "No space" in told
    assert not out.exists() and not list(tmp_path.glob("*.part"))
    assert not list(tmp_path.glob(".*.part"))


def test_at_the_commit_itself_neither(tmp_path, monkeypatch, capsys):
    out, whole = tmp_path / "pk.toml", Archive.transaction

    def transaction(archive):
        assert not out.exists()
        return whole(archive)

    monkeypatch.setattr(Archive, "transaction", transaction)
    assert provision(tmp_path / "a.db", out) == 0
    assert out.exists()


def test_what_is_recorded_and_did_not_get_out_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(private_files.os, "replace", full_disk)
    assert provision(tmp_path / "a.db", tmp_path / "pk.toml") == 2
    assert "provision that board again" in capsys.readouterr().err
    monkeypatch.undo()
    assert provision(tmp_path / "a.db", tmp_path / "pk.toml") == 0
    with Archive(tmp_path / "a.db") as archive:
        assert archive.roster.current_boards[1].generation == 2


def test_a_place_that_takes_no_file_leaves_the_archive_as_it_was(tmp_path, capsys):
    assert provision(tmp_path / "a.db", tmp_path / "none" / "pk.toml") == 2
    assert "cannot be written" in capsys.readouterr().err
    with Archive(tmp_path / "a.db") as archive:
        assert not archive.roster.boards


def test_settings_in_the_place_of_a_readable_file_are_their_owners_alone(tmp_path):
    out = tmp_path / "settings.toml"
    out.write_text('PLUSTHREE_KEY = "old"\nWIFI = "mine"\n')
    out.chmod(0o644)
    assert provision(tmp_path / "a.db", out) == 0
    assert mode(out) == 0o600 and 'WIFI = "mine"' in out.read_text()
    assert "old" not in out.read_text()


@pytest.mark.venue(begun=True)
def test_codes_in_the_place_of_a_readable_file_are_their_owners_alone(venue, tmp_path, capsys):
    venue.station.close()
    master_key.keep(master_key.path_of(venue.path), MASTER)
    out, line = tmp_path / "codes.txt", ["paper", "codes", "--text", str(venue.path), "--out"]
    assert plusthree(*line, out) == 0 and mode(out) == 0o600
    held = out.read_text()
    out.write_text("before")
    out.chmod(0o644)
    with out.open() as reader:  # whoever had it open reads what was there
        assert plusthree(*line, out) == 0
        assert reader.read() == "before"
    assert mode(out) == 0o600 and out.read_text() == held
    assert plusthree(*line, tmp_path / "none" / "codes.txt") == 2
    assert "there is no folder" in capsys.readouterr().err


def test_a_link_is_replaced_and_a_device_is_not(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with private_files.replace_on_success(tmp_path / "link", "text"):
        pass
    assert (tmp_path / "link").read_text() == "text" and not (tmp_path / "file").exists()
    assert not (tmp_path / "link").is_symlink() and mode(tmp_path / "link") == 0o600
    with (
        pytest.raises(OSError, match="in its place"),
        private_files.replace_on_success(os.devnull, "text"),
    ):
        raise AssertionError("nothing is done before")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_half_a_master_key_is_not_left(tmp_path, monkeypatch):
    monkeypatch.setattr(master_key.os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space"):
        master_key.load_or_make(tmp_path / "a.db.key")
    assert not (tmp_path / "a.db.key").exists()


@pytest.mark.parametrize("full", (full_sqlite, full_disk))
def test_a_disk_that_takes_nothing_is_a_sentence_at_the_door(full, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("host.cli.options.systems", full)
    (tmp_path / "e.csv").touch()
    assert plusthree("serve", tmp_path / "e.csv", "--no-radio") == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "make room on it" in told


def test_an_archive_that_a_full_disk_cannot_begin_says_what_to_do(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("host.archive.sqlite_backend._prepare", full_sqlite)
    assert provision(tmp_path / "a.db", tmp_path / "pk.toml") == 2
    assert "make room on it" in capsys.readouterr().err


def test_what_no_disk_caused_shows_itself(monkeypatch):
    def broken(*_):
        raise FileNotFoundError("a bug")

    monkeypatch.setattr("host.cli.options.systems", broken)
    with pytest.raises(FileNotFoundError):
        plusthree("serve", "x.db", "--no-radio")


@pytest.mark.parametrize("name", ("names.html", "results.csv"))
def test_a_planted_link_beside_a_file_is_not_followed(name, tmp_path):
    victim, target = tmp_path / "victim", tmp_path / name
    victim.write_text("mine")
    for planted in (f"{name}.new", f"{name}.part", f".{name}.part", name):
        (tmp_path / planted).symlink_to(victim)
    exports.write_whole(target, "new")
    assert victim.read_text() == "mine"
    assert target.read_text() == "new" and not target.is_symlink()


def test_a_secret_that_a_power_cut_left_beside_is_removed_with_the_next(tmp_path):
    left = tmp_path / ".settings.toml.0011.part"
    left.write_text("secret")
    with private_files.replace_on_success(tmp_path / "settings.toml", "new"):
        assert not left.exists()
    assert [one.name for one in tmp_path.iterdir()] == ["settings.toml"]


def test_a_key_that_another_program_made_meanwhile_is_not_written_over(tmp_path):
    path = tmp_path / "a.db.key"

    def draw(size):
        master_key.keep(path, bytes(size))  # another provision, a moment ahead
        return bytes([1]) * size

    with pytest.raises(FileExistsError):
        master_key.load_or_make(path, draw)
    assert master_key.load(path) == bytes(master_key.SIZE)


def test_what_takes_a_place_is_on_the_disk_before(tmp_path, monkeypatch):
    place, seen = tmp_path / "a.csv", []
    monkeypatch.setattr(
        private_files.os,
        "fsync",
        lambda handle: seen.append((os.fstat(handle).st_size, place.exists())),
    )
    private_files.write_whole(str(place), "12345")
    assert seen == [(5, False)] and place.read_text() == "12345"


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
