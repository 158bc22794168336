"""A stick in somebody else's hands: no copy that was changed there is restored."""

import hashlib
import os
import shutil

import pytest
from commands import plusthree
from stick import PHRASE, keyed
from tabletop import MASTER
from unguarded import change

from host.archive import audit_log, master_key
from host.archive.access_links import AccessLinks
from host.archive.store import Archive
from host.backup import backup, copy_seal
from host.backup.restore import restore
from host.base.errors import UserError

EVE = "INSERT INTO links VALUES (99, 'organiser', 'Eve', zeroblob(32), 'Olga', 0)"


@pytest.fixture
def stick(tmp_path, venue, monkeypatch):
    """A stick with two copies of a venue's archive, and its keys."""
    folder = keyed(tmp_path, venue, monkeypatch)
    for _ in range(2):
        backup.write(venue.archive, folder)
    return folder


def copy(stick, number):
    return stick / f"a.{number}.backup"


def change_under_the_seal(path):
    seal = path.read_bytes()[-copy_seal.SIZE :]
    change(path, EVE)
    path.write_bytes(path.read_bytes().removesuffix(seal) + seal)


def seal_with_another_key(path):
    strip(path)
    change(path, EVE)
    copy_seal.append(path, audit_log.copies_key(bytes(32)), 2)


def strip(path):
    path.write_bytes(path.read_bytes()[: -copy_seal.SIZE])


def take_the_older_one(path):
    shutil.copy(path.with_name("a.1.backup"), path)


def flip(at):
    def flip_one(path):
        held = bytearray(path.read_bytes())
        held[at] ^= 1
        path.write_bytes(held)

    return flip_one


