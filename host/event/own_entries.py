"""Players' own entries at the door, as notices: those that wait, what staff decided, and since when
the door is open.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from host.archive.notices import taken
from host.archive.store import Archive
from host.base.json_values import Json
from host.event.event_log import DOOR

ENTRY, TAKEN, REFUSED = "own entry", "own entry taken", "own entry refused"


@dataclass(frozen=True)
class Entry:
    """A player's own entry, by the id of its notice; ``number`` is "" for none."""

    id: int
    number: str
    name: str


def opening(archive: Archive) -> int | None:
    """Return the id of the notice that opened the door, None while it is shut and once the event
    is closed.
    """
    if archive.audit_log.event_closed:
        return None
    opened, shut = _switched(archive, True), _switched(archive, False)
    return opened[-1] if opened and opened[-1] > max(shut, default=0) else None


def _switched(archive: Archive, on: bool) -> list[int]:
    rows = archive.notices.rows(DOOR[on])
    return [number for number, value in rows if taken(value, read_switch) is not None]


def read_switch(told: Mapping[str, Json]) -> dict[str, Json]:
    """Return the notice that opens or shuts the door: it says nothing more."""
    return dict(told)


def waiting(archive: Archive) -> list[Entry]:
    """Return the entries that staff have not decided yet, oldest first."""
    notices = archive.notices
    decided = {one for what in (TAKEN, REFUSED) for one in notices.read(what, read_decided)}
    told = zip(notices.rows(ENTRY), notices.read(ENTRY, read_entry), strict=True)
    return [Entry(row_id, *entry) for (row_id, _), entry in told if entry and row_id not in decided]


def read_entry(told: Mapping[str, Json]) -> tuple[str, str] | None:
    """Return the number and the name in a notice, None if invalid. Raises LookupError."""
    number, name = told["number"], told["name"]
    return (number, name) if isinstance(number, str) and isinstance(name, str) else None


def read_decided(told: Mapping[str, Json]) -> int | None:
    """Return the id of the entry that was decided, None if invalid. Raises LookupError."""
    number = told["entry"]
    return number if type(number) is int else None
