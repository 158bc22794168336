"""docs/security.md: a line is one promise, and promises.toml names the tests that show it."""

import re
import tomllib

import pytest
import tree

THREATS = (
    "Players", "Passers-by: Bluetooth", "Passers-by: the venue's network",
    "A stolen board, or its key", "A lost stick", "A laptop left alone for an hour",
    "The owner of the key",
)  # fmt: skip
LONGEST = 14_000  # bytes: an auditor reads it in an afternoon
PAGE = (tree.ROOT / "docs" / "security.md").read_text("utf-8")
SHOWN = tomllib.loads((tree.ROOT / "tests" / "rules" / "promises.toml").read_text("utf-8"))
NOT = re.compile(r"\b(cannot be (found|prevented))\b")


def sections():
    parts = re.split(r"^## (.+)$", PAGE, flags=re.M)
    return {
        title: [line for line in text.splitlines() if line.strip()]
        for title, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def promises():
    return [line for title in THREATS for line in sections()[title]]


def mistakes(line):
    """Return what is wrong with a promise's form."""
    sentence = line.startswith("* ") and line.endswith(".") and not re.search(r"[.!?] ", line)
    reason = not NOT.search(line) or "because " in line
    return [
        text
        for wrong, text in ((not sentence, "more than a sentence"), (not reason, "no because"))
        if wrong
    ]


def shown_by(title, line):
    """Return the tests that show a promise: exactly one entry of its section begins it."""
    (found,) = [tests for begin, tests in SHOWN[title].items() if line.startswith(f"* {begin}")]
    return found


@pytest.fixture(scope="module")
def there():
    files = (tree.ROOT / "tests").rglob("*.py")
    return {found for path in files for found in re.findall(r"^(?:async )?def (test_\w+)", path.read_text("utf-8"), re.M)}  # fmt: skip


def test_each_threat_has_its_section_and_nothing_else_is_promised():
    assert tuple(sections()) == tuple(SHOWN) == THREATS
    assert len(PAGE.encode()) <= LONGEST and len(promises()) == len(set(promises())) > 40


@pytest.mark.parametrize("title", THREATS)
def test_each_promise_has_tests_that_are_there_and_each_entry_a_promise(title, there):
    lines = sections()[title]
    assert len(lines) == len(SHOWN[title])
    for line in lines:
        assert {*shown_by(title, line)} <= there and shown_by(title, line), line


@pytest.mark.parametrize("line", promises(), ids=lambda line: line[2:50])
def test_a_promise_is_a_sentence(line):
    assert mistakes(line) == []


@pytest.mark.parametrize(("line", "wrong"), [
    ("* A result counts.", []),
    ("* A result counts. So does a roll.", ["more than a sentence"]),
    ("A result counts.", ["more than a sentence"]),
    ("* It cannot be found.", ["no because"]),
    ("* It cannot be prevented, because all may.", []),
])  # fmt: skip
def test_a_line_of_another_form_is_a_mistake(line, wrong):
    assert mistakes(line) == wrong
