"""``plusthree board bringup PORT``: test a new board part by part, over USB in its service mode."""

import asyncio
import functools
import secrets
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import NamedTuple

from firmware.core import frames
from host.archive import master_key
from host.base import installation, private_files
from host.base.errors import UserError
from host.boards import models
from host.boards.bringup import figures, ports, resets, self_test
from host.boards.bringup.ports import BoardFailed, numbers, parts
from host.boards.deploy import bytecode, image
from host.boards.models import MODELS
from host.cli import options
from host.collector.carriers import platforms, soak
from host.sim import prices

_EPILOG = (
    "Hold J (where there is none: A) and press the board's reset: the service mode. Deploy, eject"
    " the drive, and run this. With --virtual there is no board: the same test runs over virtual"
    " parts."
)
VIRTUAL_MASTER = bytes(range(32))


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.epilog = _EPILOG
    parser.add_argument(
        "port", metavar="PORT", nargs="?", help="its serial port: COM5, /dev/ttyACM0"
    )
    parser.add_argument(
        "--board",
        metavar="MODEL",
        default="feathers3",
        help=f"{', '.join(models.NAMES)} (default: %(default)s)",
    )
    options.add_archive(parser, "the event's archive, beside which its master key lies", None)
    options.add_path(parser, "--report", "FILE", "write the report here too")
    _add_measuring(parser)
    _add_soaking(parser)
    _add_virtual_board(parser)


def _add_measuring(parser):
    """Add the arguments for measuring a board's speed."""
    options.add_path(parser, "--out", "FILE", "write what was measured here, to be sent back")
    options.add_flag(parser, "--no-figures", "only say whether it is good: measure nothing")
    options.add_flag(parser, "--no-resets", "do not measure what it does over resets")
    parser.add_argument(
        "--drive",
        metavar="DEVICE",
        help="check the journals on its drive (a device or an image)",
    )
    prices.add_arguments(parser)


def _add_soaking(parser):
    """Add the arguments for hours of the radio."""
    parser.add_argument(
        "--soak",
        choices=(soak.OWN, soak.BOTH),
        help=f"run the radio for hours in place of the test: {soak.OWN}, as in play, with links;"
        f" {soak.BOTH}, adverts beside one link, which the program never does",
    )
    parser.add_argument(
        "--hours", type=float, default=24, metavar="H", help="of the soak (default: %(default)s)"
    )
    parser.add_argument(
        "--reconnects",
        type=int,
        default=1000,
        metavar="N",
        help=f"links in that time, with {soak.OWN} (default: %(default)s)",
    )


def _add_virtual_board(parser):
    """Add the arguments for running the test on a virtual board."""
    from host.sim.virtual_bench import FAULTS

    options.add_flag(parser, "--virtual", "test a virtual board")
    parser.add_argument(
        "--fault", choices=sorted(FAULTS), help="what is wrong with the virtual board"
    )


def run(args: Namespace) -> int:
    """Test and report; return 0 if every part passed, 1 if one failed.

    Raises UserError for arguments that contradict each other.
    """
    if bool(args.port) == args.virtual:
        raise UserError("give the board's serial port, or --virtual")
    if args.fault and not args.virtual:
        raise UserError("--fault is for the virtual board alone")
    if args.hours <= 0 or args.reconnects <= 0:
        raise UserError("--hours and --reconnects are numbers above 0")
    models.check_model(args.board)
    book, lines = prices.load(args.prices).on(args.board), []
    setup = _virtual(args, book) if args.virtual else _real(args)
    test = setup.test
    try:
        if args.soak:
            return _run_soak(args, setup.console)
        failed = _test(test, lines)
        if not (failed or args.no_figures):
            _measure(args, setup, book, lines)
    finally:
        setup.close()
    _tell(lines, f"failed: {', '.join(failed)}" if failed else "the board is good")
    if args.report:
        private_files.write_whole(args.report, "\n".join([f"board {test.device}", *lines]) + "\n")
    return 1 if failed else 0


def _tell(lines, line):
    lines.append(line)
    print(line, flush=True)


def _test(test, lines):
    """Test every part; return the names of the failed ones."""
    failed = []
    for outcome in test.run():
        _tell(lines, f"{outcome.state:<10}  {outcome.part:<17} {outcome.detail}".rstrip())
        if outcome.state == self_test.FAILED:
            failed.append(outcome.part)
    return failed


