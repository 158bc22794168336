"""``plusthree board bringup --soak``: hours of a board's radio with a PC that connects to it.

``own`` is the program's own pattern, with a link every so often; ``both`` holds one link as long as
it lasts while the board advertises. The board's half is ``hw/bench/soak.py``.
"""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from bleak import BleakScanner

from firmware.core import frames
from host.collector.carriers.connection import Connection, ConnectionFailed
from host.collector.carriers.platforms import Quirks
from host.collector.carriers.radio import Backends

OWN, BOTH = "own", "both"
DEVICE = 65535  # as hw/bench/soak.py
TURN_MS, HELD_S, FIND_S, AGAIN_S = 5000, 4.0, 20.0, 1.0
BOARD_FIGURES = (  # of the board, in order
    "guests", "adverts", "adverts_refused", "radio_restarts", "sent", "received", "journal_writes",
    "longest_write_us", "heap_free", "chip_free",
)  # fmt: skip


@dataclass
class Soak:
    """A soak of ``hours`` with so many ``reconnects``; ``turn(ms)`` lets the board go on for that
    long and returns its figures (``BOARD_FIGURES``), OSError when it is gone. ``say`` gets
    progress.
    """

    turn: Callable[[int], Awaitable[Sequence[int]]]
    quirks: Quirks
    backends: Backends
    hours: float
    reconnects: int
    both: bool
    say: Callable[[str], None]
    links: int = 0
    failed: int = 0
    notified: int = 0
    connect_ms: list[int] = field(default_factory=list)
    newest: dict[str, int] = field(default_factory=dict)
    begun: dict[str, int] = field(default_factory=dict)
    ended: str = "as planned"
    lasted_s: float = 0.0

    async def run(self) -> None:
        """Soak until the time is up or the board is gone."""
        loop = asyncio.get_running_loop()
        visits = loop.create_task(self._visit(loop.time()))
        begun_s, shown = loop.time(), 0
        try:
            while not (self.lasted or visits.done()):
                self.newest = dict(zip(BOARD_FIGURES, await self.turn(TURN_MS), strict=True))
                self.begun = self.begun or self.newest
                self.lasted_s = loop.time() - begun_s
                if self.lasted_s >= shown * 36 * self.hours:  # a hundred lines in all
                    shown += 1
                    self.say(self.progress)
        except OSError as error:
            self.ended = f"the board is gone: {error}"
        finally:
            visits.cancel()
            await asyncio.gather(visits, return_exceptions=True)

    @property
    def lasted(self) -> bool:
        """Whether the board was there to the end."""
        return self.lasted_s >= 3600 * self.hours

    @property
    def progress(self) -> str:
        """What has happened so far, in a line."""
        share = min(100, round(self.lasted_s / 36 / self.hours))
        links = f"{self.links} links, {self.failed} failed"
        refused, restarts = self.newest["adverts_refused"], self.newest["radio_restarts"]
        return f"{share:>4} %  {links}, {refused} adverts refused, {restarts} restarts of the radio"

    async def _visit(self, begun_s: float):
        """Connect again and again: evenly over the hours; with ``both`` after each lost link."""
        loop = asyncio.get_running_loop()
        while True:
            if not self.both:
                due_s = begun_s + self.links * 3600 * self.hours / self.reconnects
                await asyncio.sleep(max(0.0, due_s - loop.time()))
            try:
                await self._link(loop)
            except ConnectionFailed:
                self.failed += 1
                await asyncio.sleep(AGAIN_S)

    async def _link(self, loop: asyncio.AbstractEventLoop):
        """Connect to a board that is heard, and exchange frames with it for a while."""
        scanner, client = self.backends
        begun_s = loop.time()
        device = await BleakScanner.find_device_by_filter(
            _ours,
            timeout=FIND_S,
            backend=scanner,  # pyright: ignore[reportArgumentType]  (None: the system's own)
        )
        if device is None:
            raise ConnectionFailed("not heard")

        def tell(word: str, *details: object) -> None:
            if word == "received":
                self._answer(connection, details[0])

        connection = Connection(device, self.quirks, tell, client)
        try:
            await connection.connect()
            self.links += 1
            self.connect_ms.append(round(1000 * (loop.time() - begun_s)))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(None if self.both else HELD_S):
                    await connection.carry()
        finally:
            await connection.hang_up()

    def _answer(self, connection, notified):
        """Count a notification; a question gets an answer, which frees the board's queue."""
        self.notified += 1
        if notified[0] & 63 == frames.TIME_ASKED:
            answer = frames.pack_time(0, frames.fields(notified)[0])
            head = bytes((frames.VERSION << 6 | frames.TIME, *notified[1:7]))
            connection.write(head + answer + bytes(frames.SIZE - frames.BODY))

    def figures(self) -> dict[str, int | str]:
        """Return the soak's figures, as the file has them."""
        ranked = sorted(self.connect_ms) or [0]
        spent = {f"{name}_spent": self.begun.get(name, 0) - self.newest.get(name, 0)
                 for name in ("heap_free", "chip_free")}  # fmt: skip
        return {
            "minutes": round(self.lasted_s / 60), "ended": self.ended, "links": self.links,
            "links_failed": self.failed, "notified": self.notified,
            "connect_p50_ms": ranked[len(ranked) // 2],
            "connect_p99_ms": ranked[len(ranked) * 99 // 100],
            **self.newest, **spent,
        }  # fmt: skip


def _ours(device, advertisement) -> bool:
    frame = advertisement.manufacturer_data.get(frames.COMPANY_ID, b"")
    return len(frame) == frames.SIZE and frame[1:3] == DEVICE.to_bytes(2, "little")


def figures_file(model: str, source: str, which: str, figures: dict[str, int | str]) -> str:
    """Return the text of the file that goes back."""
    # JSON's strings and numbers are TOML's, too
    rows = [
        f"{name} = {json.dumps(value)}" for name, value in {"source": source, **figures}.items()
    ]
    return "\n".join([f"board = {json.dumps(model)}", "", f"[soak.{which}]", *rows]) + "\n"
