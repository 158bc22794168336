"""``plusthree squads FILE...``: check XW15 squad lists before the event, and keep them in its
archive (rules X2, X24).
"""

import time
from argparse import ArgumentParser, Namespace

from host.archive import places
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.terminal import printable
from host.desk import handed_lists
from host.formats.csv_reader import left_out
from host.tournament import xwing_squads

EPILOG = (
    f"A list is UTF-8 CSV with the header {','.join(xwing_squads.COLUMNS)}, one line a ship in a"
    " squad. With --archive the desk knows totals, ships and obstacles."
)


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a squad list (CSV)")
    parser.add_argument(
        "--archive", help="keep the lists in this event's archive, if all are right"
    )
    parser.epilog = (
        EPILOG + " Exit 0 when all lists keep the rules, 1 when one does not, 2 for no such file."
    )


def run(args: Namespace) -> int:
    """Print every fault, file by file; return 1 if there is one, else 0. Keep lists without any."""
    failed, found = False, {}
    for path in args.files:
        ships, faults = xwing_squads.read(path)
        told = xwing_squads.sentences(path, ships, faults)
        failed = failed or bool(told)
        lists = {} if told else xwing_squads.lists_of(ships)
        found.update(lists)
        fine = f"{path}: the squads of {len(lists)} players keep the rules."
        print(*(told or [fine]), *left_out(path), sep="\n")
    if args.archive and failed:
        print("nothing was kept: correct the lists first")
    elif args.archive:
        _keep(args.archive, found)
    return int(failed)


def _keep(path, lists):
    if not places.exists(path):
        raise UserError(f"there is no archive at {path}: import round 1 first")
    with Archive(path) as archive:
        if archive.roster.event is None:
            raise UserError("there is no event yet: import round 1 first")
        unix_ms = time.time_ns() // 1_000_000
        said = handed_lists.keep_squads(archive, lists, "squad lists", unix_ms)
    print(f"the lists of {len(lists)} players are kept", *map(printable, said), sep="\n")
