"""Archives whose rows somebody filled with anything, and tethered boards: all ends with a sentence."""

import contextlib
import io
import itertools
import json
import os
import pathlib
import sqlite3
import subprocess
import sys

import laid
import pytest
import resigned
from commands import plusthree
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tabletop import EVENT, MASTER
from unguarded import change, unguarded

from firmware.core import frames
from host.archive import master_key, table_shapes
from host.archive.database import Database
from host.archive.sqlite_backend import SqliteBackend
from host.archive.store import Archive
from host.base.errors import UserError
from host.collector.carriers import tether
from host.collector.host_clock import LATEST_MS, HostClock
from host.desk import hall_plan, round_lengths
from host.event import points
from host.keys import signatures
from host.web import checks

COMMANDS = (
    ("show", "results", "--all"), ("show", "standings"), ("show", "tables"), ("paper", "names", "--no-pdf"),
    ("export", "json"), ("serve", "--no-radio", "--no-web"),
)  # fmt: skip


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    return laid.played(tmp_path_factory.mktemp("played"), laid.go_on)


@pytest.fixture
def odd_path(played, here, monkeypatch):
    """A copy of it, in a folder of its own; whoever types ends at once."""
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    return laid.copied(played, here)


def run_on(odd_path, command):
    out = ("--out", odd_path.parent / "out") if command[0] in ("paper", "export") else ()
    return plusthree(*command, odd_path, *out)


@pytest.fixture(scope="module")
def passing(played):
    """Every ``(table, column, value)`` that fills a column, as SQLite takes it, and that
    ``table_shapes`` lets pass: that any command refuses the others holds of all of them.
    """
    found = []
    with unguarded(played) as db:
        db.execute("SAVEPOINT held")
        for (table, column), value in itertools.product(COLUMNS, VALUES):
            with contextlib.suppress(sqlite3.Error):
                rows = db.execute(f"UPDATE {table} SET {column} = {value}").rowcount
                if rows and not table_shapes.odd_rows(Database(SqliteBackend(db))):
                    found.append((table, column, value))
            db.execute("ROLLBACK TO held")
    return found


def filled(path, fills):
    """Fill a column of the archive, as it was, for each ``(table, column, value)``; yield it."""
    held = path.read_bytes()
    for table, column, value in fills:
        for left in path.parent.glob("a.db-*"):
            left.unlink()
        path.write_bytes(held)
        change(path, f"UPDATE {table} SET {column} = {value}")
        yield table, column, value


@pytest.mark.parametrize("at", range(4))
def test_no_value_in_any_column_raises(odd_path, passing, at, capsys):
    commands = itertools.cycle(COMMANDS)
    for fill, command in zip(filled(odd_path, passing[at::4]), commands):
        assert run_on(odd_path, command) in (0, 1, 2), fill
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
def test_what_would_stop_the_radio_or_a_printer_is_refused_by_name(odd_path, sql, capsys):
    change(odd_path, sql)
    for command in COMMANDS:
        assert run_on(odd_path, command) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and "plusthree restore" in said
        assert f"rows of {sql.split()[1]} are none that this program writes" in said
    assert plusthree("audit", odd_path) == 1
    assert "are none that this program writes" in capsys.readouterr().out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
@pytest.mark.parametrize(
    "part", ("", "-wal", "-shm", "-journal", ".head", ".key", ".time", ".lock.by", ".keys")
)
def test_a_pipe_in_the_place_of_a_file_is_never_waited_for(odd_path, part, capsys, monkeypatch):
    monkeypatch.setenv("PLUSTHREE_PASSPHRASE", "a long enough phrase")
    place = odd_path.with_name(f"{odd_path.name}{part}" if part != ".keys" else "a.keys")
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    commands = [(*command, odd_path) for command in COMMANDS if command[0] != "paper"]
    commands += [("audit", odd_path), ("link", "judge", "Ada", odd_path)]
    commands += [("restore", odd_path.parent, odd_path.with_name("new.db"))]
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
def test_numbers_of_rows_that_leave_no_room_are_refused(odd_path, sql, capsys):
    change(odd_path, sql)
    assert run_on(odd_path, COMMANDS[0]) == 2
    assert "numbered up to the end" in capsys.readouterr().err
    assert plusthree("audit", odd_path) == 1


