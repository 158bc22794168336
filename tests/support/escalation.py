"""Two X-Wing tables whose players hand in squads."""

from tabletop import Tabletop, Venue

from firmware.core.systems import xw15
from host.event import squad_lists
from host.event.squad_lists import SquadList


class Escalation(Venue):
    """Two X-Wing tables and their players 0 to 3."""

    system = xw15.NUMBER

    def _fill(self, tables):
        for board in self.boards:
            board.rules = xw15
            board.match = Tabletop(1, bytes(32), board._luck, xw15).match
        super()._fill(tables)


def keep(venue, **totals):
    """Keep a list of a player: ``p0=("Rebel", 60)`` has that total in every round."""
    lists = {
        number[1:]: SquadList(faction, ((total - 20, 20),) * 4)
        for number, (faction, total) in totals.items()
    }
    squad_lists.store(venue.archive, lists, "Olga", 1, begun=False)
