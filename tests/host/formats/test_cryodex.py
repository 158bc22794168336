"""Cryodex's JSON: read, written, read again or refused; and a store's own event, from the import to standings."""

import json

import pytest
from commands import put

from host.formats import cryodex, cryodex_round
from host.formats.csv_reader import SheetError
from host.formats.import_file import ImportedFile
from host.formats.round_format import parse_format

GOOD = {
    "name": "Coppa d'Inverno",
    "players": [{"name": "Zoë", "mov": 75, "score": 5, "sos": 0, "rank": {"swiss": 1}}, {"name": '"Bo"'}, {"name": "=Cy"}],
    "rounds": [
        {"round-type": "swiss", "round-number": 1, "matches": [
            {"player1": "Zoë", "player1points": 40, "player2": '"Bo"', "player2points": 12,
             "result": "win"},
            {"player1": "=Cy", "player1points": 0, "result": "bye"},
        ]},
        {"round-type": "elimination", "round-number": 2,
         "matches": [{"player1": "Zoë", "player2": "=Cy", "result": "win"}]},
    ],
}  # fmt: skip


@pytest.fixture
def put_match(tmp_path):
    def put_match(value):
        path = tmp_path / "t.json"
        raw = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode()
        path.write_bytes(raw)
        return path

    return put_match


def test_a_round_goes_in_as_an_event_file(put_match):
    file = ImportedFile(put_match(GOOD)).event_file(parse_format("xw15 50"), 1)
    assert file.event == "Coppa d'Inverno" and file.round == 1 and not file.format.bits & 1
    assert [(one.table, one.a.number, one.a.name,
             one.b and one.b.name) for one in file.pairings] == [
        (1, "1", "Zoë", '"Bo"'), (None, "3", "=Cy", None),
    ]  # fmt: skip
    last = ImportedFile(put_match(GOOD)).event_file(parse_format("xw15 70"))
    assert last.round == 2 and last.format.bits & 1 and last.format.bits >> 8 & 3 == 1


def test_what_is_written_is_read_again(put_match):
    before = cryodex.read(put_match(GOOD))
    players = [{"name": name, "score": None, "mov": 3, "rank": 1} for name in before.numbers]
    after = cryodex.read(put_match(cryodex.to_json(before.name, players, before.rounds)))
    assert (after.name, after.numbers) == (before.name, before.numbers)
    assert [[(m.names, m.result) for m in matches] for _, matches in after.rounds] == [
        [(m.names, m.result) for m in matches] for _, matches in before.rounds
    ]


def wrong(**changes):
    return GOOD | changes


MATCH = {"player1": "Zoë", "player2": '"Bo"', "result": "win"}


def match(**changes):
    return wrong(rounds=[{"round-type": "swiss", "matches": [{**MATCH, **changes}]}])


@pytest.mark.parametrize(("value", "words"), [
    (b"{", "t.json:1: is not JSON"),
    (b"\xff", "is not UTF-8"),
    (b"{}\0", "holds a NUL"),
    (b'{"name": NaN}', "NaN is not a number of JSON"),
    (b'{"name": 1, "name": 2}', "names something twice"),
    (b"[" * 100_000, "is nested as no tournament is"),
    ([], "an object with players and rounds"),
    ({}, "players as a list"),
    (wrong(players=[1]), "a player as an object"),
    (wrong(players=[{"name": 7}]), "names as texts"),
    (wrong(players=[{"name": "a\u0007b"}]), "is not a name"),
    (wrong(players=[{"name": "Zoë"}, {"name": " Zoë "}]), "Zoë is there twice"),
    (wrong(rounds=7), "rounds as a list"),
    (wrong(rounds=[{"round-type": "final", "matches": []}]), "neither swiss nor elimination"),
    (match(result="lost"), "the result 'lost' is not known"),
    (match(result="bye"), "a bye has one player"),
    (match(player2=None), "a bye has one player"),
    (match(player2="Nobody"), "Nobody is not among the players"),
    (match(player2="Zoë"), "Zoë is paired twice"),
    (match(player1points=-1), "'-1' is not a number of points"),
    (match(player1points=True), "'True' is not a number of points"),
])  # fmt: skip
def test_a_mistake_is_one_sentence(put_match, value, words):
    with pytest.raises(SheetError) as caught:
        cryodex.read(put_match(value))
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_a_round_that_is_not_there(put_match):
    with pytest.raises(SheetError, match="has 2 rounds, and not a round 3"):
        cryodex_round.event_file(cryodex.read(put_match(GOOD)), parse_format("xw15 50"), 3)


