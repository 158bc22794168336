"""Registrations of players on their own phones, as notices: those that wait, the decisions of
staff, and whether players can register.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from host.archive.notices import parse_or_none
from host.archive.store import Archive
from host.base.json_values import Json, filled
from host.event.event_log import DOOR

ENTRY, TAKEN, REFUSED = "own entry", "own entry taken", "own entry refused"


@dataclass(frozen=True)
class Registration:
    """A player's registration, with the id of its notice; ``number`` is "" for none."""

    id: int
    number: str
    name: str


def opening(archive: Archive) -> int | None:
    """Return the id of the notice that opened the registration, None if players cannot register
    or the event is closed.
    """
    if archive.audit_log.event_closed:
        return None
    opened, shut = _switch_rows(archive, on=True), _switch_rows(archive, on=False)
    return opened[-1] if opened and opened[-1] > max(shut, default=0) else None


def _switch_rows(archive: Archive, on: bool) -> list[int]:
    rows = archive.notices.rows(DOOR[on])
    return [number for number, value in rows if parse_or_none(value, read_switch) is not None]


def read_switch(facts: Mapping[str, Json]) -> dict[str, Json]:
    """Return the facts of a notice that opens or closes the registration."""
    return dict(facts)


def waiting(archive: Archive) -> list[Registration]:
    """Return the registrations that staff have not decided yet, oldest first."""
    notices = archive.notices
    decided = {
        entry_id for what in (TAKEN, REFUSED) for entry_id in notices.read(what, read_decided)
    }
    entries = zip(notices.rows(ENTRY), notices.read(ENTRY, read_entry), strict=True)
    return [
        replace(entry, id=row_id)
        for (row_id, _), entry in entries
        if entry is not None and row_id not in decided
    ]


def read_entry(facts: Mapping[str, Json]) -> Registration:
    """Return the registration in a notice, with the id 0. Raises LookupError, TypeError."""
    return filled(Registration, {**facts, "id": 0})


def read_decided(facts: Mapping[str, Json]) -> int | None:
    """Return the id of the registration that was decided, None if invalid. Raises LookupError."""
    number = facts["entry"]
    return number if type(number) is int else None
