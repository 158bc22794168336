"""A hall: boards at tables, a host that collects from them, and one event, all in virtual time.

Nothing here plays. ``People`` sit at the tables, ``Staff`` at the desk, ``Audit`` looks on.
"""

import random

from firmware.app import App
from firmware.core import frames, settings
from firmware.core.systems import p18
from host.roster import Board, Event
from host.sim.board import VirtualBoard
from host.sim.faces import blank_face
from host.sim.sight import Names
from host.sim.table import Table
from host.sim.tap import Tap
from host.station import Station

ORIGIN_MS = 7_200_000  # the event has been open for two hours
OPENED_UNIX_MS = 1_790_000_000_000
SKEW_PPM = 45  # at worst, within what settings declares for a feather
GENERATION = 1


class Venue:
    """``tables`` boards over ``air`` (``PureAir`` or ``BleAir``); the archive lies at ``path``.

    ``faces(board)`` makes a board's face; without one nothing is ever drawn.
    """

    def __init__(self, loop, air, path, tables, seed, event="Virtual Cup", faces=blank_face):
        self._loop, self._air, self._faces = loop, air, faces
        self._luck = random.Random(f"venue {seed}")
        self._names = Names()
        master = self._luck.randbytes(32)
        self.station = Station(path, master)
        self._provision(tables, event)
        self.carrier = air.carrier(self.station.collector, self.now_ms)
        self.tables = {number: self._table(number, master) for number in range(1, tables + 1)}

    def _provision(self, tables, event):
        roster = self.station.archive.roster
        with self.station.archive.transaction():
            for number in range(1, tables + 1):
                roster.add_board(Board(number, GENERATION, number), 0)
            roster.open_event(Event(1, event, OPENED_UNIX_MS))
        self.station.refresh()

    def now_ms(self):
        """Return the host's event time, which is the true one."""
        return ORIGIN_MS + round(self._loop.time() * 1000)

    def _table(self, number, master):
        key = frames.board_key(master, number, GENERATION)
        told = settings.read({"PLUSTHREE_DEVICE": number, "PLUSTHREE_KEY": key.hex(),
                              "PLUSTHREE_GENERATION": GENERATION})  # fmt: skip
        board = VirtualBoard(
            self._loop, told, self._luck.randrange(1 << 62),
            skew_ppm=self._luck.randint(-SKEW_PPM, SKEW_PPM), offset_ms=self._luck.randrange(500),
        )  # fmt: skip
        table = Table(self._loop, number, board, self._names)
        table.link = Tap(self._air.link(number, table.wake))
        self._loop.call_later(self._luck.uniform(0, 20), self._boot, table)
        return table

    def _boot(self, table):
        table.start(App(table.board, table.link, self._faces(table.board), p18))

    def close(self):
        """Let go of the archive."""
        self.station.close()