WAYS = {
    "another link": lambda path: change(path, EVE),
    "another link under the old seal": change_under_the_seal,
    "another key's seal": seal_with_another_key,
    "no seal": strip,
    "no seal and another link": lambda path: (strip(path), change(path, EVE)),
    "an older copy as the newest": take_the_older_one,
    "a bit of the digest": flip(-40),
    "a bit of the seal": flip(-1),
    "a bit of the file's header": flip(70),
    "a byte more": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_changed_copy_is_refused_and_the_whole_one_named(way, stick, tmp_path, capsys):
    WAYS[way](copy(stick, 2))
    new = tmp_path / "new.db"
    assert plusthree("restore", stick, new) == 2
    said = capsys.readouterr().err
    assert str(copy(stick, 2)) in said and "somebody may have changed it" in said
    assert f"{copy(stick, 1)} is whole: restore that one with --copy 1" in said
    assert ("give --older" in said) == ("no seal" in said)
    assert not list(tmp_path.glob("new.db*[!k]")) and not master_key.path_of(new).exists()
    assert plusthree("restore", stick, new, "--copy", 1) == 0
    with Archive(new) as archive:
        assert AccessLinks(archive).get(99) is None


def test_where_every_copy_was_changed_none_is_restored(stick, tmp_path, capsys):
    for number in (1, 2):
        change(copy(stick, number), EVE)
    assert plusthree("restore", stick, tmp_path / "new.db") == 2
    said = capsys.readouterr().err
    assert "is whole" not in said and said.count("\n") == 1
    assert "somebody may have changed it" in said


def test_a_copy_of_an_older_plusthree_is_taken_when_that_is_said(stick, tmp_path, capsys):
    strip(copy(stick, 2))
    assert plusthree("restore", stick, tmp_path / "new.db", "--older") == 0
    assert f"restored from {copy(stick, 2)}" in capsys.readouterr().out
    with Archive(tmp_path / "new.db") as archive:
        assert archive.roster.rounds == [1]


def test_a_wrong_seal_is_never_an_older_plusthrees(stick, tmp_path, capsys):
    flip(-1)(copy(stick, 2))
    assert plusthree("restore", stick, tmp_path / "new.db", "--older") == 2
    assert "its seal is not of this archive's key" in capsys.readouterr().err


def test_a_copy_that_is_not_there_or_none_is_said(stick, tmp_path, capsys):
    assert plusthree("restore", stick, tmp_path / "new.db", "--copy", 7) == 2
    assert "holds no copy 7 of a" in capsys.readouterr().err
    for number in (1, 2):
        copy(stick, number).unlink()
    assert plusthree("restore", stick, tmp_path / "new.db") == 2
    assert "holds no copy of a" in capsys.readouterr().err


def test_a_copy_that_changes_while_it_is_read_is_not_kept(stick, tmp_path, monkeypatch):
    whole = copy_seal.extract

    def extract(source, target, sealed):
        change(source, EVE)
        whole(source, target, sealed)

    monkeypatch.setattr(copy_seal, "extract", extract)
    with pytest.raises(UserError, match="changed while it was read"):
        restore(stick, tmp_path / "new.db", PHRASE, 5)
    assert not list(tmp_path.glob("new.db*[!k]"))


@pytest.mark.parametrize("part", ("", "-wal", "-journal"))
def test_what_lies_in_wait_at_the_archives_place_is_refused(part, stick, tmp_path):
    (tmp_path / f"new.db{part}").write_bytes(b"what SQLite would take in")
    with pytest.raises(UserError, match="is there already"):
        restore(stick, tmp_path / "new.db", PHRASE, 5)


def test_a_sealed_copy_is_read_and_audited_as_it_is(stick, venue, capsys, tmp_path):
    master_key.keep(master_key.path_of(venue.path), MASTER)
    held = copy(stick, 2).read_bytes()
    key = ("--key", master_key.path_of(venue.path))
    assert plusthree("audit", copy(stick, 2), *key) == 0
    assert plusthree("audit", venue.path, "--against", copy(stick, 2)) == 0
    assert plusthree("show", "results", copy(stick, 2)) == 0
    capsys.readouterr()
    assert copy(stick, 2).read_bytes() == held


@pytest.mark.parametrize("size", (0, 1, 100, 9000))
def test_a_seal_covers_a_file_of_any_size_whole(size, tmp_path, synced):
    path, held = tmp_path / "copy", bytes(range(100)) * 90
    path.write_bytes(held[:size])
    copy_seal.append(path, b"key", 3)
    sealed = copy_seal.check(path, b"key", 3)
    assert sealed == (size, hashlib.sha256(held[:size]).digest())
    copy_seal.extract(path, tmp_path / "out", sealed)
    assert (tmp_path / "out").read_bytes() == held[:size]
    assert ((tmp_path / "out").stat().st_ino, size) in synced


@pytest.mark.parametrize("size", (0, 5, len(copy_seal.MAGIC), copy_seal.SIZE - 1))
def test_a_file_shorter_than_a_seal_has_none(size, tmp_path):
    path = tmp_path / "copy"
    path.write_bytes((copy_seal.MAGIC + bytes(copy_seal.SIZE))[:size])
    with pytest.raises(copy_seal.Unsealed):
        copy_seal.check(path, b"key", 1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
def test_a_pipe_in_a_copys_place_is_passed_over(stick, tmp_path, capsys):
    os.mkfifo(copy(stick, 3))
    assert plusthree("restore", stick, tmp_path / "new.db") == 0
    assert f"passed over {copy(stick, 3)}: it cannot be read" in capsys.readouterr().out


@pytest.mark.parametrize("name", ("a.².backup", "a.0.backup", "a.007.backup", "a.1e3.backup"))
def test_a_file_with_a_name_that_looks_like_a_copys_stops_no_backup(name, stick, venue):
    (stick / name).write_bytes(b"")
    assert backup.write(venue.archive, stick) == copy(stick, 3)
    assert (stick / name).exists()


def test_a_number_beyond_all_numbers_is_said(stick, venue):
    copy(stick, 999_999_999).write_bytes(b"")
    with pytest.raises(UserError, match="is no copy of this program: take it away"):
        backup.write(venue.archive, stick)


def test_the_last_number_of_all_is_a_copys_too(stick, venue):
    copy(stick, 999_999_998).write_bytes(b"")
    assert backup.write(venue.archive, stick) == copy(stick, 999_999_999)


def test_a_folder_called_like_the_oldest_copy_stops_no_backup(stick, venue):
    copy(stick, 1).unlink()
    copy(stick, 1).mkdir()
    for _ in range(backup.KEEP + 1):
        newest = backup.write(venue.archive, stick)
    assert newest == copy(stick, backup.KEEP + 3)


@pytest.mark.parametrize("name", ("a.part", "a.keys-part", ".a.3.backup.x.part"))
def test_a_planted_link_is_never_written_through(name, stick, venue, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (stick / name).symlink_to(victim)
    (stick / "a.keys").unlink()
    backup.write_key(MASTER, venue.path, stick, PHRASE, cost=1 << 10)
    backup.write(venue.archive, stick)
    assert victim.read_text() == "mine"


def test_what_a_power_cut_left_of_a_copy_goes_with_the_next(stick, venue):
    (stick / ".a.3.backup.x1y2.part").write_bytes(b"half")
    backup.write(venue.archive, stick)
    assert sorted(path.name for path in stick.iterdir()) == [
        "a.1.backup", "a.2.backup", "a.3.backup", "a.keys"
    ]  # fmt: skip


def test_a_restored_archive_and_its_key_are_their_owners_alone(stick, tmp_path, umask):
    new = tmp_path / "new.db"
    umask(0)
    restore(stick, new, PHRASE, 5)
    made = sorted(tmp_path.glob("new.db*"))
    assert {new, master_key.path_of(new)} <= set(made)
    for path in (new, master_key.path_of(new)):
        assert path.stat().st_mode & 0o077 == 0, path


@pytest.fixture
def synced(monkeypatch):
    """The (inode, size) of every file that was synced."""
    found, sync = set(), os.fsync

    def fsync(handle):
        state = os.fstat(handle)
        found.add((state.st_ino, state.st_size))
        sync(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    return found


def test_a_copy_is_on_the_disk_before_it_has_its_name(stick, venue, synced):
    made = backup.write(venue.archive, stick).stat()
    assert (made.st_ino, made.st_size) in synced


def test_the_names_of_copies_and_keys_are_on_the_disk_with_them(stick, venue, synced):
    def is_synced(path):
        return path.stat().st_ino in {inode for inode, _ in synced}

    backup.write(venue.archive, stick)
    assert is_synced(stick)
    synced.clear()
    backup.write_key(MASTER, venue.path, stick, PHRASE, cost=1 << 10)
    keys = (stick / "a.keys").stat()
    assert is_synced(stick) and (keys.st_ino, keys.st_size) in synced


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="no list of open files on this system")
def test_a_backup_leaves_no_file_open(stick, venue):
    backup.write(venue.archive, stick)
    before = len(os.listdir("/dev/fd"))
    backup.write(venue.archive, stick)
    assert len(os.listdir("/dev/fd")) == before


def test_a_restored_archive_is_on_the_disk_before_anything_is_written_to_it(
    stick, tmp_path, synced
):
    new = tmp_path / "new.db"
    restore(stick, new, PHRASE, 5)
    size = copy(stick, 2).stat().st_size - copy_seal.SIZE
    assert (new.stat().st_ino, size) in synced
