"""The list of files in docs/architecture.md."""

import pytest

from host.cli.dev import file_index
from host.cli.dev.imports import PAGE


def test_the_page_lists_every_file_as_it_is():
    text = PAGE.read_text(encoding="utf-8")
    assert file_index.placed(text) == text, "plusthree dev imports --page"


def test_a_file_is_listed_with_its_first_sentence_and_its_numbers(tmp_path):
    (tmp_path / "firmware").mkdir()
    (tmp_path / "firmware" / "lamp.py").write_text(
        '"""Lights a lamp. And more.\n\nMuch more."""\n\nLONGEST_S = 5\nWORD = "x"\nON = True\n'
    )
    styles = tmp_path / "host" / "web" / "static" / "css"
    styles.mkdir(parents=True)
    (styles / "lamp.css").write_text("/* How a lamp\n   looks: round. More. */\n.lamp { }\n")
    listed = file_index.listed(tmp_path)
    assert "### `firmware/`\n\n* `lamp.py`: Lights a lamp *(LONGEST_S 5)*" in listed
    assert "* `lamp.css`: How a lamp looks: round" in listed


def test_a_file_that_says_nothing_of_itself_is_an_error(tmp_path):
    (tmp_path / "firmware").mkdir()
    (tmp_path / "firmware" / "mute.py").write_text("X = 1\n")
    with pytest.raises(ValueError, match=r"mute\.py does not say what it is for"):
        file_index.listed(tmp_path)
