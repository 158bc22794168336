"""The commands as people start them: bad input, no radio, two at once, provisioning."""

import functools
import os
import sqlite3
import stat
import subprocess
import sys
import tomllib

import laid
import pytest
from commands import plusthree

from firmware.core import frames, intents, settings
from host.archive import master_key
from host.archive.store import Archive
from host.boards import models
from host.cli import serve
from host.desk import beginning
from host.desk.station import Station
from host.formats import pasted_players
from host.systems import catalogue

GOOD = (
    "# event: Cup\n# format: p18 swiss bo3 constructed 50\n"
    "table,number_a,name_a,number_b,name_b\n1,10,Ann,11,Bo\n"
)


def typed(monkeypatch, text):
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_a_bad_event_file_stores_nothing(here, capsys):
    (here / "bad.csv").write_text("table,number_a\n")
    assert plusthree("serve", "bad.csv", "--no-radio") == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "bad.csv:1: the column name_a is missing" in told
    assert sorted(path.name for path in here.iterdir()) == ["bad.csv"]


def test_the_archive_is_usable_without_a_radio(here, capsys, monkeypatch):
    (here / "e.csv").write_text(GOOD)
    typed(monkeypatch, "show tables\nshow results\ndraw\ndraft all build\nquit\n")
    assert plusthree("serve", "e.csv", "--no-radio") == 0
    said = capsys.readouterr().out
    assert "Ann (10) – Bo (11)" in said and "not done: no table has a board" in said
    assert "not done: round 1 is published: the next one is drafted" in said
    assert (here / "results.csv").exists() and (here / "results.json").exists()
    typed(monkeypatch, "show results\n")  # the end of the input ends it, too
    assert plusthree("serve", "--no-radio") == 0
    with Archive("plusthree.db") as archive:
        assert archive.roster.rounds == [1] and len(archive.orders.all) == 2


def test_without_an_event_the_desk_is_served_and_its_first_event_begins_there(
    here, capsys, monkeypatch
):
    """A restart goes on with the event, also while it has no round yet."""
    typed(monkeypatch, "enter 1 Ann\nshow results\nquit\n")
    words = ["serve", "--no-radio", "--port", "0", "--name", "Ada"]
    assert plusthree(*words) == 0
    said = capsys.readouterr().out
    assert "link 1, organiser, for Ada: http://127.0.0.1:" in said and "no event yet" in said
    assert "not done: there is no event yet: begin one on the organiser's page" in said
    assert not (here / "results.csv").exists()
    with Station("plusthree.db") as station:
        station.planned_origin_unix_ms = serve._unix_ms()
        new = beginning.NewEvent("Cup", "xw15 50")
        people = pasted_players.read("1 Ann\n2 Bo").people
        beginning.begin(station, new, people, catalogue.built_in(), "Ada")
    typed(monkeypatch, "draw 7\npublish 1\nshow results\nquit\n")
    assert plusthree(*words) == 0
    said = capsys.readouterr().out
    assert "Cup, no boards" in said and "round 1 is drawn" in said
    assert "Ann (1)" in said and "Bo (2)" in said and (here / "results.csv").exists()


def test_a_start_without_room_on_the_disk_says_what_to_do(here, capsys, monkeypatch):
    def narrow(path):
        db = sqlite3.connect(path, isolation_level=None)
        db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}")
        return db

    typed(monkeypatch, "quit\n")
    (here / "e.csv").write_text(GOOD)
    assert plusthree("serve", "e.csv", "--no-radio", "--no-web") == 0
    more = "".join(f"{table},{10 * table},Ann,{10 * table + 1},Bo\n" for table in range(2, 200))
    (here / "f.csv").write_text(GOOD.replace("# format", "# round: 2\n# format") + more)
    monkeypatch.setattr(serve, "Station", functools.partial(Station, connect=narrow))
    assert plusthree("serve", "f.csv", "--no-radio", "--no-web") == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "make room on its disk" in told


