"""Builds CircuitPython's unix port as a board's interpreter (``docs/interpreter.md``).

``boardlike.py SOURCES FOLDER [VERSION]``: SOURCES is a folder with CircuitPython's sources (submodules
are not needed), FOLDER gets a copy of what is built and the program ``board32``. VERSION is what it
says it is; without one it is the sources' last git tag. Exit codes: 0 built, 1 it does not build,
2 bad input.
"""

import pathlib
import re
import shutil
import subprocess
import sys

VARIANT = pathlib.Path(__file__).parent / "variant"
PARTS = "data extmod lib ports/unix py shared shared-bindings shared-module supervisor tools locale"
PROGRAM = "board32"
# the names that only the playback's player and doubles know, and unix's main.c: no board has them,
# and none of them may be a word of the program's
_DOUBLES = """
    advert asked before holes imports kept most steps ticks vfs _glyph 31s
    .frozen /lib /usr/lib/micropython /tape.bin /playback/ /modules doubles/playback
    doubles/playback/player.py doubles/playback/ports.py doubles/playback/radio.py
    doubles/modules doubles/modules/fontio.py
"""
_LAID = {
    "mpconfigvariant.h": "variants/board/mpconfigvariant.h",
    "mpconfigvariant.mk": "variants/board/mpconfigvariant.mk",
    "hashlib.c": "hashlib_board.c",
    "Hash.h": "common-hal/hashlib/Hash.h",
}
_FILE = "} mp_obj_vfs_posix_file_t;"
_FAT_FILE = "    byte rest[88];\n"  # an open file's size on a board: 96 bytes; lib/oofatfs/ff.h
_ROW = "    { MP_ROM_QSTR(MP_QSTR_%s), MP_ROM_PTR(&displayio_%s) },\n"


class CannotBuildError(Exception):
    """The sources are not those that are known here; says what is missing."""


def edited(text, old, new):
    """Return ``text`` with its first ``old`` replaced; raises CannotBuildError where it has none."""
    if old not in text:
        raise CannotBuildError(f"CircuitPython's sources have changed: {old!r} is not there")
    return text.replace(old, new, 1)


def names():
    """Return the names that lie in a Feather's flash, and those that take none of its heap."""
    flash = (VARIANT / "feather_names.txt").read_text(encoding="utf-8")
    return sorted({*flash.split(), *_DOUBLES.split()})


def displayio(text):
    """Return ``displayio_min.c`` with what a program of ours draws with besides."""
    palette = '#include "shared-bindings/displayio/Palette.h"\n'
    more = "".join(palette.replace("Palette", one) for one in ("Group", "TileGrid", "OnDiskBitmap"))
    release = "static mp_obj_t release(void) { return mp_const_none; }\n"
    release += "static MP_DEFINE_CONST_FUN_OBJ_0(displayio_release, release);\n"
    row = _ROW % ("Palette", "palette_type")
    rows = [("Group", "group_type"), ("TileGrid", "tilegrid_type"), ("release_displays", "release")]
    text = edited(text, palette, palette + more + release)
    text = edited(text, row, row + "".join(_ROW % one for one in rows))
    return text + (VARIANT / "displayio.c").read_text(encoding="utf-8")


def lay(sources, folder, version):
    """Copy what is built to ``folder``, and make a board's interpreter of it."""
    for part in PARTS.split():
        shutil.copytree(sources / part, folder / part, symlinks=True, dirs_exist_ok=True)
    port = folder / "ports" / "unix"
    for name, place in _LAID.items():
        (port / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(VARIANT / name, port / place)

    def edit(place, change):
        path = folder / place
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")

    shutil.copy(port / "displayio_min.c", port / "displayio_board.c")
    edit("ports/unix/displayio_board.c", displayio)
    edit("ports/unix/main.c", lambda text: edited(text, "pystack[1024]", "pystack[512]"))
    edit("extmod/vfs_posix_file.c", lambda text: edited(text, _FILE, _FAT_FILE + _FILE))
    edit("ports/unix/Makefile", lambda text: edited(text, "-Wall -Werror", "-Wall"))
    rows = "".join(f"Q({name})\n" for name in names())
    edit("ports/unix/qstrdefsport.h", lambda text: text + rows)
    asked = "info = version.get_version_info_from_git(repo_path)"
    answer = f'info = "{version}", "", "{version}".split(".")'
    edit("py/makeversionhdr.py", lambda text: edited(text, asked, answer))


def tag(sources):
    """Return the sources' last git tag, None where there is none."""
    command = ["git", "-C", sources, "describe", "--tags", "--abbrev=0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or None


def main(sources, folder, version=None):
    """Build; return the exit code."""
    sources, folder = pathlib.Path(sources), pathlib.Path(folder)
    version = version or tag(sources)
    lacking = [part for part in PARTS.split() if not (sources / part).is_dir()]
    if lacking:
        return told(2, f"{sources} has no sources of CircuitPython: it lacks {lacking[0]}")
    if not re.fullmatch(r"\d+\.\d+\.\d+", version or ""):
        return told(2, "which version is it? Say VERSION=10.2.1, for example")
    try:
        lay(sources, folder, version)
    except CannotBuildError as error:
        return told(1, error)
    port = folder / "ports" / "unix"
    command = ["make", "-C", port, "-j2", "VARIANT=board", f"PYTHON={sys.executable}"]
    if subprocess.run(command, check=False).returncode:
        return told(1, "it does not build; it needs gcc -m32 (on Debian the package gcc-multilib)")
    shutil.copy(port / "build-board" / "micropython", folder / PROGRAM)
    return told(0, f"built: {folder / PROGRAM}")


def told(code, text):
    """Say it; return the exit code."""
    print(text, file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
