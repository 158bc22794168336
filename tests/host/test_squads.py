"""XW15 squad lists from a spreadsheet: every mistake is found and named with its line."""

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
