"""X-Wing tables whose players hand in squads."""

from tabletop import Venue

from firmware.core.systems import xw15
from host.event import squad_lists
from host.event.squad_lists import SquadList


class Escalation(Venue):
    """X-Wing tables, with players 0 to 3 at the first two."""

    rules = xw15


def keep(venue, **totals):
    """Keep a list of a player: ``p0=("Rebel", 60)`` has that total in every round."""
    lists = {
        number[1:]: SquadList(faction, ((total - 20, 20),) * 4)
        for number, (faction, total) in totals.items()
    }
    squad_lists.store(venue.archive, lists, "Olga", 1, begun=False)
