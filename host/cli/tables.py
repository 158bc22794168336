"""``plusthree show tables``: list every table of the round, from its records."""

import json
import time
from argparse import ArgumentParser, Namespace

from host.base.json_values import Json
from host.base.standard_streams import printable
from host.cli import options, watch
from host.event import table_rows
from host.event.archive_view import view
from host.event.overview import overview
from host.event.table_rows import Row


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.add_archive(parser)
    watch.add_arguments(parser)
    options.add_json(parser, "array")


def run(args: Namespace) -> int:
    """Print one line per table; return 0."""
    return watch.show(args, _print)


def _print(args):
    with view(args.archive) as (archive, hall):
        _, rows = overview(archive, hall, archive.now_ms(time.time_ns() // 1_000_000))
    if args.json:
        print(json.dumps([as_json(row) for row in rows], indent=1))
        return 0
    for row in rows:
        parts = (
            table_rows.place(row),
            table_rows.names(row),
            table_rows.result(row),
            table_rows.time_left(row),
            *row.notes,
        )
        print(printable("  ".join(part for part in parts if part)))
    return 0


def as_json(row: Row) -> dict[str, Json]:
    """Return a ``tables.Row`` as a JSON object: times in ms, the result as an object."""
    pairing = row.pairing
    fields = {**vars(row), "result": row.result and vars(row.result)}
    place = {"round": pairing.round, "pairing": pairing.pairing, "table": pairing.table}
    return {**fields, **place, "a": vars(pairing.a), "b": vars(pairing.b)}
