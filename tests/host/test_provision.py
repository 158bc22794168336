"""Boards given keys one after another, and taken out of use."""

import tomllib

import pytest
from commands import plusthree

from firmware.core import frames
from host.archive import master_key
from host.archive.roster import Board
from host.archive.store import Archive
from host.boards.provisioning import SETTINGS, BatchProvisioner, settings
from host.keys import signatures

MASTER = bytes(range(32))


@pytest.fixture
def hall(tmp_path):
    """An archive, a place for drives, and a BatchProvisioner that watches it."""
    with Archive(tmp_path / "a.db") as archive:

        def write(board, path):
            archive.roster.add_board(board, 0)
            path.write_text(settings(board, MASTER))

        media = tmp_path / "media"
        media.mkdir()
        yield (
            archive,
            media,
            BatchProvisioner(archive.roster, write, lambda: list(media.iterdir()), master=MASTER),
        )


def plug(media, name="CIRCUITPY", text=None):
    drive = media / name
    drive.mkdir()
    (drive / "boot_out.txt").write_text("Adafruit CircuitPython 10.3.1\n")
    if text:
        (drive / SETTINGS).write_text(text)
    return drive


def unplug(drive):
    for path in drive.iterdir():
        path.unlink()
    drive.rmdir()


def test_boards_are_taken_one_after_another(hall):
    archive, media, batch = hall
    assert batch.step() == []
    keys = []
    for number in (1, 2, 3):
        drive = plug(media)
        assert batch.step()[0].startswith(f"board {number} (key 1), a spare, is on")
        assert batch.step() == [], "it is still plugged in"
        told = tomllib.loads((drive / SETTINGS).read_text())
        keys.append(told["PLUSTHREE_KEY"])
        assert told["PLUSTHREE_DEVICE"] == number
        unplug(drive)
        batch.step()
    assert len(set(keys)) == batch.count == 3
    assert [board.table for board in archive.roster.current_boards.values()] == [0, 0, 0]


def test_a_known_board_keeps_its_number_and_table_and_gets_a_new_key(hall):
    archive, media, batch = hall
    archive.roster.add_board(Board(7, 1, 12), 0)
    plug(media, text=settings(Board(7, 1, 12), MASTER))
    batch.step()
    assert archive.roster.current_boards[7] == Board(7, 2, 12)


def test_another_organisers_board_gets_a_number_of_ours(hall):
    archive, media, batch = hall
    plug(media, text=settings(Board(4711, 3, 1), bytes(32)))
    batch.step()
    assert list(archive.roster.current_boards) == [1]


def test_another_organisers_board_with_a_number_of_ours_gets_another(hall):
    archive, media, batch = hall
    archive.roster.add_board(Board(7, 1, 12), 0)
    plug(media, text=settings(Board(7, 1, 3), bytes(32)))
    assert batch.step()[0].startswith("board 8 (key 1), a spare, is on")
    assert archive.roster.current_boards == {7: Board(7, 1, 12), 8: Board(8, 1, 0)}


def test_a_board_that_had_an_older_key_of_ours_is_known_by_it(hall):
    archive, media, batch = hall
    for generation in (1, 2):
        archive.roster.add_board(Board(7, generation, 12), 0)
    plug(media, text=settings(Board(7, 1, 12), MASTER))
    said = batch.step()[0]
    assert said.startswith("board 7 (key 3), table 12, is on")
    assert frames.board_key(MASTER, 7, 1).hex() not in said


def test_a_folder_that_nobody_may_look_into_is_passed_over_aloud_and_once(hall, monkeypatch):
    archive, media, batch = hall
    shut, real = media / "else", type(media).is_file
    shut.mkdir()
    plug(media)

    def is_file(path):
        if path.parent == shut:
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(type(media), "is_file", is_file)
    said = batch.step()
    assert said[1] == f"{shut} is passed over: Permission denied"
    assert said[0].startswith("board 1 (key 1)")
    assert batch.step() == [] and batch.count == 1


