"""A venue with faults: boards, laptops, attackers and an invariant checker around one event."""

from __future__ import annotations

import random
from asyncio import AbstractEventLoop
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, TypeVarTuple, cast

from firmware.app import App
from firmware.core import frames
from firmware.core.systems import p18
from host.archive.roster import SPARE, Board, Event
from host.archive.store import Archive
from host.boards.models import MODELS
from host.keys import signatures
from host.sim import prices as costs
from host.sim.board import Heartbeat, VirtualBoard, board_settings
from host.sim.faces import blank_face
from host.sim.table import Tap, head_of
from host.sim.torture.attackers import Attackers
from host.sim.torture.faulty_air import FaultyAir
from host.sim.torture.faulty_tables import FaultyStore, FaultyTable, TableView
from host.sim.torture.invariants import ClockChecker, InvariantChecker
from host.sim.torture.laptop import Laptop
from host.sim.venue import GENERATION, OPENED_UNIX_MS, ORIGIN_MS

if TYPE_CHECKING:
    from firmware.core.types import LinkPort
    from host.desk.station import Station
    from host.sim.prices import Book


SPARES = 3
BLOCKS = (64, 512)
Args = TypeVarTuple("Args")
ResultT = TypeVar("ResultT")


class FaultyVenue:
    """``tables`` boards and a laptop whose files are in ``folder``, all from ``seed``; ``prices``
    as for ``Venue``.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        folder: Path,
        tables: int,
        seed: int,
        prices: Book | None = None,
    ):
        self.loop, self._folder = loop, folder
        self._luck = random.Random(f"hall {seed}")
        self.air = FaultyAir(loop, seed)
        self.master = self._luck.randbytes(32)
        self.origins: dict[int, int] = {}  # unix ms by event
        self.invariants = InvariantChecker(self)
        self.laptop = Laptop(self, folder / "first", self.invariants.frame_sent)
        self.laptops = [self.laptop]
        self.program_ended: Callable[[Laptop], None] = lambda laptop: None
        self.two_laptops = False
        self._provision(tables)
        self._seed, self._prices = seed, prices or costs.load()
        self._lay_out(tables)
        key = frames.board_key(self.master, tables + 1, GENERATION)
        stolen_key = tables + 1, GENERATION, key
        self.attackers = Attackers(self.air, stolen_key, lambda: max(self.origins), tables)
        self.attackers.phone_closed = self._phone_closed

    def _phone_closed(self, device, since_s):
        self.invariants.phone_closed(self.boards[device], since_s)

    def _lay_out(self, tables):
        """Put a board on each table, switched on within 20 s, and the spares in a box."""
        self.boards = {number: self._board(number) for number in range(1, tables + 1)}
        self.tables = dict(self.boards)  # the board on each table now; ``boards`` is by device
        for table in self.tables.values():
            self.loop.call_later(table.luck.uniform(0, 20), table.switch_on)
        self.places = {number: TableView(self.tables, number) for number in self.tables}
        self.spares = list(range(tables + 2, tables + 2 + SPARES))
        self.boards |= {device: self._board(device) for device in self.spares}

    def _provision(self, tables):
        with Archive(self.laptop._file) as archive, archive.transaction():
            for number in range(1, tables + 2 + SPARES):  # device ``tables + 1`` is the stolen one
                place = number if number < tables + 2 else SPARE
                archive.roster.add_board(Board(number, GENERATION, place), OPENED_UNIX_MS)
            self.open_event(archive)

    def open_event(self, archive: Archive) -> None:
        """Open the next event in ``archive``."""
        number = 1 + max(self.origins, default=0)
        origin = self.unix_ms() - ORIGIN_MS // number
        archive.roster.open_event(Event(number, f"Torture {number}", origin))
        self.origins[number] = origin

    # time

    def unix_ms(self) -> int:
        """Return the true time of day."""
        return OPENED_UNIX_MS + round(self.loop.time() * 1000)

    def event_ms(self, event: int) -> int:
        """Return the true event time of an event."""
        return self.unix_ms() - self.origins.get(event, 0)

    def latest_ms(self, event: int) -> int:
        """Return the latest event time by the true clock and by every laptop's."""
        offsets_ms = [offset_ms for laptop in self.laptops for offset_ms in laptop.offsets_ms]
        return self.event_ms(event) + max(offsets_ms)

    def now_ms(self) -> int:
        """Return the true event time of the current event."""
        return self.event_ms(max(self.origins))

    # what the staff need

    @property
    def station(self) -> Station:
        """The program that runs at the desk; AssertionError if none does."""
        return self.laptop.station

    @property
    def stopped(self) -> bool:
        """Whether anything is violated; the run then ends."""
        return self.invariants.stopped

    def desk_ms(self) -> int:
        """Return the event time by the laptop at the desk."""
        return self.laptop.now_ms()

    def at_desk(self, call: Callable[[*Args], ResultT], *args: *Args) -> ResultT | None:
        """Call into the program at the desk, as ``Laptop.guard`` does."""
        return self.laptop.guard(call, *args)

    # boards

    def _board(self, number):
        luck = random.Random(self._luck.random())
        model = luck.choice(("feathers3", "lilygo"))
        key = frames.board_key(self.master, number, GENERATION)
        settings = board_settings(number, key.hex(), model)
        skew_ppm = round(luck.uniform(-1, 1) * MODELS[model].skew_ppm)
        store = FaultyStore(luck.choice(BLOCKS))

        def make(booted: FaultyTable):
            if not booted.kept_sleep_memory:
                booted.heartbeat = Heartbeat()
            seed = f"board {self._seed} {number} {booted.boots} {store.writes}"
            board = VirtualBoard(
                self.loop, settings, seed, model=model, store=store, skew_ppm=booted.skew_ppm,
                heartbeat=booted.heartbeat, prices=self._prices,
            )  # fmt: skip
            return board, App(board, cast("LinkPort", booted.link), blank_face(board), p18)

        table = FaultyTable(self.loop, number, number, make, luck)
        table.store, table.skew_ppm, table.clock_checker = store, skew_ppm, ClockChecker(self)
        table.latest_ms = lambda: self.latest_ms(table.app.journal.event)
        table.link = Tap(self.air.link(number, table.wake))
        table.off_air, table.on_air = self.air.switch_off, self.air.switch_on
        table.on_power = self.invariants.power_on
        table.on_start = self.invariants.started
        table.on_crash = self.invariants.crashed
        table.is_own_record = lambda record: self._is_own_record(number, key, record)
        table.changed.append(lambda _: self.invariants.screen_changed(table))
        self.air.switch_off(number)
        return table

    def _is_own_record(self, device, key, record):
        """Return whether a record bears a board's tag, under any event of this run."""
        _, sender, epoch, _ = head_of(record)
        if sender != device:
            return False
        newest_first = (*reversed(self.origins), 0)
        keys = (frames.stream_key(key, event, frames.UP, epoch) for event in newest_first)
        return any(signatures.verify(stream_key, record) for stream_key in keys)

    def lay_spare(self, number: int) -> FaultyTable:
        """Put the next spare on a table in place of its board, switch it on and return it."""
        old, spare = self.tables[number], self.boards[self.spares.pop(0)]
        spare.number, self.tables[number] = number, spare
        self.invariants.board_revoked(old)
        spare.switch_on()
        old.replace()  # last, because whoever waits for its screen then looks at the spare
        return spare

    # the second laptop

    def add_laptop(self) -> Laptop:
        """Restore the archive on another laptop, which the staff use from now on; return the first,
        which goes on running.
        """
        first = self.laptop
        second = Laptop(
            self, self._folder / f"second{len(self.laptops)}", self.invariants.frame_sent
        )
        second.copy_from(first)
        self.laptops.append(second)
        self.laptop, self.two_laptops = second, True
        second.start()
        return first

    def close(self) -> None:
        """Close all files."""
        for laptop in self.laptops:
            laptop.retire()
