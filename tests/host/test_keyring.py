"""Which key made a frame, where the master key lies, and what sealed keys are."""

import json
import os

import pytest

from firmware.core import frames
from host.archive import master_key
from host.archive.roster import Board, Event
from host.archive.store import Archive
from host.base.errors import UserError
from host.keys import key_encryption, signatures
from host.keys.keyring import Keyring

MASTER, PHRASE, CHEAP = bytes(range(32)), "five words on a sticker", {"cost": 1 << 10}


@pytest.fixture
def roster(tmp_path):
    with Archive(tmp_path / "a.db") as archive:
        archive.roster.add_board(Board(7, 1, 4), 0)
        archive.roster.add_board(Board(7, 2, 4), 0)
        archive.roster.open_event(Event(5, "Old", 0))
        archive.roster.open_event(Event(6, "New", 0))
        yield archive.roster


def frame(generation=2, event=6, device=7, direction=frames.UP, kind=frames.STATUS):
    key = frames.board_key(MASTER, device, generation)
    return signatures.sign(
        frames.stream_key(key, event, direction, 3), kind, device, 3, 9, bytes(9)
    )


@pytest.mark.parametrize("generation", [1, 2])
@pytest.mark.parametrize("event", [0, 5, 6])
def test_every_known_generation_and_event_is_found(roster, generation, event):
    found = Keyring(MASTER, roster).verify(frame(generation, event))
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
    assert Keyring(MASTER, roster).verify(given) == reason


def test_the_key_that_verified_last_is_no_pass(roster):
    """Neither for other bytes, nor for another boot under the same key."""
    keyring = Keyring(MASTER, roster)
    assert keyring.verify(frame()).epoch == 3
    changed = frame()[:8] + b"1" + frame()[9:]
    assert keyring.verify(changed) == "tag"
    key = frames.stream_key(frames.board_key(MASTER, 7, 2), 6, frames.UP, 3)
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
    held = json.loads(key_encryption.encrypt(MASTER, PHRASE, **CHEAP))
    with pytest.raises(UserError, match="no keys sealed"):
        key_encryption.decrypt(json.dumps({**held, **told}), PHRASE)
