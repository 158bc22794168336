"""``plusthree serve``: run an event: collect from the boards, serve the web desk, take commands."""

import asyncio
import contextlib
import functools
import getpass
import platform
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import NamedTuple

from host.archive import master_key, places
from host.archive.store import Archive
from host.backup.backup import BackupSchedule
from host.base import plain_text
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.cli import backup, options, several_archives, virtual_desk
from host.collector.carriers import adapters
from host.collector.carriers.gateway_carrier import GatewayCarrier
from host.collector.carriers.gateways import Gateways
from host.collector.carriers.radio_process import HeldRadio, ProcessCarrier
from host.collector.host_clock import LATEST_MS, HostClock, KeptTime, steady
from host.collector.shared_radio import SharedRadio
from host.desk import next_round
from host.desk.board_handing import Handing
from host.desk.clock_check import ClockCheck
from host.desk.event_import import import_file, remarks
from host.desk.station import Station
from host.event import archive_view
from host.formats import event_file
from host.formats.csv_reader import removal_notice
from host.keys import passphrase
from host.server import log_file
from host.server.console import Console
from host.server.operator_terminal import OperatorTerminal
from host.server.serving import Serving, disk_full_guard
from host.server.several_serving import ServedEvent, SeveralServing
from host.systems import catalogue
from host.web import http_loop, web_server

