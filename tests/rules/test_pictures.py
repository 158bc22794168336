"""The pictures of README and ``docs/`` show what there is today."""

import json
import re

import drawn
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


def test_a_commit_always_draws_the_same_and_each_another():
    assert drawn.seeds("torture", 3) == drawn.seeds("torture", 200)[:3]
    assert drawn.seeds("torture", 3, "a" * 40) != drawn.seeds("torture", 3, "b" * 40)
    assert drawn.seeds("torture", 3) != drawn.seeds("relays", 3)
    many = drawn.seeds("torture", 200)
    assert len(set(many)) == 200 and min(many) >= 1 and max(many) < 1_000_000_000


def test_without_a_commit_the_files_themselves_are_drawn_from(tmp_path):
    found = drawn.origin(tmp_path)
    assert re.fullmatch(r"[0-9a-f]{64}", found.key)
    assert found.name == f"the files' digest {found.key[:12]}, as git knows no commit here"


def test_without_git_too(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert drawn.origin(tmp_path).name.startswith("the files' digest ")
