"""The live view and the line typed below it."""

import dataclasses
import io

import pytest
from rich.console import Console as Terminal
from tabletop import Venue

from host.archive.roster import Pairing, Player
from host.event import table_rows
from host.server import live_view


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
