"""What the stick gets while the desk works: every revocation, and the keys once."""

import errno
import shutil
import sqlite3
import stat

import pytest
from commands import plusthree
from tabletop import MASTER

from host.archive import master_key
from host.archive.store import Archive
from host.backup import backup
from host.backup.restore import restore
from host.base.errors import UserError
from host.keys import key_encryption
from host.server.console import Console

PHRASE = "a long enough phrase"


@pytest.fixture
def stick(tmp_path, venue, monkeypatch):
    monkeypatch.setattr(
        key_encryption.encrypt,
        "__kwdefaults__",
        {**key_encryption.encrypt.__kwdefaults__, "cost": 1 << 10},
    )
    monkeypatch.setenv("PLUSTHREE_PASSPHRASE", PHRASE)
    folder = tmp_path / "stick"
    folder.mkdir()
    backup.write_key(MASTER, venue.path, folder, PHRASE)
    return folder


def newest(stick):
    with Archive(shutil.copy(backup.copies(stick, "a")[-1], stick.parent / "looked-at.db")) as copy:
        return copy.roster.current_boards, [one["what"] for one in copy.notices.all]


def test_a_revocation_is_on_the_stick_at_the_next_step(venue, stick, tmp_path):
    venue.begin()
    keeper, desk = backup.BackupSchedule(venue.archive, stick), Console(venue.station, "x")
    keeper.step(1, 0)
    assert 102 in newest(stick)[0]
    desk.run("revoke 102")
    assert keeper.step(1, 1)[0].startswith("backup: ")
    assert 102 not in newest(stick)[0]
    restore(stick, tmp_path / "new.db", PHRASE, 5)
    with Archive(tmp_path / "new.db") as archive:
        assert 102 not in archive.roster.current_boards, "the stolen board is not trusted again"
    assert keeper.step(1, 2) == []
    venue.archive.notices.add("told", "{}", "host", 0)
    assert keeper.step(1, 3) == [], "what the host notes by itself waits"
    venue.archive.notices.add("told", "{}", "x", 0)
    assert keeper.step(1, 4) and newest(stick)[1][-2:] == ["told", "told"]


def test_the_last_act_is_on_the_stick_when_serve_ends(stick, venue, tmp_path, monkeypatch, capsys):
    import io

    venue.station.close()
    master_key.keep(master_key.path_of(venue.path), MASTER)
    monkeypatch.setattr("sys.stdin", io.StringIO("revoke 102\nquit\n"))
    line = ["serve", str(venue.path), "--backup", str(stick), "--no-radio", "--no-web"]
    assert plusthree(*line) == 0
    said = capsys.readouterr().out
    assert "revoked" in said and 102 not in newest(stick)[0]
    before = len(backup.copies(stick, "a"))
    monkeypatch.setattr(backup.BackupSchedule, "step", lambda *_: [])
    monkeypatch.setattr("sys.stdin", io.StringIO("revoke 101\nquit\n"))
    assert plusthree(*line) == 0
    assert len(backup.copies(stick, "a")) == before + 1 and 101 not in newest(stick)[0]


def test_another_archive_of_the_same_name_is_refused(stick, venue, tmp_path, capsys):
    keys = backup.keys_path(stick, venue.path).read_text()
    backup.write(venue.archive, stick)
    (tmp_path / "other").mkdir()
    path = str(tmp_path / "other" / "a.db")
    assert plusthree("board", "provision", path, "--device", "1", "--out", tmp_path / "s.toml") == 0
    assert plusthree("backup", stick, path) == 2
    told = capsys.readouterr().err
    assert "another archive called a" in told and "a folder of its own" in told
    assert backup.keys_path(stick, venue.path).read_text() == keys
    assert len(backup.copies(stick, "a")) == 1


def test_another_stick_in_the_place_gets_the_keys_and_that_of_another_archive_nothing(
    stick, venue, tmp_path
):
    keeper = backup.BackupSchedule(venue.archive, stick)
    shutil.rmtree(stick)
    stick.mkdir()
    keeper.step(1, 0)
    restore(stick, tmp_path / "new.db", PHRASE, 5)
    backup.write_key(bytes(32), venue.path, stick, PHRASE)
    venue.archive.notices.add("told", "{}", "x", 0)
    assert "another archive called a" in keeper.step(1, 1)[0]
    assert len(backup.copies(stick, "a")) == 1


def test_a_passphrase_that_is_given_must_be_that_of_the_keys(stick, venue, monkeypatch, capsys):
    venue.station.close()
    master_key.keep(master_key.path_of(venue.path), MASTER)
    line = ["backup", str(stick), str(venue.path)]
    assert plusthree(*line) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    monkeypatch.setenv("PLUSTHREE_PASSPHRASE", "quite another phrase")
    assert plusthree(*line) == 2
    assert "under another passphrase" in capsys.readouterr().err
    monkeypatch.delenv("PLUSTHREE_PASSPHRASE")
    assert plusthree(*line) == 0
    assert "already, under the passphrase" in capsys.readouterr().out


def test_a_stick_that_takes_no_keys_is_a_sentence(stick, venue, monkeypatch):
    def write_whole(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(backup.private_files, "write_whole", write_whole)
    with pytest.raises(UserError, match="Read-only file system; name a folder that can be written"):
        backup.write_key(MASTER, venue.path, stick, PHRASE)


def narrow(monkeypatch, stick, room, failure):
    whole = Archive.copy_to

    def copy_to(archive, path):
        if len(list(stick.glob("*.backup"))) >= room:
            path.write_bytes(b"part of it")
            raise failure
        whole(archive, path)

    monkeypatch.setattr(Archive, "copy_to", copy_to)


def full_sqlite():
    db = sqlite3.connect(":memory:")
    db.execute("PRAGMA max_page_count = 1")
    try:
        db.execute("CREATE TABLE full (x)")
    except sqlite3.OperationalError as failure:
        return failure


@pytest.mark.parametrize(
    "failure", (OSError(errno.ENOSPC, "No space left on device"), full_sqlite())
)
def test_on_a_full_stick_the_oldest_copies_make_room(failure, stick, venue, monkeypatch):
    for _ in range(4):
        backup.write(venue.archive, stick)
    narrow(monkeypatch, stick, 3, failure)
    backup.write(venue.archive, stick)
    assert [path.name for path in backup.copies(stick, "a")] == [
        "a.3.backup", "a.4.backup", "a.5.backup",
    ]  # fmt: skip
    narrow(monkeypatch, stick, 1, failure)
    with pytest.raises(UserError, match="it is full: take files off it, or plug another stick in"):
        backup.write(venue.archive, stick)
    assert [path.name for path in backup.copies(stick, "a")] == ["a.4.backup", "a.5.backup"]
    assert not list(stick.glob("*.part"))


def test_a_stick_that_is_ill_loses_no_copy_for_it(stick, venue, monkeypatch):
    for _ in range(4):
        backup.write(venue.archive, stick)
    narrow(monkeypatch, stick, 0, OSError(errno.EIO, "Input/output error"))
    with pytest.raises(UserError, match="plug it in again"):
        backup.write(venue.archive, stick)
    assert len(backup.copies(stick, "a")) == 4


def test_what_lies_on_the_stick_is_its_owners_alone(stick, venue):
    backup.write(venue.archive, stick)
    assert {stat.S_IMODE(path.stat().st_mode) for path in stick.iterdir()} == {0o600}
