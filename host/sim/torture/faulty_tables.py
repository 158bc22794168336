"""Boards that lose power, reset and restart, and the tables that they stand on.

A board is identified by its device id wherever it stands; players look at the board on their table.
Writing a block rewrites the whole erase sector of its copy (docs/board.md, Flash), so a
power cut can destroy the eight blocks of that sector; the other copy is not touched.
"""

from __future__ import annotations

import random
from asyncio import AbstractEventLoop
from collections.abc import Callable, Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from firmware.core import phases
from host.sim.board import BLOCK_SIZE, BoardReset, Heartbeat, RamStore
from host.sim.table import Table

if TYPE_CHECKING:
    from host.sim.torture.types import BootBoard, ClockChecker, TableCallback

SECTOR = 8
MODES = ("nothing", "part", "blank", "garbage", "complete")
_BLANK = b"\xff" * BLOCK_SIZE
DARK_S = (1.0, 8.0)


class PowerCut(Exception):
    """The board has stopped during a write; ``powered`` if by a reset, so that sleep memory
    survives.
    """

    def __init__(self, powered: bool):
        super().__init__(powered)
        self.powered = powered


class FaultyStore(RamStore):
    """A store that ``cut`` can interrupt; ``damaged`` counts the interrupted writes."""

    def __init__(self, blocks: int):
        super().__init__()
        self.blocks = blocks
        self.writes = self.damaged = 0
        self._left: int | None = None
        self._mode, self._luck, self._powered = MODES[0], random.Random(0), False  # set by ``cut``

    def copy(self) -> RamStore:
        """Return a store with the same content that is never interrupted."""
        other = RamStore()
        other.blocks, other._written = self.blocks, dict(self._written)
        return other

    def cut(self, left: int, mode: str, luck: Random, powered: bool = False) -> None:
        """Let ``left`` more writes complete and interrupt the next one in ``mode`` (see MODES)."""
        self._left, self._mode, self._luck, self._powered = left, mode, luck, powered

    def cancel_cut(self) -> None:
        """Cancel a planned cut."""
        self._left = None

    def write(self, copy: int, block: int, data: bytes | bytearray) -> None:
        """Write a block; raises PowerCut if power fails during it."""
        self.writes += 1
        if self._left is None:
            super().write(copy, block, data)
            return
        if self._left:
            self._left -= 1
            super().write(copy, block, data)
            return
        self._left = None
        self.damaged += 1
        self._tear(copy, block, bytes(data))
        raise PowerCut(self._powered)

    def _tear(self, copy, block, data):
        mode, done = self._mode, self._luck.randrange(BLOCK_SIZE)
        if mode == "complete":
            super().write(copy, block, data)
        elif mode == "part":
            super().write(copy, block, data[:done] + self.read(copy, block)[done:])
        elif mode != "nothing":
            self._lose(copy, block, data, done)

    def _lose(self, copy, block, data, done):
        """Fill the rest of the sector with blank or random bytes from a random position on."""
        first = block // SECTOR * SECTOR
        torn = self._luck.randrange(first, first + SECTOR)  # the block written as power failed
        for index in range(first, min(first + SECTOR, self.blocks)):
            whole = data if index == block else self.read(copy, index)
            rest = _BLANK if self._mode == "blank" else self._luck.randbytes(BLOCK_SIZE)
            written = 0
            if index < torn:
                written = BLOCK_SIZE
            elif index == torn:
                written = done
            super().write(copy, index, whole[:written] + rest[written:])


class TableView:
    """Table ``number`` as its players see it; ``boards`` holds the board of each table."""

    def __init__(self, boards: Mapping[int, FaultyTable], number: int):
        self.number, self._boards = number, boards

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the board that stands there now."""
        return getattr(self._boards[self.number], name)

    see: Any = Table.see  # of whichever board stands there at each look, as the next one
    begins: Any = Table.begins


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
        self, loop: AbstractEventLoop, number: int, device: int, make: BootBoard, luck: Random
    ):
        super().__init__(loop, number, None)
        self.device = device
        self._make, self.luck = make, luck
        self.boots, self.down = 0, True
        self.on_crash: Callable[[FaultyTable, Exception], None] = lambda table, error: None
        self.on_power: TableCallback = lambda table: None
        self.on_start: TableCallback = lambda table: None
        self.down_since_s = 0
        # when it last went down: its event time, and whether the round's clock was running
        self.down_ms, self.clock_ran = 0, False
        # the last step, and how long before going down that was: here a program runs only when due
        self.stepped_s = self.idle_ms = 0
        self.heartbeat, self.kept_sleep_memory = Heartbeat(), True
        self.broken = self.replaced = False  # does not restart; another board took its table
        self.off_air: Callable[[int], None] = lambda device: None  # the air's callbacks
        self.on_air: Callable[[int], None] = lambda device: None

    def switch_on(self) -> None:
        """Boot the board; a power cut may end the boot at once."""
        if not self.down or self.broken:
            return
        self.on_power(self)
        try:
            board, app = self._make(self)
        except PowerCut as cut:
            self.kept_sleep_memory = self.kept_sleep_memory and cut.powered
            self._switch_on_later()
            return
        self.boots += 1
        self.down, self.board = False, board
        self.on_air(self.device)
        self.start(app)
        self.on_start(self)

    def go_down(self, powered: bool, down_ms: int | None = None) -> None:
        """Stop now; ``powered`` when only the program ends and sleep memory survives.

        ``down_ms`` is the last event time that the board knew; by default the present one.
        """
        if self.down:
            return
        self.down, self.kept_sleep_memory, self.down_since_s = True, powered, self.now_s
        self.idle_ms = round((self.now_s - self.stepped_s) * 1000)
        match = self.app.match
        self.down_ms = self._now_ms() if down_ms is None else down_ms
        in_play = match.phase in (phases.PLAYING, phases.TIEBREAKER)
        self.clock_ran = in_play and match.clock_ms is not None and not match.called
        self.board.wake = lambda: None
        if self._timer is not None:
            self._timer.cancel()
        self.off_air(self.device)
        self._switch_on_later()

    def break_board(self) -> None:
        """Stop and do not start again."""
        self.broken = True
        self.go_down(powered=False)

    def repair(self) -> None:
        """Let a broken board start again."""
        if self.broken:
            self.broken = False
            self._switch_on_later()

    def replace(self) -> None:
        """Take the board off the table: players see another board there from now on, and those who
        wait for this one's screen look again.
        """
        self.replaced = True
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(True)

    def _switch_on_later(self):
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
        """Go down, as after any restart of the program; no fault has the watchdog bite."""
        if isinstance(ended, BoardReset) and str(ended):
            self.on_crash(self, ended)
        self.go_down(powered=True)

    def _now_ms(self):
        return self.app.timebase.now_ms(self.board.clock.now_ms())

    @property
    def screen(self) -> str:
        """The name of the current screen."""
        return self.app.face.screen.name

    def press(self, key: int, for_ms: int) -> None:
        """Press a key; nothing happens while the board is down."""
        if not self.down:
            super().press(key, for_ms)
