"""``plusthree demo window``: one virtual board in a window, in real time; A, B, J are its keys."""

import time
from argparse import ArgumentParser, Namespace

from host.base import catalogues
from host.base.errors import UserError
from host.boards.models import NAMES


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument(
        "--board", choices=NAMES, default="feathers3", help="its model (default: %(default)s)"
    )
    parser.add_argument(
        "--language",
        choices=catalogues.languages(),
        default="en",
        help="the language (default: %(default)s)",
    )
    parser.add_argument(
        "--minutes", type=int, default=50, help="the round's minutes (default: %(default)s)"
    )
    parser.add_argument(
        "--start", type=int, default=130, metavar="S", help="seconds until it starts"
    )
    parser.add_argument(
        "--scale",
        type=int,
        default=2,
        help="screen pixels for each of the board's (default: %(default)s)",
    )


def run(args: Namespace) -> int:
    """Show the board until its window is closed; return 0.

    Raises UserError if this Python has no tkinter or there is no display.
    """
    try:
        import tkinter
    except ImportError as missing:
        raise UserError("this Python has no Tk (on Debian: apt install python3-tk)") from missing
    try:
        root = tkinter.Tk()
    except tkinter.TclError as blind:
        raise UserError(f"there is no screen to open a window on ({blind})") from blind
    from host.sim.window import Window, table

    window = Window(
        root, table(args.board, args.language, args.minutes, args.start), time.monotonic, args.scale
    )
    window.run()
    root.mainloop()
    return 0
