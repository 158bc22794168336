"""What organisers take home."""

import csv
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tabletop import Venue

from host.archive.roster import Format, Pairing, Player
from host.formats.csv_reader import guard, unguard
from host.reports import exports

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1", "'", "＝1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_begins_a_formula(text):
    assert guard(text)[0] == "'" and unguard(guard(text)) == text


@given(st.text())
def test_guarded_text_comes_back(text):
    assert unguard(guard(text)) == text
    assert not guard(text).startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.fixture
def played(tmp_path):
    venue = Venue(tmp_path / "a.db", tables=2)
    venue.begin()
    venue.win(venue.boards[0], seat=1)
    venue.drain()
    yield venue
    venue.station.close()


def test_csv_has_every_pairing_once(played, tmp_path):
    exports.write_results(played.archive, played.station.hall, tmp_path / "out")
    with open(tmp_path / "out" / "results.csv", encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["table"] for line in lines] == ["1", "2"]
    assert (lines[0]["outcome"], lines[0]["games_a"], lines[0]["games_b"], lines[0]["by"]) == (
        "B", "0", "2", "agreed",
    )  # fmt: skip
    assert (lines[1]["outcome"], lines[1]["state"]) == ("", "open")


def test_json_has_everything(played, tmp_path):
    exports.write_results(played.archive, played.station.hall, tmp_path)
    told = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert told["event"]["name"] == "Test Cup"
    assert told["rounds"] == {"1": "p18 swiss bo3 constructed 50"}
    assert told["tally"] == {"0": [0, 1, 0], "1": [1, 0, 0], "2": [0, 0, 0], "3": [0, 0, 0]}
    assert all(order["author"] for order in told["orders"])
    assert "key" not in str(told).casefold()


def test_byes_are_listed_and_count_nothing(played):
    roster = played.archive.roster
    roster.store_round(2, Format(0, 6, 50), [Pairing(2, 1, None, Player("0", "=cmd()"), None)])
    lines = exports.table_of(played.archive, played.station.hall, 2)
    assert [line["state"] for line in lines] == ["bye"]
    assert exports.tally(lines) == {"0": [0, 0, 0]}
