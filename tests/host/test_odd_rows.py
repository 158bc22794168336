"""Archives whose rows somebody filled with anything: every command ends with a sentence."""

import io
import itertools
import os
import sqlite3

import laid
import pytest
import resigned
from commands import plusthree
from odd_values import COLUMNS, VALUES
from unguarded import change, unguarded

from host.archive import table_shapes
from host.archive.database import Database
from host.archive.sqlite_backend import SqliteBackend
from host.archive.store import Archive
from host.base.errors import UserError
from host.collector.host_clock import LATEST_MS, HostClock
from host.desk import hall_plan, round_lengths
from host.event import points
from host.web import checks

COMMANDS = (
    ("show", "results", "--all"), ("show", "standings"), ("show", "tables"), ("paper", "names", "--no-pdf"),
    ("export", "json"), ("serve", "--no-radio", "--no-web"),
)  # fmt: skip


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    return laid.played(tmp_path_factory.mktemp("played"), laid.go_on)


@pytest.fixture
def path(played, here, monkeypatch):
    """A copy of it, in a folder of its own; whoever types ends at once."""
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    return laid.copied(played, here)


def run(path, command):
    out = ("--out", path.parent / "out") if command[0] in ("paper", "export") else ()
    return plusthree(*command, path, *out)


@pytest.mark.parametrize("table", sorted(table_shapes.tables()))
def test_no_value_in_any_column_raises(path, table, capsys):
    held = path.read_bytes()
    for number, (name, column) in enumerate(COLUMNS):
        if name != table:
            continue
        for value, command in zip(
            VALUES[number % 2 :: 2], itertools.cycle(COMMANDS[number % 6 :] + COMMANDS)
        ):
            for left in path.parent.glob("a.db-*"):
                left.unlink()
            path.write_bytes(held)
            try:
                change(path, f"UPDATE {table} SET {column} = {value}")
            except sqlite3.Error:
                continue  # SQLite itself refuses it
            assert run(path, command) in (0, 1, 2), (table, column, value)
            assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("sql", (
    "UPDATE records SET received_ms = 1 << 43",
    "UPDATE commands SET at_ms = 1 << 32",
    "UPDATE commands SET asked_ms = -1",
    "UPDATE commands SET a = 256",
    "UPDATE players SET name = replace(hex(zeroblob(40000)), '0', 'A')",
    "UPDATE rounds SET minutes = 'x'",
    "UPDATE events SET name = CAST(X'C3FF' AS TEXT)",
    "UPDATE players SET name = CAST(X'FF' AS TEXT)",
    "UPDATE commands SET author = CAST(X'FF' AS TEXT)",
    "UPDATE pairings SET table_number = 'one' WHERE pairing = 1",
    "UPDATE boards SET since_unix_ms = X'00'",
))  # fmt: skip
def test_what_would_stop_the_radio_or_a_printer_is_refused_by_name(path, sql, capsys):
    change(path, sql)
    for command in COMMANDS:
        assert run(path, command) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and "plusthree restore" in said
        assert f"rows of {sql.split()[1]} are none that this program writes" in said
    assert plusthree("audit", path) == 1
    assert "are none that this program writes" in capsys.readouterr().out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
@pytest.mark.parametrize(
    "part", ("", "-wal", "-shm", "-journal", ".head", ".key", ".time", ".lock.by", ".keys")
)
def test_a_pipe_in_the_place_of_a_file_is_never_waited_for(path, part, capsys, monkeypatch):
    monkeypatch.setenv("PLUSTHREE_PASSPHRASE", "a long enough phrase")
    place = path.with_name(f"{path.name}{part}" if part != ".keys" else "a.keys")
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    commands = [(*command, path) for command in COMMANDS if command[0] != "paper"]
    commands += [("audit", path), ("link", "judge", "Ada", path)]
    commands += [("restore", path.parent, path.with_name("new.db"))]
    codes = [plusthree(*command) for command in commands]
    said = capsys.readouterr().err
    assert set(codes) <= {0, 1, 2} and "Traceback" not in said
    assert said.count("\n") == codes.count(2)
    if part in ("", "-wal", "-shm", "-journal", ".lock.by"):
        assert codes[-2] == 2 and (f"{place} is no file" in said or "there is no archive" in said)
    if part in (".head", ".key"):
        assert codes[-2] == codes[-3] == 2
    assert codes[-1] == 2


