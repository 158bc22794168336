"""A venue: boards at tables, a host that collects from them, and one event, all in virtual time.

It plays nothing itself: ``People`` play at the tables, ``Staff`` work at the desk, ``TruthCheck``
compares.
"""

from __future__ import annotations

import random
from asyncio import AbstractEventLoop
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, TypeVarTuple, cast

from firmware.app import App
from firmware.core import frames
from host.archive import master_key
from host.archive.roster import SPARE, Board, Event
from host.boards.models import MODELS
from host.collector.collector import MOST_CONNECTIONS
from host.desk.station import Station
from host.event import event_systems
from host.sim import prices as costs
from host.sim.board import VirtualBoard, board_settings
from host.sim.faces import blank_face
from host.sim.table import Table, Tap
from host.systems import catalogue

if TYPE_CHECKING:
    from firmware.core.types import LinkPort
    from host.archive.store import Connect
    from host.sim.prices import Book
    from host.sim.types import Air, MakeFace, Programme


ORIGIN_MS = 7_200_000  # the event has been open for two hours
OPENED_UNIX_MS = 1_790_000_000_000
# at worst; within what settings declares
SKEW_PPM = {name: model.skew_ppm * 9 // 10 for name, model in MODELS.items()}
GENERATION = 1
Args = TypeVarTuple("Args")
ResultT = TypeVar("ResultT")
DARK_S = 6.0  # from a reset of the board's own to play (docs/architecture.md, Budgets)


class Venue:
    """A ``programme``'s boards over ``air`` (``PureAir`` or ``BleAir``), with the archive at
    ``path``. A programme without an event's name leaves it to an organiser to begin one.

    ``faces(board)`` makes a board's face; by default nothing is drawn. Neither drawing nor
    bytecodes are charged to a board here (docs/architecture.md, The virtual venue, says why).
    ``prices`` says what work costs the boards, ``prices.toml`` by default. ``spares`` boards lie
    beside the tables, switched on. The host holds ``links`` connections at a time. Boards listen to
    a beacon if ``listening``; the air must have one for them. ``connect`` is the archive's.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        air: Air,
        path: Path,
        programme: Programme,
        seed: int,
        faces: MakeFace = blank_face,
        prices: Book | None = None,
        spares: int = 0,
        links: int = MOST_CONNECTIONS,
        listening: bool = False,
        connect: Connect | None = None,
    ):
        self.loop, self._air, self._faces = loop, air, faces
        self._prices = prices or costs.load()
        self._luck = random.Random(f"venue {seed}")
        master = master_key.load_or_make(master_key.path_of(path), self._luck.randbytes)
        self.station = Station(path, master, links, connect)
        systems = event_systems.of(self.station.archive)
        # each format names a built-in system, or the event's own
        self.rules, self._listening = catalogue.known(systems, programme.format.system), listening
        numbers = range(1, programme.tables + 1)
        beside = range(programme.tables + 1, programme.tables + spares + 1)
        self._provision(numbers, beside, programme.event)
        self.carrier = air.carrier(self.station.collector, self.now_ms)
        self.tables = {number: self._table(number, master, programme) for number in numbers}
        self.spares = {number: self._table(number, master, programme) for number in beside}

    def _provision(self, numbers, spares, event):
        roster = self.station.archive.roster
        with self.station.archive.transaction():
            for number in numbers:
                roster.add_board(Board(number, GENERATION, number), OPENED_UNIX_MS)
            for number in spares:
                roster.add_board(Board(number, GENERATION, SPARE), OPENED_UNIX_MS)
            if event and roster.event is None:  # else it was imported, or begins at the desk
                roster.open_event(Event(1, event, OPENED_UNIX_MS))
        self.station.planned_origin_unix_ms = OPENED_UNIX_MS
        self.station.refresh()

    def now_ms(self) -> int:
        """Return the host's event time, which is the true one."""
        return ORIGIN_MS + round(self.loop.time() * 1000)

    desk_ms, stopped = now_ms, False  # as the staff ask

    def at_desk(self, call: Callable[[*Args], ResultT], *args: *Args) -> ResultT:
        """Call into the program at the desk."""
        return call(*args)

    def _table(self, number, master, programme):
        key = frames.board_key(master, number, GENERATION)
        model = programme.model(min(number, programme.tables))  # a spare is like the last
        role = "listener" if self._listening else "table"
        settings = board_settings(number, key.hex(), model, ROLE=role)
        skew_ppm = self._luck.uniform(-1, 1) * SKEW_PPM[model]
        board = VirtualBoard(
            self.loop, settings, self._luck.randrange(1 << 62), model=model,
            skew_ppm=round(skew_ppm), offset_ms=self._luck.randrange(500), prices=self._prices,
        )  # fmt: skip
        table = Table(self.loop, number, board)
        link = self._link(table)
        table.reboot = lambda: self._reboot(table, round(skew_ppm))
        self.loop.call_later(self._luck.uniform(0, 20), self._boot, table, link)
        return table

    def _link(self, table):
        options = {"listening": True} if self._listening else {}  # only one kind of air has it
        link = self._air.link(table.number, table.wake, **options)
        table.link = Tap(link, lambda price, times=1: table.board.pay(price, times))
        return link

    def _reboot(self, table: Table, skew_ppm: int) -> None:
        """Start a board again that has reset itself; its journal and sleep memory are kept."""
        self._air.power_off(table.number)
        self.loop.call_later(DARK_S, self._start_again, table, skew_ppm)

    def _start_again(self, table, skew_ppm):
        old = table.board
        table.board = VirtualBoard(
            self.loop, old.settings, f"{table.number} {self.loop.time()}", model=old.model,
            skew_ppm=skew_ppm, prices=self._prices, store=old.store, heartbeat=old.heartbeat,
        )  # fmt: skip
        self._boot(table, self._link(table))

    def _boot(self, table, link):
        app = App(table.board, cast("LinkPort", table.link), self._faces(table.board), self.rules)
        if self._listening:  # ``table.link`` taps this one, which hears the beacon for its program
            link.attach(app)
        table.start(app)

    def close(self) -> None:
        """Close the archive."""
        self.station.close()
