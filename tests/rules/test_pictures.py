"""The pictures of README and ``docs/`` show what there is today."""

import json

import pictures
import pytest

from host.web import texts

AGAIN = "look at what `make pictures` draws anew, and commit it"
NOTES = json.loads(pictures.NOTES.read_text(encoding="utf-8"))


def test_one_command_makes_every_picture():
    found = {path.name for path in pictures.DOCS.iterdir() if path.suffix in {".png", ".svg"}}
    assert found == {*pictures.BOARDS, pictures.PAGES, pictures.DRAWN}


@pytest.mark.parametrize("name", pictures.BOARDS)
def test_boards_look_as_in_the_picture(name):
    assert pictures.digests(pictures.BOARDS[name]) == NOTES[name], AGAIN


def test_pages_still_say_what_can_be_read_on_their_picture():
    today = {text for forms in texts.english().values() for text in forms}
    assert len(NOTES[pictures.PAGES]) > 20
    assert not {*NOTES[pictures.PAGES]} - today, AGAIN