@pytest.mark.parametrize("seq", (0, 1 << 40))
def test_numbers_of_rows_within_their_bounds_are_gone_on_with(odd_path, seq):
    change(odd_path, f"UPDATE sqlite_sequence SET seq = {seq}")
    assert run_on(odd_path, COMMANDS[-1]) == 0 and run_on(odd_path, COMMANDS[-1]) == 0


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
def test_a_notice_that_cannot_be_read_counts_for_nothing(odd_path, what, read, before, value):
    with Archive(odd_path) as archive:
        archive.notices.add(what, value, "Eve", 1)
        found = read(archive)
    assert found == before or value == "" and not found


def test_the_clock_stands_where_frames_end():
    clock = HostClock(0, 1 << 40, lambda: 0)
    assert clock.now_ms() == LATEST_MS < 1 << 32


def test_an_event_that_is_too_old_for_its_boards_is_refused(odd_path, capsys):
    change(odd_path, "UPDATE events SET origin_unix_ms = 1")
    resigned.resign(odd_path)
    assert run_on(odd_path, ("serve", "--no-web")) == 2
    assert "began more than 49 days ago" in capsys.readouterr().err
    assert run_on(odd_path, COMMANDS[-1]) == 0  # without the radio a result can still be put right


def test_an_archive_that_is_refused_is_let_go(odd_path):
    change(odd_path, "UPDATE commands SET at_ms = 1 << 32")
    with pytest.raises(UserError, match="rows of commands") as refused:
        Archive(odd_path)
    with Archive(odd_path, odd=True):  # as an older archive is read, by the tables that it has
        assert refused.tb


@pytest.mark.parametrize("sql, odd", (
    ("INSERT INTO pairings VALUES (5, 1, 9, NULL, '1', NULL)", []),  # a bye
    ("UPDATE rounds SET minutes = 1.5", ["1 rows of rounds"]),
    ("UPDATE pairings SET table_number = 1.5 WHERE table_number = 1", ["1 rows of pairings"]),
    ("UPDATE pairings SET player_b = CAST(X'ff' AS TEXT) WHERE table_number = 1", ["1 rows of pairings"]),
    ("UPDATE pairings SET player_b = X'ff' WHERE table_number = 1", ["1 rows of pairings"]),
))  # fmt: skip
def test_an_empty_place_is_not_odd_and_half_a_number_is(odd_path, sql, odd):
    with unguarded(odd_path) as db:
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


BOARD, NOW_MS = "a radio", 200_000


def signed(kind, counter, payload):
    key = frames.stream_key(frames.board_key(MASTER, 101, 1), EVENT, frames.UP, 1)
    return signatures.sign(key, kind, 101, 1, counter, payload).hex()


STATUS = signed(frames.STATUS, 60_000, frames.pack_status(0, 2, 0, frames.UNSENT, 9))
ASKED = signed(frames.TIME_ASKED, 60_001, frames.plain(7))
SAID = (  # a board is heard, connected to and served
    ["heard", BOARD, STATUS, NOW_MS],
    ["do", "extend 1 2", NOW_MS],
    ["poll", NOW_MS],
    ["opened", BOARD],
    ["received", BOARD, ASKED, NOW_MS + 20],
    *(["poll", NOW_MS + 100 * n] for n in range(1, 30)),
    ["do", "results", NOW_MS],
    ["closed", BOARD],
    ["poll", NOW_MS + 9000],
)


@pytest.fixture
def tethered(monkeypatch, capsys):
    """A function that gives lines to the command; it returns the exit code, answers and errors."""

    def run(path, lines):
        given = b"\n".join(
            one if isinstance(one, bytes) else json.dumps(one).encode() for one in lines
        )
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
        code, said = plusthree("dev", "simulate", "tether", path), capsys.readouterr()
        return code, [json.loads(line) for line in said.out.splitlines()], said.err

    return run


def test_a_board_is_served(path, tethered):
    code, answers, errors = tethered(path, SAID)
    assert (code, errors) == (0, "") and len(answers) == len(SAID)
    assert answers[2] == [["connect", BOARD]]
    written = [action for answer in answers[5:] if answer for action in answer]
    assert ["write", BOARD] in [action[:2] for action in written]


