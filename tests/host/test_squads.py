"""Teams of two (D03 241-244, App. B) and XW15 squads from their lists: registered, or each mistake is named."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from host.tournament import xwing_squads

HEADER = "player,squad,faction,ship,size,pilot,upgrades,points\n"


def lines(*extra, player="1001"):
    """Return the four squads of a player with two ships, as CSV lines."""
    rows = []
    for number in (1, 2, 3, 4):
        rows.append(f"{player},{number},Rebel,X-wing,small,Luke,R2-D2; Torpedoes,36\n")
        rows.append(f"{player},{number},Rebel,Y-wing,small,Gold,,20\n")
    return "".join([*rows, *extra])


def faults(tmp_path, text):
    path = tmp_path / "squads.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [line.removeprefix(f"{path}:") for line in xwing_squads.check(path)]


def test_a_good_list_has_no_faults(tmp_path):
    assert not faults(tmp_path, HEADER + lines())
    assert not faults(
        tmp_path, "\ufeff" + HEADER.replace(",", ";") + lines().replace("; ", "|").replace(",", ";")
    )
    assert not faults(tmp_path, HEADER + lines() + lines(player="1002"))


def test_every_fault_is_told_with_its_line(tmp_path):
    told = faults(
        tmp_path,
        HEADER
        + lines("1001,5,Rebel,X-wing,small,Luke,,30\n", "1001,4,Scum,Z-95,tiny,P,,12\n", "x\n"),
    )
    assert told == [
        "10: '5' is no squad: 1 to 4",
        "11: 'tiny' is no size: small or large",
        "12: squad is empty",
    ]


def test_what_is_no_squad_list_at_all(tmp_path):
    assert faults(tmp_path, "player,squad\n1,1\n") == [
        f"1: the column faction is missing (needed: {HEADER.strip()})"
    ]
    assert "header" in faults(tmp_path, "")[0]
    assert "NUL" in faults(tmp_path, b"player\0")[0]
    assert "UTF-8" in faults(tmp_path, b"player,\xff")[0]
    assert "cannot be read" in xwing_squads.check(tmp_path / "none.csv")[0]


def test_points_and_numbers_are_whole(tmp_path):
    for points in ("-1", "3.5", "", "²", "99999"):
        assert faults(tmp_path, HEADER + lines(f"1001,4,Rebel,A-wing,small,Tycho,,{points}\n"))[
            0
        ].startswith("10:")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.permutations(range(1, 9)))
def test_the_order_of_the_lines_does_not_matter(tmp_path, order):
    rows = lines().splitlines(keepends=True)
    assert not faults(tmp_path, HEADER + "".join(rows[i - 1] for i in order))


@given(st.lists(st.sampled_from(("", "a", "b", "ab", "abc")), min_size=2, max_size=6), st.randoms())
def test_a_grown_squad_always_holds_the_one_before(upgrades, luck):
    before = [
        xwing_squads.Ship("p", 1, "Rebel", "X", "small", "Pilot", tuple(u), 1, i)
        for i, u in enumerate(upgrades)
    ]
    after = [
        xwing_squads.Ship("p", 2, "Rebel", "X", "small", "Pilot", (*s.upgrades, "new"), 1, s.line)
        for s in before
    ]
    luck.shuffle(after)
    assert not list(xwing_squads._missing_ships("p", 1, before, 2, after))
    assert len(list(xwing_squads._missing_ships("p", 1, before, 2, after[1:]))) == 1


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


def test_a_team_is_meant_by_its_own_number_where_a_member_of_another_has_the_same(evening):
    registered(evening, HEAD + REDS.replace("12,", "2,") + BLUES)
    assert "Drop Blues, 2" in evening.desk("drop 2")[0]
    assert evening.desk("penalty 2 warning play slow") == [
        "the penalty of Blues, 2 is in the register"
    ]


def test_a_check_finds_a_member_of_two_teams(evening):
    sheet = evening.file("teams.csv", HEAD + REDS + BLUES.replace("21,", "11,"))
    code, _, error = evening.command("import", "--check", sheet)
    assert code == 2 and "player 11 stands in two teams, 1 and 2" in error


def test_a_team_comes_back_by_its_member_too(evening):
    registered(evening)
    evening.typed("drop 12 sure")
    assert evening.desk("return Zoë Martin")[0].startswith("Reds, 1 is back")


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