def test_a_drive_that_is_no_boards_is_let_be(hall):
    _, media, batch = hall
    (media / "HOLIDAY").mkdir()
    assert batch.step() == [] and not (media / "HOLIDAY" / SETTINGS).exists()


def test_many_settings_files_and_a_revocation(tmp_path, capsys):
    path = str(tmp_path / "a.db")
    assert (
        plusthree("board", "provision", path, "--all", "--count", "12", "--out", tmp_path / "s")
        == 0
    )
    files = sorted((tmp_path / "s").iterdir())
    assert len(files) == 12 and all(file.stat().st_mode & 0o077 == 0 for file in files)
    assert plusthree("board", "provision", path, "--revoke", "5") == 0
    with Archive(path) as archive:
        assert 5 not in archive.roster.current_boards and len(archive.roster.current_boards) == 11
    assert plusthree("board", "provision", path, "--device", "5", "--out", tmp_path / "5.toml") == 0
    with Archive(path) as archive:
        assert archive.roster.current_boards[5] == Board(5, 2, 0)
    assert plusthree("board", "provision", path, "--revoke", "99") == 2
    said = capsys.readouterr()
    assert master_key.load(master_key.path_of(path)).hex() not in said.out + said.err


def test_a_gateway_has_neither_number_nor_key_and_needs_no_archive(tmp_path, capsys):
    path, out = tmp_path / "a.db", tmp_path / "settings.toml"
    args = ["board", "provision", str(path), "--gateway", "--language", "it"]
    assert plusthree(*args, "--out", out) == 0
    told = tomllib.loads(out.read_text(encoding="utf-8"))
    ours = {name: value for name, value in told.items() if name.startswith("PLUSTHREE_")}
    assert ours == {
        "PLUSTHREE_LANGUAGE": "it", "PLUSTHREE_ROLE": "gateway", "PLUSTHREE_BOARD": "feather",
    }  # fmt: skip
    assert not path.exists() and "a gateway: settings in" in capsys.readouterr().out


def test_nothing_is_revoked_in_an_archive_that_is_not_there(tmp_path, capsys):
    path = tmp_path / "typo.db"
    assert plusthree("board", "provision", path, "--revoke", "77") == 2
    assert "there is no archive" in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_nothing_in_a_boards_flash_lets_it_forge_for_another():
    """A board holds its own key alone, and no key is made from another board's."""
    seven, eight = (frames.board_key(MASTER, device, 1) for device in (7, 8))
    theirs = signatures.sign(frames.stream_key(eight, 5, frames.UP, 3), 38, 8, 3, 9, bytes(9))
    for event in range(8):
        for direction in (frames.UP, frames.DOWN, 2, 3, 4):
            for epoch in range(8):
                assert not signatures.verify(
                    frames.stream_key(seven, event, direction, epoch), theirs
                )
    text = settings(Board(7, 1, 1), MASTER)
    assert seven.hex() in text and eight.hex() not in text and MASTER.hex() not in text


OWN = 'SSID = "è"\n'  # of somebody's own, in the file that a new key replaces


def test_what_notepad_saves_is_kept_or_named(tmp_path, capsys):
    out = tmp_path / "settings.toml"
    line = ["board", "provision", tmp_path / "a.db", "--device", "7", "--out", out]
    out.write_text(OWN, encoding="utf-8-sig")
    assert plusthree(*line) == 0
    assert out.read_text("utf-8").endswith(f'PLUSTHREE_BOARD = "feathers3"\n{OWN}')
    out.write_text(OWN, encoding="cp1252")
    assert plusthree(*line) == 2
    assert "is not saved as UTF-8: save it with that encoding" in capsys.readouterr().err
    assert out.read_text("cp1252") == OWN and len(boards(tmp_path / "a.db")) == 1


