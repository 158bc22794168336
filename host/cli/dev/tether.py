"""``plusthree dev simulate tether``: serve an archive to a program that carries the frames."""

import os
import sys
from argparse import ArgumentParser, Namespace

from host.archive import places
from host.base.errors import UserError
from host.cli import options
from host.collector.carriers import tether
from host.desk.station import Station
from host.server.console import Console


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.epilog = "The lines that go in and out are told in host/collector/carriers/tether.py."
    parser.add_argument(
        "archive", metavar="ARCHIVE", type=options.place, help="an archive with its key"
    )
    parser.add_argument("--name", default="desk", help="who asks, for the record")


def run(args: Namespace) -> int:
    """Serve until the input ends or nobody reads; return 0, or 1 if a line was refused."""
    if not places.exists(args.archive):
        raise UserError(f"there is no archive {args.archive}")
    refused = 0
    with Station(args.archive) as station:
        console = Console(station, args.name)
        try:
            refused = tether.run(station.collector, console.run, sys.stdin.buffer, sys.stdout)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else exit writes again
    if refused:
        lines = "1 line was" if refused == 1 else f"{refused} lines were"
        print(f"plusthree dev: {lines} refused: see the answers", file=sys.stderr)
    return 1 if refused else 0
