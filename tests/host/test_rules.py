"""``plusthree dev rules``: what it prints, its exit codes, and files that are no case file."""

import json

import pytest

from host import cli
from host.base.errors import UserError
from host.cases import case_file

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
    assert cli.main(["dev", "rules", written(GOOD)]) == 0
    assert capsys.readouterr().out == "ok    one\n1 of 1 cases hold.\n"


def test_exits_1_and_says_which_and_why(written, capsys):
    assert cli.main(["dev", "rules", written(GOOD, changed(name="two", expect={"turn": 2}))]) == 1
    assert "FAIL  two: turn is 0, not 2" in capsys.readouterr().out


def test_json_is_one_array_over_all_files(written, capsys):
    assert cli.main(["dev", "rules", "--json", written(GOOD), written(changed(name="two"))]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [sorted(one) for one in printed] == [["got", "name", "ok"]] * 2
    assert printed[0]["got"] == {
        "phase": "playing", "game": 1, "games": [0, 0], "turn": 0, "seat": None, "clock": "29:00",
        "outcome": None, "section": None, "missing": [], "points": [None, None], "refused": [1],
    }  # fmt: skip


def test_a_null_is_compared_like_any_other(written):
    assert cli.main(["dev", "rules", written(changed(expect={"section": None, "seat": None}))]) == 0
    assert cli.main(["dev", "rules", written(changed(expect={"phase": None}))]) == 1


def test_exits_2_for_no_case_file(written, capsys):
    assert cli.main(["dev", "rules", written(text="{")]) == 2
    assert ".json:1:2: not JSON" in capsys.readouterr().err
    assert cli.main(["dev", "rules", "nowhere.json"]) == 2
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
    assert cli.main(["dev", "rules", written(changed(rule="P8", note=[1]))]) == 0


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
