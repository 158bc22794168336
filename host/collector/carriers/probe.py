"""Measures this PC's radio through a radio process of its own."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from host.base.sentences import Sentence
from host.collector.carriers import json_lines
from host.collector.carriers.json_lines import Part

START_S = 30.0
LISTEN_S = 20.0
LINK_S = 60.0
QUIT_S = 5.0
MOST = 8  # connections tried; no known adapter holds more


@dataclass
class Measured:
    """The radio's measurements.

    ``start_ms``: until the scan ran, None if it never did; ``messages`` say why then.
    ``delay_s``: the delay of a changed advert, None if too little was heard. ``tried`` and
    ``held``: connections at one time. ``link_ms``: how long each took to make.
    """

    start_ms: int | None = None
    messages: list[Sentence] = field(default_factory=list)
    boards: list[str] = field(default_factory=list)
    delay_s: float | None = None
    tried: int = 0
    held: int = 0
    link_ms: list[int] = field(default_factory=list)


class Probe:
    """Measures with the process that ``start()`` returns, as in ``radio_process.start_process``."""

    def __init__(self, start: Callable[[], Awaitable[asyncio.subprocess.Process]]):
        self._start = start
        self.measured = Measured()
        self._linked: set[str] = set()  # addresses with a connection
        self._over: set[str] = set()  # those whose connection or attempt has ended
        self._since_s: float | None = None  # when it began what it measures now

    async def run(self) -> Measured:
        """Return the Measured; raises OSError if no process can be started."""
        process = await self._start()
        try:
            await self._take(
                process,
                START_S,
                lambda: self.measured.start_ms is not None or self.measured.messages,
            )
            if self.measured.start_ms is not None:
                await self._take(process, LISTEN_S, lambda: False)
                await self._link(process)
        finally:
            await self._end(process)
        return self.measured

    async def _take(self, process, seconds, enough):
        """Read the process' messages for at most ``seconds``, or until ``enough()``."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while line := await process.stdout.readline():
                    message = json_lines.decode(line)
                    if message is not None:
                        self._note(*message)
                    if enough():
                        return

    def _note(self, word: str, *details: Part):
        """Note what a message of the process says of the radio."""
        now_s, measured = asyncio.get_running_loop().time(), self.measured
        match (word, *details):
            case "deaf", True:
                self._since_s = self._since_s or now_s
            case "deaf", False if measured.start_ms is None:
                measured.start_ms = round((now_s - (self._since_s or now_s)) * 1000)
            case "said" | "missing", Sentence() as sentence:
                measured.messages.append(sentence)
            case "delay", float(seconds):
                measured.delay_s = seconds
            case _, str(address), *_:
                self._note_board(word, address, now_s)

    def _note_board(self, word: str, address: str, now_s: float):
        measured = self.measured
        if word == "heard" and address not in measured.boards:
            measured.boards.append(address)
        elif word == "opened":
            self._linked.add(address)
            measured.held = max(measured.held, len(self._linked))
            measured.link_ms.append(round((now_s - (self._since_s or now_s)) * 1000))
            self._since_s = now_s
        elif word == "closed":
            self._linked.discard(address)
            self._over.add(address)
            self._since_s = now_s

    async def _link(self, process):
        """Connect to as many boards as possible at one time."""
        asked = self.measured.boards[-MOST:]
        self.measured.tried, self._since_s = len(asked), asyncio.get_running_loop().time()
        for address in asked:
            process.stdin.write(json_lines.encode(("connect", address)))
        if asked:
            await self._take(process, LINK_S, lambda: self._linked | self._over >= set(asked))

    async def _end(self, process):
        with contextlib.suppress(OSError):
            process.stdin.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(QUIT_S):
                await process.wait()
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
