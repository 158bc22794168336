"""Which rules' cases go through board or desk, and which through code that only case files call."""

import json

import tree

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
    """Say whether a file of the product asks ``module.name``, or imports the name and asks it in
    its own module.
    """
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
