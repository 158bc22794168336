"""One board without radio contact: the real App on a virtual board, run in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from firmware.app import App
from firmware.core import events
from host.sim.board import Heartbeat, RamStore, VirtualBoard, board_settings
from host.sim.clock import VirtualLoop
from host.sim.pure import NoLink
from host.sim.screen_reading import ScreenReading

if TYPE_CHECKING:
    from firmware.core.types import Intent, Rules
    from host.sim.types import MakeFace


KEY = "ab" * 32
DEVICE = 3
PRESS_MS, HOLD_MS = 120, 1100
PRESS_S, HOLD_S = 0.6, 1.6  # until the board shows the result and reads keys again
ORIGIN_MS = 7_200_000
_STEPS = 16  # at most, one right after the other


class SingleBoard:
    """A board of ``model`` under ``rules``.

    ``faces(board)`` makes its face; ``origin_ms`` is the event time it is given at the start, None
    for none.
    """

    def __init__(
        self,
        model: str,
        rules: Rules,
        faces: MakeFace,
        seed: int = 5,
        language: str = "en",
        origin_ms: int | None = ORIGIN_MS,
    ):
        self.loop, self.model, self.rules, self._faces = VirtualLoop(), model, rules, faces
        self._seed, self._language = seed, language
        self.store: RamStore | None = None
        self.heartbeat: Heartbeat | None = None
        self.boot()
        if origin_ms is not None:
            self.tell_time(origin_ms)

    def boot(self, reason: int = 0) -> None:
        """Start the program; store and sleep memory survive from the last start."""
        settings = board_settings(DEVICE, KEY, self.model, LANGUAGE=self._language)
        board = VirtualBoard(self.loop, settings, self._seed, model=self.model, store=self.store,
                             heartbeat=self.heartbeat)  # fmt: skip
        self.store, self.heartbeat, self.board = board.store, board.heartbeat, board
        self.app = App(board, NoLink(), self._faces(board), self.rules, reason)
        self._catch_up()

    def _catch_up(self):
        """Run the program until nothing is due now."""
        now_ms = self.board.clock.now_ms()
        for _ in range(_STEPS):
            if self.app.step() > now_ms + 1:
                break

    def tell_time(self, now_ms: int) -> None:
        """Answer the board's request for the time."""
        app, uptime_ms = self.app, self.board.clock.now_ms()
        app.timebase.ask_host(1, uptime_ms)
        app.timebase.host_answered(now_ms, 1, uptime_ms)
        error_ms = app.timebase.uncertainty_ms(uptime_ms)
        app._record((events.TimeSet(app.timebase.now_ms(uptime_ms), error_ms, 1),))
        self._catch_up()

    @property
    def now_ms(self) -> int:
        """The board's event time."""
        return self.app.timebase.now_ms(self.board.clock.now_ms())

    @property
    def reading(self) -> ScreenReading:
        """What its screen shows."""
        return ScreenReading(self.app.face, self.app.match)

    def ask(self, intent: Intent) -> bool:
        """Send an intent as the desk does; return whether it was legal."""
        legal = self.app._ask(intent, self.now_ms)
        self.run(0.5)  # a new screen locks the keys for 0.3 s
        return legal

    def show_names(self, names: Sequence[str]) -> None:
        """Give the board the players' names."""
        self.app.face.table.names, self.app.view.changed = list(names), True

    def run(self, seconds: float) -> None:
        """Let ``seconds`` seconds pass; the program runs whenever it is due."""
        self.loop.run_until_complete(self._run(self.loop.time() + seconds))

    async def _run(self, end_s):
        while self.loop.time() < end_s:
            due_s = self.board.clock.when(self.app.step())
            await self.rest(min(due_s, end_s) - self.loop.time())
        self._catch_up()

    async def rest(self, seconds: float) -> None:
        """Let time pass until ``seconds`` are over or a key has moved."""
        woken = self.loop.create_future()

        def wake():
            if not woken.done():
                woken.set_result(None)

        self.board.wake = wake
        await asyncio.wait([woken], timeout=max(0.001, seconds))

    def press(self, *keys: int) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.board.keys.press(key, PRESS_MS)
            self.run(PRESS_S)

    def hold(self, *keys: int) -> None:
        """Hold keys together."""
        for key in keys:
            self.board.keys.press(key, HOLD_MS)
        self.run(HOLD_S)
