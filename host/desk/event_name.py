"""The event's name, corrected while it runs.

Files may still have the name before: they are of this event all the same.
"""

import json
from collections.abc import Mapping

from host.archive import receipt
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.desk.station import Station

RENAMED = "event renamed"  # a notice: the names before and after


def change(station: Station, name: str, author: str) -> Sentence:
    """Give the current event another name; return what was done.

    Raises UserError for the name that it has, for one of another event in the archive, and once
    the event is closed: its receipt and what was taken home have its name.
    """
    archive, roster = station.archive, station.archive.roster
    before = roster.current_event
    if name == before.name:
        raise UserError("the event is called {name} already", name=name)
    if receipt.newest_close(archive) is not None:
        said = "{event} is closed, and what was taken home has this name: it stays"
        raise UserError(said, event=before.name)
    if any(one.name == name for one in roster.events):
        raise UserError("{name} is another event in this archive: choose another name", name=name)
    with archive.transaction():
        roster.rename_event(name)
        facts = json.dumps({"before": before.name, "after": name})
        archive.notices.add(RENAMED, facts, author, station.unix_ms)
    return Sentence("the event is called {name} now", name=name)


def is_of(archive: Archive, name: str | None) -> bool:
    """Return whether a name is the current event's, now or once; False without an event."""
    event = archive.roster.event
    return event is not None and (name == event.name or name in _earlier(archive))


def _earlier(archive: Archive) -> list[str]:
    return [one for one in archive.notices.read(RENAMED, _before) if one is not None]


def _before(told: Mapping[str, Json]) -> str | None:
    name = told["before"]
    return name if isinstance(name, str) else None
