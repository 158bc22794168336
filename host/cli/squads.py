"""``plusthree squads FILE...``: check XW15 squad lists before the event (rules X2)."""

from argparse import ArgumentParser, Namespace

from host.tournament import xwing_squads

EPILOG = (
    f"A list is UTF-8 CSV with the header {','.join(xwing_squads.COLUMNS)}, one line a ship in a"
    " squad."
)


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a squad list (CSV)")
    parser.epilog = (
        EPILOG + " Exit 0 when all lists keep the rules, 1 when one does not, 2 for no such file."
    )


def run(args: Namespace) -> int:
    """Print every fault, file by file; return 1 if there is one, else 0."""
    failed = False
    for path in args.files:
        ships, faults = xwing_squads.read(path)
        told = xwing_squads.sentences(path, ships, faults)
        failed = failed or bool(told)
        players = len({ship.player for ship in ships})
        print(
            "\n".join(told) if told else f"{path}: the squads of {players} players keep the rules."
        )
    return int(failed)
