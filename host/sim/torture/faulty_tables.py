"""Boards that lose power, reset and restart, and the tables where they lie.

A board is known by its device id wherever it lies; players look at the board that lies on their
table now.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop
from collections.abc import Callable, Collection, Mapping
from random import Random
from typing import TYPE_CHECKING

from firmware.app import App
from firmware.core import phases
from host.sim import prices as costs
from host.sim.board import Heartbeat, VirtualBoard
from host.sim.table import Table
from host.sim.torture.power_cuts import PowerCut
from host.sim.torture.tick_clock import TickClock

if TYPE_CHECKING:
    from firmware.core.types import Rules, Settings
    from host.sim.prices import Book
    from host.sim.torture.types import (
        BootBoard,
        ClockChecker,
        FaultyAir,
        FaultyStore,
        TableCallback,
    )
    from host.sim.types import MakeFace, ScreenReading, Tap


DARK_S = (1.0, 8.0)


class TableView:
    """Table ``number`` as its players see it; ``boards`` holds the board of each table."""

    def __init__(self, boards: Mapping[int, FaultyTable], number: int):
        self.number, self._boards = number, boards

    @property
    def _table(self):
        return self._boards[self.number]

    @property
    def face(self) -> ScreenReading:
        """The screen's present content."""
        return self._table.face

    @property
    def now_s(self) -> float:
        """The loop's time in seconds."""
        return self._table.now_s

    def press(self, key: int, for_ms: int) -> None:
        """Press ``key`` now for ``for_ms`` ms."""
        self._table.press(key, for_ms)

    async def rest(self, seconds: float) -> None:
        """Wait for ``seconds`` seconds."""
        await self._table.rest(seconds)

    async def watch(self, seconds: float) -> bool:
        """Wait until the screen changes; return False if it has not within ``seconds``."""
        return await self._table.watch(seconds)

    async def see(self, screens: Collection[str]) -> None:
        """Wait until a board there shows one of ``screens``."""
        while self.face.screen not in screens:
            await self.watch(3600)

    async def begins(self, number: int) -> None:
        """Wait until a board there shows round ``number``."""
        while not self._table.started or self._table.app.match.round != number:
            await self.watch(3600)


