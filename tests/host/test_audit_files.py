"""Files of all sorts given to ``plusthree audit``: what it says, and its exit code."""

import shutil

from tabletop import MASTER
from unguarded import change

from host import cli
from host.desk.station import Station


def audited(path, capsys):
    code, said = cli.main(["audit", str(path)]), capsys.readouterr()
    assert "copy.db" not in said.out + said.err
    return code, said.out + said.err


def test_an_empty_file_is_no_archive(tmp_path, capsys):
    (tmp_path / "a.db").touch()
    assert audited(tmp_path / "a.db", capsys) == (
        2,
        f"plusthree audit: {tmp_path / 'a.db'} is no archive of plusthree\n",
    )


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
