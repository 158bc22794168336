"""``plusthree paper codes``: the tables' one-time judge codes as a list to cross out."""

from argparse import ArgumentParser, Namespace

from host.archive import master_key
from host.base import private_files
from host.base.errors import UserError
from host.cli import options, paper
from host.event.archive_view import ArchiveView
from host.keys import judge_codes
from host.keys.keyring import Keyring

_LAST = 65535  # a board counts its codes in 16 bits


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.add_archive(parser)
    parser.add_argument(
        "--table",
        type=int,
        action="append",
        metavar="N",
        help="only this table's (default: every board's)",
    )
    parser.add_argument(
        "--count",
        type=int,
        default=judge_codes.CodeRequest.count,
        help="how many codes a board (default: %(default)s)",
    )
    parser.add_argument(
        "--first", type=int, help="number of the first (default: the next that was not used)"
    )
    options.add_flag(parser, "--text", "print them here as lines, in place of a page")
    options.add_path(
        parser,
        "--out",
        "PLACE",
        "the page's folder (default: paper); --text: a file that only you can read",
    )
    paper.add_page_arguments(parser)


def run(args: Namespace) -> int:
    """Write or print the list, also beside a running ``serve``; return 0.

    A code that is not yet crossed out is as secret as a key.
    """
    if not 1 <= args.count <= 200:
        raise UserError("--count must be from 1 to 200")
    if args.first is not None and not 1 <= args.first <= _LAST - args.count:
        raise UserError(f"--first must be from 1 to {_LAST - args.count}")
    first = None if args.first is None else args.first - 1
    asked = judge_codes.CodeRequest(args.table or (), args.count, first)
    if not args.text:
        args.kind, args.pack = paper.CODES, None
        args.out = args.out or paper.FOLDER
        return paper.write(args, asked)
    if args.out and not args.out.parent.is_dir():
        raise UserError(f"there is no folder {args.out.parent} for --out")
    with ArchiveView(args.archive) as archive, archive.snapshot():
        keyring = Keyring(master_key.load(master_key.path_of(args.archive)), archive.roster)
        lines = judge_codes.sheet(keyring, archive, asked)
    if args.out is None:
        print("\n".join(lines))
        return 0
    private_files.write_whole(args.out, "\n".join(lines) + "\n", secret=True)
    return 0
