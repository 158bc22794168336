"""``plusthree show status``: the round's progress, missing results and open calls."""

import json
import time
from argparse import ArgumentParser, Namespace

from host.base.json_values import Json
from host.base.standard_streams import printable
from host.base.words import amount, last_record_text
from host.cli import options, watch
from host.event.archive_view import view
from host.event.overview import Overview, overview


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.add_archive(parser)
    watch.add_arguments(parser)
    options.add_json(parser)


def run(args: Namespace) -> int:
    """Print the round's progress, or with ``--watch`` follow every table; return 0."""
    if args.watch:
        return watch.watch_room(args)
    with view(args.archive) as (archive, hall):
        now_ms = archive.now_ms(time.time_ns() // 1_000_000)
        summary, _ = overview(archive, hall, now_ms)
    if args.json:
        print(json.dumps(as_json(summary, now_ms)))
        return 0
    print(printable(f"{summary.event}, round {summary.round} of {summary.rounds}: {summary.state}"))
    print(
        f"results: {summary.results} of {summary.tables}, {summary.playing} playing,"
        f" {summary.overtime} in overtime, {summary.frozen} stopped"
    )
    extended = amount(summary.extended, "table")
    print(f"{amount(len(summary.calls), 'open call')}, {extended} with an extension")
    print(last_record_text(summary.heard_ms, now_ms))
    for remark in summary.said:
        print(printable(remark))
    return 0


def as_json(summary: Overview, now_ms: int) -> dict[str, Json]:
    """Return an Overview as a JSON object: its fields, its calls as objects, and ``now_ms``."""
    return {**vars(summary), "calls": [vars(call) for call in summary.calls], "now_ms": now_ms}
