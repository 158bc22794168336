"""Every case file gives what it expects, on MicroPython, too, and every id of docs/rules.md has a case."""

import json
import pathlib
import re

import interpreters
import pytest
import tree

from host.cases import case_file

CASES = interpreters.ROOT / "tests" / "cases"
FILES = sorted(CASES.glob("*.json"))
GIVEN = CASES / "given" / "first.json"  # written by others than who wrote the machine


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_case_of_our_own_holds(path):
    failed = []
    for case in case_file.load(path):
        ok, _, differences = case_file.run(case)
        if not ok:
            failed.append(f"{case['name']}: {differences}")
    assert not failed, "\n".join(failed)


def test_every_given_match_case_holds():
    cases = [case for case in case_file.load(GIVEN) if case_file.kind_of(case) == "system"]
    assert len(cases) == 17
    assert not [case["name"] for case in cases if not case_file.run(case)[0]]


def test_names_are_said_once_and_start_with_a_rule():
    names = [case["name"] for path in FILES if has_matches(path) for case in case_file.load(path)]
    assert len(set(names)) == len(names)
    assert not [name for name in names if not re.match("[A-Z][0-9]+", name)]


def test_the_same_on_micropython(micropython_program):
    paths = [path for path in (*FILES, GIVEN) if has_matches(path)]
    script = pathlib.Path(__file__).parent.parent / "support" / "play_cases.py"
    done = interpreters.run_unix(micropython_program, script, *paths, heap="2m")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert int(done.stdout.split()[0]) >= 300


def has_matches(path):
    return any("system" in case for case in json.loads(path.read_text(encoding="utf-8")))


PAGE = tree.ROOT / "docs" / "rules.md"
SOURCES = ("P18",)  # the name of a text, not an id
_ROW = re.compile(r"^\| ([PDXF][1-9]\d?) \| ([^|]+) \| ([^|]+) \|$", re.M)


def rows():
    """Return ``(id, section, rule)`` of every row of docs/rules.md with an id."""
    return _ROW.findall(PAGE.read_text(encoding="utf-8"))


def ids_of(text):
    """Return the set of ids that a text names, ``P28-29`` as both."""
    found = set()
    for letter, first, last in re.findall(r"\b([PDXF])([1-9]\d?)(?:-(\d{1,2}))?\b(?!\.\d)", text):
        found |= {f"{letter}{number}" for number in range(int(first), int(last or first) + 1)}
    return {one for one in found if one not in SOURCES}


def named_in(name):
    """Return the ids that a case's name begins with: ``P28-29 …``, ``D3, P21: …``."""
    head = re.match(r"(?:[PDXF]\d+(?:-\d+)?[,;]? ?)+", name)
    return ids_of(head.group()) if head else set()


ROWS = rows()
IDS = [one for one, _, _ in ROWS]


def names():
    return [
        case["name"]
        for path in sorted(CASES.glob("*.json"))
        for case in json.loads(path.read_text("utf-8"))
    ]


def test_no_id_is_without_a_case():
    have = set().union(*map(named_in, names()))
    assert not [one for one in IDS if one not in have]


def test_no_case_is_named_after_nothing():
    assert not [name for name in names() if not named_in(name) <= set(IDS)]
    assert not [name for name in names() if not named_in(name)]


def test_every_id_stands_once_with_its_section_and_its_rule():
    assert len(set(IDS)) == len(IDS) >= 79
    assert not [one for one, section, rule in ROWS if len(section) < 2 or len(rule) < 20]


def test_every_row_that_begins_with_an_id_is_read():
    text = PAGE.read_text(encoding="utf-8")
    begun = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| ")]
    assert [one for one in begun if ids_of(one)] == IDS


@pytest.mark.parametrize(("text", "ids"), [
    ("P28-29 no agreement", {"P28", "P29"}),
    ("| D20-21 | Rochester", {"D20", "D21"}),
    ("P18 8.1; D03 216; XW15", set()),
    ("P16 a game; P20: prizes", {"P16", "P20"}),
])  # fmt: skip
def test_ids_are_read_from_tables_and_prose(text, ids):
    assert ids_of(text) == ids


# a kind of case (and a key in it), and the function that it asks; any other asks the board's own
# machine. A case is dead if one of its functions is: a live case of the same id hides none.
ASKED = (
    ("policy", "", "luck.needs"),
    ("first", "", "first_player.of"),
    ("lists", "viewer", "deck_checks.may_see"),
    ("lists", "moment", "deck_checks.may_change"),
    ("teams", "", "team.result"),
    ("teams", "", "team.drawn"),
    ("teams", "", "team.piles"),
    ("teams", "", "team.following"),
    ("teams", "", "team.take"),
    ("members", "", "teams.team_with_member"),
    ("setup", "event", "xwing_setup.organiser_may_play"),
    ("setup", "event", "xwing_setup.judge_may_play"),
    ("setup", "factions", "squad_lists.same_faction"),
    ("setup", "totals", "luck.initiative"),
    ("setup", "has_initiative", "play.place_obstacle"),
    ("scores", "", "xwing_setup.oddities"),
    ("draft", "players", "pods.draw"),
    ("draft", "seats", "draft.picking_seat"),
    ("draft", "seats", "draft.is_clockwise"),
    ("standings", "", "xwing_standings.standings"),
    ("pairing", "", "xwing_pairing.pair_next"),
    ("squads", "", "xwing_squads.read"),
    ("deck_checks", "", "deck_checks.plan"),
    ("lengths", "", "round_lengths.check"),
    ("cut", "", "round_lengths.cut_remark"),
)
NOT_THE_PRODUCT = ("host/cases/", "host/sim/", "host/cli/dev/")
# cases that ask what no board and no desk asks: each is missing until somebody builds it
DEAD = set()


def called(function):
    """Say whether a file of the product asks ``module.name``."""
    module, name = function.split(".")
    for path in tree.python_files("firmware", "host"):
        if tree.name_of(path).startswith(NOT_THE_PRODUCT):
            continue
        text = path.read_text(encoding="utf-8")
        if path.stem == module:
            text = text.replace(f"def {name}(", "")
            if f" {name}(" in text or f"*{name}(" in text:
                return True
        elif function in text:
            return True
    return False


def cases():
    for path in sorted((tree.ROOT / "tests" / "cases").rglob("*.json")):
        yield from json.loads(path.read_text(encoding="utf-8"))


def test_the_cases_that_no_board_and_no_desk_reaches_are_those_that_are_listed(printed):
    dead = {(kind, key): function for kind, key, function in ASKED if not called(function)}
    found = {
        case["name"]: function
        for case in cases()
        for (kind, key), function in dead.items()
        if kind in case and (not key or key in case[kind])
    }
    printed(
        "cases that no board and no desk reaches",
        [f"{function}: {name}" for name, function in found.items()],
    )
    assert set(found) == DEAD