SHOP = """name = "shop"
base = "xw15"
minutes = [75, 75, 75, 75]
caps = [100, 100, 100, 100]
"""
CRYODEX = {
    "name": "Escalation",
    "players": [
        {"name": "Ada", "score": 5, "mov": 90, "sos": 0, "rank": {"swiss": 1}},
        {"name": "Bo", "score": 0, "mov": 30, "sos": 5, "rank": {"swiss": 2}},
        {"name": "Cy", "score": 3, "mov": 63, "sos": 0, "rank": {"swiss": 3}},
        {"name": "Di", "score": 0, "mov": 57, "sos": 3, "rank": {"swiss": 4}},
    ],
    "rounds": [
        {"round-type": "swiss", "round-number": 1, "matches": [
            {"player1": "Ada", "player1points": 40, "player2": "Bo", "player2points": 10, "result": "win"},
            {"player1": "Cy", "player1points": 30, "player2": "Di", "player2points": 27, "result": "win"},
        ]},
        {"round-type": "swiss", "round-number": 2, "matches": [
            {"player1": "Ada", "player2": "Cy"}, {"player1": "Bo", "player2": "Di"},
        ]},
    ],
}  # fmt: skip


def test_a_cryodex_file_proposes_xw15_and_brings_its_points(run):
    told = run("import", put("e.json", CRYODEX))
    assert '"xw15 swiss bo1 constructed 70"; another: --format' in told and "round 2 of 2" in told
    table = json.loads(run("show", "standings", "--round", "1", "--json"))
    assert [(one["name"], one["points"], one["margin"]) for one in table["lines"]] == [
        ("Ada", 5, 90), ("Cy", 3, 63), ("Di", 0, 57), ("Bo", 0, 30),
    ]  # fmt: skip
    rows = json.loads(run("show", "results", "--round", "1", "--json"))
    assert (rows[0]["destroyed_a"], rows[0]["destroyed_b"], rows[0]["margin_a"]) == (40, 10, 90)
    assert "Ada wins 40–10 (file)" in run("show", "results", "--round", "1")


def test_each_difference_to_cryodexs_standings_is_named(run):
    told = json.loads(json.dumps(CRYODEX))
    told["players"][0]["mov"] = 95
    run("import", put("e.json", told | {"rounds": told["rounds"][:1]}))
    lines = run("show", "standings").splitlines()
    assert "Ada (1): margin 95 in e.json, 90 here" in lines
    assert "Bo (2): place 2 in e.json, 4 here" in lines


def test_a_win_that_the_points_do_not_show_is_asked_for(run):
    told = json.loads(json.dumps(CRYODEX))
    told["rounds"][0]["matches"][0] |= {"player1points": 0, "player2points": 0}
    said = run("import", put("e.json", told))
    assert "e.json, round 1: it does not say who won, Ada or Bo" in said


def test_a_cryodex_file_with_more_points_than_escalation_asks_for_the_rules(run):
    told = json.loads(json.dumps(CRYODEX))
    told["rounds"][0]["matches"][0]["player1points"] = 100
    said = run("import", put("e.json", told), code=2)
    assert "100 destroyed points, more than Escalation's cap of 60" in said and "--system" in said


def test_a_stores_own_event_of_six_rounds_goes_from_import_to_standings(run):
    told = json.loads(json.dumps(CRYODEX))
    again = told["rounds"][0]
    told["rounds"] = [again | {"round-number": number} for number in range(1, 7)]
    told["rounds"][0]["matches"][0]["player1points"] = 100
    put("e.json", told)
    words = ("import", "e.json", "--system", put("shop.toml", SHOP), "--format", "shop swiss 75")
    assert "round 6 of 6" in run(*words)
    table = json.loads(run("show", "standings", "--json", code=0))
    assert (table["lines"][0]["name"], table["lines"][0]["points"]) == ("Ada", 30)
    assert table["lines"][0]["margin"] == 6 * (100 + 100 - 10)
