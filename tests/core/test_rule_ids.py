"""Every id of docs/rules.md has a case that is named after it, and every case is named after an id
of it.
"""

import json

import interpreters
import pytest
import rule_ids

CASES = interpreters.ROOT / "tests" / "cases"
ROWS = rule_ids.rows()
IDS = [one for one, _, _ in ROWS]


def names():
    return [
        case["name"]
        for path in sorted(CASES.glob("*.json"))
        for case in json.loads(path.read_text("utf-8"))
    ]


def test_no_id_is_without_a_case():
    have = set().union(*map(rule_ids.named_in, names()))
    assert not [one for one in IDS if one not in have]


def test_no_case_is_named_after_nothing():
    assert not [name for name in names() if not rule_ids.named_in(name) <= set(IDS)]
    assert not [name for name in names() if not rule_ids.named_in(name)]


def test_every_id_stands_once_with_its_section_and_its_rule():
    assert len(set(IDS)) == len(IDS) >= 79
    assert not [one for one, section, rule in ROWS if len(section) < 2 or len(rule) < 20]


def test_every_row_that_begins_with_an_id_is_read():
    text = rule_ids.PAGE.read_text(encoding="utf-8")
    begun = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| ")]
    assert [one for one in begun if rule_ids.ids_of(one)] == IDS


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
