"""The Collector over a radio in a process of its own, which is restarted if it hangs or dies.

The desk never waits for a radio: a call that hangs blocks only the other process.
"""

import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Callable, Sequence

from host.base.errors import UserError
from host.base.hold import Hold
from host.base.sentences import Sentence
from host.collector.actions import Action
from host.collector.carriers import failure_words, json_lines
from host.collector.carriers.gateways import MakeGateways
from host.collector.carriers.pump import Pump
from host.collector.shared_radio import RadioSide

TICK_S = 1.0
HANG_TICKS = 10  # without a message
START_TICKS = 40  # until the first message: a slow disk, a virus scanner
QUIT_S = 5.0
AGAIN_S = 5.0
_LINE = 1 << 16
_BLUETOOTH = "bluetooth"


async def start_process(
    adapter: str | None = None,
    command: Sequence[str] = (sys.executable, "-m", "host.collector.carriers.radio_child"),
    more: Sequence[str] = (),
) -> asyncio.subprocess.Process:
    """Return a new radio process of this program; ``more`` are options of ``radio_child``."""
    options = (("--adapter", adapter) if adapter else ()) + tuple(more)
    return await asyncio.create_subprocess_exec(
        *command, *options, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL, limit=_LINE,
    )  # fmt: skip


class HeldRadio:
    """Starts radio processes, while no other program of ours has the ``adapter``."""

    def __init__(self, adapter: str | None = None, more: Sequence[str] = ()):
        self._adapter, self._more = adapter, more
        self._hold = Hold.of_pc(f"bluetooth-{adapter or 'default'}")

    async def __call__(self) -> asyncio.subprocess.Process:
        """Return a new process. Raises OSError, and UserError where another program has it."""
        if holder := self._hold.take():
            raise UserError(failure_words.HELD.template, holder=holder)
        return await start_process(self._adapter, more=self._more)


class ProcessCarrier:
    """Drives ``collector`` over a radio process.

    ``now_ms()`` is the host's event time; ``report(sentence)`` gets messages about trouble;
    ``start`` is a coroutine function that returns a new process, called at most every ``again_s``.
    ``gateways`` makes the gateways that receive besides the radio. A process is killed after
    ``HANG_TICKS`` of ``tick_s`` without a message.
    """

    def __init__(
        self,
        collector: RadioSide,
        now_ms: Callable[[], int],
        report: Callable[[Sentence], None] = lambda sentence: None,
        start: Callable[[], Awaitable[asyncio.subprocess.Process]] = start_process,
        tick_s: float = TICK_S,
        again_s: float = AGAIN_S,
        gateways: MakeGateways | None = None,
    ):
        known = {
            "said": report,
            "missing": report,
            "delay": self._late,
            "alive": self._alive,
        }
        self.collector, self._pump = collector, Pump(collector, now_ms, self._do, known)
        self._report, self._start = report, start
        self._tick_s, self._again_s = tick_s, again_s
        self._process: asyncio.subprocess.Process | None = None
        self._taken: set[str] = set()  # addresses with a connection, or to which one is being made
        self._heard, self._trouble = False, False
        self.gateways = gateways and gateways(self._pump, report)
        self.delay_s: float | None = None  # the delay of a changed advert, once it is known

    async def run(self) -> None:
        """Run until cancelled; without a radio, start a process again every ``again_s``."""
        try:
            await self._pump.run(self._work())
        finally:
            await self._end()

    async def _work(self) -> None:
        """Run radio processes one after the other, and gateways beside them."""
        works = [self._run_processes(), *([self.gateways.run()] if self.gateways else [])]
        await asyncio.gather(*works)

    async def _run_processes(self) -> None:
        """Run radio processes one after the other; report the first failure of a row."""
        while True:
            begun_s = asyncio.get_running_loop().time()
            why = await self._serve()
            await self._kill()
            self._on_lost()
            if not self._trouble:
                self._trouble = True
                self._report(why)
            rest_s = begun_s + self._again_s - asyncio.get_running_loop().time()
            await asyncio.sleep(max(0, rest_s))

    async def _serve(self):
        """Start a radio process and handle its messages until it ends; return why it ended."""
        self._heard = False
        try:
            self._process = await self._start()
        except OSError:
            return failure_words.DIED
        except UserError as error:
            return error.sentence
        reading = asyncio.ensure_future(self._read(self._process.stdout))
        try:
            return await self._watch(reading)
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    async def _watch(self, reading):
        """Wait until the process ends or is silent too long.

        Silence is counted in ticks of this program: if this program was blocked, the process is not
        to blame.
        """
        silent, most = 0, START_TICKS
        while silent < most:
            done, _ = await asyncio.wait({reading}, timeout=self._tick_s)
            if done:
                return failure_words.DIED
            silent, most = (0, HANG_TICKS) if self._heard else (silent + 1, most)
            self._heard = False
        return failure_words.HUNG

    async def _read(self, output):
        with contextlib.suppress(ValueError):  # an endless line
            while line := await output.readline():
                message = json_lines.decode(line)
                if message is not None:
                    self._heard = True
                    self._take(message)

    def _take(self, message):
        """Process a message of the radio's process."""
        word, *details = message
        if word == "closed":
            self._taken.discard(details[0])
        if word == "deaf":
            if self._trouble and not details[0]:
                self._trouble = False
                self._report(failure_words.ANSWERED)
            self._pump.listens(_BLUETOOTH, not details[0])
        else:
            self._pump.take(*message)

    def _do(self, action: Action):
        """Send an action to the process; if it cannot do it now, it has failed."""
        word, address, *_ = action
        stdin = self._process.stdin if self._process else None
        if stdin is None or stdin.is_closing():
            if word == "connect":
                asyncio.get_running_loop().call_soon(self._pump.take, "closed", address)
            return
        if word == "connect":
            self._taken.add(address)
        stdin.write(json_lines.encode(action))

    def _on_lost(self):
        """Report to the Collector that nothing is heard and no connection is open."""
        taken, self._taken = sorted(self._taken), set()
        self._pump.listens(_BLUETOOTH, False)
        for address in taken:
            self._pump.take("closed", address)

    async def _kill(self):
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _end(self):
        """Give the process some time to disconnect and end by itself."""
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(QUIT_S):
                    await self._process.wait()
        await self._kill()

    def _late(self, seconds):
        self.delay_s = seconds

    def _alive(self):
        """Process an ``alive`` message."""