def test_a_place_that_is_not_there_is_named_as_it_was_typed(tmp_path, capsys):
    out = tmp_path / "none" / "settings.toml"
    assert plusthree("board", "provision", tmp_path / "a.db", "--device", "7", "--out", out) == 2
    assert f"{out} cannot be written (No such file or directory)\n" in capsys.readouterr().err


@pytest.mark.parametrize("more, words", [
    (("--all", "--count", "-2"), "--count must be from 1 to 500, not -2"),
    (("--all", "--count", "0"), "--count must be from 1 to 500, not 0"),
    (("--all", "--out", "s"), "--out DIR with --all needs --count"),
    (("--device", "7", "--count", "4"), "--count is for --all"),
    (("--all", "--count", "1", "--table", "3"), "--table is for --device"),
    (("--all", "--count", "1", "--generation", "3"), "--generation is for --device"),
    (("--gateway", "--table", "3"), "--table is for --device"),
    (("--revoke", "7", "--table", "3"), "--table is for --device"),
    (("--revoke", "7", "--out", "s"), "--out is for --device, --all and --gateway"),
])  # fmt: skip
def test_options_that_would_do_nothing_are_refused(tmp_path, capsys, more, words):
    assert plusthree("board", "provision", tmp_path / "a.db", *more) == 2
    said = capsys.readouterr()
    assert words in said.err and said.err.count("\n") == 1 and not said.out
    assert not list(tmp_path.iterdir())


def test_a_listener_is_a_tables_board_whose_settings_say_so(tmp_path, capsys):
    path, out = tmp_path / "a.db", tmp_path / "settings.toml"
    args = ["board", "provision", str(path), "--listener"]
    assert plusthree(*args, "--device", "7", "--table", "3", "--out", out) == 0
    told = tomllib.loads(out.read_text(encoding="utf-8"))
    assert (told["PLUSTHREE_ROLE"], told["PLUSTHREE_DEVICE"]) == ("listener", 7)
    assert "board 7, table 3, listens to the beacon: settings in" in capsys.readouterr().out
    assert plusthree(*args, "--all", "--count", "2", "--out", tmp_path / "more") == 0
    for file in (tmp_path / "more").iterdir():
        assert tomllib.loads(file.read_text())["PLUSTHREE_ROLE"] == "listener"
    assert plusthree(*args, "--gateway") == 2
    assert "is for a table's board" in capsys.readouterr().err


@pytest.mark.parametrize("model", ["clue", "feather", "feather35", "toaster"])
def test_what_is_no_tables_board_is_refused_in_one_sentence(tmp_path, capsys, model):
    path = tmp_path / "a.db"
    args = ["board", "provision", str(path), "--device", "7", "--board", model]
    assert plusthree(*args) == 2
    said = capsys.readouterr()
    assert not said.out and said.err.count("\n") == 1 and "feathers3" in said.err
    assert not path.exists()


@pytest.fixture
def neighbours(tmp_path, capsys):
    """Three archives with boards of ours and of another; returns what runs ``provision``."""

    def provision(word, *more):
        status = plusthree("board", "provision", tmp_path / f"{word}.db", *more)
        return status, capsys.readouterr()

    provision("strange", "--device", "4711")
    provision("cup", "--device", "7")
    provision("cup", "--device", "7", "--table", "3")
    provision("cup", "--device", "8")
    provision("cup", "--revoke", "8")
    master_key.keep(tmp_path / "league.db.key", master_key.load(tmp_path / "cup.db.key"))
    return provision


def boards(path):
    with Archive(path) as archive:
        return archive.roster.boards


