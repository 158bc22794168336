"""An archive in a real PostgreSQL database: what is its own; the rest is as in SQLite's tests."""

import contextlib
import io
import json
import re
import select
import sqlite3
import subprocess
import sys

import psycopg
import pytest
from clock_records import record
from commands import plusthree
from hypothesis import given
from hypothesis import strategies as st
from tabletop import EVENT, MASTER

from host.archive import audit_log, master_key, places
from host.archive.backend import Fenced, Foreign
from host.archive.roster import Board, Event, Player
from host.archive.store import ADDED, KNOWN, Archive
from host.audit.examination import examine, temporary_copy
from host.base.errors import UserError
from host.event.archive_view import ArchiveView
from host.hall.database import Database
from host.hall.postgres import postgres_backend
from host.hall.postgres.activity import Activity
from host.keys.keyring import Keyring

EVENT_FILE = """# event: Test Cup
# round: 1
# format: p18 swiss bo3 constructed 50
table,number_a,name_a,number_b,name_b
1,1,Ada Lovelace,2,Emmy Noether
"""


@pytest.fixture
def archive(address):
    with Archive(address) as opened:
        opened.audit_log.begin(audit_log.key_of(MASTER))
        opened.roster.add_board(Board(7, 1, 4), 0)
        opened.roster.open_event(Event(EVENT, "Cup", 0))
        opened.roster.rename([Player("1", "Ada")])
        yield opened


@contextlib.contextmanager
def stranger(address):
    with psycopg.connect(address, autocommit=True) as db:
        yield db


def test_serving_a_file_imports_nothing_of_a_hall(tmp_path):
    """``plusthree serve`` with web desk and gateways, from its start until ``quit``."""
    program = (
        "import sys; from host import cli\n"
        "code = cli.main(['serve', 'e.csv', 'a.db', '--gateways-only', '--port', '0'])\n"
        "hall = ('psycopg', 'aiomqtt', 'paho', 'host.hall')\n"
        "print('ended', code, [name for name in hall if name in sys.modules])"
    )
    (tmp_path / "e.csv").write_text(EVENT_FILE, "utf-8")
    told = subprocess.run(
        [sys.executable, "-c", program], input="quit\n",
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout.endswith("ended 0 []\n"), told.stdout + told.stderr


def test_what_lies_beside_an_address_is_called_after_its_database():
    address = "postgresql://ann:secret@db.example:5433/cup?sslmode=verify-full"
    assert str(master_key.path_of(address)) == "cup.key"
    assert places.display_name(address) == "postgresql://ann@db.example:5433/cup"
    for odd in ("postgresql://db", "postgresql://db/", "postgresql://db/..%2Fcup"):
        with pytest.raises(UserError, match="names no database"):
            places.local(odd)


def test_what_does_not_answer_is_told_without_its_password():
    with pytest.raises(UserError) as said:
        Archive(Database("postgresql://ann:secret@127.0.0.1:1/cup"))
    assert "ann@127.0.0.1:1/cup cannot be opened" in str(said.value)
    assert "secret" not in str(said.value)
    assert "see whether the server runs" in str(said.value)


@pytest.mark.parametrize("more, advice", [
    ("cup?colour=red", "leave that option out of the address"), ("cup?user=a%", "write % in it as %25"),
])  # fmt: skip
def test_what_is_wrong_with_an_address_is_said_with_what_to_do(more, advice):
    with pytest.raises(UserError, match=advice):
        Archive(Database(f"postgresql:///{more}"))


def test_a_later_writer_fences_the_earlier_one_off(archive, address):
    assert archive.commit([record(0)]) == [ADDED]
    (epoch,) = archive.query("SELECT epoch FROM writer")[0]
    later = postgres_backend.open_archive(address, after=epoch)
    for act in (
        lambda: archive.commit([record(1)]),
        lambda: archive.reserve(7, 1, 1),
        lambda: archive.roster.rename([Player("2", "Emmy")]),
    ):
        with pytest.raises(Fenced, match="has taken .* over: this one has written nothing since"):
            act()
    assert later.connection.execute("SELECT count(*) FROM records").fetchone() == (1,)
    with pytest.raises(UserError, match="taken over by another standby"):
        postgres_backend.open_archive(address, after=epoch)
    later.close()


def test_a_writer_that_stopped_in_a_transaction_keeps_nobody_out(archive, address):
    (epoch,) = archive.query("SELECT epoch FROM writer")[0]
    with pytest.raises(Fenced), archive.transaction():
        archive.roster.rename([Player("2", "Emmy")])
        postgres_backend.open_archive(
            address, after=epoch
        ).close()  # waits until the server ends it
        archive.roster.rename([Player("3", "Amalie")])
    with ArchiveView(address) as seen:
        assert seen.query("SELECT number FROM players") == [("1",)]


def test_a_server_that_crashes_loses_nothing_that_was_stored(postgres, archive, address):
    assert archive.commit([record(n) for n in range(50)]) == [ADDED] * 50
    postgres.stop("immediate")
    archive.backend.reconnection.rest = lambda pause_s: None
    try:
        with pytest.raises(UserError, match="does not come back"):
            archive.commit([record(50)])
    finally:
        postgres.start()
    with Archive(address) as again:
        again.audit_log.begin(audit_log.key_of(MASTER))
        assert again.commit([record(49), record(50)]) == [KNOWN, ADDED]


def test_a_database_of_somebody_elses_is_let_be(address):
    with stranger(address) as db:
        db.execute("CREATE TABLE things (x bigint)")
    with pytest.raises(UserError, match="is not an archive of plusthree, nor empty"):
        Archive(address)
    with stranger(address) as db:
        assert db.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        ).fetchone() == (1,)


