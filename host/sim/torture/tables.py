"""Boards that die and come back, and the tables where they lie: resets, cut power, a program run
again.

A board is known by its device, wherever it lies; who sits at a table looks at whichever lies there.
"""

from firmware.app import App
from firmware.core import phases
from host.sim import prices as costs
from host.sim.board import Heartbeat, VirtualBoard
from host.sim.table import Table
from host.sim.torture.counter import TickClock
from host.sim.torture.frail import PowerCut

DARK_S = (1.0, 8.0)


class Place:
    """Table ``number`` as its players see it; ``boards`` holds the board of each table."""

    def __init__(self, boards, number):
        self.number, self._boards = number, boards

    def __getattr__(self, name):
        return getattr(self._boards[self.number], name)

    async def begins(self, number):
        """Wait until a board there shows round ``number``."""
        while self.app is None or self.app.match.round != number:
            await self.watch(3600)

    see = Table.see


class FrailTable(Table):
    """Board ``device`` with its store, at table ``number``; ``make(table)`` gives each life's board
    and program.

    ``crashed(table, error)`` hears of exceptions of the program, ``waking(table)`` of each
    switching on, ``born(table)`` of each start.
    """

    def __init__(self, loop, number, device, names, make, luck):
        super().__init__(loop, number, None, names)
        self.device = device
        self._make, self.luck = make, luck
        self.lives, self.dark = 0, True
        self.crashed = self.waking = self.born = lambda *what: None
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
        self.off = self.on = lambda device: None  # what the air is told

    def switch_on(self):
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

    def die(self, powered, last_ms=None):
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

    def break_down(self):
        """Go dark and stay so."""
        self.broken = True
        self.die(powered=False)

    def mend(self):
        """Start again, if it was broken."""
        if self.broken:
            self.broken = False
            self._later()

    def leave(self):
        """Be taken off the table: whoever looks at it finds another board there."""
        self.away = True
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            future.done() or future.set_result(True)

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
    def screen(self):
        """The name of the screen that is on."""
        number = self.app.face.number
        return "" if number is None else self._names.screens[number]

    def press(self, key, for_ms):
        """Push a key, of a board that may be dark."""
        if not self.dark:
            super().press(key, for_ms)


class Bench:
    """Builds the boards: one store, sleep memory and crystal each, whatever lives it has."""

    def __init__(self, loop, air, faces, system, seed, prices):
        self._prices = prices or costs.load()
        self._loop, self._air, self._faces, self._system = loop, air, faces, system
        self._seed, self._hearts = seed, {}

    def life(self, table, told, skew_ppm, store, tap):
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
