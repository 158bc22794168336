"""``plusthree restore``: bring an archive back from its copies, on this or another laptop."""

import json
import pathlib
import time

from host import passphrase
from host.restoring import restore


def arguments(parser):
    """Add the options."""
    parser.add_argument("folder", type=pathlib.Path, help="where the copies are, such as a mounted stick")
    parser.add_argument("--archive", default="plusthree.db", help="what to make (default: %(default)s)")
    parser.add_argument("--name", help="the lost archive's name, where the folder holds several")
    passphrase.argument(parser)
    parser.add_argument("--json", action="store_true", help="print one object instead of a line")


def run(args):
    """Bring the newest whole copy back; the next command is ``plusthree serve``."""
    copy = restore(args.folder, args.archive, passphrase.get(args), time.time_ns() // 1_000_000, args.name)
    if args.json:
        print(json.dumps({"archive": str(args.archive), "copy": str(copy)}))
        return 0
    print(f"{args.archive} is restored from {copy}; go on with: plusthree serve --archive {args.archive}")
    return 0
