"""``plusthree dev rules``: that the cases hold, what is printed, and what is no valid case or file of them."""

import copy
import json
import pathlib
import re

import pytest
import tree
from commands import plusthree

from host.base.errors import UserError
from host.cases import case_file, draft, kinds, match_case, match_check, match_steps, rolls
from host.systems.match_facts import PHASES

GOOD = {
    "name": "one",
    "system": "p18",
    "format": {"stage": "swiss", "best_of": 1, "class": "constructed", "minutes": 30},
    "steps": [["0:00", "starter", "A"], ["1:00", "resume"]],
    "expect": {"phase": "playing", "refused": [1]},
}


@pytest.fixture
def written(tmp_path):
    def write(*cases, text=None):
        path = tmp_path / f"cases{len(list(tmp_path.iterdir()))}.json"
        path.write_text(json.dumps(list(cases)) if text is None else text, encoding="utf-8")
        return str(path)

    return write


def changed(**changes):
    return {**GOOD, **changes}


def test_exits_0_when_all_hold(written, capsys):
    assert plusthree("dev", "rules", written(GOOD)) == 0
    assert capsys.readouterr().out == "ok    one\n1 of 1 cases hold.\n"


def test_exits_1_and_says_which_and_why(written, capsys):
    assert plusthree("dev", "rules", written(GOOD, changed(name="two", expect={"turn": 2}))) == 1
    assert "FAIL  two: turn is 0, not 2" in capsys.readouterr().out


def test_json_is_one_array_over_all_files(written, capsys):
    assert plusthree("dev", "rules", "--json", written(GOOD), written(changed(name="two"))) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [sorted(one) for one in printed] == [["got", "name", "ok"]] * 2
    assert printed[0]["got"] == {
        "phase": "playing", "game": 1, "games": [0, 0], "turn": 0, "seat": None, "clock": "29:00",
        "outcome": None, "section": None, "missing": [], "points": [None, None], "refused": [1],
    }  # fmt: skip


def test_a_null_is_compared_like_any_other(written):
    assert plusthree("dev", "rules", written(changed(expect={"section": None, "seat": None}))) == 0
    assert plusthree("dev", "rules", written(changed(expect={"phase": None}))) == 1


def test_exits_2_for_no_case_file(written, capsys):
    assert plusthree("dev", "rules", written(text="{")) == 2
    assert ".json:1:2: not JSON" in capsys.readouterr().err
    assert plusthree("dev", "rules", "nowhere.json") == 2
    assert "nowhere.json: No such file" in capsys.readouterr().err


WRONG = (
    ({}, "a case file is a JSON array"),
    ([3], "case 1: a case is an object"),
    ([changed(name="")], "case 1: its name is missing"),
    ([{"name": "x", "expect": {}}], "needs exactly one of system"),
    ([changed(expect=[])], "what to expect is missing"),
    ([changed(system="p19")], "no system 'p19'"),
    ([changed(expect={"winner": "A"})], "cannot expect 'winner'"),
    ([changed(format=None)], "its format is missing"),
    ([changed(format={"best_of": 2})], "best_of 2"),
    ([changed(format={"best_of": True})], "best_of True"),
    ([changed(format={"minutes": "50"})], "minutes '50'"),
    ([changed(format={"minutes": 0})], "minutes 0"),
    ([changed(format={"colour": 1})], "unknown format key 'colour'"),
    ([changed(format={"overtime_turns": 2, "overtime_clock": 7})], "no such overtime"),
    ([changed(steps={})], "its steps are missing"),
    ([changed(steps=[["0:00"]])], "step 0: a step is [time, verb, ...]"),
    ([changed(steps=[["0:60", "look"]])], "'0:60' is no room time"),
    ([changed(steps=[[0, "look"]])], "0 is no room time"),
    ([changed(steps=[["-0:10", "look"]])], "is no room time"),
    ([changed(steps=[["1:00", "look"], ["0:59", "look"]])], "step 1: room time goes back to 0:59"),
    ([changed(steps=[["0:00", "dance"]])], "no verb 'dance'"),
    ([changed(steps=[["0:00", ["look"]]])], "no verb ['look']"),
    ([changed(steps=[["0:00", "won"]])], "won takes 1 more, not 0"),
    ([changed(steps=[["0:00", "end", "A"]])], "end takes 0 more, not 1"),
    ([changed(steps=[["0:00", "won", "C"]])], "won cannot take 'C'"),
)


