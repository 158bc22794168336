"""Cryodex's file as it is, and a store's own event: from the import to standings."""

import json

from otherprograms import put

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
