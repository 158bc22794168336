"""Rounds of another length of match than the event began with, as an organiser imports them."""

import pytest

HEAD = "table,number_a,name_a,number_b,name_b\n"
SAID = "this had to be announced before the event began (D03 211)"


def imported(evening, number, words):
    text = f"# event: Cup\n# round: {number}\n# format: {words}\n{HEAD}1,1,Ann,2,Bo\n"
    return evening.done("import", evening.file(f"round{number}.csv", text))


@pytest.mark.parametrize(("first", "later", "remark"), [
    ("d03 swiss bo1 30", "d03 swiss bo3 30", "best of 3, where round 1 had single games"),
    ("d03 swiss bo3 30", "d03 swiss bo1 30", "single games, where round 1 had best of 3"),
    ("d03 swiss bo1 30", "d03 elimination bo3 30", "best of 3, where round 1 had single games"),
    ("d03 swiss bo3 30", "d03 swiss bo3 40", None),
    ("d03 swiss bo1 30", "d03 elimination bo1 30", None),
    ("p18 swiss bo1 30", "p18 elimination bo3 50", None),
    ("xw15 swiss bo1 50", "xw15 swiss bo1 70", None),
])  # fmt: skip
def test_another_length_of_match_is_remarked_on(evening, first, later, remark):
    assert "211" not in imported(evening, 1, first)
    out = imported(evening, 2, later)
    assert (f"round 2: {remark}: {SAID}" in out) if remark else "211" not in out


def test_the_third_round_is_compared_with_the_first(evening):
    imported(evening, 1, "d03 bo1 30")
    assert SAID in imported(evening, 2, "d03 bo3 30")
    assert SAID in imported(evening, 3, "d03 bo3 30")
    assert SAID not in imported(evening, 4, "d03 bo1 30")
