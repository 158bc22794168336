"""What an older plusthree left opens in this one: its archive, its boards' journals, its settings.

``older/<commit>.json.gz`` holds, as that commit made them: the archive of two rounds at three
tables, its key, each board's journal and match, a board's settings, and what its commands said of
it all.
"""

import base64
import gzip
import json
import pathlib
import tomllib

import pytest
from commands import plusthree

from firmware.app import App
from firmware.board import pins
from firmware.core import frames, settings
from host.archive import master_key
from host.archive.store import Archive
from host.event import event_log
from host.sim.board import RamStore, VirtualBoard
from host.sim.clock import VirtualLoop
from host.sim.faces import blank_face
from host.sim.pure import PureAir
from host.systems import catalogue

OLDER = sorted((pathlib.Path(__file__).parent / "older").glob("*.json.gz"))
COMMANDS = {
    "results": ("show", "results", "--all"),
    "standings": ("show", "standings", "--pack", "pokemon-swiss"),
    "status": ("show", "status"),
    "tables": ("show", "tables"),
    "audit": ("audit", "--rolls"),
}


@pytest.fixture(params=OLDER, ids=lambda path: path.name.partition(".")[0])
def left(request):
    """What a commit left, as a dict."""
    return json.loads(gzip.decompress(request.param.read_bytes()))


@pytest.fixture
def archive(left, tmp_path):
    """Its archive beside its key; returns the path."""
    path = tmp_path / "cup.plusthree"
    path.write_bytes(base64.b64decode(left["archive"]))
    master_key.keep(master_key.path_of(path), bytes.fromhex(left["key"]))
    return path


def test_its_desk_log_tells_who_published_and_started_its_rounds(archive):
    with Archive(archive) as opened:
        found = [
            (one["what"], one["author"], one["value"]) for one in event_log.lines(opened)
            if "round" in one["what"]
        ]  # fmt: skip
    assert found == [
        (what, "desk", f"round {number}, 3 tables{more}")
        for number in (1, 2)
        for what, more in (("round published", ""), ("start of the round set", ", begins in 4:37"))
    ]


def known(said, then):
    """Return what is said now, without the fields that were not kept ``then``: later ones, the wall clock's."""
    if isinstance(said, dict) and isinstance(then, dict):
        return {name: known(value, then[name]) for name, value in said.items() if name in then}
    if isinstance(said, list) and isinstance(then, list) and len(said) == len(then):
        return [known(one, other) for one, other in zip(said, then, strict=True)]
    return said


@pytest.mark.parametrize("name", COMMANDS)
def test_an_older_archive_says_the_same(left, archive, capsys, name):
    code = plusthree(*COMMANDS[name], archive, "--json")
    assert code == left[name]["code"]
    assert known(json.loads(capsys.readouterr().out), left[name]["said"]) == left[name]["said"]


def key_of(left, device, generation):
    return frames.board_key(bytes.fromhex(left["key"].strip()), device, generation)


def test_older_journals_come_back_as_the_match_they_were(left):
    loop = VirtualLoop()
    for number, was in left["boards"].items():
        store = RamStore()
        for copy, block, data in was["blocks"]:
            store.write(copy, block, base64.b64decode(data))
        told = settings.read(
            {"PLUSTHREE_DEVICE": int(number), "PLUSTHREE_KEY": key_of(left, int(number), 1).hex(),
             "PLUSTHREE_GENERATION": 1, "PLUSTHREE_BOARD": "feathers3"},
            pins.skews(),
        )  # fmt: skip
        board = VirtualBoard(loop, told, 1, store=store)
        rules = catalogue.built_in()["p18"]
        app = App(board, PureAir(loop, 1, 0).link(int(number)), blank_face(board), rules)
        match = {name: getattr(app.match, name) for name in was["match"]}
        assert json.loads(json.dumps(match)) == was["match"]
        assert (app.journal.event, app.journal.epoch) == (was["event"], was["epoch"] + 1)
    loop.close()


def test_older_settings_are_read(left):
    raw = tomllib.loads(left["settings"])
    if raw["PLUSTHREE_BOARD"] not in pins.skews():
        with pytest.raises(ValueError, match="PLUSTHREE_BOARD: one of feathers3, "):
            settings.read(raw, pins.skews())  # no table any more
        raw["PLUSTHREE_BOARD"] = "feathers3"
    read = settings.read(raw, pins.skews())
    assert (read["device"], read["generation"], read["key"]) == (2, 2, key_of(left, 2, 2))