NONSENSE = (
    b"", b"{", b"7", b"null", b'"poll"', b"[]", b"[[]]", b"[{}]", b'{"poll": 5}', b"\xff\xfe\xfa", b"[" * 9000,
    b"[" + b"9" * 5000 + b"]", ["fly", 1], ["poll"], ["poll", 5, 5], ["poll", "5"], ["poll", 5.5], ["poll", True],
    ["poll", -1], ["poll", LATEST_MS + 1], ["poll", float("inf")], ["poll", None], ["heard", BOARD, STATUS],
    ["heard", BOARD, "XYZ", 5], ["heard", BOARD, "abc", 5], ["heard", 7, STATUS, 5], ["heard", [BOARD], STATUS, 5],
    ["received", {}, STATUS, 5], ["received", BOARD, 7, 5], ["opened"], ["opened", []], ["closed", {"a": 1}],
    ["do", 7, 5], ["do", "results"], ["do", "results", 1 << 40], ["identify", 101, 5], ["__class__"],
    b'["do", "' + b"x" * (1 << 20) + b'", 5]',
)  # fmt: skip


@pytest.mark.parametrize("line", NONSENSE, ids=range(len(NONSENSE)))
def test_a_line_that_nobody_asks_is_refused_and_the_next_is_served(path, tethered, line):
    code, answers, errors = tethered(path, [line, *SAID])
    assert code == 1 and errors == "plusthree dev: 1 line was refused: see the answers\n"
    assert list(answers[0]) == ["refused"] and "is asked" in answers[0]["refused"]
    assert answers[3] == [["connect", BOARD]], "and the rest is as if it had not been"


NUMBERS = st.integers() | st.integers(0, LATEST_MS) | st.floats() | st.booleans()
LEAVES = NUMBERS | st.text(max_size=30) | st.none() | st.sampled_from((BOARD, STATUS, ASKED))
WORDS = st.sampled_from((*tether.WORDS, "__init__", "alarms"))
ASKS = st.tuples(WORDS, LEAVES, LEAVES, LEAVES) | st.tuples(WORDS, LEAVES, LEAVES)
ASKS |= st.tuples(WORDS, LEAVES) | st.recursive(LEAVES, lambda one: st.lists(one, max_size=3))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(ASKS.map(lambda one: json.dumps(one).encode()) | st.binary(max_size=40), max_size=6)
)
def test_whatever_is_asked_is_answered(venue, lines):
    asked = b"".join(line.replace(b"\n", b" ") + b"\n" for line in lines)
    answers = io.StringIO()
    tether.run(venue.station.collector, lambda line: [line], io.BytesIO(asked), answers)
    assert len(answers.getvalue().splitlines()) == len(lines)


@pytest.mark.parametrize("at", range(4))
def test_no_value_in_any_column_of_the_archive_raises(path, passing, tethered, at):
    for fill in filled(path, passing[at::4]):
        code, answers, errors = tethered(path, SAID)
        told = (*fill, errors)
        assert "Traceback" not in errors, told
        assert (code, len(answers)) == (0, len(SAID)) or code == 2 and errors.count("\n") == 1, told


def spoilt(path):
    path.write_bytes(path.read_bytes()[:5000])


def without_its_key(path):
    master_key.path_of(path).unlink()


def with_a_trigger(path):
    with sqlite3.connect(path) as db:
        db.execute("CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM links; END")


def of_zeros(path):
    path.write_bytes(bytes(9000))


def a_folder(path):
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("spoil", (spoilt, without_its_key, with_a_trigger, of_zeros, a_folder))
def test_what_is_no_archive_is_refused_with_a_sentence(path, tethered, spoil):
    spoil(path)
    code, answers, errors = tethered(path, SAID)
    assert (code, answers) == (2, []) and errors.count("\n") == 1, errors


def test_the_end_of_who_reads_is_its_end(path):
    program = pathlib.Path(sys.executable).with_name("plusthree")
    with subprocess.Popen(
        [program, "dev", "simulate", "tether", path],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        process.stdout.close()
        process.stdin.write(b'["poll", 5]\n' * 3)
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


VALUES = (
    "'x'", "X'FF'", "CAST(X'FF' AS TEXT)", "-1", "65536", "4294967296", "9223372036854775807", "''",
    "7.5", "NULL", "replace(hex(zeroblob(60000)), '0', 'A')",
)  # fmt: skip
COLUMNS = [(table, name) for table, named in table_shapes.tables().items() for name in named]
