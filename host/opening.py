"""Taking an event file into an archive: a new event, a new round, or one that is there already."""

import secrets

from host.errors import Mistake
from host.roster import Event


def admit(roster, file, unix_ms, draw=secrets.randbelow):
    """Store what an EventFile adds to the Roster and return its round number.

    A file that names another event than the current one opens it; its origin is ``unix_ms`` and
    its number is drawn. The same round again is fine when it says the same; raises Mistake else.
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
    elif stored != file.format or roster.pairings_of(file.round) != file.pairings:
        raise Mistake(
            f"round {file.round} of {name!r} is stored already and says something else; "
            "give the new file its own line: # round: …"
        )
    return file.round


def _fresh(roster, draw):
    used = {event.number for event in roster.events}
    while True:
        number = 1 + draw(65535)
        if number not in used:
            return number
