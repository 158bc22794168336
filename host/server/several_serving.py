"""Several events at one terminal: each is served as where it is alone, and one types for each.

The terminal shows one event, the chosen one. A line is for that one, or for the one it names:
``cup: freeze 7``. What the others have to say is shown with their word before it.
"""

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import TextIO

from host.base import prompt
from host.base.errors import UserError
from host.base.standard_streams import printable
from host.desk.acts.act import HERE, Act, Done
from host.desk.acts.fields import Field, text
from host.server import live_view
from host.server.act_completion import ActCompleter
from host.server.serving import GOES_ON, SILENT, TICK_S, MakeCarrier, Serving, asked_to_end
from host.server.terminal_desk import TerminalDesk

_log = logging.getLogger(__name__)
_STOPPED = "stopped: {}; the other events go on"
_HELP = (
    "type for another event from now on; for one line write it before the act, as: {}: show results"
)

Work = Callable[[], Coroutine[None, None, None]]


@dataclass
class ServedEvent:
    """An event that is served: its Serving, what carries its frames, and what updates its pages
    (None without). ``ended()`` is called once it is served no more.
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
        """Return the act that chooses the event for which one types."""
        word = Field(text(0, 60), "")
        about = _HELP.format(self._words[-1])
        return Act(
            "event", HERE, lambda _, word: self._choose(word), {"word": word}, "event", about
        )

    def beside(self, word: str) -> Callable[[Sequence[str]], None]:
        """Return what shows an event's lines."""
        return lambda lines: self._say(word, lines)

    def remark(self, lines: Sequence[str]) -> None:
        """Show lines that are of no event."""
        if self._screen is not None:
            self._serving.overhear(lines)
            return
        with contextlib.suppress(OSError):  # the terminal is gone, or its file's disk is full
            for line in lines:
                self._terminal.print(printable(line))

    def add(self, word: str, event: ServedEvent) -> None:
        """Serve an event, too; before ``run``."""
        self._events[word] = event

    async def run(self, works: Sequence[Work] = ()) -> None:
        """Serve until somebody quits or all events have ended; ``works`` (the radio, the web
        server) run beside them, and end all with an error of theirs.

        An event that ends by an error is left out, and the others go on. Raises UserError where all
        of them have.
        """
        servings = {
            asyncio.ensure_future(one.serving.run(one.make_carrier, one.pages)): word
            for word, one in self._events.items()
        }
        others = [asyncio.ensure_future(work()) for work in works]
        others += [asyncio.ensure_future(self._listen()), asyncio.ensure_future(_asked())]
        failure: BaseException | None = None
        try:
            while servings and not self._quitting:
                tasks = [*servings, *others]
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done.intersection(others):
                    task.result()
                    self._quitting = True
                for task in done.intersection(servings):
                    failure = self._over(servings.pop(task), task) or failure
            if not self._quitting and isinstance(failure, Exception):
                raise failure
            for one in self._events.values():
                one.serving.stop()
            if servings:
                await asyncio.wait(servings)
            for task in servings:
                task.result()
        finally:
            for task in (*servings, *others):
                task.cancel()
            await asyncio.gather(*servings, *others, return_exceptions=True)

    def _over(self, word: str, task: "asyncio.Task[None]") -> BaseException | None:
        """Note that an event has ended; return its error."""
        failure = task.exception()
        self._events[word].ended()
        if failure is None:
            self._quitting = True  # somebody has typed quit
            return None
        _log.error("%s ends by an error", word, exc_info=failure)
        why = str(failure) if isinstance(failure, UserError) else type(failure).__name__
        self._say(word, [_STOPPED.format(why)])
        del self._events[word]
        if word == self._chosen and self._events:
            self._chosen = next(iter(self._events))
        return failure

    def _choose(self, word: str) -> Done:
        found = word.casefold().rstrip(":")
        if not found:
            return Done(shown=[self._line(one) for one in self._words])
        if found not in self._events:
            words = ", ".join(self._events)
            raise UserError("{word!r} is no event here; there are: {words}", word=word, words=words)
        self._chosen = found
        return Done(shown=[f"what is typed is for {found} from now on"])

    def _line(self, word: str) -> str:
        said = "" if word in self._events else "  (stopped)"
        return f"{word}{said}{'  (what is typed is for this one)' if word == self._chosen else ''}"

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
        told = [f"{word}: {line}" if line else line for line in lines]
        if self._screen is not None:
            if word != self._chosen:
                self._events[self._chosen].serving.overhear(told)
            return
        self.remark(told)

    async def _listen(self):
        """Take typed lines until somebody quits."""
        if live_view.whole_screen(self._terminal) and sys.stdin.isatty():
            return await self._show()
        if prompt.silent(sys.stdin):
            self._terminal.print(SILENT.format(os.getpid()))
            return await asyncio.Event().wait()
        queue = prompt.lines(asyncio.get_running_loop(), sys.stdin)
        while not self._quitting:
            line = await queue.get()
            if line is None:
                if all(one.make_carrier is None for one in self._events.values()):
                    return None
                self._terminal.print(GOES_ON.format(os.getpid()))
                return await asyncio.Event().wait()
            self._do(line)
        return None

    async def _show(self):
        completer = ActCompleter(self._serving.console.acts, lambda: self._serving.seated())
        self._screen = TerminalDesk(completer, self._drawn, self._do)
        try:
            await self._screen.run(lambda: None, TICK_S)
        finally:
            self._screen = None

    @property
    def _serving(self) -> Serving:
        return self._events[self._chosen].serving

    def _drawn(self, height: int) -> str:
        if not self._events:  # it ends
            return ""
        words = "   ".join(f"[{one}]" if one == self._chosen else one for one in self._events)
        return f"{words}\n{self._serving.drawn(height - 1)}"


async def _asked() -> None:
    await asked_to_end().wait()
