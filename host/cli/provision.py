"""``plusthree board provision``: derive and record boards' keys and write their settings."""

import sys
import time
from argparse import ArgumentParser, Namespace

from host.archive import master_key, places
from host.archive.roster import SPARE, Board
from host.archive.store import Archive
from host.base import catalogues, installation
from host.base.errors import UserError
from host.boards import models, provisioning
from host.boards.provisioning import DEVICES, GENERATIONS
from host.cli import options
from host.event import shared_keys

_LOOK_S = 0.5


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.add_archive(parser)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--device", type=int, help="the board's number, 1 to 65534")
    which.add_argument(
        "--all", action="store_true", help="boards one after another, as they are plugged in"
    )
    which.add_argument(
        "--gateway", action="store_true", help="a gateway on USB, which has no number and no key"
    )
    which.add_argument(
        "--revoke", type=int, metavar="DEVICE", help="take a board out of use (lost, stolen)"
    )
    parser.add_argument(
        "--table", type=int, help="the table it stands on (default: as before, or a spare)"
    )
    parser.add_argument("--count", type=int, help="with --all: stop after so many boards")
    parser.add_argument(
        "--generation", type=int, help="the key's generation (default: one more than the last)"
    )
    _add_kind(parser)
    options.add_path(
        parser,
        "--out",
        "PLACE",
        "write settings.toml here (default: print); with --all a folder for one file each, no"
        " drives",
    )


def _add_kind(parser: ArgumentParser) -> None:
    """Add the arguments for the kind of board."""
    parser.add_argument(
        "--language",
        choices=catalogues.languages(),
        default=catalogues.ENGLISH,
        help="what the board speaks (default: %(default)s)",
    )
    parser.add_argument(
        "--board",
        metavar="MODEL",
        help=f"{', '.join(models.BOARDS)} (default: feathers3, with --gateway feather)",
    )
    options.add_flag(
        parser,
        "--listener",
        "the board also takes start and acknowledgements from the beacon that gateways send",
    )


def run(args: Namespace) -> int:
    """Record boards in the archive and write their settings, one file per board; return 0.

    Raises UserError for arguments that are out of range or contradict each other.
    """
    _check_options(args)
    role, default = _role(args), "feathers3"
    if args.gateway:
        role, default = "gateway", "feather"
    args.board = models.check_model(args.board or default, role)
    if args.gateway:
        _write_gateway(args)
        return 0
    if args.revoke is not None and not places.exists(args.archive):
        raise UserError(f"there is no archive {args.archive}; name it at the end of the line")
    with Archive(args.archive) as archive:
        if args.revoke is not None:
            archive.roster.move(args.revoke, -1, "provision", unix_ms=_now_unix_ms())
            print(f"board {args.revoke} is revoked; to use it again give it a new key")
        elif args.all:
            _many(args, archive)
        else:
            _one(args, archive)
    return 0


def _check_options(args):
    """Raise UserError for an option that would do nothing, or a count out of range."""
    if args.listener and not args.all and args.device is None:
        raise UserError("--listener is for a table's board: with --device or --all")
    for option, value in (("--table", args.table), ("--generation", args.generation)):
        if value is not None and args.device is None:
            raise UserError(f"{option} is for --device")
    if args.out and args.revoke is not None:
        raise UserError("--out is for --device, --all and --gateway")
    if args.count is not None:
        if not args.all:
            raise UserError("--count is for --all")
        _check("--count", args.count, 1, 500)
    elif args.all and args.out:
        raise UserError("--out DIR with --all needs --count: how many files")


def _write_gateway(args):
    """Write a gateway's settings; the archive has nothing to do with it."""
    text = provisioning.gateway_settings(args.language, args.board)
    with provisioning.output_on_success(text, args.out):
        pass
    if args.out:
        print(f"a gateway: settings in {args.out}; copy them to the board")


def _one(args, archive):
    _check("--device", args.device, *DEVICES)
    current = archive.roster.current_boards.get(args.device)
    table = current.table if current else SPARE
    if args.table is not None:
        _check("--table", args.table, 1, 65535)
        table = args.table
    generation = args.generation
    master = _master(archive, args.archive)
    others, own = _others(args, master), archive.roster.boards
    if generation is None:
        generation = provisioning.next_generation([*own, *_boards(others)], args.device)
    _check("--generation", generation, *GENERATIONS)
    board = Board(args.device, generation, table)
    shared_keys.require_free(board, archive.roster.current_boards.values(), others)
    _record(args, archive, master)(board, args.out)
    if args.out:
        place = f"table {table}" if table else "a spare"
        listens = ", listens to the beacon" if args.listener else ""
        print(
            f"board {board.device}, {place}{listens}: settings in {args.out};"
            " copy them to the board"
        )


def _others(args, master):
    """Return the other archives under the same master key; say which cannot be read."""
    archives, unread = shared_keys.neighbours(args.archive, master)
    for message in unread:
        print(message, file=sys.stderr)
    return archives


def _boards(others):
    return [board for archive in others for board in archive.boards]


def _record(args, archive, master):
    """Return a function that records a Board and writes its settings in one transaction.

    So no key can leave this PC without a record of it.
    """

    def write(board, path):
        text = provisioning.settings(board, master, args.language, args.board, _role(args))
        with provisioning.output_on_success(text, path), archive.transaction():
            archive.roster.add_board(board, _now_unix_ms())

    return write


def _many(args, archive):
    master, roster = _master(archive, args.archive), archive.roster
    write, others = _record(args, archive, master), _boards(_others(args, master))
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
        for _ in range(args.count):
            board = Board(provisioning.free_device([*roster.boards, *others]), 1, SPARE)
            write(board, args.out / f"board-{board.device}.toml")
        print(
            f"{args.count} settings files in {args.out}; lay each with:"
            f" {installation.command()} board deploy DRIVE --settings FILE"
        )
        return
    batch = provisioning.BatchProvisioner(roster, write, master=master, others=others)
    print(
        "plug in one board after another (in service mode: hold J, or A where there is no J, at"
        " reset); Ctrl-C ends",
        flush=True,
    )
    while args.count is None or batch.count < args.count:
        for message in batch.step():
            print(message, flush=True)
        time.sleep(_LOOK_S)


def _role(args):
    """Return the role of a table's board."""
    return "listener" if args.listener else "table"


def _now_unix_ms():
    return time.time_ns() // 1_000_000


def _check(option, value, low, high):
    if not low <= value <= high:
        raise UserError(f"{option} must be from {low} to {high}, not {value}")


def _master(archive, path):
    """Return the master key; a new one is made only while no board depends on an older one."""
    place = master_key.path_of(path)
    return master_key.load(place) if archive.roster.boards else master_key.load_or_make(place)
