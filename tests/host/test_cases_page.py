"""docs/cases.md against the language that ``plusthree dev rules`` reads."""

import json
import re

import tree

from host.cases import case_file, match_check, match_steps
from host.cases.match_case import MISSING
from host.systems.match_facts import PHASES

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
    assert f"`{' '.join(name for name, _ in MISSING)}`" in PAGE


def test_the_example_holds(tmp_path):
    path = tmp_path / "example.json"
    path.write_text(f"[{re.search(r'```json(.*?)```', PAGE, re.S)[1]}]", encoding="utf-8")
    assert [case_file.run(case)[0] for case in case_file.load(path)] == [True]
    assert json.loads(path.read_text("utf-8"))[0]["name"].startswith("F1")
