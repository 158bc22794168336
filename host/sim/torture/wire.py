"""The archive's connection, in which the program may end or the disk be full at any statement that
writes.
"""

import sqlite3

_WRITES = ("BEGIN", "INSERT", "UPDATE", "DELETE", "COMMIT")


class Killed(BaseException):
    """The program has ended between two instructions."""


class DiskFull(sqlite3.OperationalError):
    """What SQLite says when the disk is full: this one is ours, any other is the program's own."""


class Wire:
    """The archive's connection as the program sees it."""

    def __init__(self, db, laptop):
        self._db, self._laptop, self._pending, self.dead = db, laptop, [], False

    def execute(self, sql, values=()):
        """As sqlite3's, unless the laptop's end or the disk's has come."""
        if self.dead:
            raise Killed  # it has ended further in
        word = sql.split(None, 1)[0].upper()
        writes = word in _WRITES
        if writes:
            self._risk(self._laptop.write, True)
        done = self._db.execute(sql, values)
        if sql.startswith("INSERT INTO records"):
            self._pending += [values] * done.rowcount
        elif word in ("COMMIT", "ROLLBACK"):
            kept, self._pending = self._pending if word == "COMMIT" else [], []
            self._risk(self._laptop.keeps, {tuple(values[:4]): bytes(values[6]) for values in kept})
        if writes:
            self._risk(self._laptop.write, False)
        return done

    def _risk(self, told, *args):
        try:
            told(*args)
        except Killed:
            self.dead = True
            raise

    def __getattr__(self, name):
        return getattr(self._db, name)
