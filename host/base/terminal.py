"""What the commands that look at an archive share: an option, and lines that cannot steer a terminal."""

from host.base.words import clock


def archive_argument(parser, json_help=None):
    """Add ``--archive``, and ``--json`` where its help is given."""
    parser.add_argument(
        "--archive", default="plusthree.db", help="the archive (default: %(default)s)"
    )
    if json_help:
        parser.add_argument("--json", action="store_true", help=json_help)


def printable(line):
    """Return a line that cannot steer a terminal: a name may hold anything."""
    return "".join(char for char in line if char.isprintable())


def heard(heard_ms, now_ms):
    """Say how long ago the last record came in."""
    if heard_ms is None:
        return "no record has come in yet"
    return f"last record {clock(max(0, now_ms - heard_ms))} ago"
