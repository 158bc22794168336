"""Several events at one terminal: each is served as if alone, and one terminal types for all.

The terminal shows the chosen event. A line is for that event, or for the event that it names:
``cup: freeze 7``. The other events' lines are shown with their word before them.
"""

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from host.base import prompt
from host.base.errors import UserError
from host.base.standard_streams import printable
from host.desk.acts.act import HERE, Act, Done
from host.desk.acts.fields import Field, text
from host.server import live_view
from host.server.serving import GOES_ON, SILENT, TICK_S, MakeCarrier, Serving, termination_event

if TYPE_CHECKING:
    from host.server.terminal_desk import TerminalDesk

_log = logging.getLogger(__name__)
_STOPPED = "stopped: {}; the other events go on"
_HELP = (
    "type for another event from now on; for one line write it before the act, as: {}: show results"
)

Work = Callable[[], Coroutine[None, None, None]]


@dataclass
class ServedEvent:
    """An event that is served: its Serving, the carrier of its frames, and the updates of its pages
    (None without). ``ended()`` is called once it is no longer served.
    """

    serving: Serving
    make_carrier: MakeCarrier | None
    pages: Work | None
    ended: Callable[[], None]


class SeveralServing:
    """Serves events, each by its word, until somebody quits. Lines go to ``file``."""

    def __init__(self, words: Sequence[str], file: TextIO):
        self._events: dict[str, ServedEvent] = {}
        self._words, self._chosen, self._quitting = [*words], words[0], False
        self._terminal = live_view.terminal(file, soft_wrap=True)
        self._screen: TerminalDesk | None = None

    def act(self) -> Act:
        """Return the act that chooses the event for which lines are typed."""
        word = Field(text(0, 60), "")
        about = _HELP.format(self._words[-1])
        return Act(
            "event", HERE, lambda _, word: self._choose(word), {"word": word}, "event", about
        )

    def printer_for(self, word: str) -> Callable[[Sequence[str]], None]:
        """Return the function that shows an event's lines."""
        return lambda lines: self._say(word, lines)

    def remark(self, lines: Sequence[str]) -> None:
        """Show lines that belong to no event."""
        if self._screen is not None:
            self._serving.add_lines(lines)
            return
        with contextlib.suppress(OSError):  # the terminal is gone, or its file's disk is full
            for line in lines:
                self._terminal.print(printable(line))

    def add(self, word: str, event: ServedEvent) -> None:
        """Add an event to serve; call it before ``run``."""
        self._events[word] = event

    async def run(self, works: Sequence[Work] = ()) -> None:
        """Serve until somebody quits or all events have ended; ``works`` (the radio, the web
        server) run beside them, and their errors end everything.

        An event that ends by an error is dropped, and the others go on. Raises UserError if all of
        them have.
        """
        servings = {
            asyncio.ensure_future(event.serving.run(event.make_carrier, event.pages)): word
            for word, event in self._events.items()
        }
        beside = [asyncio.ensure_future(work()) for work in works]
        beside += [asyncio.ensure_future(self._listen()), asyncio.ensure_future(_wait_for_signal())]
        failure: BaseException | None = None
        try:
            while servings and not self._quitting:
                tasks = [*servings, *beside]
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done.intersection(beside):
                    task.result()
                    self._quitting = True
                for task in done.intersection(servings):
                    failure = self._remove(servings.pop(task), task) or failure
            if not self._quitting and isinstance(failure, Exception):
                raise failure
            for event in self._events.values():
                event.serving.stop()
            if servings:
                await asyncio.wait(servings)
            for task in servings:
                task.result()
        finally:
            for task in (*servings, *beside):
                task.cancel()
            await asyncio.gather(*servings, *beside, return_exceptions=True)

    def _remove(self, word: str, task: "asyncio.Task[None]") -> BaseException | None:
        """Remove an event that has ended; return its error."""
        failure = task.exception()
        self._events[word].ended()
        if failure is None:
            self._quitting = True  # somebody has typed quit
            return None
        _log.error("%s ends by an error", word, exc_info=failure)
        reason = str(failure) if isinstance(failure, UserError) else type(failure).__name__
        self._say(word, [_STOPPED.format(reason)])
        del self._events[word]
        if word == self._chosen and self._events:
            self._chosen = next(iter(self._events))
        return failure

    def _choose(self, word: str) -> Done:
        chosen = word.casefold().rstrip(":")
        if not chosen:
            return Done(shown=[self._line(each) for each in self._words])
        if chosen not in self._events:
            words = ", ".join(self._events)
            raise UserError("{word!r} is no event here; there are: {words}", word=word, words=words)
        self._chosen = chosen
        return Done(shown=[f"what is typed is for {chosen} from now on"])

    def _line(self, word: str) -> str:
        state = "" if word in self._events else "  (stopped)"
        return f"{word}{state}{'  (what is typed is for this one)' if word == self._chosen else ''}"

    def _do(self, line: str) -> bool:
        """Carry out a typed line; return whether it was refused."""
        first, _, rest = line.strip().partition(" ")
        word = first[:-1].casefold()
        named = first.endswith(":") and word in self._events
        serving = self._events[word if named else self._chosen].serving
        refused = serving.do(rest if named else line)
        if serving.console.quitting:
            self._quitting = True
            if self._screen:
                self._screen.close()
        return refused

    def _say(self, word: str, lines: Sequence[str]) -> None:
        marked = [f"{word}: {line}" if line else line for line in lines]
        if self._screen is not None:
            if word != self._chosen:
                self._events[self._chosen].serving.add_lines(marked)
            return
        self.remark(marked)

    async def _listen(self):
        """Carry out typed lines until somebody quits."""
        if live_view.whole_screen(self._terminal) and sys.stdin.isatty():
            return await self._show()
        if prompt.silent(sys.stdin):
            self._terminal.print(SILENT.format(os.getpid()))
            return await asyncio.Event().wait()
        queue = prompt.lines(asyncio.get_running_loop(), sys.stdin)
        while not self._quitting:
            line = await queue.get()
            if line is None:
                if all(event.make_carrier is None for event in self._events.values()):
                    return None
                self._terminal.print(GOES_ON.format(os.getpid()))
                return await asyncio.Event().wait()
            self._do(line)
        return None

    async def _show(self):
        # loaded for a terminal alone: they are a sixth of what serve loads
        from host.server.act_completion import ActCompleter
        from host.server.terminal_desk import TerminalDesk

        completer = ActCompleter(self._serving.console.acts, lambda: self._serving.seated())
        self._screen = TerminalDesk(completer, self._render, self._do)
        try:
            await self._screen.run(lambda: None, TICK_S)
        finally:
            self._screen = None

    @property
    def _serving(self) -> Serving:
        return self._events[self._chosen].serving

    def _render(self, height: int) -> str:
        if not self._events:  # it is ending
            return ""
        words = "   ".join(f"[{word}]" if word == self._chosen else word for word in self._events)
        return f"{words}\n{self._serving.render(height - 1)}"


async def _wait_for_signal() -> None:
    await termination_event().wait()
