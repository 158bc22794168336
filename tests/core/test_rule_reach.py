"""Which rules' cases go through board or desk, and which through code that only case files call."""

import json

import rule_ids
import tree

# a kind of case (and a key in it), and the function that it asks; any other kind asks the board's
# own machine
ASKED = (
    ("policy", "", "policy.allowed"),
    ("first", "", "first_player.of"),
    ("lists", "", "deck_lists.may_see"),
    ("teams", "", "team.result"),
    ("members", "", "teams.including"),
    ("setup", "event", "xwing_setup.organiser_may_play"),
    ("scores", "", "xwing_setup.oddities"),
    ("draft", "players", "pods.drawn"),
    ("standings", "", "xwing_standings.standings"),
    ("pairing", "", "xwing_pairing.pair_next"),
    ("squads", "", "xwing_squads.read"),
    ("deck_checks", "", "deck_checks.plan"),
    ("lengths", "", "round_lengths.judge"),
    ("cut", "", "announced_cut.remark"),
)
NOT_THE_PRODUCT = ("host/cases/", "host/sim/", "host/cli/dev/")
# shown by cases, and reached by no board and no desk: each is missing until somebody builds it
MISSING = set()


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
    """Yield every case of this repository."""
    for path in sorted((tree.ROOT / "tests" / "cases").rglob("*.json")):
        yield from json.loads(path.read_text(encoding="utf-8"))


def test_the_rules_that_no_board_and_no_desk_reaches_are_those_that_are_listed(printed):
    dead = [(kind, key) for kind, key, function in ASKED if not called(function)]
    shown, reached = set(), set()
    for case in cases():
        ids = rule_ids.named_in(case["name"])
        shown |= ids
        if not any(kind in case and (not key or key in case[kind]) for kind, key in dead):
            reached |= ids
    rows = {number: (section, rule) for number, section, rule in rule_ids.rows()}
    missing = shown - reached
    lines = [f"{one}: {rows[one][1][:90]}" for one in rows if one in missing]
    printed("rules that cases show, and no board and no desk reaches", lines)
    assert missing == MISSING