class FaultyTable(Table):
    """Board ``device`` with its store, at table ``number``; ``make(table)`` boots it and returns
    its board and program.

    ``on_crash(table, error)`` gets exceptions of the program, ``on_power(table)`` is called before
    each boot and ``on_start(table)`` after it.
    """

    # what survives a restart; set by the venue
    store: FaultyStore
    skew_ppm: int  # of its crystal
    clock_checker: ClockChecker
    latest_ms: Callable[[], int]  # the latest possible event time
    is_own_record: Callable[[bytes], bool]  # whether a record bears the board's tag

    def __init__(
        self,
        loop: AbstractEventLoop,
        number: int,
        device: int,
        make: BootBoard,
        luck: Random,
    ):
        super().__init__(loop, number, None)
        self.device = device
        self._make, self.luck = make, luck
        self.boots, self.down = 0, True
        self.on_crash: Callable[[FaultyTable, Exception], None] = lambda table, error: None
        self.on_power: TableCallback = lambda table: None
        self.on_start: TableCallback = lambda table: None
        self.down_since_s = 0
        self.last_ms, self.clock_ran = (
            0,
            False,
        )  # when it last went down: its event time, and whether the round's clock was running
        self.stepped_s = self.idle_ms = (
            0  # a real board's program loops all the time; this one runs only when due
        )
        self.powered = True  # whether sleep memory has survived
        self.broken = self.replaced = False  # does not restart; was replaced on its table
        self.went_off: Callable[[int], None] = lambda device: None  # the air's callbacks
        self.went_on: Callable[[int], None] = lambda device: None

    @property
    def counter(self) -> TickClock:
        """The tick counter since the last start."""
        assert isinstance(self.board.clock, TickClock)
        return self.board.clock

    def switch_on(self) -> None:
        """Boot the board; a power cut may end the boot at once."""
        if not self.down or self.broken:
            return
        self.on_power(self)
        try:
            board, app = self._make(self)
        except PowerCut as cut:
            self.powered = self.powered and cut.powered
            self._later()
            return
        self.boots += 1
        self.down, self.board = False, board
        self.went_on(self.device)
        self.start(app)
        self.on_start(self)

    def go_down(self, powered: bool, last_ms: int | None = None) -> None:
        """Stop now; ``powered`` when only the program ends and sleep memory survives.

        ``last_ms`` is the last event time that the board knew; by default the present one.
        """
        if self.down:
            return
        self.down, self.powered, self.down_since_s = True, powered, self.now_s
        self.idle_ms = round((self.now_s - self.stepped_s) * 1000)
        match = self.app.match
        self.last_ms = self._now_ms() if last_ms is None else last_ms
        self.clock_ran = (
            match.phase in (phases.PLAYING, phases.TIEBREAKER)
            and match.clock_ms is not None
            and not match.called
        )
        self.board.wake = lambda: None
        if self._timer is not None:
            self._timer.cancel()
        self.went_off(self.device)
        self._later()

    def break_board(self) -> None:
        """Stop and do not start again."""
        self.broken = True
        self.go_down(powered=False)

    def repair(self) -> None:
        """Let a broken board start again."""
        if self.broken:
            self.broken = False
            self._later()

    def replace(self) -> None:
        """Take the board off the table: players who look at it see another board there."""
        self.replaced = True
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(True)

    def _later(self):
        self._loop.call_later(self.luck.uniform(*DARK_S), self.switch_on)

    def _run(self):
        if self.down:
            self._woken = False  # this wake belonged to the program that has ended
            return
        began_ms = self._now_ms()
        try:
            super()._run()
            self.stepped_s = self.now_s
        except PowerCut as cut:
            self.go_down(cut.powered, began_ms)  # a frame that was not stored had no effect
        except Exception as error:  # as main() does: report it and restart
            self.on_crash(self, error)
            self.go_down(powered=True)

    def _reset(self, ended: BaseException) -> None:
        """Go down, as after any restart of the program."""
        self.go_down(powered=True)

    def _now_ms(self):
        return self.app.timebase.now_ms(self.board.clock.now_ms())

    @property
    def screen(self) -> str:
        """The name of the current screen."""
        return self.app.face.name

    def press(self, key: int, for_ms: int) -> None:
        """Press a key; nothing happens while the board is down."""
        if not self.down:
            super().press(key, for_ms)


class BoardFactory:
    """Builds boards; each keeps its store, sleep memory and crystal over restarts."""

    def __init__(
        self,
        loop: AbstractEventLoop,
        air: FaultyAir,
        faces: MakeFace,
        system: Rules,
        seed: int,
        prices: Book | None,
    ):
        self._prices = prices or costs.load()
        self._loop, self._air, self._faces, self._system = loop, air, faces, system
        self._seed = seed
        self._hearts: dict[int, Heartbeat] = {}

    def boot(
        self, table: FaultyTable, told: Settings, skew_ppm: int, store: FaultyStore, tap: Tap
    ) -> tuple[VirtualBoard, App]:
        """Return ``(board, app)`` of a board's next start; raises PowerCut."""
        if not table.powered:
            self._hearts.pop(table.device, None)
        heart = self._hearts.setdefault(table.device, Heartbeat())
        seed = f"board {self._seed} {table.device} {table.boots} {store.writes}"
        board = VirtualBoard(self._loop, told, seed, model=told["board"], store=store,
                             heartbeat=heart,
                             prices=self._prices)  # fmt: skip
        board.clock = TickClock(self._loop, skew_ppm)
        board.keys._clock = board.clock
        return board, App(board, tap, self._faces(board), self._system)
