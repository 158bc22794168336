"""What holds for a whole event, as a log: the newest word on a thing counts, none is ever removed."""

import json


class Notices:
    """An archive's notices of its current event: the system's table, the rounds' lengths, points."""

    def __init__(self, archive):
        self._archive = archive

    def add(self, what, value, author, unix_ms):
        """Keep what was announced, by whom and when."""
        sql = "INSERT INTO notices (event, what, value, author, unix_ms) VALUES (?, ?, ?, ?, ?)"
        with self._archive.transaction():
            row = self._event, what, value, author, unix_ms
            self._archive.audit_log.prepare()
            self._archive.write(sql, *row)
            self._archive.audit_log.notice(row)

    def every(self, what):
        """Return the values of a thing, oldest first."""
        sql = "SELECT value FROM notices WHERE event = ? AND what = ? ORDER BY id"
        return [row[0] for row in self._archive.query(sql, self._event, what)]

    def latest(self, what):
        """Return the newest value of a thing, or None."""
        return next(reversed(self.every(what)), None)

    def read(self, what, reader):
        """Return ``reader(value)`` of every JSON value of a thing, oldest first, None for one that it cannot take."""
        return [_taken(value, reader) for value in self.every(what)]

    @property
    def all(self):
        """Every notice of the event as a dict, oldest first."""
        sql = "SELECT what, value, author, unix_ms FROM notices WHERE event = ? ORDER BY id"
        keys = ("what", "value", "author", "unix_ms")
        return [dict(zip(keys, row, strict=True)) for row in self._archive.query(sql, self._event)]

    @property
    def _event(self):
        event = self._archive.roster.event
        return event.number if event else 0


def _taken(value, reader):
    """Return what ``reader`` makes of a value; a damaged one must not stop a host in the middle of an event."""
    try:
        return reader(json.loads(value))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None
