"""``plusthree bringup PORT``: test a new board part by part, over USB in its service mode."""

import functools
import pathlib
import secrets

from firmware.core import frames
from host import bringup, secret
from host.deploy import image
from host.errors import Mistake
from host.models import MODELS, NAMES

_EPILOG = (
    "Hold J (where there is none: A) and press the board's reset: the service mode. Deploy, eject the drive, and "
    "run this. With --virtual there is no board: the same test runs over virtual parts."
)
VIRTUAL_DEVICE, VIRTUAL_GENERATION = 7, 1
VIRTUAL_MASTER = bytes(range(32))


def arguments(parser):
    """Add the options."""
    from host.bringup_chip import FAULTS

    parser.epilog = _EPILOG
    parser.add_argument("port", metavar="PORT", nargs="?", help="its serial port: COM5, /dev/ttyACM0")
    parser.add_argument("--board", choices=NAMES, default="feather")
    parser.add_argument("--archive", help="the event's archive, beside which its master key lies")
    parser.add_argument("--report", type=pathlib.Path, metavar="FILE", help="write the report here too")
    parser.add_argument("--virtual", action="store_true", help="test a virtual board")
    parser.add_argument("--fault", choices=sorted(FAULTS), help="what is wrong with the virtual board")


def run(args):
    """Test and report; 0 when every part passed, 1 when one failed."""
    if bool(args.port) == args.virtual:
        raise Mistake("give the board's serial port, or --virtual")
    if args.fault and not args.virtual:
        raise Mistake("--fault is for the virtual board alone")
    test, close = _virtual(args) if args.virtual else _real(args)
    lines, failed = [], []
    try:
        for outcome in test.run():
            lines.append(f"{outcome.state:<10}  {outcome.part:<17} {outcome.detail}".rstrip())
            print(lines[-1], flush=True)
            failed += [outcome.part] if outcome.state == bringup.FAILED else []
    finally:
        close()
    lines.append(f"failed: {', '.join(failed)}" if failed else "the board is good")
    print(lines[-1])
    if args.report:
        args.report.write_text(f"board {test.device}\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return 1 if failed else 0


def laid(model):
    """Return ``{path: bytes}`` of what deploy would lay of ours."""
    return {name: data for name, data in image.build(MODELS[model].image).items() if name != "settings.toml"}


def _expected(files, master):
    key_of = functools.partial(frames.board_key, master) if master else None
    return bringup.Expected({name: bringup.digits(data) for name, data in files.items()}, key_of)


def _virtual(args):
    from host.bringup_virtual import VirtualBench

    files = laid(args.board)
    key = frames.board_key(VIRTUAL_MASTER, VIRTUAL_DEVICE, VIRTUAL_GENERATION)
    settings = {
        "PLUSTHREE_DEVICE": VIRTUAL_DEVICE, "PLUSTHREE_GENERATION": VIRTUAL_GENERATION,
        "PLUSTHREE_KEY": key.hex(), "PLUSTHREE_LANGUAGE": "en", "PLUSTHREE_ROLE": "table",
        "PLUSTHREE_BOARD": args.board,
    }  # fmt: skip
    bench = VirtualBench(args.board, files, settings, args.fault)
    test = bringup.Bringup(bench, bench, bench, bench, _expected(files, VIRTUAL_MASTER), seed=1)
    return test, lambda: None


def _real(args):
    from host import bringup_bench, bringup_console

    master = secret.load(secret.beside(args.archive)) if args.archive else None
    console = bringup_console.opened(args.port)
    bench = bringup_bench.Person(), bringup_bench.Air(), bringup_bench.PcClock()
    expected = _expected(laid(args.board), master)
    return bringup.Bringup(console, *bench, expected, secrets.randbits(64)), console.close
