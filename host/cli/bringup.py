"""``plusthree bringup PORT``: test a new board part by part, over USB in its service mode."""

import functools
import pathlib
import secrets
from argparse import ArgumentParser, Namespace

from firmware.core import frames
from host.archive import master_key
from host.base import installation, private_files
from host.base.errors import UserError
from host.boards import models
from host.boards.bringup import figures, meter, resets, self_test
from host.boards.deploy import booting, bytecode, image, portable
from host.boards.models import MODELS
from host.sim import prices

_EPILOG = (
    "Hold J (where there is none: A) and press the board's reset: the service mode. Deploy, eject"
    " the drive, and run this. With --virtual there is no board: the same test runs over virtual"
    " parts."
)
VIRTUAL_DEVICE, VIRTUAL_GENERATION = 7, 1
VIRTUAL_MASTER = bytes(range(32))


def arguments(parser: ArgumentParser) -> None:
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
    parser.add_argument("--archive", help="the event's archive, beside which its master key lies")
    parser.add_argument(
        "--report", type=pathlib.Path, metavar="FILE", help="write the report here too"
    )
    _measuring(parser)
    _virtual_board(parser)


def _measuring(parser):
    """Add the arguments for measuring a board's speed."""
    parser.add_argument(
        "--out",
        type=pathlib.Path,
        metavar="FILE",
        help="write what was measured here, to be sent back",
    )
    parser.add_argument(
        "--no-figures", action="store_true", help="only say whether it is good: measure nothing"
    )
    parser.add_argument(
        "--no-resets", action="store_true", help="do not measure what it does over resets"
    )
    parser.add_argument(
        "--drive",
        metavar="DEVICE",
        help="check the journals on its drive (a device or an image)",
    )
    prices.arguments(parser)


def _virtual_board(parser):
    """Add the arguments for running the test on a virtual board."""
    from host.sim.bench.chip import FAULTS

    parser.add_argument("--virtual", action="store_true", help="test a virtual board")
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
    models.checked(args.board)
    book, lines = prices.load(args.prices).on(args.board), []
    bench, test, close = _virtual(args, book) if args.virtual else _real(args)
    try:
        failed = _tested(test, lines)
        if not (failed or args.no_figures):
            _measured(args, bench, test, book, lines)
    finally:
        close()
    _tell(lines, f"failed: {', '.join(failed)}" if failed else "the board is good")
    if args.report:
        private_files.write_whole(args.report, "\n".join([f"board {test.device}", *lines]) + "\n")
    return 1 if failed else 0


def _tell(lines, line):
    lines.append(line)
    print(line, flush=True)


def _tested(test, lines):
    """Test every part; return the names of the failed ones."""
    failed = []
    for outcome in test.run():
        _tell(lines, f"{outcome.state:<10}  {outcome.part:<17} {outcome.detail}".rstrip())
        failed += [outcome.part] if outcome.state == self_test.FAILED else []
    return failed


def _measured(args, bench, test, book, lines):
    """Measure the figures that the simulator assumes, and write them to ``--out``."""
    found = {}
    for figure in _figures(args, bench, book, found):
        _tell(lines, f"            {figure}")
    if args.out:
        source = f"plusthree bringup of board {test.device}, {test.told}"
        private_files.write_whole(args.out, figures.sent(args.board, source, found, book))
        print(f"{args.out}: for --prices of simulate, torture and demo; please send it to us, too")
    print(
        f"its Python against the core's tests: {installation.command()} deploy PATH --tests,"
        f" then at its REPL: {portable.COMMAND}"
    )


def _figures(args, bench, book, found):
    (console, operator, air), model = bench, MODELS[args.board]
    boot, (width, height) = booting.loaded(model.image), map(int, model.panel.split("x"))
    yield from figures.Figures(console, book, (width, height), boot, found).run()
    yield from meter.asked(console, operator, air, book, found, args.drive)
    if not args.no_resets:
        busy_ms = figures.busy_ms(book, boot)
        yield from resets.Resets(console, operator, book, busy_ms, found).run()


def laid(model: str) -> dict[str, bytes]:
    """Return ``{path: bytes}`` of the program's files as ``deploy`` writes them for a model."""
    laid = bytecode.laid(image.build(MODELS[model].image))
    return {name: data for name, data in laid.items() if name != "settings.toml"}


def _expected(files, master):
    key_of = functools.partial(frames.board_key, master) if master else None
    return self_test.Expected(
        {name: self_test.digits(data) for name, data in files.items()}, key_of
    )


def _virtual(args, book):
    from host.sim.bench.virtual import VirtualBench

    files = laid(args.board)
    key = frames.board_key(VIRTUAL_MASTER, VIRTUAL_DEVICE, VIRTUAL_GENERATION)
    settings = {
        "PLUSTHREE_DEVICE": VIRTUAL_DEVICE, "PLUSTHREE_GENERATION": VIRTUAL_GENERATION,
        "PLUSTHREE_KEY": key.hex(), "PLUSTHREE_LANGUAGE": "en", "PLUSTHREE_ROLE": "table",
        "PLUSTHREE_BOARD": args.board,
    }  # fmt: skip
    bench = VirtualBench(
        args.board, files, settings, book, booting.loaded(MODELS[args.board].image), args.fault
    )
    test = self_test.Bringup(bench, bench, bench, bench, _expected(files, VIRTUAL_MASTER), seed=1)
    return (bench, bench, bench), test, lambda: None


def _real(args):
    from host.boards.bringup import bench, serial_console

    master = master_key.load(master_key.beside(args.archive)) if args.archive else None
    console = serial_console.opened(args.port)
    person, air = bench.Person(), bench.Air()
    expected = _expected(laid(args.board), master)
    test = self_test.Bringup(console, person, air, bench.PcClock(), expected, secrets.randbits(64))
    return (console, person, air), test, console.close
