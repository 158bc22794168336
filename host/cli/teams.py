"""``plusthree teams FILE``: keep who plays in which team (D03 241-244)."""

import time
from argparse import ArgumentParser, Namespace

from host.archive.store import Archive
from host.base.errors import UserError
from host.base.terminal import printable
from host.cli import options
from host.desk import handed_lists
from host.formats import teams_file
from host.formats.csv_reader import left_out

EPILOG = f"The file is UTF-8 CSV with the header {','.join(teams_file.COLUMNS)}, one line a team."


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("file", metavar="FILE", help="the teams (CSV)")
    options.archive(parser)
    options.rename(parser)
    parser.epilog = EPILOG


def run(args: Namespace) -> int:
    """Store the teams; name those of the event that are not in the file; return 0."""
    found = teams_file.read(args.file)
    with Archive(args.archive) as archive:
        if archive.roster.event is None:
            raise UserError("there is no event yet: import round 1 first")
        unix_ms = time.time_ns() // 1_000_000
        said = handed_lists.keep_teams(archive, found, "teams file", unix_ms, args.rename)
    kept = [f"{len(found)} teams are kept", *left_out(args.file)]
    print(*kept, *map(printable, said), sep="\n")
    return 0
