"""Several events at one terminal: each is served as if alone, and one terminal types for all.

The terminal shows the chosen event. A line is for that event, or for the event that it names:
``cup: freeze 7``. The other events' lines are shown with their word before them.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass

from host.base.errors import UserError
from host.desk.acts.act import HERE, Act
from host.desk.acts.fields import Field, text
from host.desk.staff import Done
from host.server.operator_terminal import OperatorTerminal
from host.server.serving import MakeCarrier, Serving, termination_event

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
    """Serves events, each by its word, until somebody quits. Lines go to ``terminal``."""

    def __init__(self, words: Sequence[str], terminal: OperatorTerminal):
        self._events: dict[str, ServedEvent] = {}
        self._words, self._chosen, self._quitting = [*words], words[0], False
        self._terminal = terminal

    def act(self) -> Act:
        """Return the act that chooses the event for which lines are typed."""
        word = Field(text(0, 60), "")
        about = _HELP.format(self._words[-1])
        return Act(
            "event", HERE, lambda _, word: self._choose(word), {"word": word}, "event", about
        )

    def show(self, lines: Sequence[str]) -> None:
        """Show lines that belong to no event."""
        if self._terminal.drawing:
            self._serving.add_lines(lines)
        self._terminal.print(lines)

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
        radio = any(event.make_carrier is not None for event in self._events.values())
        beside: list[asyncio.Task[object]] = [asyncio.ensure_future(work()) for work in works]
        beside.append(asyncio.ensure_future(self._terminal.run(self, lambda: None, radio)))
        beside.append(asyncio.ensure_future(termination_event().wait()))
        try:
            failure = await self._wait_until_over(servings, beside)
            if not self._quitting and isinstance(failure, Exception):
                raise failure
            for event in self._events.values():
                event.serving.stop()
            await asyncio.gather(*servings)
        finally:
            for task in (*servings, *beside):
                task.cancel()
            await asyncio.gather(*servings, *beside, return_exceptions=True)

    async def _wait_until_over(
        self, servings: "dict[asyncio.Task[None], str]", beside: "list[asyncio.Task[object]]"
    ) -> BaseException | None:
        """Wait until somebody quits or all events have ended; those that end are removed from
        ``servings``. Return the last error of an event; raise one of a task in ``beside``.
        """
        failure: BaseException | None = None
        while servings and not self._quitting:
            tasks = [*servings, *beside]
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done.intersection(beside):
                task.result()  # raises its error
                self._quitting = True
            for task in done.intersection(servings):
                failure = self._remove(servings.pop(task), task) or failure
        return failure

    def _remove(self, word: str, task: "asyncio.Task[None]") -> BaseException | None:
        """Remove an event that has ended; return its error."""
        failure = task.exception()
        self._events[word].ended()
        if failure is None:
            self._quitting = True  # somebody has typed quit
            return None
        _log.error("%s ends by an error", word, exc_info=failure)
        reason = str(failure) if isinstance(failure, UserError) else type(failure).__name__
        self.show_of(word, [_STOPPED.format(reason)])
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
        stopped = "" if word in self._events else "  (stopped)"
        chosen = "  (what is typed is for this one)" if word == self._chosen else ""
        return f"{word}{stopped}{chosen}"

    @property
    def acts(self) -> tuple[Act, ...]:
        """The acts that can be typed."""
        return self._serving.acts

    @property
    def quitting(self) -> bool:
        """Whether ``quit`` was typed, or all events end for another reason."""
        return self._quitting

    def do(self, line: str) -> bool:
        """Carry out a typed line; return whether it was refused."""
        serving = self._serving
        first, _, rest = line.strip().partition(" ")
        word = first[:-1].casefold()
        if first.endswith(":") and word in self._events:
            serving, line = self._events[word].serving, rest
        refused = serving.do(line)
        if serving.quitting:
            self._quitting = True
        return refused

    def show_of(self, word: str, lines: Sequence[str]) -> None:
        """Show an event's lines; the view of the chosen event has its own already."""
        if not self._terminal.drawing or word != self._chosen:
            self.show([f"{word}: {line}" if line else line for line in lines])

    @property
    def _serving(self) -> Serving:
        return self._events[self._chosen].serving

    def seated(self) -> dict[int, list[str]]:
        """Return {table: the players' names} of the chosen event's published round."""
        return self._serving.seated()

    def render(self, height: int) -> str:
        """Return the chosen event's view, below the words of all events."""
        if not self._events:  # it is ending
            return ""
        words = "   ".join(f"[{word}]" if word == self._chosen else word for word in self._events)
        return f"{words}\n{self._serving.render(height - 1)}"
