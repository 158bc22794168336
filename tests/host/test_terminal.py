"""The commands that look, and the live view: what they say of two tables at play."""

import dataclasses
import io
import json

import pytest
from commands import plusthree
from rich.console import Console as Terminal
from tabletop import Venue

from firmware.core import intents
from host import cli
from host.archive.roster import Pairing, Player
from host.base.words import last_record_text
from host.cli import watch
from host.event import table_rows
from host.event.archive_view import ArchiveView
from host.event.judge_calls import calls
from host.server import live_view
from host.server.monitor import Monitor


@pytest.fixture
def venue(here):
    venue = Venue(here / "plusthree.db", tables=2)
    venue.begin()
    yield venue
    venue.station.close()


def call(venue, table, number):
    assert venue.boards[table - 1].ask(venue.air.now_ms, intents.CALL_JUDGE, number)
    venue.drain()


def told(capsys, *words):
    assert plusthree(*words) == 0
    return capsys.readouterr().out


def test_a_call_is_one_call_until_it_is_dealt_with(venue):
    call(venue, 1, 0)
    began_ms = calls(venue.archive)[0].called_ms
    venue.air.run(5000)
    call(venue, 1, 2)  # the reason, chosen after the key was held
    (one,) = calls(venue.archive)
    assert (one.type, one.called_ms, one.open) == ("deck", began_ms, True)
    venue.station.desk.command(intents.Arrive, 1)
    venue.drain()
    (one,) = calls(venue.archive)
    assert one.open and one.waited_ms(10**9) == one.arrived_ms - began_ms
    venue.station.desk.command(intents.EndCall, 1)
    venue.drain()
    call(venue, 1, 9)  # of a board newer than this host
    first, second = calls(venue.archive)
    assert not first.open and second.open and second.type == "judge"


def test_everything_is_told_beside_the_running_host(venue, capsys):
    assert "Nobody is waiting" in told(capsys, "show", "calls")
    call(venue, 2, 1)
    venue.station.desk.extend(2, 5, "Rosa", "long call")
    venue.win(venue.boards[0])
    venue.drain()
    state = json.loads(told(capsys, "show", "status", "--json"))
    assert (state["state"], state["tables"], state["results"], state["extended"]) == (
        "started", 2, 1, 1,
    )  # fmt: skip
    assert [one["type"] for one in state["calls"]] == ["rules"]
    assert "results: 1 of 2, 1 playing" in told(capsys, "show", "status")
    first, second = json.loads(told(capsys, "show", "tables", "--json"))
    assert first["result"]["outcome"] == "A" and first["a"]["name"] == "Given0 Family"
    assert second["result"] is None and second["notes"] == ["judge called"]
    assert second["extension_s"] == 300
    assert "(+5)" in told(capsys, "show", "tables")
    (one,) = json.loads(told(capsys, "show", "calls", "--json"))
    assert one["table"] == 2 and one["arrived_ms"] is None and one["waited_ms"] >= 0
    assert "table   2  rules" in told(capsys, "show", "calls", "--all")


@pytest.mark.parametrize("number, kind", ((0, "judge"), (254, "failed"), (255, "different")))
def test_a_call_that_a_board_makes_itself_has_its_reason(venue, capsys, number, kind):
    call(venue, 1, number)
    assert f"table   1  {kind}" in told(capsys, "show", "calls")
    with ArchiveView(venue.path) as view:
        assert f"JUDGE  table 1  {kind}" in drawn(Monitor(view), venue)


def test_the_live_view_follows_the_archive(venue):
    with ArchiveView(venue.path) as view:
        monitor = Monitor(view)
        assert "0 of 2 results" in drawn(monitor, venue) and "JUDGE" not in drawn(monitor, venue)
        call(venue, 1, 3)
        assert "JUDGE  table 1  result" in drawn(monitor, venue)
        venue.win(venue.boards[1])
        venue.drain()
        assert "1 of 2 results" in drawn(monitor, venue)


@pytest.mark.parametrize(
    "seconds, age",
    (
        (0, "0 s"), (59.9, "59 s"), (60, "1 min"), (3599, "59 min"), (3600, "1 h"),
        (86_399, "23 h"), (86_400, "1 day"), (97_647 * 60 + 12, "67 days"),
    ),
)  # fmt: skip
def test_the_age_of_the_last_record_is_one_number(seconds, age):
    then_ms = 5
    said = last_record_text(then_ms, then_ms + round(seconds * 1000))
    assert said == f"last record {age} ago"


