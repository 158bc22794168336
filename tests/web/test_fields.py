"""What pages send, field by field: what each kind takes, and what it says of anything else."""

import pytest

from host.desk.acts import fields

NUMBER = "must be a whole number from 1 to 9"
KINDS = {  # a kind, what it takes and gives, what it refuses and says
    "whole": (lambda: fields.whole(1, 9), [(1, 1), (9, 9)], [
        (0, NUMBER), (10, NUMBER), (True, NUMBER), (1.0, NUMBER), ("1", NUMBER), (None, NUMBER),
        ([1], NUMBER),
    ]),
    "text": (lambda: fields.text(1, 3), [("a", "a"), ("abc", "abc"), (" e\u0301 ", "\xe9")], [
        ("", "must have 1 to 3 characters"), ("abcd", "must have 1 to 3 characters"),
        (1, "must be text"), (None, "must be text"), (["a"], "must be text"),
    ]),
    "block": (lambda: fields.block(3), [("", ""), ("a\nb", "a\nb")], [
        ("a\nbc", "must have 0 to 3 characters"), (1, "must be text"), (["a"], "must be text"),
    ]),
    "choice": (lambda: fields.choice("a", "b"), [("a", "a"), ("b", "b")], [
        ("c", "must be one of a, b"), ("", "must be one of a, b"), (["a"], "must be one of a, b"),
    ]),
    "yes": (lambda: fields.yes, [(True, True), (False, False)], [
        (1, "must be true or false"), ("true", "must be true or false"),
    ]),
    "pair": (lambda: fields.pair(fields.whole(1, 9)), [([1, 9], (1, 9))], [
        ([1], "must be a list of two"), ([1, 2, 3], "must be a list of two"),
        ("12", "must be a list of two"), ({"1": 1, "2": 2}, "must be a list of two"),
        ([1, 10], NUMBER), ([0, 1], NUMBER),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_takes_what_it_is_and_says_what_it_wants(name):
    kind, taken, refused = KINDS[name]
    for value, wanted in taken:
        spec = {"of_it": fields.Field(kind())}
        found = fields.read(spec, {"of_it": value})["of_it"]
        assert found == wanted and type(found) is type(wanted)
    for value, why in refused:
        with pytest.raises(fields.Malformed) as failure:
            fields.read({"of_it": fields.Field(kind())}, {"of_it": value})
        assert str(failure.value) == f"of it: {why}"


def test_what_is_left_out_has_its_default_and_nothing_else_may_come():
    spec = {"a": fields.Field(fields.whole(1, 9), 5), "b": fields.Field(fields.whole(1, 9))}
    for body in ({"b": 1}, {"a": None, "b": 1}):
        assert fields.read(spec, body) == {"a": 5, "b": 1}
    for body, why in (
        ({}, "b is missing"),
        ({"b": None}, "b: must be a whole number from 1 to 9"),
        ({"b": 1, "c": 2}, "'c' is not expected here"),
        ({"b": 1, "z" * 50: 2}, f"'{'z' * 40}' is not expected here"),
    ):
        with pytest.raises(fields.Malformed) as failure:
            fields.read(spec, body)
        assert str(failure.value) == why


def test_what_a_typed_line_leaves_out_has_its_own_default():
    spec = {
        "a": fields.Field(fields.whole(1, 9), 5, untyped=7),
        "b": fields.Field(fields.whole(1, 9), 5),
        "c": fields.Field(fields.whole(1, 9)),
    }
    assert fields.read(spec, {"c": 1}, typed=True) == {"a": 7, "b": 5, "c": 1}
    assert fields.read(spec, {"c": 1}) == {"a": 5, "b": 5, "c": 1}
    with pytest.raises(fields.Malformed, match="c is missing"):
        fields.read(spec, {}, typed=True)


def test_a_page_is_told_that_a_block_may_be_empty():
    assert fields.block(9).shape == {"kind": "block", "least": 0, "most": 9}
