"""``plusthree show calls``: open calls for a judge with time and reason; ``--all``: closed ones."""

import json
import time
from argparse import ArgumentParser, Namespace

from host.base.words import clock
from host.cli import options, watch
from host.event.archive_view import view
from host.event.judge_calls import Call, calls


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.add_archive(parser)
    watch.add_arguments(parser)
    options.add_json(parser, "array")
    options.add_flag(parser, "--all", "closed calls too")


def run(args: Namespace) -> int:
    """Print one line per call, the longest wait first; return 0."""
    return watch.show(args, _print)


def _print(args):
    with view(args.archive) as (archive, _):
        now_ms = archive.now_ms(time.time_ns() // 1_000_000)
        calls_now = [call for call in calls(archive) if call.open or args.all]
    if args.json:
        objects = [{**vars(call), "waited_ms": call.waited_ms(now_ms)} for call in calls_now]
        print(json.dumps(objects, indent=1))
        return 0
    print("\n".join(line(call, now_ms) for call in calls_now) or "Nobody is waiting for a judge.")
    return 0


def line(call: Call, now_ms: int) -> str:
    """Return a Call as one line of text, at ``now_ms``."""
    if not call.open:
        state = f"done  (round {call.round})"
    elif call.arrived_ms is not None:
        state = "a judge is there"
    else:
        state = "waiting"
    waited = clock(call.waited_ms(now_ms))
    return f"table {call.table:>3}  {call.type:<9}  {waited:>5}  {state}"
