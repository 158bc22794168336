"""``plusthree dev tether``: serve an archive to a program that carries the frames (a gateway, a
test).
"""

import pathlib
import sys
from argparse import ArgumentParser, Namespace

from host.base.errors import UserError
from host.collector.carriers import tether
from host.desk.station import Station
from host.server.console import Console


def arguments(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.epilog = "The lines that go in and out are told in host/collector/carriers/tether.py."
    parser.add_argument("archive", type=pathlib.Path, help="an archive with its key")
    parser.add_argument("--name", default="desk", help="who asks, for the record")


def run(args: Namespace) -> int:
    """Serve until the input ends."""
    if not args.archive.exists():
        raise UserError(f"there is no archive {args.archive}")
    with Station(args.archive) as station:
        console = Console(station, args.name)
        tether.run(station.collector, console.run, sys.stdin, sys.stdout)
    return 0