def test_a_number_that_another_archive_uses_under_the_same_key_is_refused(neighbours, tmp_path):
    status, said = neighbours("league", "--device", "7")
    assert status == 2 and said.err.count("\n") == 1 and not said.out
    assert f"board 7 is in use in {tmp_path / 'cup.db'}, under the same master key" in said.err
    assert boards(tmp_path / "league.db") == []
    assert neighbours("league", "--device", "4711")[0] == 0, "there it has another key"
    assert neighbours("cup", "--device", "7")[0] == 0, "its own board gets a new key"
    assert boards(tmp_path / "cup.db")[:3] == [Board(7, 1, 0), Board(7, 2, 3), Board(7, 3, 3)]


def test_a_key_that_another_archive_gave_out_is_not_given_again(neighbours, tmp_path):
    status, said = neighbours("league", "--device", "8", "--generation", "1")
    assert status == 2 and "board 8 already had key generation 1 in " in said.err
    assert "a new one must be 2 or more" in said.err
    assert neighbours("league", "--device", "8")[0] == 0
    assert boards(tmp_path / "league.db") == [Board(8, 2, 0)]
    assert neighbours("cup", "--device", "8")[0] == 2, "now the league has it"


def test_many_boards_get_numbers_above_those_of_other_archives(neighbours, tmp_path):
    assert neighbours("league", "--all", "--count", "2", "--out", str(tmp_path / "s"))[0] == 0
    assert [one.device for one in boards(tmp_path / "league.db")] == [9, 10]


def test_events_with_a_folder_each_do_not_share_a_number_either(tmp_path, capsys):
    """As ``serve cup league`` has them."""
    for word in ("cup", "league"):
        (tmp_path / word).mkdir()
    assert plusthree("board", "provision", tmp_path / "cup", "--device", "7") == 0
    key = master_key.load(tmp_path / "cup" / "plusthree.db.key")
    master_key.keep(tmp_path / "league" / "plusthree.db.key", key)
    capsys.readouterr()
    assert plusthree("board", "provision", tmp_path / "league", "--device", "7") == 2
    assert f"in use in {tmp_path / 'cup' / 'plusthree.db'}, under" in capsys.readouterr().err
    assert plusthree("board", "provision", tmp_path / "league", "--device", "8") == 0


def test_a_copy_beside_its_archive_is_no_reason_to_refuse(neighbours, tmp_path):
    """As after ``restore``: both know the board; the next key is above those of both."""
    (tmp_path / "copy.db").write_bytes((tmp_path / "cup.db").read_bytes())
    master_key.keep(tmp_path / "copy.db.key", master_key.load(tmp_path / "cup.db.key"))
    assert neighbours("cup", "--device", "7")[0] == 0
    assert neighbours("copy", "--device", "7")[0] == 0
    assert boards(tmp_path / "copy.db")[2] == Board(7, 4, 3)


def test_other_archives_are_read_while_they_are_served_and_passed_over_where_damaged(
    neighbours, tmp_path
):
    with Archive(tmp_path / "cup.db"):
        assert neighbours("league", "--device", "7")[0] == 2
    before = (tmp_path / "cup.db").read_bytes()
    assert neighbours("league", "--device", "70")[0] == 0
    assert (tmp_path / "cup.db").read_bytes() == before
    (tmp_path / "cup.db").write_bytes(b"garbage " * 1000)
    status, said = neighbours("league", "--device", "71")
    assert status == 0 and "PLUSTHREE_DEVICE = 71" in said.out
    assert "has the same master key, and its boards are not known" in said.err
    (tmp_path / "strange.db.key").write_text("no key")
    assert neighbours("league", "--device", "72")[0] == 0


def test_a_board_with_a_drive_gets_a_number_above_those_of_other_archives(tmp_path):
    with Archive(tmp_path / "a.db") as archive:
        written = []
        batch = BatchProvisioner(
            archive.roster, lambda board, _: written.append(board),
            lambda: [tmp_path], master=MASTER, others=[Board(12, 1, 3)],
        )  # fmt: skip
        (tmp_path / "boot_out.txt").write_text("Adafruit CircuitPython 10.3.1\n")
        batch.step()
        assert written == [Board(13, 1, 0)]