_EPILOG = (
    "The event file is CSV in UTF-8 with the columns table, number_a, name_a, number_b, name_b, "
    "and before them lines such as '# event: City League', '# round: 1' and "
    "'# format: p18 swiss bo3 constructed 50'. Acts are typed while it runs; 'help' lists them. "
    "Without an event the organiser's page begins one."
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.epilog = _EPILOG
    options.add_files(
        parser,
        "an event file (CSV): a round's pairings (default: the archive's event, or a new one that"
        " the web desk begins)",
        "several archives are served together",
    )
    options.add_path(
        parser, "--out", "DIR", "folder of results.csv and results.json (default: the archive's)"
    )
    options.add_system(parser)
    options.add_path(parser, "--backup", "DIR", "copy the archive here each round (a USB stick)")
    passphrase.add_argument(parser)
    _add_desk(parser)
    web_server.add_arguments(parser)
    virtual_desk.add_arguments(parser)


def _add_desk(parser):
    """Add the arguments for the radio, for a draft and for the operator's name."""
    options.add_flag(parser, "--no-radio", "run without Bluetooth: pages and typed results")
    options.add_flag(
        parser,
        "--gateways-only",
        "hear boards by gateways on USB alone, not by this PC's Bluetooth",
    )
    options.add_broker(parser)
    parser.add_argument(
        "--adapter",
        metavar="HCI",
        help="which Bluetooth adapter, where there are several (Linux): hci1",
    )
    options.add_flag(
        parser,
        "--standby",
        "take over from the collector that writes, once it is silent (docs/hall.md)",
    )
    options.add_flag(parser, "--draft", "store the event file's round, and publish it at the desk")
    parser.add_argument(
        "--name", type=options.text, help="who types here, for the record (default: the login name)"
    )


def run(args: Namespace) -> int:
    """Serve until ``quit``; return 0. Raises UserError for anything that a person must correct."""
    args.files, archives = options.sorted_words(args.words)
    if len(archives) > 1:
        return _run_several(args, archives)
    if len(args.files) > 1:
        raise UserError("serve takes one event file; read further ones on the page Files")
    args.event = args.files[0] if args.files else None
    args.archive = _archive(options.one_archive(archives))
    web_server.prepare(args)
    if args.virtual:
        return virtual_desk.run(args)
    after = _stand_by(args) if args.standby else None
    systems = catalogue.built_in() if args.standby else options.systems(args)
    file = event_file.read(args.event, systems) if args.event else None
    if args.no_web and file is None and not places.exists(args.archive):
        raise UserError(f"there is no archive {args.archive} yet; {_first_step(args.archive)}")
    unix_ms, notes, where = _unix_ms(), _make_ready(args), args.archive
    with (
        web_server.listening(args) as args.socket,
        disk_full_guard(where),
        log_file.logging_to_file(where),
        Station(where, after=after) as station,
    ):
        import_remarks: list[Sentence] = []
        if file:
            import_remarks = import_file(station.archive, file, unix_ms, systems=systems).sentences
        elif args.no_web and not station.archive.roster.rounds:
            raise UserError(
                f"{places.display_name(where)} holds no event yet; {_first_step(where)}"
            )
        station.systems = systems
        station.refresh()
        clock = _clock(args, station, unix_ms)
        keeper = _keeper(args, station, clock)
        if file and not args.draft:
            import_remarks += _publish(station, file.round, _name(args))
        rounds = [file.round] if file else station.archive.roster.rounds
        round_remarks = remarks(station.archive, rounds[-1]) if rounds else []
        _serve(args, station, clock, keeper, notes + import_remarks + round_remarks)
    return 0


def _publish(station, number, name):
    """Publish an event file's round, or leave it a draft where that must be asked first; return the
    question as a remark.
    """
    if number > (station.desk.round or 0):
        question = next_round.question(station.archive, station.hall, number)
        if question:
            line = f"publish {number} sure"
            text = "it is a draft until somebody publishes it on the page, or types: {line}"
            return [question, Sentence(text, line=line)]
    station.desk.publish(number, name)
    return []


def _archive(named):
    """Return the one archive as it is called everywhere: a path or an address, as a string."""
    if places.is_address(named):
        return options.place(named)
    return named if named == options.ARCHIVE else str(several_archives.file_of(named))


def _run_several(args, archives):
    """Serve several archives until ``quit``; return 0. Raises UserError as ``run`` does."""
    every = several_archives.name_archives(args, archives)
    args.archives = archives
    web_server.prepare(args)
    no_own_radio = args.no_radio or args.gateways_only
    args.adapter, notes = (None, []) if no_own_radio else adapters.choose(args.adapter)
    with web_server.listening(args) as sock, contextlib.ExitStack() as stack:
        assert sock is not None  # ``name_archives`` has refused --no-web
        several_archives.make_keys(every)
        events = {archive.word: _open(stack, args, archive, every) for archive in every}
        handing = Handing({word: event.station for word, event in events.items()})
        handing.require_disjoint()
        handing.complete()
        web = web_server.SharedWebServer(args, sock, every[0].path)
        terminal, radio = OperatorTerminal(sys.stdout), SharedRadio()
        serving = SeveralServing([*events], terminal)
        serving.show([*map(str, notes), *web.lines])
        for word, event in events.items():
            _add(serving, word, event, args, _Shared(terminal, web, radio, handing))
        works = [functools.partial(web.serve, serving.show)]
        if not args.no_radio:
            works.append(functools.partial(_carry, args, radio))
        asyncio.run(serving.run(works))
    return 0


class _Opened(NamedTuple):
    """One of several events: its archive is open until ``close()``."""

    args: Namespace
    station: Station
    clock: HostClock
    keeper: BackupSchedule | None
    close: Callable[[], None]


class _Shared(NamedTuple):
    """What several events share."""

    terminal: OperatorTerminal
    web: web_server.SharedWebServer
    radio: SharedRadio
    handing: Handing


def _open(stack, args, archive, every):
    """Open one of several archives; ``stack`` closes what is still open at the end."""
    own_args = Namespace(**{**vars(args), "archive": archive.path, "event": None})
    own_args.out = several_archives.folder_of(archive, every, args.out)
    if args.backup:
        own_args.backup = several_archives.folder_in(args.backup, archive.word)
        for note in backup.ready(own_args, own_args.backup):
            print(f"{archive.word}: {note}")
    unix_ms, resources = _unix_ms(), stack.enter_context(contextlib.ExitStack())
    with disk_full_guard(archive.path):
        resources.enter_context(log_file.logging_to_file(archive.path))
        systems = options.systems(own_args)
        station = resources.enter_context(Station(archive.path))
        station.systems = systems
        own_args.out.mkdir(parents=True, exist_ok=True)
        clock = _clock(own_args, station, unix_ms)
        keeper = _keeper(own_args, station, clock)
        return _Opened(own_args, station, clock, keeper, resources.close)


def _add(serving, word, event, args, shared):
    """Add one of several events to ``serving``; ``shared``: a _Shared."""
    name, station = _name(args), event.station
    console = Console(station, name, (serving.act(),))
    serving_event = Serving(
        station,
        console,
        event.clock,
        event.args.out,
        shared.terminal,
        event.keeper,
        functools.partial(serving.show_of, word),
    )
    service, lines = shared.web.open(word, event.args.archive, station, event.clock, name)
    console.serve_pages(service)
    rounds = station.archive.roster.rounds
    round_remarks = remarks(station.archive, rounds[-1]) if rounds else []
    serving_event.show([*map(str, round_remarks), *lines])

    def ended():
        shared.web.desks.end(word)
        shared.handing.remove(word)
        event.close()

    carrier = None if args.no_radio else shared.radio.share
    pages = functools.partial(http_loop.tick, service)
    serving.add(word, ServedEvent(serving_event, carrier, pages, ended))


async def _carry(args, radio):
    """Run the radio that several events share."""
    carrier = _carrier(args, radio, lambda: time.monotonic_ns() // 1_000_000, radio.report)
    radio.delay_s = lambda: carrier.delay_s
    await carrier.run()


def _make_ready(args):
    """Check the broker's address, choose the adapter, make key and backup; return lines to show."""
    if args.broker:
        from host.hall import broker

        broker.from_options(args)  # a wrong address is refused before anything is opened
    no_own_radio = args.no_radio or args.gateways_only
    args.adapter, notes = (None, []) if no_own_radio else adapters.choose(args.adapter)
    if not args.standby:
        _need_key(args.archive)
    if args.backup:
        for note in backup.ready(args, args.backup):
            print(note)
    return notes + (removal_notice(args.event) if args.event else [])


def _stand_by(args):
    """Wait until the collector that writes is silent; return its epoch."""
    if args.event or not places.is_address(args.archive):
        raise UserError(
            "a standby takes over an event that another PC runs, with its archive on a server:"
            " plusthree serve --standby postgresql://USER@HOST/NAME (docs/hall.md)"
        )
    master_key.load(master_key.path_of(args.archive))  # missing later would be too late
    from host.hall import standby

    def say(text):
        print(text, flush=True)

    return standby.wait(args.archive.watched, say)


def _unix_ms():
    return time.time_ns() // 1_000_000


def _clock(args, station, unix_ms):
    """Return the event's clock; it never runs behind the latest time at which the event has run.

    With the radio an event is refused whose times fit into no frame any more.
    """
    station.planned_origin_unix_ms = unix_ms  # an event that begins here counts from now
    kept_ms = KeptTime(args.archive).read(station.origin_unix_ms)
    known_ms = max(station.archive.latest_ms, kept_ms)
    clock = HostClock(station.origin_unix_ms, unix_ms, steady(), known_ms)
    if clock.now_ms() >= LATEST_MS and not args.no_radio:
        raise UserError(
            f"{places.display_name(args.archive)} began more than 49 days ago, or this PC's date"
            " is wrong: the boards count no further. Set the date right, begin a new event in"
            " another archive (serve NEW.db), or look at this one with --no-radio"
        )
    station.clock_check = ClockCheck(station, clock, _unix_ms, known_ms)
    station.collector.now_ms = clock.now_ms()
    return clock


def _keeper(args, station, clock):
    """Return the BackupSchedule, after its first copy; None without ``--backup``."""
    if not args.backup:
        return None
    keeper = BackupSchedule(station.archive, args.backup)
    # orders must be in a copy before any table hears them
    print(*keeper.step(None, clock.now_ms()), sep="\n")
    return keeper


def _serve(args, station, clock, keeper, notes):
    """Run an opened Station with its boards, its console and the web desk until it ends."""
    out, name = args.out or places.local(args.archive).resolve().parent, _name(args)
    console = Console(station, name)
    args.epoch = station.archive.backend.epoch
    serving = Serving(station, console, clock, out, OperatorTerminal(sys.stdout), keeper)
    make_carrier = None if args.no_radio else functools.partial(_carrier, args)
    serve_pages = None
    serving.show(notes)
    if args.socket:
        web = web_server.WebServer(args, args.socket, station, clock, name)
        console.serve_pages(web.service)
        serving.show(web.lines)
        serve_pages = functools.partial(web.serve, serving.show)
    asyncio.run(serving.run(make_carrier, serve_pages))


def _name(args):
    """Return the operator's name: the one that was given, or the login's."""
    if args.name:
        return args.name
    with contextlib.suppress(Exception):  # no user name, or no such system call
        return plain_text.line(getpass.getuser())
    return "desk"


def _need_key(path):
    """Make a key for a new archive; never replace a missing one that boards depend on."""
    place = master_key.path_of(path)
    if not place.exists():
        with Archive(path) as archive:
            if not archive.roster.boards:
                master_key.load_or_make(place)


def _first_step(archive):
    """Return the advice for an archive without an event when no page can begin one."""
    step = archive_view.first_step(archive, "serve")
    return f"begin one on the web desk, without --no-web, or {step}"


def _carrier(args, collector, now_ms, report):
    sources = _sources(args)
    if args.gateways_only:
        return GatewayCarrier(collector, now_ms, report, sources)
    start = HeldRadio(args.adapter)
    return ProcessCarrier(collector, now_ms, report, start, gateways=sources)


def _sources(args):
    """Return the factory of this PC's gateways and of those on the broker's machines."""
    if not args.broker:
        return Gateways
    from host.hall import broker
    from host.hall.broker_receiver import BrokerReceiver, Sources

    address = broker.from_options(args)

    def make(receiver, report):
        machines = BrokerReceiver(
            address, platform.node().partition(".")[0], receiver, report, args.epoch
        )
        return Sources([Gateways(receiver, report), machines])

    return make