def _measure(args, setup, book, lines):
    """Measure the figures that the simulator assumes, and write them to ``--out``."""
    prices_found = {}
    for figure in _figures(args, setup, book, prices_found):
        _tell(lines, f"            {figure}")
    if args.out:
        source = f"plusthree board bringup of board {setup.test.device}, {setup.test.identity}"
        private_files.write_whole(
            args.out, figures.price_file(args.board, source, prices_found, book)
        )
        print(f"{args.out}: for --prices of simulate, torture and demo; please send it to us, too")
    print(
        f"its Python against the core's tests: {installation.command()} board deploy PATH --tests,"
        f" then at its REPL: {image.TEST_COMMAND}"
    )


def _run_soak(args, console):
    """Run the soak, write what was found to ``--out``; return 0 if it lasted, else 1."""
    board_id, version, device, *_ = parts(console.call("bench.identity()"))
    console.restart()
    console.load()
    if args.virtual:
        from host.sim import clock

        done = clock.run(_virtual_soak(args, console))
    else:
        console.soak(args.soak == soak.BOTH)
        done = asyncio.run(_real_soak(args, console))
    measured = done.figures()
    for name, value in measured.items():
        print(figures.Figure(name.replace("_", " "), value, None, ""))
    if args.out:
        runs = ".".join(map(str, parts(version)))
        source = f"plusthree board bringup of board {device}, {board_id}, CircuitPython {runs}"
        private_files.write_whole(
            args.out, soak.figures_file(args.board, source, args.soak, measured)
        )
        print(f"{args.out}: please send it to us")
    return 0 if done.lasted else 1


async def _real_soak(args, console):
    async def turn(ms):
        try:
            answer = await asyncio.to_thread(console.call, f"soak.run({ms})")
            return numbers(answer, len(soak.BOARD_FIGURES))
        except BoardFailed as error:
            raise ConnectionError(str(error)) from error

    done = _soak_of(args, turn, platforms.quirks(), (None, None))
    await done.run()
    return done


async def _virtual_soak(args, bench):
    from host.sim.virtual_soak import VirtualSoak

    board = VirtualSoak(asyncio.get_running_loop(), 1, bench.gauge, args.soak == soak.BOTH)
    done = _soak_of(args, board.turn, board.quirks, board.backends)
    await done.run()
    return done


def _soak_of(args, turn, quirks, backends):
    both = args.soak == soak.BOTH
    show = functools.partial(print, flush=True)
    return soak.Soak(turn, quirks, backends, args.hours, args.reconnects, both, show)


def _figures(args, setup, book, prices_found):
    console, model = setup.console, MODELS[args.board]
    boot = bytecode.loaded_at_start(model.image)
    width, height = map(int, model.panel.split("x"))
    yield from figures.Figures(console, book, (width, height), boot, prices_found).run()
    console.restart()  # the program that was measured holds the battery's pin
    console.load()
    yield from figures.measured_by_hand(
        console, setup.operator, setup.air, book, prices_found, args.drive
    )
    if not args.no_resets:
        busy_ms = figures.busy_ms(book, boot)
        yield from resets.Resets(console, setup.operator, book, busy_ms, prices_found).run()


class _Setup(NamedTuple):
    """A board's console, the person at it, the PC's radio, and the test that uses them."""

    console: ports.Console
    operator: ports.Operator
    air: ports.Air
    test: self_test.Bringup
    close: Callable[[], None]


def program_files(model: str) -> dict[str, bytes]:
    """Return ``{path: bytes}`` of the program's files as ``deploy`` writes them for a model."""
    laid = bytecode.compile_image(image.build(MODELS[model].image))
    return {name: data for name, data in laid.items() if name != "settings.toml"}


def _expectation(files, master):
    key_of = functools.partial(frames.board_key, master) if master else None
    return self_test.Expected(
        {name: self_test.digits(data) for name, data in files.items()}, key_of
    )


def _virtual(args, book):
    from host.sim.virtual_bench import VirtualBench

    files = program_files(args.board)
    boot = bytecode.loaded_at_start(MODELS[args.board].image)
    bench = VirtualBench(args.board, files, VIRTUAL_MASTER, book, boot, args.fault)
    expected = _expectation(files, VIRTUAL_MASTER)
    test = self_test.Bringup(
        console=bench, operator=bench, air=bench, clock=bench, expected=expected, seed=1
    )
    return _Setup(console=bench, operator=bench, air=bench, test=test, close=bench.close)


def _real(args):
    from host.boards.bringup import bench, serial_console

    master = master_key.load(master_key.path_of(args.archive)) if args.archive else None
    console = serial_console.open_console(args.port)
    person, air = bench.Person(), bench.Air()
    expected = _expectation(program_files(args.board), master)
    test = self_test.Bringup(console, person, air, bench.PcClock(), expected, secrets.randbits(64))
    return _Setup(console, person, air, test, console.close)
