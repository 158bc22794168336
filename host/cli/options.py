"""Options that several commands share."""


def archive(parser, what="the archive"):
    """Add ``--archive``, the path of an event's archive; ``what`` is said of it in the help."""
    parser.add_argument("--archive", default="plusthree.db", help=f"{what} (default: %(default)s)")


def json(parser):
    """Add ``--json``: one object on standard output, for programs."""
    parser.add_argument("--json", action="store_true", help="print one object instead of lines")
