"""Boards that die and come back, and the tables where they lie: resets, cut power, a program run
again.

A board is known by its device, wherever it lies; who sits at a table looks at whichever lies there.
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
from host.sim.torture.counter import TickClock
from host.sim.torture.frail import PowerCut

if TYPE_CHECKING:
    from firmware.core.types import Rules, Settings
    from host.sim.prices import Book
    from host.sim.torture.types import FrailStore, MakeLife, OfTable, RoughAir, Timekeeper
    from host.sim.types import MakeFace, Names, Sight, Tap


DARK_S = (1.0, 8.0)


class Place:
    """Table ``number`` as its players see it; ``boards`` holds the board of each table."""

    def __init__(self, boards: Mapping[int, FrailTable], number: int):
        self.number, self._boards = number, boards

    @property
    def _table(self):
        return self._boards[self.number]

    @property
    def face(self) -> Sight:
        """What stands on the screen now."""
        return self._table.face

    @property
    def now_s(self) -> float:
        """The loop's time in seconds."""
        return self._table.now_s

    def press(self, key: int, for_ms: int) -> None:
        """Push a key down now, for so long."""
        self._table.press(key, for_ms)

    async def rest(self, seconds: float) -> None:
        """Do something else for a while."""
        await self._table.rest(seconds)

    async def watch(self, seconds: float) -> bool:
        """Wait until the face changes; False when it has not within ``seconds``."""
        return await self._table.watch(seconds)

    async def see(self, screens: Collection[str]) -> None:
        """Wait until a board there shows one of ``screens``."""
        while self.face.screen not in screens:
            await self.watch(3600)

    async def begins(self, number: int) -> None:
        """Wait until a board there shows round ``number``."""
        while not self._table.started or self._table.app.match.round != number:
            await self.watch(3600)


class FrailTable(Table):
    """Board ``device`` with its store, at table ``number``; ``make(table)`` gives each life's board
    and program.

    ``crashed(table, error)`` hears of exceptions of the program, ``waking(table)`` of each
    switching on, ``born(table)`` of each start.
    """

    # the board's parts that outlive a reset, laid by the hall
    store: FrailStore
    skew_ppm: int  # of its crystal
    keeper: Timekeeper
    true_ms: Callable[[], int]  # the latest event time that it can be there
    wrote: Callable[[bytes], bool]  # whether a record bears the board's tag

    def __init__(
        self,
        loop: AbstractEventLoop,
        number: int,
        device: int,
        names: Names,
        make: MakeLife,
        luck: Random,
    ):
        super().__init__(loop, number, None, names)
        self.device = device
        self._make, self.luck = make, luck
        self.lives, self.dark = 0, True
        self.crashed: Callable[[FrailTable, Exception], None] = lambda table, error: None
        self.waking: OfTable = lambda table: None
        self.born: OfTable = lambda table: None
        self.died_s = 0
        self.last_ms, self.ran = (
            0,
            False,
        )  # at its death: its event time, and whether the round's clock ran
        self.stepped_s = self.idle_ms = (
            0  # a real board's program goes round all the time, this one when it is due
        )
        self.powered = True  # sleep memory has survived
        self.broken = self.away = False  # does not start again; another board lies in its place
        self.off: Callable[[int], None] = lambda device: None  # what the air is told
        self.on: Callable[[int], None] = lambda device: None

    @property
    def counter(self) -> TickClock:
        """The tick counter of the present life."""
        assert isinstance(self.board.clock, TickClock)
        return self.board.clock

    def switch_on(self) -> None:
        """Begin a life of the program; the power may end in it at once."""
        if not self.dark or self.broken:
            return
        self.waking(self)
        try:
            board, app = self._make(self)
        except PowerCut as cut:
            self.powered = self.powered and cut.powered
            self._later()
            return
        self.lives += 1
        self.dark, self.board = False, board
        self.on(self.device)
        self.start(app)
        self.born(self)

    def die(self, powered: bool, last_ms: int | None = None) -> None:
        """Go dark now; ``powered`` when only the program ends and sleep memory lives on.

        ``last_ms`` is the event time that the board had last, the present one when left out.
        """
        if self.dark:
            return
        self.dark, self.powered, self.died_s = True, powered, self.now_s
        self.idle_ms = round((self.now_s - self.stepped_s) * 1000)
        match = self.app.match
        self.last_ms = self._now_ms() if last_ms is None else last_ms
        self.ran = (
            match.phase in (phases.PLAYING, phases.TIEBREAKER)
            and match.clock_ms is not None
            and not match.called
        )
        self.board.wake = lambda: None
        if self._timer is not None:
            self._timer.cancel()
        self.off(self.device)
        self._later()

    def break_down(self) -> None:
        """Go dark and stay so."""
        self.broken = True
        self.die(powered=False)

    def mend(self) -> None:
        """Start again, if it was broken."""
        if self.broken:
            self.broken = False
            self._later()

    def leave(self) -> None:
        """Be taken off the table: whoever looks at it finds another board there."""
        self.away = True
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(True)

    def _later(self):
        self._loop.call_later(self.luck.uniform(*DARK_S), self.switch_on)

    def _run(self):
        if self.dark:
            self._woken = False  # a wake of its last instant is spent: the next life has its own
            return
        began_ms = self._now_ms()
        try:
            super()._run()
            self.stepped_s = self.now_s
        except PowerCut as cut:
            self.die(cut.powered, began_ms)  # a host's word that was not stored is no word
        except Exception as error:  # as main() does: say it, and begin again
            self.crashed(self, error)
            self.die(powered=True)

    def _now_ms(self):
        return self.app.timebase.now_ms(self.board.clock.now_ms())

    @property
    def screen(self) -> str:
        """The name of the screen that is on."""
        number = self.app.face.number
        return "" if number is None else self._names.screens[number]

    def press(self, key: int, for_ms: int) -> None:
        """Push a key, of a board that may be dark."""
        if not self.dark:
            super().press(key, for_ms)


class Bench:
    """Builds the boards: one store, sleep memory and crystal each, whatever lives it has."""

    def __init__(
        self,
        loop: AbstractEventLoop,
        air: RoughAir,
        faces: MakeFace,
        system: Rules,
        seed: int,
        prices: Book | None,
    ):
        self._prices = prices or costs.load()
        self._loop, self._air, self._faces, self._system = loop, air, faces, system
        self._seed = seed
        self._hearts: dict[int, Heartbeat] = {}

    def life(
        self, table: FrailTable, told: Settings, skew_ppm: int, store: FrailStore, tap: Tap
    ) -> tuple[VirtualBoard, App]:
        """Return ``(board, app)`` of the board's next life; raises PowerCut."""
        if not table.powered:
            self._hearts.pop(table.device, None)
        heart = self._hearts.setdefault(table.device, Heartbeat())
        seed = f"board {self._seed} {table.device} {table.lives} {store.writes}"
        board = VirtualBoard(self._loop, told, seed, model=told["board"], store=store,
                             heartbeat=heart,
                             prices=self._prices)  # fmt: skip
        board.clock = TickClock(self._loop, skew_ppm)
        board.keys._clock = board.clock
        return board, App(board, tap, self._faces(board), self._system)
