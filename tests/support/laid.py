"""An archive of a round, with its key beside it: played once for a file's tests, copied
for each.
"""

import shutil

from tabletop import MASTER, Venue

from host.archive import master_key


def played(folder, act=lambda venue: None):
    """Begin a round of two tables in ``folder`` and let ``act(venue)`` go on; return the closed
    archive's path.
    """
    venue = Venue(folder / "a.db", tables=2)
    venue.begin()
    act(venue)
    venue.station.close()
    master_key.keep(master_key.beside(venue.path), MASTER)
    return venue.path


def copied(path, folder):
    """Return a copy of an archive in ``folder``, its key beside it as private as it was."""
    for one in (path, master_key.beside(path)):
        shutil.copy(one, folder)
    return folder / path.name
