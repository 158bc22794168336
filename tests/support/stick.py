"""A memory stick with the keys of a venue's archive, for copies of it."""

from tabletop import MASTER

from host.backup import backup

PHRASE = "a long enough phrase"


def keyed(folder, venue, monkeypatch):
    """Begin the venue's round; return an empty stick with the archive's keys."""
    monkeypatch.setenv("PLUSTHREE_PASSPHRASE", PHRASE)
    venue.begin()
    made = folder / "stick"
    made.mkdir()
    backup.write_key(MASTER, venue.path, made, PHRASE, cost=1 << 10)
    return made
