"""Which key made a frame, where the master key lies, what sealed keys are; and no key leaves its file."""

import io
import json
import os

import pytest
from commands import plusthree
from tabletop import EVENT, MASTER

from firmware.core import code, frames
from host.archive import master_key
from host.archive.access_links import AccessLinks
from host.archive.roster import Board, Event
from host.archive.store import Archive
from host.backup import backup
from host.base.errors import UserError
from host.event import table_rows
from host.keys import key_encryption, signatures
from host.keys.keyring import Keyring
from host.reports import export_forms, exports
from host.server.console import Console

RING_MASTER, PHRASE, CHEAP = bytes(range(32)), "five words on a sticker", {"cost": 1 << 10}


@pytest.fixture
def roster(tmp_path):
    with Archive(tmp_path / "a.db") as archive:
        archive.roster.add_board(Board(7, 1, 4), 0)
        archive.roster.add_board(Board(7, 2, 4), 0)
        archive.roster.open_event(Event(5, "Old", 0))
        archive.roster.open_event(Event(6, "New", 0))
        yield archive.roster


def frame(generation=2, event=6, device=7, direction=frames.UP, kind=frames.STATUS):
    key = frames.board_key(RING_MASTER, device, generation)
    return signatures.sign(
        frames.stream_key(key, event, direction, 3), kind, device, 3, 9, bytes(9)
    )


@pytest.mark.parametrize("generation", [1, 2])
@pytest.mark.parametrize("event", [0, 5, 6])
def test_every_known_generation_and_event_is_found(roster, generation, event):
    found = Keyring(RING_MASTER, roster).verify(frame(generation, event))
    assert (found.generation, found.event, found.device, found.epoch, found.counter) == (
        generation, event, 7, 3, 9,
    )  # fmt: skip


@pytest.mark.parametrize(("given", "reason"), [
    (frame(generation=3), "tag"),
    (frame(event=9), "tag"),
    (frame(direction=frames.DOWN), "tag"),
    (frame(device=8), "board"),
    (frame()[:-1], "version"),
    (b"", "version"),
])  # fmt: skip
def test_everything_else_is_refused_with_its_reason(roster, given, reason):
    assert Keyring(RING_MASTER, roster).verify(given) == reason


def test_the_key_that_verified_last_is_no_pass(roster):
    """Neither for other bytes, nor for another boot under the same key."""
    keyring = Keyring(RING_MASTER, roster)
    assert keyring.verify(frame()).epoch == 3
    changed = frame()[:8] + b"1" + frame()[9:]
    assert keyring.verify(changed) == "tag"
    key = frames.stream_key(frames.board_key(RING_MASTER, 7, 2), 6, frames.UP, 3)
    assert keyring.verify(signatures.sign(key, frames.STATUS, 7, 4, 9, bytes(9))) == "tag"
    assert keyring.verify(frame()).epoch == 3


def test_another_master_verifies_nothing(roster):
    assert Keyring(bytes(32), roster).verify(frame()) == "tag"


def test_a_master_key_is_made_once(tmp_path):
    path = master_key.path_of(tmp_path / "a.db")
    made = master_key.load_or_make(path)
    assert len(made) == 32 and master_key.load_or_make(path) == made == master_key.load(path)


def test_a_damaged_master_key_is_refused(tmp_path):
    path = tmp_path / "k"
    master_key.load_or_make(path)
    path.write_text("abcd\n")
    with pytest.raises(UserError, match="damaged"):
        master_key.load(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="cannot be read"):
        master_key.load(path)
    with pytest.raises(UserError, match="no master key"):
        master_key.load(tmp_path / "none")


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such bits")
@pytest.mark.parametrize("mode", (0o640, 0o604, 0o660))
def test_a_master_key_that_others_can_read_is_refused(tmp_path, mode):
    path = tmp_path / "k"
    master_key.load_or_make(path)
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(mode)
    with pytest.raises(UserError, match="readable by others"):
        master_key.load(path)


@pytest.mark.parametrize(
    "text",
    ("", "{}", "[]", "\0", '{"version": 1}', '{"version": 1, "kdf": "scrypt", "n": 99999999999}',
     "x" * 70_000, "[" * 200_000),
    ids=lambda text: text[:50],
)  # fmt: skip
def test_what_is_no_sealed_file_is_said_to_be_none(text):
    with pytest.raises(UserError, match="no keys sealed"):
        key_encryption.decrypt(text, PHRASE)


COSTS = key_encryption.COST + 1, key_encryption.COST * 1000, 1, 0, -2, 1024.0, True, "x"
OTHERS = {"version": 2}, {"kdf": "plain"}, {"salt": 5}, {"mark": None}, *({"n": n} for n in COSTS)


@pytest.mark.parametrize("told", OTHERS, ids=str)
def test_a_sealed_file_of_another_kind_is_none(told):
    held = json.loads(key_encryption.encrypt(RING_MASTER, PHRASE, **CHEAP))
    with pytest.raises(UserError, match="no keys sealed"):
        key_encryption.decrypt(json.dumps({**held, **told}), PHRASE)


STICKS_PHRASE = "correct horse battery"
QUIET = ("codes", "quit")  # the first is asked for on purpose


@pytest.fixture
def venue(venue):
    venue.begin()
    venue.win(venue.boards[0])
    venue.drain()
    master_key.keep(master_key.path_of(venue.path), MASTER)
    return venue


def secrets_of(venue):
    keys = [MASTER, STICKS_PHRASE.encode()]
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
    backup.write_key(MASTER, venue.path, stick, STICKS_PHRASE, cost=1 << 10)
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
