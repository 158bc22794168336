"""Characters that nobody can see: refused where people type, and never printed."""

import unicodedata

import pytest
from hidden_letters import IN_A_LINE, LEFT_OUT, REFUSED
from typed_evening import TypedEvening

from host.archive.access_links import AccessLinks
from host.archive.roster import Player
from host.archive.store import Archive
from host.base import plain_text
from host.base.errors import UserError
from host.desk.acts import fields
from host.systems import value_checks
from host.tournament import rule_packs

ROUND = (
    "# event: Team Cup\n# format: d03 swiss bo1 constructed 50 team\n"
    "table,number_a,name_a,number_b,name_b\n1,1,Reds,2,Blues\n"
)


@pytest.fixture
def evening(tmp_path, capsys):
    made = TypedEvening(tmp_path, capsys)
    made.done("import", made.file("round1.csv", ROUND))
    return made


@pytest.mark.parametrize("char", IN_A_LINE)
def test_a_typed_act_is_refused(evening, char):
    for act in ("enter 9 A{}nn", "result 1 A slip{}", "link judge Z{}oe"):
        said = evening.desk(act.format(char))[0]
        assert said.startswith("not done: ") and char not in said
        assert REFUSED[char] in said
    assert "letters that cannot be read" in evening.desk("enter 9 A\ufffdnn")[0]


@pytest.mark.parametrize("char", IN_A_LINE)
def test_a_form_an_option_and_a_text_of_rules_are_refused(evening, char):
    with pytest.raises(ValueError, match="which nobody can see"):
        fields.text(1, 60)(f"A{char}nn")
    for check in (value_checks.text, rule_packs._text):
        with pytest.raises(ValueError, match="which nobody can see"):
            check(f"A{char}nn", "name")
    code, _, error = evening.command("link", "judge", f"Z{char}oe")
    assert code == 2 and REFUSED[char] in error and char not in error
    with Archive(evening.archive) as archive, pytest.raises(UserError, match="nobody can see"):
        AccessLinks(archive).make("judge", f"Z{char}oe", "desk", 0)
    assert fields.text(1, 60)("A\u200bn\xadn") == "Ann"


@pytest.mark.parametrize("char", ("\x1b", "\x9b", "\u202e"))
def test_an_older_archive_prints_no_control_character(evening, char):
    with Archive(evening.archive) as archive:
        archive.roster.rename([Player("1", f"Re{char}[31mds")])
        AccessLinks(archive)._archive.write(
            "INSERT INTO links (role, name, digest, author, made_unix_ms) VALUES (?, ?, ?, ?, ?)",
            "judge", f"Z{char}oe", b"0" * 32, "desk", 0,
        )  # fmt: skip
    for words in (
        ("show results",), ("show tables",), ("link list",), ("show results", "--json"),
        ("show", "--watch", "--once"),
    ):  # fmt: skip
        _, out, error = evening.command(*words)
        assert char not in out + error and ("Re" in out or "Zoe" in out), words


def test_visible_text_has_neither():
    assert plain_text.visible("A" + "".join(REFUSED) + "".join(LEFT_OUT) + "b") == "Ab"


def refused(text, least=1, most=60):
    try:
        return not fields.text(least, most)(text)
    except ValueError:
        return True


def test_no_control_character_surrogate_or_private_one_is_taken():
    """By Unicode's own categories; a tab and the ends of lines are spaces."""
    ends = 0xF0000, 0xFFFFD, 0x100000, 0x10FFFD  # of the planes for private use
    for code in (*range(0x10000), *ends):
        char = chr(code)
        if unicodedata.category(char) in ("Cc", "Cs", "Co") and not char.isspace():
            assert refused(f"A{char}nn"), f"U+{code:04X}"


@pytest.mark.parametrize("char", "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
def test_no_character_turns_the_text_after_it(char):
    assert refused(f"A{char}nn")


def test_a_line_has_as_many_characters_as_its_field_says():
    assert fields.text(2, 5)("Ab") == "Ab" and fields.text(2, 5)(" Abcde ") == "Abcde"
    assert refused("A", 2, 5) and refused("Abcdef", 2, 5) and refused(" A ", 2, 5)
    assert fields.text(0, 5)("") == "" and fields.text(1, 1)("e\u0301") == "\u00e9"