def test_without_a_record_there_is_no_age():
    assert last_record_text(None, 5) == "no record has come in yet"


def drawn(monitor, venue):
    file = io.StringIO()
    Terminal(file=file, width=120).print(monitor.view(venue.air.now_ms, 30))
    return file.getvalue()


def test_top_ends_at_the_keyboard_and_once_is_once(venue, capsys):
    waits = []

    def wait(seconds):
        waits.append(seconds)
        if len(waits) > 2:
            raise KeyboardInterrupt

    args = cli.parser_of("show status").parse_args(["--watch"])
    assert watch.watch_room(args, wait) == 0 and len(waits) == 3
    capsys.readouterr()
    assert "Test Cup, round 1: started" in told(capsys, "show", "--watch", "--once")


def test_a_list_is_drawn_anew_until_the_keyboard(venue, capsys):
    drawn = []

    def printed(args):
        drawn.append(args)
        print("Nobody is waiting.")
        return 0

    def wait(seconds):
        if len(drawn) > 2:
            raise KeyboardInterrupt

    args = cli.parser_of("show calls").parse_args(["--watch"])
    assert watch.show(args, printed, wait) == 0 and len(drawn) == 3
    capsys.readouterr()
    for topic in ("tables", "calls", "results"):
        assert plusthree("show", topic) == 0
        plain = capsys.readouterr().out
        assert plusthree("show", topic, "--watch", "--once") == 0
        assert capsys.readouterr().out.split() == plain.split()


def test_what_is_followed_is_for_people(venue, capsys):
    for topic in ("status", "results"):
        assert plusthree("show", topic, "--watch", "--json") == 2
        assert "leave it out, or --json" in capsys.readouterr().err


def test_an_archive_that_is_not_there_is_said(capsys, here):
    for words in (["status"], ["tables"], ["calls"], ["--watch"]):
        assert plusthree("show", *words, "none.db") == 2
        assert "there is no archive none.db" in capsys.readouterr().err


@pytest.fixture
def shown(tmp_path):
    venue = Venue(tmp_path / "a.db", tables=2)
    venue.begin()
    venue.station.desk.extend(2, 5)
    venue.win(venue.boards[0])
    venue.drain()

    def shown():
        station = venue.station
        rows = table_rows.rows(
            station.archive, station.hall, station.collector, 1, venue.air.now_ms
        )
        return rows, text(live_view.whole_view(rows, "Cup", ["said"]))

    yield shown
    venue.station.close()


def text(view):
    file = io.StringIO()
    Terminal(file=file, width=120, force_terminal=False).print(view)
    return file.getvalue()


def test_a_printed_text_is_not_changed():
    file = io.StringIO()
    said = "certificate: BC:7D:A7:CD:A3:AB:0A, [red]Ann[/red]"
    live_view.terminal(file).print(said)
    assert file.getvalue() == f"{said}\n"


def test_every_table_is_in_the_view(shown):
    _, told = shown()
    assert "Given0 Family wins 2–0 (agreed)" in told
    assert "playing" in told and "(+5)" in told
    assert "said" in told


def test_names_cannot_steer_the_terminal(shown):
    rows, _ = shown()
    evil = Pairing(1, 1, 1, Player("1", "A\x1b[2J\u202eB"), Player("2", "[red]x[/red]"))
    told = text(
        live_view.table_view(
            [table_rows.Row(evil, "idle", 0, (0, 0), None, 0, None, None, ())], "t"
        )
    )
    assert "\x1b" not in told and "\u202e" not in told and "[red]x" in told


@pytest.mark.parametrize("count", [3, 40, 500])
@pytest.mark.parametrize("answer", [0, 12, 200])
def test_the_view_keeps_to_its_height(shown, count, answer):
    rows, _ = shown()
    many = [rows[n % 2] for n in range(count)]
    said = [f"line {n}" for n in range(200)]
    told = text(live_view.whole_view(many, "Cup", said, 30, answer))
    assert len(told.splitlines()) <= 30 and "line 199" in told
    assert answer != 12 or "line 188" in told


def test_who_needs_an_eye_is_shown_first(shown):
    rows, _ = shown()
    finished, playing = rows
    called = dataclasses.replace(playing, notes=("judge called",))
    assert live_view.most_urgent([finished, playing, called], 2) == [playing, called]
    assert live_view.most_urgent([finished, playing, called], 1) == [called]
