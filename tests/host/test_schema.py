"""Archives of older versions are brought here when they are opened, and lose nothing by it."""

import json
import sqlite3

import pytest

from host.archive import audit_log, master_key, people, schema
from host.archive.access_links import AccessLinks
from host.archive.people import People
from host.archive.roster import Event, Format, Pairing, Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.event.archive_view import view

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
        assert (
            AccessLinks(archive).find(AccessLinks(archive).make("judge", "Ada", "Olga", 1)[1]).name
            == "Ada"
        )
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
