"""Whoever tampers with an event is found or refused: every place, with and without a key, before and
after the host went on over it.

tampering.md here is the table; ways of one place that end alike share a row. `make prove` tries all
of it and prints it, `make test` a few ways.
"""

import inspect
import re

import pytest
import tree
from tamper_judge import Judge
from tamper_scene import PHRASE, Laid
from tamper_ways import HOLDER, NOBODY, THIEF, WAYS

from host.archive import schema

QUICK = (
    "records: changed", "links: added", "the head removed", "a link in the newest copy",
)  # fmt: skip
PAGE = (tree.ROOT / "tests" / "prove" / "tampering.md").read_text("utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ")][1:]


def ways_of(row):
    place, done, *ends = row.strip("| ").split(" | ")
    return [f"| {' | '.join([place, way, *ends])} |" for way in done.split("; ")]


LISTED = [line for row in ROWS for line in ways_of(row)]


@pytest.fixture(scope="module")
def judge(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tampering")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLUSTHREE_PASSPHRASE", PHRASE)
        yield Judge(Laid(folder), folder)


def lines(judge, way):
    """Return the table's lines of a way: a second one where a stolen board can sign it."""
    held = [judge.tried(way, HOLDER, ran) for ran in (False, True)]
    found = []
    for means in (NOBODY, THIEF) if way.signs else (NOBODY,):
        cells = [judge.tried(way, means, ran) for ran in (False, True)] + held
        found.append(f"| {names(way)[len(found)]} | {' | '.join(map(str, cells))} |")
    return found


def names(way):
    """Return how the table's lines of a way begin."""
    whole = f"{way.place} | {way.name}"
    return [whole, f"{whole}, signed with a stolen board's key"] if way.signs else [whole]


def test_each_way_ends_as_the_page_says(judge, proving, printed, progress):
    tried = []
    for way in WAYS:
        if proving or way.name in QUICK:
            tried += lines(judge, way)
            progress(tried[-1])
    printed(f"tampering: {len(tried)} of {len(LISTED)} rows", tried)
    assert [line for line in tried if line not in LISTED] == []
    assert len(tried) == (len(LISTED) if proving else len(QUICK) + 1)


def test_the_page_has_each_way_once_and_a_reason_for_what_cannot_be_found():
    listed = [" | ".join(line.strip("| ").split(" | ")[:2]) for line in LISTED]
    assert sorted(listed) == sorted(name for way in WAYS for name in names(way))
    assert not [line for line in LISTED if "because  |" in line or "because |" in line]
    outcomes = ("found: ", "refused: ", "cannot be found, because ")
    for line in LISTED:
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        assert len(cells) == 6 and all(cell.startswith(outcomes) for cell in cells[2:]), line


@pytest.mark.parametrize("table", re.findall(r"CREATE TABLE (\w+)", inspect.getsource(schema)))
def test_every_table_of_an_archive_is_tampered_with(table):
    word = "audit log" if table == "counterfoils" else table
    assert any(way.name.startswith(f"{word}: ") for way in WAYS)
