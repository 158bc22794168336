"""The room of a recorded evening whose board listens to a beacon.

The board joins, is set up and told of the chain over a connection. Then the PC's own radio is pulled
out: the start comes as a COMMAND, records go up as adverts, and the beacon acknowledges them. The
radio is put in again for a judge's ruling, which is an order to this table alone, and at the end.
"""

import beaconhall

from firmware.ui.face import Face
from firmware.ui.pack import Pack
from host.boards.screens.pack import opened
from host.sim.staff import PATIENCE_S, SEATING_S, TELL_S, Staff

LUCK = 1  # the switch of SET_POLICY that allows coins and dice
LOAD = 0.25  # of the air that is foreign
SETTLING_LOOKS = 12  # of the staff, every 5 s


class _Watched(Face):
    """A face that is worth as many looks as one that is drawn: each of them draws lots."""

    shown = True

    def show(self, words, clocks, held=-1):
        self.drawn = True


def watched(board):
    """Return the face of a virtual board, over no panel."""
    file, language = opened(board.settings["language"], board.panel)
    return _Watched(Pack(file), None, language)


class Room(beaconhall.BeaconHall):
    """A table, a gateway that sends and hears, and the host of both."""

    def __init__(self, folder, programme, seed):
        super().__init__(
            folder, programme.tables, seed, load=LOAD, programme=programme, faces=watched
        )

    def staff(self, people, number):
        """Return who conducts a round."""
        return _Staff(self, people, number)

    @property
    def follows(self):
        """Whether every board has its orders, and has proven a TICK."""
        waiting = self.station.archive.orders.waiting
        return not waiting and all(self.listener(number).tick for number in self.tables)


class _Staff(Staff):
    """Staff whose PC has a radio for setting up and for rulings alone."""

    def __init__(self, room, people, number):
        super().__init__(room.venue, people, number)
        self._room, self._number, self._looks = room, int(number), 0

    async def _conduct(self, number, pairings):
        loop, began_s, desk = self._room.loop, self._room.loop.time(), self._station.desk
        desk.publish(number)
        desk.policy(None, LUCK)
        await self._until(lambda: self._room.follows, TELL_S)
        self._room.air.pc.pull()
        margin_s = SEATING_S + round(1.5 * (loop.time() - began_s))
        desk.start(self._venue.now_ms() + margin_s * 1000)
        return await self._until(lambda: self._finished(number, pairings), PATIENCE_S)

    def _walk(self):
        """Besides, connect once more a minute after the result: no beacon acknowledges what comes
        after a match.
        """
        self._looks += bool(self._station.hall.results(self._number))
        if self._looks == SETTLING_LOOKS:
            self._room.air.pc.plug()
        super()._walk()

    def _rule(self, number):
        self._room.air.pc.plug()
        super()._rule(number)
