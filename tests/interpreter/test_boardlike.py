"""CircuitPython's sources are made into a board's interpreter, or one is told why not."""

import boardlike
import pytest

from host.boards.deploy import interned

MIN_C = """#include "shared-bindings/displayio/Palette.h"
table = {
    { MP_ROM_QSTR(MP_QSTR_Palette), MP_ROM_PTR(&displayio_palette_type) },
};
"""
PORT = {
    "py/makeversionhdr.py": "    info = version.get_version_info_from_git(repo_path)\n",
    "extmod/vfs_posix_file.c": "    int fd;\n} mp_obj_vfs_posix_file_t;\n",
    "ports/unix/main.c": "static mp_obj_t pystack[1024];\n",
    "ports/unix/Makefile": "CWARN = -Wall -Werror\n",
    "ports/unix/displayio_min.c": MIN_C,
    "ports/unix/qstrdefsport.h": "// names\n",
}


@pytest.fixture
def sources(tmp_path):
    """A folder with the places of CircuitPython's sources that are looked at."""
    found = tmp_path / "circuitpython"
    for part in boardlike.PARTS.split():
        (found / part).mkdir(parents=True, exist_ok=True)
    for name, text in PORT.items():
        (found / name).parent.mkdir(parents=True, exist_ok=True)
        (found / name).write_text(text)
    return found


def test_what_stands_in_for_our_words_lies_in_a_boards_flash():
    """A word that does not costs heap; with 300 of them their table takes 1,952 bytes more."""
    assert {*interned._WORDS} <= {*boardlike.names()}


def test_lays_what_a_board_has_beside_the_port(sources, tmp_path):
    boardlike.lay(sources, tmp_path / "built", "10.2.1")
    port = tmp_path / "built" / "ports" / "unix"
    assert "Q(start_scan)\n" in (port / "qstrdefsport.h").read_text()
    assert "pystack[512]" in (port / "main.c").read_text()
    file = tmp_path / "built" / "extmod" / "vfs_posix_file.c"
    assert file.read_text().startswith("    int fd;\n    byte rest[88];\n}")
    assert "MP_QSTR_TileGrid" in (port / "displayio_board.c").read_text()
    assert (port / "variants" / "board" / "mpconfigvariant.mk").is_file()
    version = (tmp_path / "built" / "py" / "makeversionhdr.py").read_text()
    assert version == '    info = "10.2.1", "", "10.2.1".split(".")\n'
    assert (sources / "ports" / "unix" / "main.c").read_text() == PORT["ports/unix/main.c"]


def test_building_again_lays_each_thing_once(sources, tmp_path):
    for _ in range(2):
        boardlike.lay(sources, tmp_path / "built", "10.2.1")
    assert "10.2.1" in (tmp_path / "built" / "py" / "makeversionhdr.py").read_text()
    rows = (tmp_path / "built" / "ports" / "unix" / "qstrdefsport.h").read_text().splitlines()
    assert len(rows) == len({*rows})


@pytest.mark.parametrize("version, words", [(None, "VERSION"), ("ten", "VERSION")])
def test_a_version_that_cannot_be_known_is_asked_for(sources, tmp_path, capsys, version, words):
    assert boardlike.main(sources, tmp_path / "built", version) == 2
    assert words in capsys.readouterr().err


def test_another_folder_is_refused(tmp_path, capsys):
    assert boardlike.main(tmp_path, tmp_path / "built", "10.2.1") == 2
    assert "no sources of CircuitPython" in capsys.readouterr().err


def test_sources_that_have_changed_are_told(sources, tmp_path, capsys):
    (sources / "ports" / "unix" / "main.c").write_text("another\n")
    assert boardlike.main(sources, tmp_path / "built", "10.2.1") == 1
    assert "'pystack[1024]' is not there" in capsys.readouterr().err


def test_what_does_not_build_is_told(sources, tmp_path, capsys):
    """These sources have no rule to build by."""
    assert boardlike.main(sources, tmp_path / "built", "10.2.1") == 1
    assert "gcc-multilib" in capsys.readouterr().err
