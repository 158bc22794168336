"""``--watch`` of ``plusthree show``: the same, anew each second, beside a running ``serve``.

It draws what the command prints on standard output; what goes to stderr is not held back.
"""

import contextlib
import io
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from rich.console import Console as Terminal
from rich.console import RenderableType
from rich.live import Live
from rich.text import Text

from host.base.errors import UserError
from host.cli import options
from host.event.archive_view import ArchiveView
from host.server import live_view
from host.server.monitor import Monitor

_TICK_S = 1


def add_arguments(parser: ArgumentParser) -> None:
    """Add ``--watch`` and ``--once``."""
    options.add_flag(parser, "--watch", "go on showing it, until Ctrl-C")
    options.add_flag(parser, "--once", "--watch: draw it once and end")


def show(
    args: Namespace,
    print_once: Callable[[Namespace], int],
    wait: Callable[[float], None] = time.sleep,
) -> int:
    """Print what a command prints, with ``--watch`` again and again; return its exit code."""
    if not args.watch:
        return print_once(args)
    _require_people(args)

    def view(height: int | None) -> RenderableType:
        with contextlib.redirect_stdout(io.StringIO()) as output:
            print_once(args)
        return Text("\n".join(output.getvalue().splitlines()[:height]))

    return _draw(args, view, wait)


def watch_room(args: Namespace, wait: Callable[[float], None] = time.sleep) -> int:
    """Draw every table and the last messages until Ctrl-C; return 0. ``wait``: sleeps for a number
    of seconds.
    """
    _require_people(args)
    with ArchiveView(args.archive) as archive:
        monitor = Monitor(archive)
        return _draw(args, lambda height: monitor.view(time.time_ns() // 1_000_000, height), wait)


def _require_people(args):
    if args.json:
        raise UserError("--watch draws for people: leave it out, or --json")


def _draw(args, view, wait):
    terminal = live_view.terminal()
    if args.once:
        terminal.print(view(None))
        return 0
    if _cannot_draw(terminal):
        raise UserError("--watch draws in a terminal, and this is none: add --once")
    try:
        with Live(console=terminal, auto_refresh=False, screen=True) as live:
            while True:
                live.update(view(terminal.height), refresh=True)
                wait(_TICK_S)
    except KeyboardInterrupt:
        return 0


def _cannot_draw(terminal: Terminal) -> bool:
    """Return whether the output is a file, a pipe or a device on which nothing is drawn anew."""
    try:
        terminal.file.fileno()
    except (OSError, ValueError):  # of another program, which may draw
        return False
    return not live_view.whole_screen(terminal)