@pytest.mark.parametrize(("cases", "complaint"), WRONG, ids=[why for _, why in WRONG])
def test_says_what_is_wrong_and_where(written, cases, complaint):
    with pytest.raises(UserError) as refused:
        case_file.load(written(text=json.dumps(cases)))
    assert complaint in str(refused.value)
    assert not isinstance(cases, list) or "case 1" in str(refused.value)


def test_a_file_of_another_encoding(tmp_path):
    path = tmp_path / "bad.json"
    path.write_bytes(b'[{"name": "\xff"}]')
    with pytest.raises(UserError, match="byte 11 is not UTF-8"):
        case_file.load(path)


def test_not_a_number(written):
    with pytest.raises(UserError, match="NaN is not a number"):
        case_file.load(written(text="[NaN]"))


def test_no_steps_is_a_table_at_the_rounds_start(written):
    expect = {"phase": "playing", "clock": "30:00", "refused": []}
    assert case_file.run(case_file.load(written(changed(steps=[], expect=expect)))[0])[0]


def test_what_else_a_case_carries_is_its_own_business(written):
    assert plusthree("dev", "rules", written(changed(rule="P8", note=[1]))) == 0


def test_a_format_without_minutes_takes_the_systems(written):
    for system, wanted, clock in (
        ("p18", {}, "30:00"),
        ("p18", {"class": "limited"}, "20:00"),
        ("p18", {"best_of": 3}, "50:00"),
        ("d03", {}, "30:00"),
        ("xw15", {"round": 4}, "120:00"),
    ):
        case = changed(system=system, format=wanted, steps=[], expect={"clock": clock})
        assert case_file.run(case_file.load(written(case))[0])[0], system


FILES = sorted((pathlib.Path(__file__).parent.parent / "cases").glob("*.json"))


@pytest.mark.parametrize(("kind", "subject"), [
    ("draft", {"kind": "winston", "seats": 8}),
    ("draft", {"kind": "rochester"}),
    ("draft", {"kind": "rochester", "seats": 0, "cards": 20}),
    ("draft", {"kind": "rochester", "seats": 8, "cards": 20, "active": 9}),
    ("draft", {"kind": "rochester", "seats": 8, "cards": True}),
    ("draft", {"kind": "rochester", "seats": 8, "cards": 20, "direction": "left"}),
    ("draft", {"kind": "booster", "seats": 8, "pack": 0}),
    ("draft", {"kind": "rochester", "seats": 8, "steps": [["1:00", "open", 20], ["0:00", "take"]]}),
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
])  # fmt: skip
def test_what_is_no_case(kind, subject):
    with pytest.raises(ValueError, match="."):
        kinds.run(kind, {kind: subject})


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


MISSING = object()  # as a value: the key or the element is left out
ODD = (MISSING, None, True, 0, -1, 5, 10**30, 1.5, float("inf"), "", "odd", "\ud800", [], [1], {})
STEPS = (match_steps.WORDS, rolls.VERBS, draft.STEPS, ("table", "start", "seat"))
VERBS = {verb for kind in STEPS for verb in kind} | {"prize", "drop", "withdraw"}


def places(value, at=()):
    """Yield the path of every value in a JSON value, itself included."""
    yield at
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*at, key))


def value_at(case, at):
    for key in at:
        case = case[key]
    return case


def sort_of(case, at):
    """Return what makes a place one of its sort: its keys, its step's verb and its place there."""
    step = value_at(case, at[: at.index("steps") + 2]) if "steps" in at[:-1] else []
    words = [one for one in step[:2] if one in VERBS]
    return tuple(one for one in at if isinstance(one, str)), str(words), at[-1]


