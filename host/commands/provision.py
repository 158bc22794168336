"""``plusthree provision``: a board's key and settings, derived and recorded."""

import pathlib
import time

from firmware.core import frames
from host import secret
from host.archive import Archive
from host.errors import Mistake
from host.roster import Board

DEVICES = (1, 65534)
GENERATIONS = (0, 65535)


def arguments(parser):
    """Add the options."""
    parser.add_argument("--archive", default="plusthree.db", help="the archive (default: %(default)s)")
    parser.add_argument("--device", type=int, required=True, help="the board's number, 1 to 65534")
    parser.add_argument("--table", type=int, required=True, help="the table it stands on")
    parser.add_argument("--generation", type=int, help="of its key; raised by itself when left out")
    parser.add_argument("--language", choices=("en", "it"), default="en")
    parser.add_argument("--role", choices=("table", "gateway"), default="table")
    parser.add_argument("--board", choices=("feather", "clue"), default="feather")
    parser.add_argument("--out", type=pathlib.Path, help="write settings.toml here (default: print)")


def run(args):
    """Record the board in the archive and hand out its settings; the file is for it alone."""
    _check("--device", args.device, *DEVICES)
    _check("--table", args.table, 1, 65535)
    with Archive(args.archive) as archive:
        generation = args.generation
        if generation is None:
            generation = _next_generation(archive.roster, args.device)
        _check("--generation", generation, *GENERATIONS)
        master = _master(archive, args.archive)
        board = Board(args.device, generation, args.table)
        text = settings(board, master, args.language, args.role, args.board)
        with archive.transaction():
            archive.roster.add_board(board, time.time_ns() // 1_000_000)
            _hand_out(text, args.out)
    if args.out:
        print(f"board {board.device}, table {board.table}: settings in {args.out}; copy them to the board")
    return 0


def settings(board, master, language="en", role="table", model="feather"):
    """Return the text of a board's settings.toml (``firmware.core.settings``)."""
    key = frames.board_key(master, board.device, board.generation)
    lines = (
        ("DEVICE", board.device),
        ("KEY", f'"{key.hex()}"'),
        ("GENERATION", board.generation),
        ("LANGUAGE", f'"{language}"'),
        ("ROLE", f'"{role}"'),
        ("BOARD", f'"{model}"'),
    )
    head = f"# board {board.device}, table {board.table}; the key is a secret\n"
    return head + "".join(f"PLUSTHREE_{name} = {value}\n" for name, value in lines)


def _check(option, value, low, high):
    if not low <= value <= high:
        raise Mistake(f"{option} must be from {low} to {high}, not {value}")


def _next_generation(roster, device):
    board = roster.current_boards.get(device)
    return 1 if board is None else board.generation + 1


def _master(archive, path):
    """A key is only made while no board depends on an older one."""
    place = secret.beside(path)
    return secret.load(place) if archive.roster.boards else secret.load_or_make(place)


def _hand_out(text, path):
    """Print the settings, or put them in a file in the place of older ones of ours."""
    if path is None:
        print(text, end="")
        return
    try:
        if path.exists():
            kept = path.read_text(encoding="utf-8").splitlines(keepends=True)
            text += "".join(line for line in kept if not line.startswith(("PLUSTHREE_", "# board ")))
        else:
            path.touch(mode=0o600)
        path.write_text(text, encoding="utf-8")
    except (OSError, UnicodeDecodeError) as failure:
        raise Mistake(f"{path} cannot be written: {failure}") from None
