"""The commands around an event: from TOM's file in, over boards that play, to everything out."""

import csv
import importlib
import io
import json
import re

import pytest
import tomfile
from commands import plusthree
from hypothesis import given
from hypothesis import strategies as st
from tabletop import Venue

from host.archive.roster import Format, Pairing, Player
from host.archive.store import Archive
from host.base.standard_streams import printable
from host.formats import cryodex, csv_reader, event_file, tom_file
from host.formats.csv_reader import guard, unguard
from host.formats.import_file import ImportedFile
from host.reports import exports

PACK = "pokemon-swiss"
EVIL = ["=1+1", "+cmd", "-1", "@x", "'=1", "<script>alert(1)</script>", "a\u202eb", 'Zoë, "q"']


@pytest.fixture
def venue(here):
    """Two tables of TOM's round 2: seat 1 wins at table 1, the other still plays."""
    venue = Venue(here / "plusthree.db", tables=2)
    roster = venue.archive.roster
    pairings = [
        Pairing(2, n, n, Player(str(99 + 2 * n), f"A{n}"), Player(str(100 + 2 * n), EVIL[n]))
        for n in (1, 2)
    ]
    roster.store_round(
        2, Format(0, 3 << 1, 50), [*pairings, Pairing(2, 3, None, Player("9", EVIL[5]), None)]
    )
    venue.station.refresh()
    venue.begin(2)
    venue.win(venue.boards[0], seat=1)
    venue.station.desk.extend(2, 3, "Rosa", "long call")
    venue.drain()
    yield venue
    venue.station.close()


def told(capsys, *words, code=0):
    assert plusthree(*words) == code
    return capsys.readouterr().out


def test_everything_is_read_while_the_host_is_at_work(venue, capsys):
    assert "A1 (101) – +cmd (102)  +cmd wins 0–2" in told(capsys, "show", "results").replace(
        "\u00a0", " "
    )
    lines = json.loads(told(capsys, "show", "results", "--json"))
    assert [line["state"] for line in lines] == ["final", "open", "bye"]
    assert told(capsys, "show", "results", "--all").startswith("round 1, 2 outstanding")
    table = json.loads(
        told(capsys, "show", "standings", "--pack", PACK, "--round", "2", "--json", code=1)
    )
    assert table["open_tables"] == [1, 2, 2] and table["lines"][0]["points"] == 3
    assert "still to come: table" in told(
        capsys, "standings", "--pack", PACK, "--round", "2", code=1
    )


def test_csv_begins_no_formula_and_names_come_back(venue, capsys, here):
    told(capsys, "export", "csv", "--out", "out")
    text = (here / "out" / "results.csv").read_text(encoding="utf-8-sig")
    for row in csv.reader(io.StringIO(text)):
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) for cell in row)
    rows = csv_reader.read(here / "out" / "results.csv", ("name_a", "name_b")).rows
    assert {EVIL[1], EVIL[2]} <= {row["name_b"] for _, row in rows}
    assert rows[-1][1]["name_a"] == EVIL[5]


def test_json_has_everything_and_no_key(venue, capsys, here):
    told(capsys, "export", "json", "--pack", PACK)
    whole = json.loads((here / "everything.json").read_text(encoding="utf-8"))
    assert len(whole["journal"]) == whole["records"] > 20 and len(whole["boards"]) == 2
    assert whole["standings"]["lines"][0][2] == "+cmd"
    assert [(one["what"], one["author"], one["reason"]) for one in whole["incidents"]] == [
        ("extension", "Rosa", "long call")
    ]
    assert "key" not in whole and bytes(range(32)).hex() not in json.dumps(whole)


def test_toms_file_is_filled_in_a_copy(venue, capsys, here):
    (here / "cup.tdf").write_bytes(tomfile.swiss(4).encode())
    out = told(capsys, "export", "tdf", "--tdf", "cup.tdf", "--round", "2")
    assert "Type these into TOM:" in out and "2 (Tom & Jerry D’Angelo wins)" in out
    assert "cup.plusthree-1.tdf" in out
    before, after = tom_file.read(here / "cup.tdf"), tom_file.read(here / "cup.plusthree-1.tdf")
    assert [(a.outcome, b.outcome) for a, b in zip(before.matches, after.matches, strict=True)][
        2:
    ] == [(0, 2), (0, 0)]
    assert (here / "cup.plusthree-1.txt").read_text(encoding="utf-8").count("\n") == 1
    words = "export --format tdf --tdf cup.plusthree-1.tdf --round 2 --json"
    done = json.loads(told(capsys, *words.split()))
    assert done["files"] == [] and done["matches"]["same"] == 1 and done["matches"]["missing"] == 1


def test_a_result_that_tom_has_otherwise_asks_for_an_eye(venue, capsys, here):
    raw = tomfile.swiss(4).replace('outcome="0"', 'outcome="1"').encode()
    (here / "cup.tdf").write_bytes(raw)
    out = told(capsys, "export", "tdf", "--tdf", "cup.tdf", "--round", "2", code=1)
    assert "TOM says: 1" in out and sorted(one.name for one in here.glob("cup*")) == ["cup.tdf"]
    assert (here / "cup.tdf").read_bytes() == raw


