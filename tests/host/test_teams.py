"""Teams of two (D03 241-244, App. B): registered, on lists and slips, out when a member drops."""

import json

import pytest

HEAD = "number,name,affiliation,city,number_a,name_a,number_b,name_b\n"
REDS = "1,Reds,Gioco Libero,Torino,11,Ada Bianchi,12,Zoë Martin\n"
BLUES = "2,Blues,,Milano,21,Bo Cruz,22,Łukasz Żółć\n"
ROUND = (
    "# event: Team Cup\n# format: d03 swiss bo1 constructed 50 team\n"
    "table,number_a,name_a,number_b,name_b\n1,1,Reds,2,Blues\n2,3,Greens,4,Greys\n"
)


@pytest.fixture
def evening(evening):
    evening.done("import", evening.file("round1.csv", ROUND))
    return evening


def registered(evening, text=HEAD + REDS + BLUES):
    return evening.command("import", evening.file("teams.csv", text))


def test_seats_are_listed_by_member_and_slips_show_the_prize_piles(evening):
    code, out, _ = registered(evening)
    assert code == 0 and "2 teams are kept" in out
    assert "team 3 has given no members, affiliation and city yet (D03 244)" in out
    folder = evening.folder / "paper"
    for kind in ("names", "slips"):
        evening.done("paper", kind, "--no-pdf", "--out", folder)
    names = (folder / "names-round-1.en.html").read_text(encoding="utf-8")
    assert "Bianchi, Ada (A: Reds, Gioco Libero, Torino)" in names
    assert "Żółć, Łukasz (B: Blues, Milano)" in names and "Greens" in names
    slips = (folder / "slips-round-1.en.html").read_text(encoding="utf-8")
    reds = slips.partition("Ada Bianchi")[2].partition("</p>")[0]
    assert [part.count('class="box"') for part in reds.split("Zoë Martin")] == [3, 2]
    evening.done("export", "json", "--out", evening.folder)
    told = json.loads((evening.folder / "everything.json").read_text(encoding="utf-8"))["teams"]
    assert [(one["name"], one["city"], one["b"]["name"]) for one in told] == [
        ("Reds", "Torino", "Zoë Martin"), ("Blues", "Milano", "Łukasz Żółć"),
    ]  # fmt: skip


@pytest.mark.parametrize("who", ["12", "zoë martin"])
def test_d11_a_member_who_drops_takes_the_team_out(evening, who):
    registered(evening)
    assert "Drop Reds, 1" in evening.desk(f"drop {who}")[0]
    assert evening.typed(f"drop {who} sure: ill") == ["Reds, 1 has dropped"]
    assert "has dropped already" in evening.desk("drop 11")[0]


def test_other_members_are_another_team(evening):
    registered(evening)
    evening.typed("publish 1", "start 3")
    changed = REDS.replace("12,Zoë Martin", "13,Eva Neri")
    code, _, error = registered(evening, HEAD + changed + BLUES)
    assert code == 2 and "they would be another team (D03 243)" in error
    assert registered(evening, HEAD + REDS.replace("Torino", "Asti") + BLUES)[0] == 0


@pytest.mark.parametrize(("text", "said"), [
    (HEAD + REDS.replace("12,", "11,"), "2: a team has two members"),
    (HEAD + REDS.replace("Torino", ""), "2: city is empty"),
    (HEAD + REDS + BLUES.replace("Blues", "reds"), "two teams are called"),
    (HEAD + REDS + BLUES.replace("2,Blues", "01,Blues"), "two teams have the number 1"),
    (HEAD + REDS + BLUES.replace("21,", "11,"), "player 11 stands in two teams, 1 and 2"),
    ("number,name,city,number_a,name_a,number_b,name_b\n1,Reds,Torino,11,Ada,12,Zoe\n", "the column affiliation is missing"),
    ("number,name\n1,Reds\n", "this is a list of players"),
])  # fmt: skip
def test_a_team_that_cannot_be_is_refused(evening, text, said):
    code, _, error = registered(evening, text)
    assert code == 2 and said in error
