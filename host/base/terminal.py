"""What the commands that read an archive share: options, and text that is safe to print."""

import argparse

from host.base.words import clock


def archive_argument(parser: argparse.ArgumentParser, json_help: str | None = None) -> None:
    """Add ``--archive``, and ``--json`` where its help is given."""
    parser.add_argument(
        "--archive", default="plusthree.db", help="the archive (default: %(default)s)"
    )
    if json_help:
        parser.add_argument("--json", action="store_true", help=json_help)


def printable(line: str) -> str:
    """Return a line without control characters: a player's name may hold anything."""
    return "".join(char for char in line if char.isprintable())


def last_record_text(received_ms: int | None, now_ms: int) -> str:
    """Return how long ago the last record came in; event time in ms, None before the first."""
    if received_ms is None:
        return "no record has come in yet"
    return f"last record {clock(max(0, now_ms - received_ms))} ago"