def test_killed_at_work_it_has_every_act_it_told_of(here, root):
    plusthree("board", "provision", "--device", "7", "--table", "1")
    (here / "e.csv").write_text(GOOD)
    host = subprocess.Popen(
        [sys.executable, "-u", "-c", "import sys; from host.cli import main; sys.exit(main())",
         "serve", "e.csv", "--no-radio", "--no-web"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    )  # fmt: skip
    host.stdout.readline()
    for line in ("late 1 A", "freeze 1 deck check"):
        host.stdin.write(line + "\n")
        host.stdin.flush()
        assert "asked of table 1" in host.stdout.readline()
    host.kill()
    host.wait()
    host.stdin.close()
    host.stdout.close()
    with Archive("plusthree.db") as archive:
        kinds = [order.kind for order in archive.orders.pending]
        assert kinds == [intents.SET_ROUND, intents.SET_FORMAT, intents.STAMP_LATE, intents.FREEZE]
        assert archive.orders.all[-1].reason == "deck check"


def test_the_same_round_with_other_pairings_is_refused(here, capsys, monkeypatch):
    (here / "e.csv").write_text(GOOD)
    typed(monkeypatch, "")
    assert plusthree("serve", "e.csv", "--no-radio") == 0
    (here / "e.csv").write_text(GOOD.replace("11,Bo", "12,Cy"))
    assert plusthree("serve", "e.csv", "--no-radio") == 2
    assert "says something else" in capsys.readouterr().err
    (here / "e.csv").write_text("# round: 2\n" + GOOD.replace("11,Bo", "12,Cy"))
    assert plusthree("serve", "e.csv", "--no-radio") == 0


def test_a_file_of_the_next_round_is_a_draft_while_a_match_before_it_is_not_over(
    tmp_path, capsys, monkeypatch
):
    """As *Publish* asks on the page: the match at table 1 would end without a result."""

    def begin_a_game(venue):
        assert venue.boards[0].ask(venue.air.now_ms, intents.SET_STARTER, 0)
        venue.drain()

    path = laid.played(tmp_path, begin_a_game)
    with Archive(path) as archive:
        rows = [
            f"{one.table},{one.a.number},{one.a.name},{one.b.number},{one.b.name}"
            for one in archive.roster.pairings_of(1)
        ]
    file = path.with_name("round2.csv")
    title, *head = GOOD.splitlines()[:3]
    lines = [title.replace("Cup", "Test Cup"), "# round: 2", *head, *rows]
    file.write_text("\n".join(lines) + "\n")

    def served(*lines):
        typed(monkeypatch, "".join(f"{line}\n" for line in lines))
        code = plusthree("serve", str(file), str(path), "--no-radio", "--no-web")
        assert code == 0, capsys.readouterr().err
        with Archive(path) as archive:
            return capsys.readouterr().out, archive.orders.last_round(intents.SET_ROUND)

    said, published = served()
    assert published == 1 and "draft until somebody publishes it on the page" in said
    assert "Round 1 is not over at table 1: its match ends there" in said
    said, published = served("publish 2 sure")
    assert published == 2
    said, published = served()
    assert published == 2 and "is not over" not in said


def test_an_archive_whose_key_is_lost_is_not_given_a_new_one(here, capsys):
    plusthree("board", "provision", "--device", "7", "--table", "1")
    os.remove("plusthree.db.key")
    (here / "e.csv").write_text(GOOD)
    assert plusthree("serve", "e.csv", "--no-radio") == 2
    assert "no master key" in capsys.readouterr().err
    assert plusthree("board", "provision", "--device", "8", "--table", "2") == 2


def test_provisioned_settings_are_what_the_board_reads(here, capsys):
    words = "board provision --device 7 --table 3 --language it --out s.toml"
    assert plusthree(*words.split()) == 0
    with open("s.toml", "rb") as file:
        raw = tomllib.load(file)
    found = settings.read(raw, models.SKEWS)
    master = master_key.load("plusthree.db.key")
    assert found["key"] == frames.board_key(master, 7, 1)
    assert (found["device"], found["generation"], found["language"], found["role"]) == (
        7, 1, "it", "table",
    )  # fmt: skip
    assert found["key"].hex() not in capsys.readouterr().out
    if os.name == "posix":
        for path in ("s.toml", "plusthree.db.key", "plusthree.db"):
            assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_provisioning_again_raises_the_generation_and_keeps_other_settings(here):
    plusthree("board", "provision", "--device", "7", "--table", "3", "--out", "s.toml")
    with open("s.toml", "a") as file:
        file.write("CIRCUITPY_BLE_WORKFLOW = false\n")
    assert plusthree("board", "provision", "--device", "7", "--table", "3", "--out", "s.toml") == 0
    with open("s.toml", "rb") as file:
        raw = tomllib.load(file)
    assert raw["PLUSTHREE_GENERATION"] == 2 and raw["CIRCUITPY_BLE_WORKFLOW"] is False


@pytest.mark.parametrize(("more", "words"), [
    (["--device", "8", "--table", "3"], "table 3 already has board 7"),
    (["--device", "7", "--table", "4", "--generation", "1"], "already has key generation 1"),
    (["--device", "0", "--table", "4"], "--device must be from 1 to 65534"),
    (["--device", "8", "--table", "0"], "--table must be from 1 to 65535"),
    (["--device", "8", "--table", "4", "--out", "no/such/s.toml"], "cannot be written"),
])  # fmt: skip
def test_provisioning_refuses_what_would_not_work(here, capsys, more, words):
    plusthree("board", "provision", "--device", "7", "--table", "3")
    assert plusthree("board", "provision", *more) == 2
    assert words in capsys.readouterr().err
    with Archive("plusthree.db") as archive:
        assert len(archive.roster.boards) == 1


def test_a_readable_master_key_is_refused(here, capsys):
    if os.name != "posix":
        pytest.skip("file modes are POSIX")
    plusthree("board", "provision", "--device", "7", "--table", "3")
    os.chmod("plusthree.db.key", 0o644)
    assert plusthree("board", "provision", "--device", "8", "--table", "4") == 2
    assert "chmod 600" in capsys.readouterr().err


@pytest.mark.parametrize(
    "login, said", (("a\udcffb", "desk"), ("a\x1bb", "desk"), ("ada", "ada"), ("\u200bada", "ada"))
)
def test_a_login_whose_name_cannot_be_stored_is_the_desk(login, said, here, monkeypatch):
    monkeypatch.setenv("LOGNAME", login)
    (here / "e.csv").write_text(GOOD)
    typed(monkeypatch, "enter 12 Cy\n")
    assert plusthree("serve", "e.csv", "--no-radio", "--no-web") == 0
    with Archive("plusthree.db") as archive:
        assert archive.query("SELECT author FROM entries WHERE player = '12'") == [(said,)]
