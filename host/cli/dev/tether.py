"""``plusthree dev tether``: serve an archive to another program that carries the frames."""

import pathlib
import sys
from argparse import ArgumentParser, Namespace

from host.base.errors import UserError
from host.collector.carriers import tether
from host.desk.station import Station
from host.server.console import Console


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.epilog = "The lines that go in and out are told in host/collector/carriers/tether.py."
    parser.add_argument("archive", type=pathlib.Path, help="an archive with its key")
    parser.add_argument("--name", default="desk", help="who asks, for the record")


def run(args: Namespace) -> int:
    """Serve until the input ends; return 0."""
    if not args.archive.exists():
        raise UserError(f"there is no archive {args.archive}")
    with Station(args.archive) as station:
        console = Console(station, args.name)
        tether.run(station.collector, console.run, sys.stdin, sys.stdout)
    return 0
