"""The project's own cases hold, and what is no valid case is refused with a sentence."""

import pathlib

import pytest

from host.base.errors import UserError
from host.cases import case_file, kinds

FILES = sorted((pathlib.Path(__file__).parent.parent / "cases").glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_own_cases_hold(path):
    failed = [
        (case["name"], told)
        for case in case_file.load(path)
        for ok, _, told in [case_file.run(case)]
        if not ok
    ]
    assert not failed


@pytest.mark.parametrize(
    ("kind", "subject"),
    [
        ("draft", {"kind": "winston", "seats": 8}),
        ("draft", {"kind": "rochester"}),
        ("draft", {"kind": "rochester", "seats": 0, "cards": 20}),
        ("draft", {"kind": "rochester", "seats": 8, "cards": 20, "active": 9}),
        ("draft", {"kind": "rochester", "seats": 8, "cards": True}),
        ("draft", {"kind": "rochester", "seats": 8, "cards": 20, "direction": "left"}),
        ("draft", {"kind": "booster", "seats": 8, "pack": 0}),
        (
            "draft",
            {"kind": "rochester", "seats": 8, "steps": [["1:00", "open", 20], ["0:00", "take"]]},
        ),
        ("draft", []),
        ("standings", {"rounds": [[{"a": "x", "b": "y", "destroyed": [1]}]]}),
        ("standings", {"rounds": [[{"a": "x", "b": "y", "destroyed": [1, 0], "wiped": "z"}]]}),
        ("standings", {"rounds": [[{"a": "x", "b": "y", "destroyed": [100, 0]}]]}),
        ("standings", {}),
        ("pairing", {"players": []}),
        ("pairing", {"round": 2, "players": [{"id": "a"}, {"id": "a"}]}),
        ("pairing", {"round": 2, "players": [{"id": "a", "points": "5"}]}),
        ("policy", {"system": "p19"}),
        ("policy", {"system": "p18", "randomizer": "coin", "purpose": "card"}),
        ("teams", {"steps": [["prize", "3A"]]}),
        ("deck_checks", {}),
        ("scores", {"round": 5}),
    ],
)
def test_what_is_no_case(kind, subject):
    with pytest.raises(ValueError, match="."):
        kinds.check(kind, {kind: subject})


def test_a_file_that_holds_no_case_says_where(tmp_path):
    path = tmp_path / "cases.json"
    path.write_text('[{"name": "odd", "draft": {"kind": "rochester", "seats": "8"}, "expect": {}}]')
    with pytest.raises(
        UserError, match=r'cases.json: case 1 "odd": seats is a number from 2 to 99'
    ):
        case_file.load(path)


def test_any_sentence_answers_a_question_and_objects_are_compared_where_named():
    assert not kinds.differences(
        {"ask": "who?", "points": {"a": 1}}, {"ask": "somebody", "points": {"a": 1, "b": 2}}
    )
    assert kinds.differences({"ask": "who?"}, {"pairs": []})
    assert kinds.differences({"points": {"a": 1}}, {"points": {"a": 2}})
    assert kinds.differences({"allowed": 1}, {"allowed": True})
