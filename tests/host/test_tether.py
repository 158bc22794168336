"""``plusthree dev simulate tether``: whatever comes in ends in an answer or a sentence."""

import io
import json
import pathlib
import sqlite3
import subprocess
import sys

import pytest
from commands import plusthree
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from odd_values import COLUMNS, VALUES
from tabletop import EVENT, MASTER
from unguarded import change

from firmware.core import frames
from host.archive import master_key
from host.collector.carriers import tether
from host.collector.host_clock import LATEST_MS
from host.keys import signatures

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
def test_no_value_in_any_column_of_the_archive_raises(path, tethered, at, tmp_path):
    held = path.read_bytes()
    for number, (table, column) in list(enumerate(COLUMNS))[at::4]:
        for value in VALUES[number % 4 :: 4]:
            for left in tmp_path.glob("a.db-*"):
                left.unlink()
            path.write_bytes(held)
            try:
                change(path, f"UPDATE {table} SET {column} = {value}")
            except sqlite3.Error:
                continue  # SQLite itself refuses it
            code, answers, errors = tethered(path, SAID)
            told = (table, column, value, errors)
            assert "Traceback" not in errors, told
            assert (
                (code, len(answers)) == (0, len(SAID)) or code == 2 and errors.count("\n") == 1
            ), told


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
