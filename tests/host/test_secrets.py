"""No key leaves its file: not into exports, archives, copies, pages, logs, errors or reprs."""

import io

import pytest
from commands import plusthree
from tabletop import EVENT, MASTER

from firmware.core import code, frames
from host.archive import master_key
from host.archive.access_links import AccessLinks
from host.backup import backup
from host.event import table_rows
from host.keys.keyring import Keyring
from host.reports import export_forms, exports
from host.server.console import Console

PHRASE = "correct horse battery"
QUIET = ("codes", "quit")  # the first is asked for on purpose


@pytest.fixture
def venue(venue):
    venue.begin()
    venue.win(venue.boards[0])
    venue.drain()
    master_key.keep(master_key.path_of(venue.path), MASTER)
    return venue


def secrets_of(venue):
    keys = [MASTER, PHRASE.encode()]
    for board in venue.boards:
        key = frames.board_key(MASTER, board.device, 1)
        keys += [key, code.judges_key(key, EVENT)]
        keys += [
            frames.stream_key(key, event, way, epoch)
            for event in (0, EVENT)
            for way in range(5)
            for epoch in (0, 1)
        ]
    return (
        keys + [key.hex().encode() for key in keys] + [key.hex().upper().encode() for key in keys]
    )


def assert_clean(venue, held, where):
    assert not [key for key in secrets_of(venue) if key in held], where


def test_no_file_beside_the_key_holds_a_secret(venue, tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()
    backup.write_key(MASTER, venue.path, stick, PHRASE, cost=1 << 10)
    token = "the token of Ada's link"
    AccessLinks(venue.archive).make("judge", "Ada", "Olga", 1, lambda size: token)
    backup.write(venue.archive, stick)
    exports.write_results(venue.archive, venue.station.hall, tmp_path)
    for write in (export_forms.csv_of, export_forms.json_of, export_forms.cryodex_of):
        written = write(venue.archive, venue.station.hall, None)
        (tmp_path / f"{write.__name__}.out").write_text(str(written))
    seen = 0
    for path in tmp_path.rglob("*"):
        if path.is_file() and path != master_key.path_of(venue.path):
            assert_clean(venue, path.read_bytes(), path)
            assert token.encode() not in path.read_bytes(), path
            seen += 1
    assert seen >= 8
    assert master_key.path_of(venue.path).stat().st_mode & 0o077 == 0


def test_no_act_at_the_desk_says_a_secret(venue):
    desk, said = Console(venue.station, "x"), []
    for act in desk.acts:
        for words in ("", " 1", " 1 2", " 1 2 3"):
            said += desk.run(act.typed + words) if act.typed not in QUIET else []
    said += table_rows.board_lines(venue.station.collector)
    assert_clean(venue, "\n".join(said).encode(), "the console")
    parts = (
        venue.station, venue.station.keyring, venue.station.collector, venue.archive,
        Keyring(MASTER, venue.archive.roster),
    )  # fmt: skip
    assert_clean(venue, "".join(map(repr, parts)).encode(), "a repr")


def test_no_command_says_a_secret(venue, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("show tables\nshow boards\nquit\n"))
    venue.station.close()
    path = str(venue.path)
    for line in (["audit", path], ["serve", path, "--no-radio"],
                 ["show", "results", path],
                 ["restore", str(tmp_path), path],
                 ["backup", str(tmp_path / "none"), path],
                 ["board", "provision", path, "--device", "9", "--out",
                  str(tmp_path / "s.toml")]):  # fmt: skip
        plusthree(*line)
    (tmp_path / "bad.key").write_text(MASTER.hex()[:-2])
    (tmp_path / "bad.key").chmod(0o600)
    plusthree("audit", path, "--key", tmp_path / "bad.key")
    said = capsys.readouterr()
    assert "records" in said.out and "damaged" in said.err
    assert_clean(venue, (said.out + said.err).encode(), "a command")
    assert MASTER.hex()[:-2] not in said.err
