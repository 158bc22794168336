"""``plusthree top``: a live view of the round in the terminal, beside a running ``serve``."""

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from rich.console import Console as Terminal
from rich.live import Live

from host.base.errors import UserError
from host.cli import options
from host.event.archive_view import ArchiveView
from host.server import live_view
from host.server.monitor import Monitor

_TICK_S = 1


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.archive(parser)
    parser.add_argument("--once", action="store_true", help="draw it once and end")


def run(args: Namespace, wait: Callable[[float], None] = time.sleep) -> int:
    """Draw until Ctrl+C; return 0. ``wait``: sleeps for a number of seconds."""
    terminal = live_view.terminal()
    with ArchiveView(args.archive) as archive:
        monitor = Monitor(archive)
        if args.once:
            terminal.print(monitor.view(time.time_ns() // 1_000_000))
            return 0
        if _elsewhere(terminal):
            raise UserError("top draws in a terminal, and this is none: add --once")
        try:
            with Live(console=terminal, auto_refresh=False, screen=True) as live:
                while True:
                    live.update(
                        monitor.view(time.time_ns() // 1_000_000, terminal.height), refresh=True
                    )
                    wait(_TICK_S)
        except KeyboardInterrupt:
            return 0


def _elsewhere(terminal: Terminal) -> bool:
    """Return whether the output is a file, a pipe or a device that draws nothing anew."""
    try:
        terminal.file.fileno()
    except (OSError, ValueError):  # another program's own
        return False
    return not live_view.whole_screen(terminal)
