"""Where a match was played, as people know it: by its table's number."""

from host.archive.store import Archive


class Places:
    """The tables of an archive's current event, by ``(round, pairing)``."""

    def __init__(self, archive: Archive):
        self.tables = {
            (number, one.pairing): one.table
            for number in archive.roster.rounds
            for one in archive.roster.pairings_of(number)
        }

    def of(self, number: int, pairing: int) -> str:
        """Return the words for a match's place; of one that is not stored its pairing."""
        table = self.tables.get((number, pairing))
        where = f"pairing {pairing}" if table is None else f"table {table}"
        return f"round {number}, {where}"
