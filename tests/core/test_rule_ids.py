"""Every id of RULES.md §1-§7 has a case of the project's own that is named after it."""

import json

import interpreters
import pytest
import rule_ids

CASES = interpreters.ROOT / "tests" / "cases"


def names():
    return [case["name"] for path in sorted(CASES.glob("*.json")) for case in json.loads(path.read_text("utf-8"))]


def test_no_id_is_without_a_case():
    have = set().union(*map(rule_ids.named_in, names()))
    assert not [one for one in rule_ids.IDS if one not in have]


def test_no_case_is_named_after_nothing():
    assert not [name for name in names() if not rule_ids.named_in(name) <= set(rule_ids.IDS)]
    assert not [name for name in names() if not rule_ids.named_in(name)]


def test_the_ids_are_those_of_the_page():
    if not rule_ids.ORIGINAL.is_file():
        pytest.skip(f"no {rule_ids.ORIGINAL} beside the repository")
    page = rule_ids.ids_of_page(rule_ids.ORIGINAL.read_text(encoding="utf-8"))
    assert page == set(rule_ids.IDS) and len(rule_ids.IDS) == len(page)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("P28-29 no agreement", {"P28", "P29"}),
        ("| D20-21 | Rochester", {"D20", "D21"}),
        ("P18 8.1; D03 216; XW15", set()),
        ("P16 a game; P20: prizes", {"P16", "P20"}),
    ],
)
def test_ids_are_read_from_tables_and_prose(text, ids):
    assert rule_ids.ids_of(text) == ids
