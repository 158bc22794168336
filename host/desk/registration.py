"""Players register on their own phones, and wait until staff accept them.

A registration is only a notice, which changes nothing else; staff see it with its contradictions.
At most ``MOST`` wait at a time, and an event takes at most ``MOST_EVER``.
"""

import json
from collections import Counter
from collections.abc import Collection

from host.archive.people import name_key, same_name
from host.archive.roster import Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import beginning
from host.desk.staff import Done, Staff
from host.desk.station import Station
from host.event.event_log import DOOR
from host.event.registrations import ENTRY, REFUSED, TAKEN, Registration, waiting
from host.formats import player_numbers
from host.formats.people_file import Person

MOST, MOST_EVER = 1_000, 5_000
_AUTHOR = "door"


def switch(staff: Staff, on: bool) -> None:
    """Let players register, at a new address, or no longer. Raises UserError without an event."""
    staff.log(DOOR[on], {})


def enter(station: Station, number: str, name: str) -> Sentence:
    """Store a player's entry for staff to accept; return the answer for the player.

    A repeated entry changes nothing. The answer never tells whose number this is. Raises UserError
    for an invalid number, and if too many entries wait.
    """
    archive = station.archive
    try:
        number = player_numbers.restore(number)
    except ValueError as error:
        raise UserError(error.args[0]) from None
    bare = player_numbers.bare(number)
    players = archive.roster.players.values()
    owners = [player for player in players if player_numbers.bare(player.number) == bare]
    if any(same_name(owner.name, name) for owner in owners):
        text = "{name}, you are entered: your table is shown once the next round is published"
        return Sentence(text, name=name)
    queue = waiting(archive)
    accepted = Sentence("{name}, your entry is with the organiser: wait to be called", name=name)
    if any(entry.number == number and same_name(entry.name, name) for entry in queue):
        return accepted
    if len(queue) >= MOST or len(archive.notices.rows(ENTRY)) >= MOST_EVER:
        raise UserError("too many entries are waiting: tell the organiser your name and number")
    facts = json.dumps({"number": number, "name": name}, ensure_ascii=False)
    archive.notices.add(ENTRY, facts, _AUTHOR, station.unix_ms)
    return accepted


def contradictions(
    queue: Collection[Registration], players: Collection[Player]
) -> dict[int, list[Sentence]]:
    """Return the remarks for staff on each entry, by its id: its number or name belongs to a
    player, or several entries have it.
    """
    numbers = {player_numbers.bare(player.number): player for player in players}
    names = {name_key(player.name): player for player in players}
    claimed = Counter(player_numbers.bare(entry.number) for entry in queue if entry.number)
    given = Counter(name_key(entry.name) for entry in queue)
    found: dict[int, list[Sentence]] = {}
    for entry in queue:
        bare, name = player_numbers.bare(entry.number), name_key(entry.name)
        owner, namesake = numbers.get(bare), names.get(name)
        remarks = found[entry.id] = []
        if owner is not None:
            text = "number {number} is {name} in this event"
            remarks.append(Sentence(text, number=owner.number, name=owner.name))
        elif namesake is not None:
            text = "{name} is number {number} in this event: is this somebody else?"
            remarks.append(Sentence(text, name=namesake.name, number=namesake.number))
        if claimed[bare] > 1:
            remarks.append(Sentence("this number was entered with several names"))
        if given[name] > 1:
            remarks.append(Sentence("this name was entered with several numbers"))
    return found


def accept(staff: Staff, entry: int | None) -> Done:
    """Enter the player of a waiting entry (its id), or for None those of all entries without a
    remark. Raises UserError, and enters nobody, if the entry is decided already, if there is none
    to accept, or if a number belongs to another player.
    """
    archive = staff.archive
    chosen = _without_remark(archive) if entry is None else [_waiting_entry(archive, entry)]
    people = [Person(Player(entry.number, entry.name), frozenset()) for entry in chosen]
    for number in (entry.number for entry in chosen if entry.number):
        alike = [entry.name for entry in chosen if entry.number == number]
        if len(alike) > 1:
            refusal = (
                "{names} have entered number {number}: accept one of them, and refuse the other"
            )
            raise UserError(refusal, names=", ".join(alike), number=number)
    with archive.transaction():
        (message, *remarks), _ = beginning.enter(staff.station, people, staff.author, sure=True)
        for each in chosen:
            _decide(staff, each, TAKEN)
    return Done(message=message, remarks=remarks)


def _without_remark(archive: Archive) -> list[Registration]:
    """Return all waiting entries without a remark. Raises UserError if there are none."""
    queue = waiting(archive)
    remarks = contradictions(queue, archive.roster.players.values())
    found = [entry for entry in queue if not remarks[entry.id]]
    if not found:
        raise UserError("nobody waits who could be accepted without a look")
    return found


def refuse(staff: Staff, entry: int) -> None:
    """Refuse a waiting entry (its id). Raises UserError if it is decided already."""
    _decide(staff, _waiting_entry(staff.archive, entry), REFUSED)


def _waiting_entry(archive: Archive, number: int) -> Registration:
    """Return the waiting entry with an id. Raises UserError if it is decided already."""
    entry = next((entry for entry in waiting(archive) if entry.id == number), None)
    if entry is None:
        raise UserError("somebody else has decided this entry already: look at the list again")
    return entry


def _decide(staff: Staff, entry: Registration, what: str) -> None:
    """Store the decision ``what`` on an entry."""
    facts = {"entry": entry.id, "number": entry.number, "name": entry.name}
    value = json.dumps(facts, ensure_ascii=False)
    staff.archive.notices.add(what, value, staff.author, staff.unix_ms)