def test_cryodex_and_list_fortress(venue, capsys, here):
    told(capsys, "export", "cryodex")
    file = cryodex.read(here / "cryodex.json")
    assert file.name == "Test Cup" and [len(matches) for _, matches in file.rounds] == [2, 3]
    assert [match.result for match in file.rounds[1][1]] == ["win", None, "bye"]
    told(capsys, "export", "listfortress")
    whole = json.loads((here / "listfortress.json").read_text(encoding="utf-8"))
    first = whole["rounds"][1]["matches"][0]
    assert first["winner_id"] == first["player2_id"] and first["went_to_time"] is False
    assert first["rounds_played"] is None


def test_the_next_round_is_drafted_and_goes_in_again(here, capsys):
    (here / "cup.tdf").write_bytes(tomfile.byes().encode())
    out = told(capsys, "import", "cup.tdf", "--format", "p18 bo3 50", "--json")
    assert json.loads(out) == {
        "event": "Coppa d'Inverno", "round": 2, "format": "p18 swiss bo3 constructed 50",
        "matches": 2, "byes": 1,
        "rounds": 2, "read": [{"round": 1, "results": 2, "matches": 2}], "said": [],
    }  # fmt: skip
    assert told(capsys, "import", "cup.tdf", "--format", "p18 bo3 50")  # once more is fine
    assert plusthree("pair", "next.csv", "--pack", PACK) == 2
    assert "results are missing: table" in capsys.readouterr().err
    assert not (here / "next.csv").exists()


@pytest.fixture
def four_byes(here, capsys):
    """An archive of round 1, in which Ann (1), Bo (2), Cy (3) and Di (4) had byes."""
    rows = "\r\n".join(f',{n},"{name}",,' for n, name in enumerate(("Ann", "Bo", "Cy", "Di"), 1))
    (here / "one.csv").write_text(
        f"# event: Cup\n# format: p18 bo3 50\ntable,number_a,name_a,number_b,name_b\n{rows}\n"
    )
    told(capsys, "import", "one.csv")
    return here


def numbers_in(file):
    return {one.number for pairing in file.pairings for one in (pairing.a, pairing.b)}


def test_a_drop_and_a_late_entry(four_byes, capsys):
    words = "--seed", "3", "--drop", "4", "--late", "7==Eve"
    assert "seed 3" in told(capsys, "pair", "two.csv", "--pack", PACK, *words)
    file = event_file.read(four_byes / "two.csv")
    assert file.round == 2 and numbers_in(file) == {"1", "2", "3", "7"}
    assert "=Eve" in str(file.pairings)
    assert ImportedFile(four_byes / "two.csv").event_file() == file


def test_a_cut(four_byes, capsys):
    told(capsys, "pair", "cut.csv", "--pack", PACK, "--cut", "4", "--untimed")
    cut = event_file.read(four_byes / "cut.csv")
    assert cut.format.bits & 1 and cut.format.minutes == 999
    assert numbers_in(cut) == {"1", "2", "3", "4"}


def test_a_rank_shared_across_the_cut_is_settled_by_name(four_byes, capsys):
    words = "pair", "cut.csv", "--pack", PACK, "--cut", "2"
    assert plusthree(*words) == 2
    asked = capsys.readouterr().err
    assert "share rank" in asked and "of them go on" in asked
    sharing = re.findall(r"\((\w+)\)", asked)
    assert len(sharing) == 4
    told(capsys, *words, "--through", "4", "--through", "2")
    assert numbers_in(event_file.read(four_byes / "cut.csv")) == {"2", "4"}


@pytest.mark.parametrize(("words", "sentence"), (
    (["one.csv"], "there already"), (["x.csv", "--drop", "9"], "did not play"),
    (["x.csv", "--late", "1=Ann"], "in already"), (["x.csv", "--late", "Ann"], "not NUMBER=NAME"),
    (["x.csv", "--cut", "2"], "share rank"), (["x.csv", "--cut", "8"], "not possible"),
))  # fmt: skip
def test_a_draft_that_cannot_be_says_why(four_byes, capsys, words, sentence):
    assert plusthree("pair", *words, "--pack", PACK) == 2
    assert sentence in capsys.readouterr().err


def test_no_event_no_round(here, capsys):
    Archive("plusthree.db").close()
    assert plusthree("show", "standings") == 2 and "holds no event yet" in capsys.readouterr().err
    assert not (here / "out").exists()


def test_a_name_cannot_steer_the_terminal():
    assert printable("a\x1b[2Jb\u202ec") == "a[2Jbc"


def test_import_is_a_module_with_a_keywords_name():
    assert importlib.import_module("host.cli.import").run


def test_what_is_played_is_taken_from_the_same_event_alone(here, capsys):
    (here / "cup.tdf").write_bytes(tomfile.swiss().encode())
    assert plusthree("import", "cup.tdf") == 2 and "add --format" in capsys.readouterr().err
    assert not (here / "plusthree.db").exists()
    told(capsys, "import", "cup.tdf", "--format", "p18 bo3 50", "--round", "1")
    assert "bo3 constructed 50" in told(capsys, "import", "cup.tdf")
    (here / "other.tdf").write_bytes(tomfile.swiss().replace("Coppa", "Other").encode())
    assert plusthree("import", "other.tdf") == 2 and "add --format" in capsys.readouterr().err
    assert plusthree("import", "cup.tdf", "--pod", "0") == 2
    assert "no open match" not in capsys.readouterr().out


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