def test_a_stranger_cannot_change_the_set_up_unseen(archive, address):
    before = archive.version
    archive.roster.rename([Player("2", "Emma")])
    archive.backend.poll_writers()
    assert archive.version == before, "its own writing is no news"
    with stranger(address) as db, pytest.raises(psycopg.Error, match="touched"):
        db.execute("UPDATE players SET name = 'Eve'")
    archive.backend.poll_writers()
    assert archive.version == before
    with stranger(address) as db:
        db.execute("CREATE TEMP TABLE touched (place bigint, sheet text, key jsonb)")
        db.execute("UPDATE players SET name = 'Eve'")
    archive.backend.poll_writers()
    assert archive.version != before
    assert "players" in str(archive.audit_log.foreign)
    with pytest.raises(Foreign, match="players"):
        archive.roster.rename([Player("2", "Emmy")])


def test_a_transaction_looks_for_a_writer_that_no_trigger_told_of(archive, address):
    with stranger(address) as db:
        db.execute("SET session_replication_role = replica")
        db.execute("UPDATE players SET name = 'Eve'")
    with pytest.raises(Foreign, match="players"), archive.transaction():
        raise AssertionError("it was let in")


@pytest.mark.parametrize("end, ended", [(Archive.shut_down, True), (Archive.close, False)])
def test_a_standby_sees_whether_a_person_ended_the_writer(archive, address, end, ended):
    archive.backend.beat()
    end(archive)
    with contextlib.closing(postgres_backend.Watch(address)) as watch:
        assert (watch.seen().ended, watch.seen().alive) == (ended, False)


def test_what_was_changed_is_named_once(archive):
    with archive.transaction():
        archive.write("UPDATE players SET name = 'Emmy'")
        assert len(archive.backend.take_changes()) == 1
        assert archive.backend.take_changes() == []


def test_who_interrupts_an_opening_is_not_told_about_the_servers_rights(archive):
    with pytest.raises(KeyboardInterrupt), postgres_backend._closing_on_error(archive.backend):
        raise KeyboardInterrupt


def test_a_view_reads_one_moment_and_writes_nothing(archive, address):
    archive.commit([record(0)])
    with ArchiveView(address) as view:
        with view.snapshot():
            assert len(view.records()) == 1
            archive.commit([record(1)])
            assert len(view.records()) == 1
        before = view.version
        archive.commit([record(2)])
        told = select.select([view.backend.connection._db.fileno()], [], [], 5)
        assert told[0] and view.version != before
        view.backend.poll_writers()
        assert len(view.records()) == 3
        with pytest.raises(sqlite3.OperationalError):
            view.commit([record(3)])
        with pytest.raises(sqlite3.OperationalError) as refused:
            view.write("DELETE FROM boards")
        assert refused.value.sqlite_errorname == "SQLITE_READONLY"


def test_room_is_tried_for_with_what_the_server_cannot_compress(archive, address):
    sql = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"
    with stranger(address) as db:
        (before,) = db.execute(sql).fetchone()
        assert archive.has_disk_space() and archive.has_disk_space()
        assert db.execute(sql).fetchone()[0] - before > 2 * 65536


@pytest.mark.parametrize("name, kept", [("", "?"), ("x" * 65, "x" * 64)])
def test_a_writers_row_has_room_for_any_machines_name(address, monkeypatch, name, kept):
    monkeypatch.setattr("platform.node", lambda: name)
    with Archive(address), stranger(address) as db:
        assert db.execute("SELECT name FROM writer").fetchone() == (kept,)


