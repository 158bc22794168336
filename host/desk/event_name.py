"""Corrects the event's name while it runs.

Files with an earlier name still belong to the event.
"""

from collections.abc import Mapping

from host.archive import receipt
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.desk.staff import Staff

RENAMED = "event renamed"  # a notice: the names before and after


def change(staff: Staff, name: str) -> Sentence:
    """Rename the current event; return a sentence for the user.

    Raises UserError for its present name, for the name of another event in the archive, and once
    the event is closed, as its receipt and the exported files have its name.
    """
    archive, roster = staff.archive, staff.archive.roster
    before = roster.current_event
    if name == before.name:
        raise UserError("the event is called {name} already", name=name)
    if receipt.newest_close(archive) is not None:
        refusal = "{event} is closed, and what was taken home has this name: it stays"
        raise UserError(refusal, event=before.name)
    if any(event.name == name for event in roster.events):
        raise UserError("{name} is another event in this archive: choose another name", name=name)
    with archive.transaction():
        roster.rename_event(name)
        staff.log(RENAMED, {"after": name, "before": before.name})
    return Sentence("the event is called {name} now", name=name)


def is_current(archive: Archive, name: str | None) -> bool:
    """Return whether the current event has, or has had, this name; False without an event."""
    event = archive.roster.event
    if event is None or name is None:
        return False
    return name == event.name or name in archive.notices.read(RENAMED, _before)


def _before(notice: Mapping[str, Json]) -> str | None:
    name = notice["before"]
    return name if isinstance(name, str) else None
