"""The desk in a terminal (prompt_toolkit): the view, and below it the typed line.

The line has a history, completes acts, tables and names, and shows its act's usage below.
"""

import asyncio
import contextlib
from collections.abc import Callable

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import Float, FloatContainer, HSplit, Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.output import Output
from prompt_toolkit.widgets import TextArea

from host.server.act_completion import ActCompleter

LINES_BELOW = 2  # the line that is typed, and how its act is used
_CHOICES = 8


class TerminalDesk:
    """Shows ``draw(height)``, text with ANSI colours, and gives each typed line to ``take(line)``,
    which returns whether it was refused: then the line stays, to be corrected.

    ``completer`` is an ActCompleter. Names stay in memory: the history ends with the program.
    """

    def __init__(
        self,
        completer: ActCompleter,
        draw: Callable[[int], str],
        take: Callable[[str], bool],
        source: Input | None = None,
        screen: Output | None = None,
    ) -> None:
        self._completer, self._draw, self._take = completer, draw, take
        self._line = TextArea(
            prompt="> ",
            height=1,
            multiline=False,
            wrap_lines=False,
            history=InMemoryHistory(),
            completer=completer,
            complete_while_typing=False,
            accept_handler=self._accept,
        )
        self._application: Application[None] = Application(
            layout=Layout(self._container(), focused_element=self._line),
            key_bindings=self._keys(),
            full_screen=True,
            max_render_postpone_time=0,  # an entered line disappears from the screen at once
            input=source,
            output=screen,
        )

    async def run(self, tick: Callable[[], object], tick_s: float) -> None:
        """Take lines until ``close``, calling ``tick()`` every ``tick_s`` seconds."""
        ticking = asyncio.ensure_future(self._ticking(tick, tick_s))
        taking = asyncio.ensure_future(self._application.run_async())
        try:
            await asyncio.wait((ticking, taking), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.close()
            ticking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await ticking
            await taking

    def close(self) -> None:
        """Restore the terminal."""
        if self._application.is_running and not self._application.is_done:
            self._application.exit()

    async def _ticking(self, tick: Callable[[], object], tick_s: float) -> None:
        while True:
            tick()
            self._application.invalidate()
            await asyncio.sleep(tick_s)

    def _accept(self, buffer: Buffer) -> bool:
        return self._take(buffer.text)

    def _above(self) -> ANSI:
        return ANSI(self._draw(self._application.output.get_size().rows - LINES_BELOW))

    def _container(self) -> FloatContainer:
        hint = FormattedTextControl(lambda: self._completer.hint(self._line.text))
        return FloatContainer(
            HSplit(
                [
                    Window(FormattedTextControl(self._above), wrap_lines=False),
                    self._line,
                    Window(hint, height=1, style="class:bottom-toolbar"),
                ]
            ),
            [Float(CompletionsMenu(max_height=_CHOICES), xcursor=True, ycursor=True)],
        )

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-c")
        def _(event):
            self._take("quit")

        @keys.add("c-d")
        def _(event):
            if not self._line.text:
                self._take("quit")

        return keys
