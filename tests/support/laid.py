"""An archive of a round, with its key beside it: played once for a file's tests, copied
for each.
"""

import shutil

from tabletop import MASTER, Venue

from host.archive import master_key
from host.event import points


def played(folder, act=lambda venue: None):
    """Begin a round of two tables in ``folder`` and let ``act(venue)`` go on; return the closed
    archive's path.
    """
    venue = Venue(folder / "a.db", tables=2)
    venue.begin()
    act(venue)
    venue.station.close()
    master_key.keep(master_key.path_of(venue.path), MASTER)
    return venue.path


def copied(path, folder):
    """Return a copy of an archive in ``folder``, its key beside it as private as it was."""
    for one in (path, master_key.path_of(path)):
        shutil.copy(one, folder)
    return folder / path.name


def go_on(venue):
    """Have a result, an order of the desk and a notice in the archive, too."""
    venue.win(venue.boards[0])
    venue.station.desk.extend(2, 2, "Olga", "slow play")
    venue.drain()
    points.store(venue.archive, {"win": 3}, "Olga", 1)