def sorts(kind):
    """Return a case and a path in it for every sort of place in the cases of a kind."""
    found = {}
    for case in (one for path in FILES for one in json.loads(path.read_text(encoding="utf-8"))):
        if kind in case:
            asked = {key: case[key] for key in case if key not in ("name", "expect")}
            found |= {sort_of(case, at): (case, at) for at in places(asked) if at}
    return found.values()


def with_odd(case, at, odd):
    """Return a copy of a case with another value at a place."""
    made = copy.deepcopy(case)
    inside = value_at(made, at[:-1])
    if odd is MISSING:
        del inside[at[-1]]
    else:
        inside[at[-1]] = odd
    return made


@pytest.mark.parametrize("kind", match_check.KINDS)
def test_an_odd_value_anywhere_in_a_case_is_taken_or_refused_with_a_sentence(kind, tmp_path):
    file = tmp_path / "odd.json"
    found = sorts(kind)
    assert found
    for case, at in found:
        for odd in ODD:
            file.write_text(json.dumps([with_odd(case, at, odd)]).replace("Infinity", "1e999"))
            try:
                for one in case_file.load(file):
                    case_file.run(one)
            except UserError as refusal:
                assert "\n" not in str(refusal) and len(str(refusal)) > len(str(file)) + 4
            except Exception as fault:
                raise AssertionError(f"{case['name']}: {at} = {odd!r}: {fault!r}") from fault


@pytest.mark.parametrize("verb", ["prizes", "extend", "adjust", "rule", "state", "destroyed"])
@pytest.mark.parametrize("odd", [True, 1.5, [1], {"a": 1}, None, "1"])
@pytest.mark.parametrize("opening", [False, True])
def test_a_step_says_where_its_word_is_wrong(verb, odd, opening, tmp_path):
    words = {"rule": ["A", odd, 0], "state": [odd, 0, "started"], "extend": [odd]}
    step = ["1:00", verb, *words.get(verb, [odd, 0])]
    head = {"system": "p18", "format": {"minutes": 50}}
    case = (
        {"opening": head | {"steps": [["0:00", "table"], step]}}
        if opening
        else head | {"steps": [["0:00", "look"], step]}
    )
    path = tmp_path / "cases.json"
    path.write_text(json.dumps([case | {"name": "odd", "expect": {}}]))
    with pytest.raises(UserError, match=f'case 1 "odd".*step 1: {verb} cannot take '):
        case_file.load(path)


PAGE = (tree.ROOT / "docs" / "cases.md").read_text(encoding="utf-8")


def column(heading):
    """Return the code words in the first cells of the table under a heading cell."""
    rows = PAGE[PAGE.index(f"| {heading} |") :].split("\n\n")[0].splitlines()[2:]
    return [re.findall(r"`([^`]+)`", row.split("|")[1]) for row in rows]


def test_every_verb_stands_in_the_table_and_no_other():
    told = {code.split()[0] for codes in column("verb") for code in codes}
    assert told == set(match_steps.WORDS)


def test_every_key_that_can_be_expected_stands_in_the_table_and_no_other():
    assert {code for codes in column("key | values") for code in codes} == set(match_check.EXPECTED)


def test_every_kind_of_case_stands_in_the_table_and_no_other():
    assert {"system", *(code for codes in column("key | object") for code in codes)} == set(
        match_check.KINDS
    )


def test_every_key_of_a_format_and_every_phase_is_told():
    assert not [key for key in match_steps.FORMAT if f"`{key}`" not in PAGE]
    assert f"`{' '.join(PHASES)}`" in PAGE
    assert f"`{' '.join(name for name, _ in match_case.MISSING)}`" in PAGE


def test_the_example_holds(tmp_path):
    path = tmp_path / "example.json"
    path.write_text(f"[{re.search(r'```json(.*?)```', PAGE, re.S)[1]}]", encoding="utf-8")
    assert [case_file.run(case)[0] for case in case_file.load(path)] == [True]
    assert json.loads(path.read_text("utf-8"))[0]["name"].startswith("F1")
