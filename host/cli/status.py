"""``plusthree show status``: the round's progress, what is missing and who waits for a judge."""

import json
import time
from argparse import ArgumentParser, Namespace

from host.base.json_values import Json
from host.base.standard_streams import printable
from host.base.words import amount, last_record_text
from host.cli import options, watch
from host.event.archive_view import viewed
from host.event.overview import Overview, overview


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.archive(parser)
    watch.arguments(parser)
    options.json(parser)


def run(args: Namespace) -> int:
    """Print the round's progress, or with ``--watch`` follow every table; return 0."""
    if args.watch:
        return watch.whole_room(args)
    with viewed(args.archive) as (archive, hall):
        now_ms = archive.now_ms(time.time_ns() // 1_000_000)
        told, _ = overview(archive, hall, now_ms)
    if args.json:
        print(json.dumps(as_json(told, now_ms)))
        return 0
    print(printable(f"{told.event}, round {told.round} of {told.rounds}: {told.state}"))
    print(
        f"results: {told.results} of {told.tables}, {told.playing} playing,"
        f" {told.overtime} in overtime, {told.frozen} stopped"
    )
    extended = amount(told.extended, "table")
    print(f"{amount(len(told.calls), 'open call')}, {extended} with an extension")
    print(last_record_text(told.heard_ms, now_ms))
    for said in told.said:
        print(printable(said))
    return 0


def as_json(told: Overview, now_ms: int) -> dict[str, Json]:
    """Return an Overview as a JSON object: its fields, its calls as objects, and ``now_ms``."""
    return {**vars(told), "calls": [vars(call) for call in told.calls], "now_ms": now_ms}
