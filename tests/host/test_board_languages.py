"""A language that comes with no board: its texts are laid, the program knows its name, and all else
is as before.
"""

import ast

import boardsettings
import pytest

from firmware.ui import face
from host import cli
from host.base import catalogues
from host.base.errors import UserError
from host.boards import languages
from host.boards.deploy import image
from host.boards.models import MODELS
from host.boards.screens import pack, words
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
    """A folder of catalogues with a third language of one text."""
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path / "locale")
    path = catalogues.path_of("eo", "board")
    path.parent.mkdir(parents=True)
    path.write_text(PO, encoding="utf-8")
    return path


def told(data):
    """Return the texts of both languages in the bytes of a face."""
    at = pack.struct.unpack_from(f"<{data[0] + 1}I", data, 1)
    return [data[at[2 + number] : at[3 + number]] for number in range(2)]


def test_boards_and_the_program_that_lays_them_name_the_same_languages():
    assert pack.LANGUAGES == face.LANGUAGES


@pytest.mark.parametrize("language", [None, "en", "it"])
def test_the_image_is_the_same_for_both_of_its_own_languages(language):
    plain = image.build("feathers3")
    assert image.build("feathers3", language=language) == plain
    assert told(plain[languages.FACE]) == told(pack.build())


def test_a_third_language_takes_the_place_of_the_second(folder):
    plain, other = image.build("feathers3"), image.build("feathers3", language="eo")
    assert {name for name in plain if plain[name] != other[name]} >= {
        languages.FACE,
        "firmware/core/settings.py",
    }
    assert len([name for name in plain if plain[name] != other[name]]) == 3
    assert told(other[languages.FACE])[0] == told(plain[languages.FACE])[0]
    assert b"TABULO" in told(other[languages.FACE])[1]
    tables = [
        name for name in other if name.endswith(".py") and not name.startswith("firmware/gateway/")
    ]
    found = [node.value for name in tables for node in ast.walk(ast.parse(other[name]))
             if isinstance(node, ast.Constant) and node.value in ("eo", "it")]  # fmt: skip
    assert found == ["eo", "eo"]


def test_it_is_laid_as_the_settings_or_the_option_say(folder, tmp_path):
    drive = tmp_path / "drive"
    drive.mkdir()
    (drive / "boot_out.txt").write_text(BOOT_OUT)
    (tmp_path / "s.toml").write_text(SETTINGS.format("eo"))
    assert cli.main(["board", "deploy", str(drive), "--settings", str(tmp_path / "s.toml")]) == 0
    assert b"TABULO" in (drive / languages.FACE).read_bytes()
    assert cli.main(["board", "deploy", str(drive), "--language", "en"]) == 0
    assert b"TABULO" not in (drive / languages.FACE).read_bytes()
    assert 'PLUSTHREE_LANGUAGE = "en"' in (drive / "settings.toml").read_text()
    assert cli.main(["board", "deploy", str(drive), "--language", "eo"]) == 0
    assert b"TABULO" in (drive / languages.FACE).read_bytes()
    assert (drive / "settings.toml").read_text().count("PLUSTHREE_LANGUAGE") == 1


def test_a_language_that_nobody_has_translated_is_refused(folder, tmp_path, capsys):
    (tmp_path / "boot_out.txt").write_text(BOOT_OUT)
    (tmp_path / "settings.toml").write_text(SETTINGS.format("de"))
    assert cli.main(["board", "deploy", str(tmp_path)]) == 2
    assert "PLUSTHREE_LANGUAGE is 'de': there are en, eo" in capsys.readouterr().err
    assert not (tmp_path / "code.py").exists()
    (tmp_path / "settings.toml").unlink()
    assert cli.main(["board", "deploy", str(tmp_path), "--language", "eo"]) == 2
    assert "give --settings" in capsys.readouterr().err


def test_a_board_is_given_it_by_its_settings(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert (
        cli.main(["board", "provision", "--device", "7", "--language", "eo", "--out", "s.toml"])
        == 0
    )
    assert 'PLUSTHREE_LANGUAGE = "eo"' in (tmp_path / "s.toml").read_text()
    with pytest.raises(SystemExit):
        cli.main(
            ["board", "provision", "--device", "8", "--language", "it"]
        )  # which is not in this folder


def test_a_screen_is_drawn_in_it(folder):
    english, other = (Studio("feathers3", one).shot(*_idle()) for one in ("en", "eo"))
    assert english.image.size == other.image.size == Panel(MODELS["feathers3"].panel).image().size
    assert english.image.tobytes() != other.image.tobytes()


def _idle():
    from host.sim.scenes_more import ALL

    return next(scene for scene in ALL if scene[0] == "idle")


@pytest.mark.parametrize("text", ["ŜTABLO", "日本", "a\\nb"])
def test_a_letter_that_no_board_has_is_refused_with_its_line(folder, text):
    folder.write_text(PO.replace("TABULO", text), encoding="utf-8")
    with pytest.raises(UserError, match=f"{folder}:5: no board has the letter"):
        words.texts("eo")
