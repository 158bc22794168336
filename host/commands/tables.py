"""``plusthree tables``: every table of the round as its records tell it."""

import json
import time

from host import tables
from host.overview import overview
from host.reader import viewed
from host.terminal import archive_argument, printable


def arguments(parser):
    """Add the command's arguments."""
    archive_argument(parser, "print one array instead of lines")


def run(args):
    """Print a line a table; returns 0."""
    with viewed(args.archive) as (archive, hall):
        _, rows = overview(archive, hall, archive.now_ms(time.time_ns() // 1_000_000))
    if args.json:
        print(json.dumps([as_json(row) for row in rows], ensure_ascii=False, indent=1))
        return 0
    for row in rows:
        parts = (tables.place(row), tables.names(row), tables.result(row), tables.time_left(row), *row.notes)
        print(printable("  ".join(part for part in parts if part)))
    return 0


def as_json(row):
    """Return a ``tables.Row`` as it is written: times in ms, a result as an object."""
    pairing = row.pairing
    told = {**vars(row), "result": row.result and vars(row.result)}
    place = {"round": pairing.round, "pairing": pairing.pairing, "table": pairing.table}
    return {**told, **place, "a": vars(pairing.a), "b": vars(pairing.b)}
