"""The terminal at which serve's operator types: a view above the typed line, or plain lines."""

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, TextIO

from rich.console import RenderableType

from host.base import prompt
from host.base.standard_streams import printable
from host.desk.acts.act import Act
from host.server import live_view

if TYPE_CHECKING:
    from host.server.terminal_desk import TerminalDesk

TICK_S = 0.5
_NO_INPUT = "nobody can type here; to stop serve, end its process, {}"
_GOES_ON = "the typed lines have ended, and serve goes on; to stop it, end its process, {}"
_ENDS = "the typed lines have ended, and so does serve: it has no radio to wait for"


class _TypedDesk(Protocol):
    """What lines are typed for: an event, or several (see ``Serving``)."""

    @property
    def acts(self) -> Iterable[Act]: ...
    @property
    def quitting(self) -> bool: ...
    def do(self, line: str) -> bool: ...
    def show(self, lines: Sequence[str]) -> None: ...
    def seated(self) -> dict[int, list[str]]: ...
    def render(self, height: int) -> str: ...


class OperatorTerminal:
    """Prints to ``file``, and takes lines from standard input. If both are a terminal, it draws the
    desk's view instead, which shows the lines itself.
    """

    def __init__(self, file: TextIO):
        self._console = live_view.terminal(file, soft_wrap=True)
        self._screen: TerminalDesk | None = None

    @property
    def drawing(self) -> bool:
        """Whether the desk's view is drawn now."""
        return self._screen is not None

    def print(self, lines: Sequence[str]) -> None:
        """Print lines, unless the desk's view is drawn."""
        if self.drawing:
            return
        with contextlib.suppress(OSError):  # the terminal is gone, or its file's disk is full
            for line in lines:
                self._console.print(printable(line))

    def ansi(self, view: RenderableType) -> str:
        """Return a view as text with ANSI colours, as wide as the terminal."""
        with self._console.capture() as drawn:
            self._console.print(view)
        return drawn.get()

    async def run(self, desk: _TypedDesk, tick: Callable[[], object], radio: bool) -> None:
        """Give ``desk`` the typed lines until it is quitting, and call ``tick()`` every ``TICK_S``.

        After the last line it goes on if there is a ``radio``.
        """
        if live_view.whole_screen(self._console) and sys.stdin.isatty():
            return await self._draw(desk, tick)
        lines: asyncio.Queue[str | None] = asyncio.Queue()
        if prompt.silent(sys.stdin):
            desk.show([_NO_INPUT.format(os.getpid())])
        else:
            lines = prompt.lines(asyncio.get_running_loop(), sys.stdin)
        while not desk.quitting:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK_S):
                    line = await lines.get()
                if line is not None:
                    desk.do(line)
                elif radio:
                    desk.show([_GOES_ON.format(os.getpid())])
                else:
                    return desk.show([_ENDS])
            tick()

    async def _draw(self, desk: _TypedDesk, tick: Callable[[], object]) -> None:
        # loaded for a terminal alone: they are a sixth of what serve loads
        from host.server.act_completion import ActCompleter
        from host.server.terminal_desk import TerminalDesk

        def take(line: str) -> bool:
            refused = desk.do(line)
            if desk.quitting:
                screen.close()
            return refused

        completer = ActCompleter(desk.acts, desk.seated)
        screen = self._screen = TerminalDesk(completer, desk.render, take)
        try:
            await screen.run(tick, TICK_S)
        finally:
            self._screen = None
