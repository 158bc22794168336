"""``plusthree serve --virtual``: the web desk with a virtual venue, to test and to try the pages.

The first line printed is one JSON object with the address and a link for each role. Commands typed
after it are ``advance SECONDS``, ``open``, ``call TABLE``, ``rule``, ``quit``, or any command of
the typed desk.
"""

import asyncio
import json
import pathlib
import sys
import tempfile
from argparse import ArgumentParser, Namespace

from host.base import prompt
from host.base.errors import UserError
from host.desk import hall_plan
from host.server.console import Console

_MOST, _SPARES = 2000, 2
_KINDS = {
    "advance": ("seconds", float),
    "open": ("round", int),
    "call": ("table", int),
    "rule": (None, None),
}


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument(
        "--virtual",
        type=int,
        metavar="TABLES",
        help="virtual boards at so many tables, to try things out",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=7,
        help="the virtual boards' random seed (default: %(default)s)",
    )


def run(args: Namespace) -> int:
    """Serve until ``quit`` or the end of the input; return 0."""
    if not 1 <= args.virtual <= _MOST:
        raise UserError(f"--virtual is from 1 to {_MOST} tables")
    if args.lan:
        raise UserError("a virtual venue is served to this machine alone: leave --lan away")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_serve(args, pathlib.Path(folder)))
    return 0


async def _serve(args, folder):
    from host.sim.webstage import WebStage  # the simulator takes a while to load

    web = WebStage(folder, args.virtual, args.seed, args.port or 0, args.pack, spares=_SPARES)
    if args.plan:
        plan: hall_plan.HallPlan = {**hall_plan.NONE, "rows": args.plan}
        hall_plan.store(web.stage.station.archive, plan, "virtual", 0)
    print(json.dumps({"url": web.url, "links": web.links}), flush=True)
    serving = asyncio.ensure_future(web.serve())
    listening = asyncio.ensure_future(_listen(web))
    try:
        done, _ = await asyncio.wait((serving, listening), return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        serving.cancel()
        listening.cancel()
        await asyncio.gather(serving, listening, return_exceptions=True)
        web.close()


async def _listen(web):
    console = Console(web.stage.station, "desk")
    console.operator.desk_service = web.service
    if prompt.silent(sys.stdin):
        await asyncio.Event().wait()
    queue = prompt.lines(asyncio.get_running_loop(), sys.stdin)
    while not console.quitting:
        line = await queue.get()
        if line is None:
            return
        for told in await _done(web, console, line.split()):
            print(told, flush=True)


async def _done(web, console, words):
    if words and words[0] in _KINDS:
        name, kind = _KINDS[words[0]]
        try:
            body = {"do": words[0]} | ({name: kind(words[1])} if name and words[1:] else {})
            return ["ok " + json.dumps(await web.do(body))]
        except (UserError, ValueError) as mistake:
            return [f"not done: {mistake}"]
    lines = console.run(" ".join(words))
    web.service.change_feed.touch()
    return [*lines, "ok"]
