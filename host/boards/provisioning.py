"""Boards given their keys: one settings file, or one board after another as their drives appear."""

import contextlib
import os
import pathlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator

from firmware.core import frames
from host.archive.roster import SPARE, Board, Roster
from host.base import private_files
from host.base.errors import UserError
from host.boards import board_settings

DEVICES = (1, 65534)
GENERATIONS = (0, 65535)
SETTINGS = "settings.toml"
_BOARD, _OTHER = "board", "other"
_DEVICE = re.compile(r"^PLUSTHREE_DEVICE\s*=\s*([0-9]{1,5})\s*$", re.MULTILINE)
_KEY = re.compile(r'^PLUSTHREE_KEY\s*=\s*"([0-9a-fA-F]{64})"\s*$', re.MULTILINE)


def settings(
    board: Board, master: bytes, language: str = "en", model: str = "feathers3", role: str = "table"
) -> str:
    """Return the text of a board's settings.toml (``firmware.core.settings``)."""
    key = frames.board_key(master, board.device, board.generation)
    place = "spare" if board.table == SPARE else f"table {board.table}"
    return f"""\
# board {board.device}, {place}; the key is a secret
{board_settings.LINES}\
PLUSTHREE_DEVICE = {board.device}
PLUSTHREE_KEY = "{key.hex()}"
PLUSTHREE_GENERATION = {board.generation}
PLUSTHREE_LANGUAGE = "{language}"
PLUSTHREE_ROLE = "{role}"
PLUSTHREE_BOARD = "{model}"
"""


def gateway_settings(language: str = "en", model: str = "feather") -> str:
    """Return the text of a gateway's settings.toml: it has no number and no key."""
    return f"""\
# a gateway
{board_settings.LINES}\
PLUSTHREE_LANGUAGE = "{language}"
PLUSTHREE_ROLE = "gateway"
PLUSTHREE_BOARD = "{model}"
"""


def next_generation(boards: Iterable[Board], device: int) -> int:
    """Return the generation of a board's next key: none of those of ``boards`` is given twice."""
    return max((board.generation + 1 for board in boards if board.device == device), default=1)


@contextlib.contextmanager
def output_on_success(text: str, path: pathlib.Path | None) -> Iterator[None]:
    """Hand out the settings when the block ends well: print them, or replace our file at ``path``.

    The file lies beside its place before the block begins: what the block records is handed out.
    """
    if path is None:
        yield
        print(text, end="")
        return
    done = False
    try:
        kept = board_settings.other_lines(private_files.text_before(path))
        with private_files.replace_on_success(path, text + kept):
            yield
            done = True
    except UnicodeDecodeError:
        message = f"{path} is not saved as UTF-8: save it with that encoding, or remove it"
        raise UserError(message) from None
    except OSError as failure:
        message = f"{path} cannot be written ({failure.strerror or failure})"
        if done:
            message += (
                "; its new key is recorded, so provision that board again, which gives it another"
            )
        raise UserError(message) from None


def mounted_drives() -> list[pathlib.Path]:
    """Return the folders in which this system shows mounted drives."""
    if sys.platform == "win32":
        return [pathlib.Path(f"{letter}:/") for letter in "DEFGHIJKLMNOPQRSTUVWXYZ"]
    user = os.environ.get("USER", "")
    places = ("/Volumes", f"/media/{user}", f"/run/media/{user}", "/media")
    return [drive for place in places for drive in _within(pathlib.Path(place))]


def _within(place):
    try:
        return list(place.iterdir())
    except OSError:  # not there, or another person's
        return []


class BatchProvisioner:
    """Provisions boards one after another; ``write(board, path)`` hands one its settings.

    ``drives()`` gives the folders where a drive may be. A board that has a number and a key of
    ``master`` keeps its number and gets a new key; another gets the next free one and is a spare.
    ``others`` are boards of other archives under that key: nothing of theirs is given again.
    """

    def __init__(
        self,
        roster: Roster,
        write: Callable[[Board, pathlib.Path], None],
        drives: Callable[[], Iterable[pathlib.Path]] = mounted_drives,
        *,
        master: bytes,
        others: Iterable[Board] = (),
    ):
        self._roster, self._write, self._drives, self._master = roster, write, drives, master
        self._others = [*others]
        self._done = set()  # drives that are still plugged in, or that a remark was returned on
        self.count = 0

    def step(self) -> list[str]:
        """Provision the boards that were plugged in since the last step; return a line for each."""
        found = {path: _look_at(path) for path in self._drives()}
        plugged_in = {path for path, what in found.items() if what != _OTHER}
        new = sorted(plugged_in - self._done)
        self._done &= plugged_in
        lines = []
        for path in new:
            lines.append(found[path] if found[path] != _BOARD else self._provision(path))
            self._done.add(path)
        return lines

    def _provision(self, path):
        board = self._board_for(path / SETTINGS)
        self._write(board, path / SETTINGS)
        self.count += 1
        place = f"table {board.table}" if board.table else "a spare"
        return (
            f"board {board.device} (key {board.generation}), {place}, is on {path}: eject it, plug"
            " in the next"
        )

    def _board_for(self, path):
        text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        number, key = _DEVICE.search(text), _KEY.search(text)
        device = int(number[1]) if number else 0
        known = [*self._roster.boards, *self._others]
        if key is None or not self._ours(device, key[1].lower()):
            device = free_device(known)
        current = self._roster.current_boards.get(device)
        table = current.table if current else SPARE
        return Board(device, next_generation(known, device), table)

    def _ours(self, device, key):
        """Return whether a board's key is of our master key: only then it keeps its number."""
        known = [board.generation for board in self._roster.boards if board.device == device]
        return any(key == frames.board_key(self._master, device, each).hex() for each in known)


def _look_at(path):
    """Return ``_BOARD`` for a board's drive, ``_OTHER``, or a remark if it may not be read."""
    try:
        return _BOARD if (path / "boot_out.txt").is_file() else _OTHER
    except OSError as failure:  # Python up to 3.13 raises where the folder is another person's
        return f"{path} is passed over: {failure.strerror or failure}"


def free_device(boards: Iterable[Board]) -> int:
    """Return the lowest number that is above every board's."""
    device = max((board.device for board in boards), default=0) + 1
    if device > DEVICES[1]:
        raise UserError("there is no board number left")
    return device
