"""``plusthree backup``: a copy of an archive in a second place, its keys sealed under a passphrase."""

import json
import pathlib

from host import backup, passphrase, secret
from host.archive import Archive
from host.errors import Mistake


def arguments(parser):
    """Add the options."""
    parser.add_argument("folder", type=pathlib.Path, help="where to, such as a mounted stick")
    parser.add_argument("--archive", default="plusthree.db", help="the archive (default: %(default)s)")
    passphrase.argument(parser)
    parser.add_argument("--json", action="store_true", help="print one object instead of a line")


def run(args):
    """Write a copy, and the sealed keys if they are not there yet."""
    if not pathlib.Path(args.archive).exists():
        raise Mistake(f"there is no archive {args.archive}")
    ready(args, args.folder)
    with Archive(args.archive) as archive:
        written = backup.write(archive, args.folder)
    print(json.dumps({"copy": str(written)}) if args.json else f"backup: {written}")
    return 0


def ready(args, folder):
    """See to it that ``folder`` holds the sealed keys of the archive, asking for a passphrase if not."""
    if not folder.is_dir():
        raise Mistake(f"there is no folder {folder}")
    master = secret.load(secret.beside(args.archive))
    if not backup.keys_there(master, args.archive, folder):
        backup.seal_keys(master, args.archive, folder, passphrase.get(args, again=True))
