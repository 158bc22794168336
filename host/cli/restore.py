"""``plusthree restore``: restore an archive from its copies, on this or another laptop."""

import datetime
import json
import pathlib
import time
from argparse import ArgumentParser, Namespace

from host.backup.restore import restore
from host.base import installation
from host.cli import options
from host.keys import passphrase


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument(
        "folder",
        metavar="DIR",
        type=pathlib.Path,
        help="where the copies are, such as a mounted stick",
    )
    options.add_archive(parser, "what to make")
    parser.add_argument("--name", help="the lost archive's name, where the folder holds several")
    parser.add_argument(
        "--copy", type=int, metavar="NUMBER", help="restore this copy (default: the newest)"
    )
    options.add_flag(parser, "--older", "accept an unsealed copy, from an older plusthree")
    passphrase.add_argument(parser)
    options.add_flag(parser, "--json", "print one object instead of a line")


def run(args: Namespace) -> int:
    """Restore the newest whole copy and print which copies were damaged; return 0."""
    phrase, unix_ms = passphrase.get(args), time.time_ns() // 1_000_000
    done = restore(args.folder, args.archive, phrase, unix_ms, args.name, args.copy, args.older)
    at = datetime.datetime.fromtimestamp(done.unix_s).isoformat(" ", "minutes")
    passed = [{"copy": str(path), "why": why} for path, why in done.passed]
    if args.json:
        print(
            json.dumps(
                {
                    "archive": str(args.archive),
                    "copy": str(done.copy),
                    "copied_at": at,
                    "passed_over": passed,
                }
            )
        )
        return 0
    for copy in passed:
        print(f"passed over {copy['copy']}: {copy['why']}")
    print(
        f"{args.archive} is restored from {done.copy}, made {at}; a board that was revoked later,"
        " revoke again"
    )
    archive, folder = installation.quote(args.archive), installation.quote(args.folder)
    print(f"go on with: {installation.command()} serve {archive} --backup {folder}")
    return 0
