"""``plusthree dev screens page FILE``: draw the screens in a browser, from their display lists."""

import pathlib
from argparse import ArgumentParser, Namespace

from host.base.private_files import write_whole
from host.boards.models import NAMES
from host.cli.dev import shots


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument("file", metavar="FILE", type=pathlib.Path, help="where the page goes")
    shots.add_choices(parser)


def run(args: Namespace) -> int:
    """Write the page; return 0."""
    from host.sim.shots import list_page, listed, scenes_of

    models = [args.board] if args.board else NAMES
    lists = list(listed(models, args.language, scenes_of(args.screen)))
    write_whole(args.file, list_page(lists))
    print(f"{len(lists)} screens on {args.file}")
    return 0
