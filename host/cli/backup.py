"""``plusthree backup``: copy an archive, with its master key encrypted under a passphrase.

What it refuses before it writes is here, in ``run`` and in ``ready``, which ``serve`` calls, too.
"""

import json
import pathlib
from argparse import ArgumentParser, Namespace

from host.archive import master_key, places
from host.archive.store import Archive
from host.backup import backup
from host.base.errors import UserError
from host.cli import options
from host.keys import passphrase


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument(
        "folder", metavar="DIR", type=pathlib.Path, help="where to, such as a mounted stick"
    )
    options.add_archive(parser)
    passphrase.add_argument(parser)
    options.add_flag(parser, "--json", "print one object instead of a line")


def run(args: Namespace) -> int:
    """Write a copy, and the encrypted key if the folder has none yet; return 0."""
    if not places.exists(args.archive):
        raise UserError(f"there is no archive {args.archive}")
    notes = ready(args, args.folder)
    with Archive(args.archive) as archive:
        written = backup.write(archive, args.folder)
    if args.json:
        print(json.dumps({"copy": str(written)}))
        return 0
    print(*notes, f"backup: {written}", sep="\n")
    return 0


def ready(args: Namespace, folder: pathlib.Path) -> list[str]:
    """Make sure that ``folder`` holds the archive's encrypted keys, and return lines to show.

    Asks for a passphrase if it must write them. Raises UserError without such a folder, and if the
    keys are already there under another passphrase than the one given.
    """
    if not folder.is_dir():
        raise UserError(f"there is no folder {folder}")
    path = places.local(args.archive)
    master, given = master_key.load(master_key.path_of(args.archive)), passphrase.read_given(args)
    if not backup.has_key(master, path, folder, given):
        backup.write_key(master, path, folder, passphrase.get(args, again=True))
        return []
    if given:
        return []
    return [f"the keys are in {folder} already, under the passphrase that they were sealed with"]
