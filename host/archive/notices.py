"""Notices: facts about a whole event, as a log. The newest on a subject counts, none is
removed.
"""

import contextlib
import json
from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeVar, cast

from host.archive.audit_log import AuditLog, NoticeRow
from host.archive.database import Database
from host.archive.roster import Roster
from host.base.json_values import Json, parse

ReadT = TypeVar("ReadT")
Reader: TypeAlias = Callable[[Mapping[str, Json]], object]
_UNREADABLE = ValueError, TypeError, LookupError, AttributeError


class Notices:
    """The notices of an archive's current event, such as its system, round lengths, points."""

    def __init__(self, archive: Database, roster: Roster, audit_log: AuditLog):
        self._archive, self._roster, self._audit_log = archive, roster, audit_log
        self._cache: dict[tuple[int, str, Reader], list[tuple[int, object]]] = {}  # ids and values
        self._version = archive.version
        archive.on_rollback(self._cache.clear)

    def add(self, what: str, value: str, author: str, unix_ms: int) -> None:
        """Add a notice on the subject ``what``, with its author and Unix time in ms.

        Raises UserError without an event.
        """
        sql = "INSERT INTO notices (event, what, value, author, unix_ms) VALUES (?, ?, ?, ?, ?)"
        with self._archive.transaction():
            row = NoticeRow(self._roster.current_event.number, what, value, author, unix_ms)
            self._audit_log.prepare()
            self._archive.write(sql, *row)
            self._audit_log.add_notice(row)

    def add_facts(self, what: str, facts: Mapping[str, Json], author: str, at_ms: int) -> None:
        """Add a notice of ``facts`` as a JSON object, at an event time in ms."""
        unix_ms = self._roster.current_event.origin_unix_ms + at_ms
        self.add(what, json.dumps(facts, sort_keys=True), author, unix_ms)

    def every(self, what: str) -> list[str]:
        """Return the values on a subject, oldest first."""
        sql = "SELECT value FROM notices WHERE event = ? AND what = ? ORDER BY id"
        return self._archive.select(str, sql, self._event, what)

    def rows(self, what: str) -> list[tuple[int, str]]:
        """Return the ids and values on a subject, oldest first."""
        sql = "SELECT id, value FROM notices WHERE event = ? AND what = ? ORDER BY id"
        return self._archive.select(_row, sql, self._event, what)

    def latest(self, what: str) -> str | None:
        """Return the newest value on a subject, or None."""
        return next(reversed(self.every(what)), None)

    def read(
        self, what: str, reader: Callable[[Mapping[str, Json]], ReadT | None]
    ) -> list[ReadT | None]:
        """Return ``reader(value)`` of every JSON object on a subject, oldest first.

        A notice that ``reader`` cannot read gives None: a damaged notice must not stop an event.
        No notice changes, so each is read once, until another program has written. ``reader`` is
        the same function in every call, and nobody changes what it returned.
        """
        if self._archive.version != self._version:
            self._version = self._archive.version
            self._cache.clear()
        cached = self._cache.setdefault((self._event, what, reader), [])
        sql = "SELECT id, value FROM notices WHERE event = ? AND what = ? AND id > ? ORDER BY id"
        newest = cached[-1][0] if cached else 0
        rows = self._archive.select(_row, sql, self._event, what, newest)
        cached += [(number, parse_or_none(value, reader)) for number, value in rows]
        return [cast("ReadT | None", value) for _, value in cached]

    def understood(self, what: str, reader: Callable[[str], ReadT]) -> list[ReadT]:
        """Return ``reader(value)`` of every text on a subject that it can read, oldest first."""
        readable: list[ReadT] = []
        for value in self.every(what):
            with contextlib.suppress(*_UNREADABLE):
                readable.append(reader(value))
        return readable

    @property
    def all(self) -> list[dict[str, str | int]]:
        """Every notice of the event as a dict, oldest first."""
        sql = "SELECT id, what, value, author, unix_ms FROM notices WHERE event = ? ORDER BY id"
        return self._archive.select(_notice, sql, self._event)

    @property
    def _event(self) -> int:
        event = self._roster.event
        return event.number if event else 0


def _row(number: int, value: str) -> tuple[int, str]:
    return number, value


def _notice(number: int, what: str, value: str, author: str, unix_ms: int) -> dict[str, str | int]:
    return {"id": number, "what": what, "value": value, "author": author, "unix_ms": unix_ms}


def parse_or_none(value: str, reader: Callable[[Mapping[str, Json]], ReadT | None]) -> ReadT | None:
    """Return ``reader`` of a notice's JSON object, None for one that it cannot read."""
    try:
        parsed_value = parse(value)
        return reader(parsed_value) if isinstance(parsed_value, dict) else None
    except _UNREADABLE:
        return None