@pytest.mark.parametrize("sql", (
    *(f"UPDATE sqlite_sequence SET seq = {seq}"
      for seq in (-1, (1 << 40) + 1, 1 << 53, (1 << 63) - 1, "'x'", "NULL", 0.5)),
    *(f"INSERT INTO quarantine VALUES ({last}, 7, 1, 1, 1, 5, 1, X'00')"
      for last in ((1 << 40) + 1, 1 << 53)),
))  # fmt: skip
def test_numbers_of_rows_that_leave_no_room_are_refused(path, sql, capsys):
    change(path, sql)
    assert run(path, COMMANDS[0]) == 2
    assert "numbered up to the end" in capsys.readouterr().err
    assert plusthree("audit", path) == 1


@pytest.mark.parametrize("seq", (0, 1 << 40))
def test_numbers_of_rows_within_their_bounds_are_gone_on_with(path, seq):
    change(path, f"UPDATE sqlite_sequence SET seq = {seq}")
    assert run(path, COMMANDS[-1]) == 0 and run(path, COMMANDS[-1]) == 0


def test_what_this_program_writes_is_within_its_bounds(played):
    with Archive(played) as archive:
        assert table_shapes.odd_rows(archive) == []
    assert set(table_shapes.NUMBERS) <= {column for _, column in COLUMNS}


@pytest.mark.parametrize("what, read, before", (
    (points.POINTS, points.of_event, {"win": 3}),
    (round_lengths.CUT, round_lengths.announced_cut, None),
    (round_lengths.LENGTHS, round_lengths.announced_minutes, ()),
    (f"{round_lengths.CHANGED}1", lambda archive: round_lengths.lengths_before(archive, 1), ()),
    (hall_plan.PLAN, hall_plan.current, hall_plan.NONE),
    (checks.PLANNED, lambda archive: checks.plan_and_drawn(archive, {}, 0, 1)["plan"]["drawn"], 0),
    (checks.CHECKED, lambda archive: checks.plan_and_drawn(archive, {}, 0, 1)["done"], []),
))  # fmt: skip
@pytest.mark.parametrize("value", ("", "x", "{}", "[]", "null", "x 1 2", "[" * 5000, "[" * 200_000))
def test_a_notice_that_cannot_be_read_counts_for_nothing(path, what, read, before, value):
    with Archive(path) as archive:
        archive.notices.add(what, value, "Eve", 1)
        found = read(archive)
    assert found == before or value == "" and not found


def test_the_clock_stands_where_frames_end():
    clock = HostClock(0, 1 << 40, lambda: 0)
    assert clock.now_ms() == LATEST_MS < 1 << 32


def test_an_event_that_is_too_old_for_its_boards_is_refused(path, capsys):
    change(path, "UPDATE events SET origin_unix_ms = 1")
    resigned.resign(path)
    assert run(path, ("serve", "--no-web")) == 2
    assert "began more than 49 days ago" in capsys.readouterr().err
    assert run(path, COMMANDS[-1]) == 0  # without the radio a result can still be put right


def test_an_archive_that_is_refused_is_let_go(path):
    change(path, "UPDATE commands SET at_ms = 1 << 32")
    with pytest.raises(UserError, match="rows of commands") as refused:
        Archive(path)
    with Archive(path, odd=True):  # as an older archive is read, by the tables that it has
        assert refused.tb


@pytest.mark.parametrize("sql, odd", (
    ("INSERT INTO pairings VALUES (5, 1, 9, NULL, '1', NULL)", []),  # a bye
    ("UPDATE rounds SET minutes = 1.5", ["1 rows of rounds"]),
    ("UPDATE pairings SET table_number = 1.5 WHERE table_number = 1", ["1 rows of pairings"]),
    ("UPDATE pairings SET player_b = CAST(X'ff' AS TEXT) WHERE table_number = 1", ["1 rows of pairings"]),
    ("UPDATE pairings SET player_b = X'ff' WHERE table_number = 1", ["1 rows of pairings"]),
))  # fmt: skip
def test_an_empty_place_is_not_odd_and_half_a_number_is(path, sql, odd):
    with unguarded(path) as db:
        db.execute(sql)
        found = table_shapes.odd_rows(Database(SqliteBackend(db)))
    assert [one.partition(" are none")[0] for one in found] == odd


def test_columns_are_as_their_statements_say():
    made = table_shapes.tables.__wrapped__()  # what others read was made once, before
    assert made["pairings"] == {
        "event": ("integer", False), "round": ("integer", False), "pairing": ("integer", False),
        "table_number": ("integer", True), "player_a": ("text", False), "player_b": ("text", True),
    }  # fmt: skip
    assert made["revoked_links"]["id"] == ("integer", False)