def test_a_copy_is_an_archive_in_a_file_that_the_audit_finds_whole(archive, address, tmp_path):
    archive.commit([record(n) for n in range(20)])
    archive.copy_to(tmp_path / "copy.db")
    archive.close()
    with Archive(tmp_path / "copy.db") as copy, temporary_copy(address) as other:
        for one in (copy, other):
            assert one.records() == [record(n) for n in range(20)]
            assert examine(one, Keyring(MASTER, one.roster)).faults == []
        assert copy.audit_log.rows == other.audit_log.rows


def test_a_copy_is_of_one_moment_and_leaves_no_transaction(archive, address, tmp_path, monkeypatch):
    db, before = archive.backend.connection, []

    def run(sql, *values):
        if " FROM events" in sql and not before:
            with stranger(address) as other:
                before.append("Ada")
                other.execute("CREATE TEMP TABLE touched (place bigint, sheet text, key jsonb)")
                other.execute("UPDATE players SET name = 'Eve'")
        return type(db).run(db, sql, *values)

    with monkeypatch.context() as patch:
        patch.setattr(db, "run", run)
        archive.copy_to(tmp_path / "copy.db")
    assert not db.in_transaction
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("SELECT name FROM players").fetchall() == [("Ada",)] and before


def test_a_role_that_may_not_make_the_tables_is_said_to_need_the_database(address):
    role = "guest_of_a_test"
    with stranger(address) as db:
        db.execute(f"CREATE ROLE {role} LOGIN")
        try:
            with pytest.raises(UserError, match="its role must own the database"):
                Archive(Database(re.sub("user=[^&]*", f"user={role}", address)))
        finally:
            db.execute(f"DROP ROLE {role}")


def test_an_event_is_served_from_an_address(address, tmp_path, capsys, monkeypatch):
    (tmp_path / "event.csv").write_text(EVENT_FILE)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert plusthree("show", "status", address) == 2
    shown = places.display_name(address)  # without it one would be made in a file
    assert f"import EVENT.csv {shown}\n" in capsys.readouterr().err
    serve = ["serve", address, "--no-radio", "--no-web"]
    assert plusthree(*serve, "event.csv") == 0
    assert plusthree("show", "status", address, "--json") == 0
    said = capsys.readouterr().out
    assert json.loads(said.strip().splitlines()[-1])["round"] == 1
    assert (tmp_path / f"{places.local(address)}.key").exists()
    assert plusthree("doctor", "report", address) == 0


FIRST = 700
STEPS = st.lists(st.tuples(st.sampled_from(("ours", "theirs", "end", "look")), st.integers(0, 9)))


class Server:
    """Numbers of transactions as a server gives them; a session does not see its own as running."""

    def __init__(self):
        self.next, self.running, self.over, self.ours = FIRST, [], {FIRST - 1}, set()

    def begin(self, ours):
        self.running.append(self.next)
        self.ours |= {self.next} if ours else set()
        self.next += 1
        return str(self.running[-1])

    def end(self, which):
        if self.running:
            self.over.add(self.running.pop(which % len(self.running)))

    @property
    def snapshot(self):
        below = max(self.over) + 1
        running = sorted(one for one in self.running if one < below and one not in self.ours)
        return f"{min([*running, below])}:{below}:{','.join(map(str, running))}"


@given(STEPS, st.integers(0, 3))
def test_every_one_of_others_is_told_once_and_none_of_ours(steps, running):
    server = Server()
    for _ in range(running):
        server.begin(False)
    server.end(running - 1)
    told, activity = server.over - {FIRST - 1}, Activity(server.snapshot)
    for what, which in [*steps, ("look", 0)]:
        if what == "ours":
            activity.own(server.begin(True))
        elif what == "theirs":
            server.begin(False)
        elif what == "end":
            server.end(which)
        else:
            news = sorted(server.over - server.ours - told - {FIRST - 1})
            assert activity.others(server.snapshot) == news
            told |= {*news}


def test_of_many_the_first_are_told_and_those_to_come_later():
    server, activity = Server(), Activity(f"{FIRST}:{FIRST}:")
    for _ in range(100_000):
        server.begin(False)
    server.over |= {*server.running}
    server.running.clear()
    assert activity.others(server.snapshot) == [*range(FIRST, FIRST + 64)]
    assert activity.others(server.snapshot) == []
    server.begin(False)
    server.end(0)
    assert activity.others(server.snapshot) == [FIRST + 100_000]
