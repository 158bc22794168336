"""What older versions left opens in this one, and loses nothing by it: archives, boards' journals, settings."""

import base64
import gzip
import json
import pathlib
import sqlite3
import tomllib

import pytest
from commands import plusthree

from firmware.app import App
from firmware.board import pins
from firmware.core import frames, settings
from host.archive import audit_log, master_key, people, schema
from host.archive.access_links import AccessLinks
from host.archive.people import People
from host.archive.roster import Event, Format, Pairing, Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.event import event_log
from host.event.archive_view import view
from host.sim.board import RamStore, VirtualBoard
from host.sim.clock import VirtualLoop
from host.sim.faces import blank_face
from host.sim.pure import PureAir
from host.systems import catalogue

OLDER = range(1, schema.VERSION)


def older(path, version):
    """Make an archive as an older program left it, with a board and an event."""
    db = sqlite3.connect(path)
    db.executescript(schema.statements(version))
    db.execute("INSERT INTO boards VALUES (7, 1, 4, 0)")
    db.execute("INSERT INTO events VALUES (5, 'Cup', 0, 1)")
    db.commit()
    db.close()


@pytest.mark.parametrize("version", OLDER)
def test_an_older_archive_opens_and_takes_people_and_links(tmp_path, version):
    older(tmp_path / "a.db", version)
    with Archive(tmp_path / "a.db") as archive:
        assert archive.query("PRAGMA user_version") == [(schema.VERSION,)]
        assert [board.table for board in archive.roster.boards] == [4]
        People(archive).add(Player("9", "Zoë"), people.LATE, "Olga", 1)
        links = AccessLinks(archive)
        assert links.find(links.make("judge", "Ada", "Olga", 1)[1]).name == "Ada"
    with Archive(tmp_path / "a.db") as archive:
        assert People(archive).get("9").late


@pytest.mark.parametrize("version", OLDER)
def test_an_older_archives_audit_log_begins_when_it_is_opened(tmp_path, version):
    older(tmp_path / "a.db", version)
    master_key.keep(master_key.path_of(tmp_path / "a.db"), bytes(range(32)))
    with Archive(tmp_path / "a.db") as archive:
        assert archive.audit_log.rows[0].what == audit_log.BEGUN


def test_the_last_versions_archive_is_read_as_it_is(tmp_path):
    older(tmp_path / "a.db", 3)
    before = (tmp_path / "a.db").read_bytes()
    with view(tmp_path / "a.db") as (archive, _):
        assert archive.roster.event.name == "Cup"
    assert (tmp_path / "a.db").read_bytes() == before
    older(tmp_path / "b.db", 1)
    with pytest.raises(UserError, match="it says version 1"), view(tmp_path / "b.db"):
        pass


def test_an_archive_of_the_future_is_let_be(tmp_path):
    with Archive(tmp_path / "a.db") as archive:
        archive.write(f"PRAGMA user_version = {schema.VERSION + 1}")
    with pytest.raises(UserError, match="it says version"):
        Archive(tmp_path / "a.db")


@pytest.fixture
def archive(tmp_path):
    with Archive(tmp_path / "a.db") as made:
        made.roster.open_event(Event(5, "Cup", 0))
        made.roster.store_round(
            1, Format(0, 2, 50), [Pairing(1, 1, 1, Player("1", "Ann"), Player("2", "Bo"))]
        )
        yield made


def test_people_are_entered_dropped_and_back(archive):
    found = People(archive)
    found.add(Player("10", "Zed"), people.ENTERED, "Olga", 1)
    assert [one.player.number for one in found.every] == ["1", "2", "10"]
    assert [one.number for one in found.fresh()] == ["10"] and found.get("1").rounds == (1,)
    found.mark("1", people.DROPPED, "Olga", 2, "ill")
    assert found.get("1").dropped
    found.mark("1", people.RETURNED, "Olga", 3)
    assert not found.get("1").dropped
    found.rename("2", "Bob", "Olga", 4)
    assert found.get("2").player.name == "Bob" and json.loads(
        archive.notices.latest("renamed")
    ) == {"number": "2", "before": "Bo", "after": "Bob"}
    assert [(one["what"], one["player"], one["reason"]) for one in found.log] == [
        ("entered", "10", ""), ("dropped", "1", "ill"), ("returned", "1", ""),
    ]  # fmt: skip
    for wrong in (
        lambda: found.add(Player("1", "Again"), people.LATE, "Olga", 5),
        lambda: found.mark("1", people.RETURNED, "Olga", 5),
        lambda: found.get("99"),
    ):
        with pytest.raises(UserError):
            wrong()


@pytest.mark.parametrize("table", ["entries", "links", "revoked_links"])
def test_what_was_said_of_people_and_links_is_never_changed(archive, table):
    People(archive).add(Player("10", "Zed"), people.ENTERED, "Olga", 1)
    number, token = AccessLinks(archive).make("judge", "Ada", "Olga", 1)
    AccessLinks(archive).revoke(number, "Olga", 2)
    assert AccessLinks(archive).find(token) is None and AccessLinks(archive).get(number) is None
    for sql in (f"UPDATE {table} SET author = 'x'", f"DELETE FROM {table}"):
        with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
            archive.write(sql)


LEFT = sorted((pathlib.Path(__file__).parent / "older").glob("*.json.gz"))
COMMANDS = {
    "results": ("show", "results", "--all"),
    "standings": ("show", "standings", "--pack", "pokemon-swiss"),
    "status": ("show", "status"),
    "tables": ("show", "tables"),
    "audit": ("audit", "--rolls"),
}


@pytest.fixture(params=LEFT, ids=lambda path: path.name.partition(".")[0])
def left(request):
    """What a commit left, as a dict."""
    return json.loads(gzip.decompress(request.param.read_bytes()))


@pytest.fixture
def older_archive(left, tmp_path):
    """Its archive beside its key; returns the path."""
    path = tmp_path / "cup.plusthree"
    path.write_bytes(base64.b64decode(left["archive"]))
    master_key.keep(master_key.path_of(path), bytes.fromhex(left["key"]))
    return path


def test_its_desk_log_tells_who_published_and_started_its_rounds(older_archive):
    with Archive(older_archive) as opened:
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
def test_an_older_archive_says_the_same(left, older_archive, capsys, name):
    code = plusthree(*COMMANDS[name], older_archive, "--json")
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
