"""docs/security.md: a line is one promise, and names the tests that show it; each of them is there."""

import re

import pytest
import tree

THREATS = (
    "Players", "Passers-by: Bluetooth", "Passers-by: the venue's network",
    "A stolen board, or its key", "A lost stick", "A laptop left alone for an hour",
    "The owner of the key",
)  # fmt: skip
LONGEST = 14_000  # bytes: an auditor reads it in an afternoon
PAGE = (tree.ROOT / "docs" / "security.md").read_text("utf-8")
TESTS = re.compile(r"(?: `test_\w+`)+$")
NOT = re.compile(r"\b(cannot be (found|prevented))\b")


def sections():
    """Return ``{title: its lines}``."""
    parts = re.split(r"^## (.+)$", PAGE, flags=re.M)
    return {
        title: [line for line in text.splitlines() if line.strip()]
        for title, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def promises():
    """Return every line of the threats' sections; the last section ends with a link."""
    found = [line for title in THREATS for line in sections()[title]]
    return [line for line in found if not line.startswith("[tampering.md]")]


def mistakes(line):
    """Return what is wrong with a promise's form."""
    tests = TESTS.search(line)
    said = line[: tests.start()] if tests else line
    sentence = said.startswith("* ") and said.endswith(".") and not re.search(r"[.!?] ", said)
    reason = not NOT.search(said) or "because " in said
    return [
        text
        for wrong, text in (
            (tests is None, "no test"), (not sentence, "more than a sentence"),
            (not reason, "no because"),
        )
        if wrong
    ]  # fmt: skip


@pytest.fixture(scope="module")
def there():
    """The names of all tests."""
    files = (tree.ROOT / "tests").rglob("*.py")
    return {found for path in files for found in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.M)}  # fmt: skip


def test_each_threat_has_its_section_and_nothing_else_is_promised():
    assert tuple(sections()) == THREATS
    assert len(PAGE.encode()) <= LONGEST and len(promises()) == len(set(promises())) > 40


@pytest.mark.parametrize("line", promises(), ids=lambda line: line[2:50])
def test_a_promise_is_a_sentence_with_tests_that_are_there(line, there):
    assert mistakes(line) == []
    assert {*re.findall(r"`(test_\w+)`", line)} <= there


@pytest.mark.parametrize(("line", "wrong"), [
    ("* A result counts. `test_a`", []),
    ("* A result counts.", ["no test"]),
    ("* A result counts. So does a roll. `test_a`", ["more than a sentence"]),
    ("A result counts. `test_a`", ["more than a sentence"]),
    ("* It cannot be found. `test_a`", ["no because"]),
    ("* It cannot be prevented, because all may. `test_a` `test_b`", []),
])  # fmt: skip
def test_a_line_without_a_test_is_a_mistake(line, wrong):
    assert mistakes(line) == wrong
