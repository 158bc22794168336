"""A language that comes with no board: its texts are laid, and all else is as before."""

import json

import boardsettings
import pytest
from commands import plusthree

from host.base import catalogues
from host.base.errors import UserError
from host.boards import texts
from host.boards.deploy import image
from host.boards.models import MODELS
from host.sim.panel import Panel
from host.sim.shots import Studio

BOOT_OUT = (
    "Adafruit CircuitPython 10.3.1 on 2026-01-01; Adafruit Board\nBoard"
    f" ID:{MODELS['feathers3'].board_id}\n"
)
SETTINGS = boardsettings.of(7) + 'PLUSTHREE_LANGUAGE = "{}"\n'
PO = 'msgid ""\nmsgstr ""\n\nmsgctxt "idle_word"\nmsgid "TABLE"\nmsgstr "TABULO"\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path / "locale")
    path = catalogues.path_of("eo", "board")
    path.parent.mkdir(parents=True)
    path.write_text(PO, encoding="utf-8")
    return path


def laid(drive):
    """Return the texts of the third language on a drive."""
    return json.loads((drive / "firmware/ui/texts/eo.json").read_text("utf-8"))


def test_a_third_language_adds_its_texts_and_changes_nothing_else(monkeypatch, tmp_path):
    plain = image.build("feathers3")
    told = {name: plain[f"firmware/ui/texts/{name}.json"] for name in ("en", "it")}
    assert told == {name: texts.pack(name) for name in told}
    path = tmp_path / "eo.po"
    path.write_text(PO, encoding="utf-8")
    path_of = catalogues.path_of
    monkeypatch.setattr(catalogues, "languages", lambda: ("en", "eo", "it"))
    monkeypatch.setattr(
        catalogues, "path_of", lambda code, of: path if code == "eo" else path_of(code, of)
    )
    other = image.build("feathers3")
    assert {name for name in other if plain.get(name) != other[name]} == {
        "firmware/ui/texts/eo.json"
    }
    said = json.loads(other["firmware/ui/texts/eo.json"])
    assert said == {**texts.texts("en"), "idle_word": "TABULO"}


def test_it_is_laid_as_the_settings_or_the_option_say(folder, tmp_path):
    drive = tmp_path / "drive"
    drive.mkdir()
    (drive / "boot_out.txt").write_text(BOOT_OUT)
    (tmp_path / "s.toml").write_text(SETTINGS.format("eo"))
    assert plusthree("board", "deploy", drive, "--settings", tmp_path / "s.toml") == 0
    assert laid(drive)["idle_word"] == "TABULO"
    assert plusthree("board", "deploy", drive, "--language", "en") == 0
    assert 'PLUSTHREE_LANGUAGE = "en"' in (drive / "settings.toml").read_text()
    assert plusthree("board", "deploy", drive, "--language", "eo") == 0
    assert laid(drive)["idle_word"] == "TABULO"
    assert (drive / "settings.toml").read_text().count("PLUSTHREE_LANGUAGE") == 1


def test_a_language_that_nobody_has_translated_is_refused(folder, tmp_path, capsys):
    (tmp_path / "boot_out.txt").write_text(BOOT_OUT)
    (tmp_path / "settings.toml").write_text(SETTINGS.format("de"))
    assert plusthree("board", "deploy", tmp_path) == 2
    assert "PLUSTHREE_LANGUAGE is 'de': there are en, eo" in capsys.readouterr().err
    assert not (tmp_path / "code.py").exists()
    (tmp_path / "settings.toml").unlink()
    assert plusthree("board", "deploy", tmp_path, "--language", "eo") == 2
    assert "give --settings" in capsys.readouterr().err


def test_a_board_is_given_it_by_its_settings(folder, here):
    assert (
        plusthree("board", "provision", "--device", "7", "--language", "eo", "--out", "s.toml") == 0
    )
    assert 'PLUSTHREE_LANGUAGE = "eo"' in (here / "s.toml").read_text()
    with pytest.raises(SystemExit):
        # which is not in this folder
        plusthree("board", "provision", "--device", "8", "--language", "it")


def test_a_screen_is_drawn_in_it(folder):
    english, other = (Studio("feathers3", one).shot(*_idle()) for one in ("en", "eo"))
    assert english.image.size == other.image.size == Panel(MODELS["feathers3"].panel).image().size
    assert english.image.tobytes() != other.image.tobytes()


def _idle():
    from host.sim.scenes import ALL

    return next(scene for scene in ALL if scene.screen == "idle")


@pytest.mark.parametrize("text", ["ŜTABLO", "日本", "a\\nb"])
def test_a_letter_that_no_board_has_is_refused_with_its_line(folder, text):
    folder.write_text(PO.replace("TABULO", text), encoding="utf-8")
    with pytest.raises(UserError, match=f"{folder}:5: no board has the letter"):
        texts.texts("eo")
