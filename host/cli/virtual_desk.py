"""``plusthree serve --virtual``: the web desk with a virtual venue, to test and to try the pages.

The first line printed is one JSON object with the address and a link for each role; the text
for a person goes to stderr. The lines typed then are ``_ACTS`` or any act of the typed desk.
"""

import asyncio
import contextlib
import json
import pathlib
import sys
import tempfile
from argparse import ArgumentParser, Namespace

from host.archive import places
from host.archive.store import Archive
from host.base import prompt
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.base.tasks import until_one_ends
from host.cli import options
from host.desk import hall_plan
from host.desk.acts.act import HERE, Act
from host.desk.acts.fields import Field, Kind
from host.desk.event_import import import_file
from host.desk.staff import Done
from host.formats import event_file
from host.server.console import Console
from host.systems import catalogue

_MOST, _SPARES = 2000, 2
_MOST_SPEED = 60
_HONOURED = {
    "run", "words", "files", "event", "archive", "name", "port", "pack", "plan", "virtual", "seed",
    "speed", "system",
}  # fmt: skip
_ACTS = (  # word, the venue's own name of the act and of its number, the number's type, help
    ("open", "open", "round", int, "begin a round: people sit down, the clock starts"),
    ("advance", "advance", "seconds", float, "skip ahead in time"),
    ("call", "call", "table", int, "have a player hold the judge's key"),
    ("settle", "rule", "", None, "rule every table that waits for a ruling"),
)
_MAY_MISS = ("round",)


def add_arguments(parser: ArgumentParser) -> None:
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
    parser.add_argument(
        "--speed",
        type=float,
        default=1,
        metavar="N",
        help="--virtual: time runs N times as fast as real time (default: %(default)s)",
    )


def run(args: Namespace) -> int:
    """Serve until ``quit`` or the end of the input; return 0."""
    _check(args)
    systems = catalogue.join(catalogue.built_in(), args.system)
    own = catalogue.load(args.system) if args.system else None
    file = event_file.read(args.event, systems) if args.event else None
    if file is not None:
        needed = max(pairing.table or 0 for pairing in file.pairings)
        if needed > args.virtual:
            raise UserError(f"{args.event} has a table {needed}: say --virtual {needed}")
    with contextlib.ExitStack() as stack:
        if _keeps(args):
            path = pathlib.Path(args.archive)
            archive_note = f"the archive is {path}"
        else:
            path = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory())) / "virtual.db"
            archive_note = "the archive is deleted at the end; serve --virtual N NEW.db keeps one"
        asyncio.run(_serve(args, path, file, own, archive_note))
    return 0


def _check(args):
    """Raise UserError for options that do not fit a virtual venue."""
    if not 1 <= args.virtual <= _MOST:
        raise UserError(f"--virtual is from 1 to {_MOST} tables")
    if not 1 <= args.speed <= _MOST_SPEED:
        raise UserError(f"--speed is from 1 to {_MOST_SPEED} times as fast as real time")
    for name, value in vars(args).items():
        if value and name not in _HONOURED:
            option = "--" + name.replace("_", "-")
            raise UserError(f"a virtual venue has no use for {option}: leave {option} away")
    if _keeps(args) and places.is_address(args.archive):
        raise UserError("a virtual venue's archive is a file: serve --virtual N NEW.db")
    if _keeps(args) and places.exists(args.archive):
        raise UserError(
            f"{args.archive} is there already, and a virtual venue begins anew: name another file"
        )


def _keeps(args):
    """Whether the archive is to be kept: ``serve``'s own default names a real event's."""
    return args.archive != options.ARCHIVE


async def _serve(args, path, file, own, archive_note):
    from host.sim.programme import RandomProgramme, begin
    from host.sim.stage import WebStage  # the simulator takes a while to load
    from host.sim.venue import OPENED_UNIX_MS

    programme = RandomProgramme(args.virtual, args.seed, own=own)
    if file is not None:
        programme.format = file.format
        systems = catalogue.join(catalogue.built_in(), args.system)
        with Archive(path) as archive:
            import_file(archive, file, OPENED_UNIX_MS, systems=systems)
    elif own is not None:
        begin(path, programme.event, own, OPENED_UNIX_MS)
    web = WebStage(
        path.parent, args.virtual, args.seed, args.port or 0, args.pack, args.speed,
        programme=programme, spares=_SPARES, name=path.name,
    )  # fmt: skip
    if args.plan:
        plan: hall_plan.HallPlan = {**hall_plan.NONE, "rows": args.plan}
        hall_plan.store(web.stage.station.archive, plan, "virtual", 0)
    print(json.dumps({"url": web.url, "links": web.links}), flush=True)
    print(_greeting(args, web, archive_note), file=sys.stderr, flush=True)
    try:
        await until_one_ends(web.serve(), web.keep_time(), _listen(web, args.name or "desk"))
    finally:
        web.close()


def _greeting(args, web, archive_note):
    """Return the lines shown at the terminal: the link, the speed, the archive, first commands."""
    fast = "" if args.speed == 1 else f"{args.speed:g} times "
    return (
        f"the organiser's page: {web.links['organiser']}\n"
        f"time runs by itself, {fast}as fast as real time (--speed N); {archive_note}\n"
        "type open to begin the round, advance 600 to skip ten minutes, help for the rest"
    )


async def _listen(web, name):
    requests = []  # for the venue, from its own acts
    console = Console(web.stage.station, name, tuple(_act(requests, *row) for row in _ACTS))
    console.serve_pages(web.service)
    if prompt.silent(sys.stdin):
        await asyncio.Event().wait()
    queue = prompt.lines(asyncio.get_running_loop(), sys.stdin)
    while not console.quitting:
        line = await queue.get()
        if line is None:
            return
        for text in console.run(line):
            print(text, flush=True)
        if not console.refused:
            print(await _carry_out(web, requests), flush=True)


def _act(requests, word, venue_act, field_name, number_type, about):
    """Return an Act of the venue: it appends a request to ``requests``, which is carried out after
    the line.
    """

    def append_request(_operator, **values):
        given = {name: value for name, value in values.items() if value is not None}
        requests.append({"do": venue_act, **given})
        return Done()

    fields = {field_name: _field(field_name, number_type)} if number_type else {}
    return Act(word, HERE, append_request, fields, word, about)


def _field(name, number_type):
    def parse(typed):
        try:
            return number_type(typed)
        except ValueError:
            raise ValueError(Sentence("{typed!r} is not a number", typed=typed)) from None

    kind = Kind(number_type, {"kind": "number"}, parse)
    return Field(kind, None) if name in _MAY_MISS else Field(kind)


async def _carry_out(web, requests):
    """Carry out the request, if there is one; return the last line of the answer."""
    try:
        return "ok " + json.dumps(await web.do(requests.pop())) if requests else "ok"
    except UserError as mistake:
        return f"not done: {mistake}"
    finally:
        web.service.change_feed.touch()
