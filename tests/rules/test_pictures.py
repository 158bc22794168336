"""The pictures of README and ``docs/`` show what there is today."""

import json

import pictures
import pytest

from host.cli.dev import air
from host.web import texts

AGAIN = "look at what `make pictures` draws anew, and commit it"
NOTES = json.loads(pictures.NOTES.read_text(encoding="utf-8"))


def test_one_command_makes_every_picture():
    found = {path.name for path in pictures.DOCS.iterdir() if path.suffix in {".png", ".svg"}}
    assert found == {*pictures.BOARDS, pictures.PAGES, *pictures.DRAWN}


@pytest.mark.parametrize("name", pictures.BOARDS)
def test_boards_look_as_in_the_picture(name):
    assert pictures.digests(pictures.BOARDS[name]) == NOTES[name], AGAIN


def test_pages_still_say_what_can_be_read_on_their_picture():
    today = {text for forms in texts.english().values() for text in forms}
    assert len(NOTES[pictures.PAGES]) > 20
    assert not {*NOTES[pictures.PAGES]} - today, AGAIN


@pytest.mark.parametrize("name", air.FIGURES)
def test_drawings_of_the_air_have_todays_words(name):
    drawn = (pictures.DOCS / f"air-{name}.svg").read_text(encoding="utf-8")
    title, across, up, curves, _ = air.FIGURES[name]
    assert all(text in drawn for text in (title, across, up, *curves)), AGAIN
