"""Who may change what, as docs/security.md says: no row without a test that is there."""

import re

import pytest
import tree

PLACES = (
    "board", "air", "link", "archive file", "stick", "key file", "laptop", "browser", "printed list",
)  # fmt: skip
PAGE = tree.ROOT / "docs" / "security.md"
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def rows():
    """Return the table's rows as lists of three cells."""
    part = PAGE.read_text("utf-8").partition("## Who may change what")[2].partition("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[1:]]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row[0]}: {row[1][:40]}")
def test_a_row_names_tests_that_are_there(row):
    assert len(row) == 3 and all(row)
    named = TEST.findall(row[2])
    assert named and TEST.sub("", row[2]).strip(", ") == ""
    for path, name in named:
        there = {one.name for one in tree.functions(tree.ROOT / path)}
        assert name in there, f"{path} has no {name}"


@pytest.mark.parametrize("place", PLACES)
def test_every_place_has_a_row(place):
    assert any(row[0].startswith(place) for row in rows())


def test_no_sentence_stands_there_twice():
    every = [(row[0].split(" ")[0], row[1]) for row in rows()]
    assert len(every) == len(set(every)) > 40
