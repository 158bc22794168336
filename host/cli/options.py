"""Options that several commands share."""

from argparse import ArgumentParser


def archive(parser: ArgumentParser, what: str = "the archive") -> None:
    """Add ``--archive``, the path of an event's archive; ``what`` is its help text."""
    parser.add_argument("--archive", default="plusthree.db", help=f"{what} (default: %(default)s)")


def system(parser: ArgumentParser) -> None:
    """Add ``--system``, the TOML file of an organiser's own system (docs/systems.md)."""
    parser.add_argument(
        "--system", metavar="FILE", help="an organiser's system (TOML) that the format names"
    )


def json(parser: ArgumentParser, what: str = "object") -> None:
    """Add ``--json``: print one JSON object (or ``what`` else) on standard output."""
    parser.add_argument("--json", action="store_true", help=f"print one {what} instead of lines")
