"""Taking an event file into an archive: a new event, a new round, or one that is there already."""

import secrets

from host.errors import Mistake
from host.roster import Event


def admit(roster, file, unix_ms, draw=secrets.randbelow):
    """Store what an EventFile adds to the Roster and return its round number.

    A file that names another event than the current one opens it; its origin is ``unix_ms`` and
    its number is drawn. The same round again is fine, and may spell names better; raises Mistake if
    it seats people differently.
    """
    event = roster.event
    name = file.event or (event.name if event else "Event")
    if event is None or event.name != name:
        if any(known.name == name for known in roster.events):
            raise Mistake(f"the event {name!r} was followed by another in this archive")
        roster.open_event(Event(_fresh(roster, draw), name, unix_ms))
    stored = roster.format_of(file.round)
    if stored is None:
        roster.store_round(file.round, file.format, file.pairings)
        return file.round
    held = roster.pairings_of(file.round)
    if stored != file.format or _seats(held) != _seats(file.pairings):
        raise Mistake(
            f"round {file.round} of {name!r} is stored already and says something else; "
            "give the new file its own line: # round: …"
        )
    if held != file.pairings:
        roster.rename(player for one in file.pairings for player in (one.a, one.b) if player)
    return file.round


def _seats(pairings):
    """Return who sits where by numbers alone: a name may be put right at any time."""
    return [(one.pairing, one.table, one.a.number, one.b and one.b.number) for one in pairings]


def _fresh(roster, draw):
    used = {event.number for event in roster.events}
    while True:
        number = 1 + draw(65535)
        if number not in used:
            return number
