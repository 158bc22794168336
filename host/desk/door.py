"""The door: players register on their own phones, and wait until staff accept them.

A registration is only a notice, which changes nothing else; staff see it with its contradictions.
At most ``MOST`` wait at a time, and an event takes at most ``MOST_EVER``.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable

from host.archive.people import name_key, same_name
from host.archive.roster import Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import beginning
from host.desk.station import Station
from host.event.event_log import DOOR
from host.event.own_entries import ENTRY, REFUSED, TAKEN, Entry, waiting
from host.formats import player_numbers
from host.formats.people_file import Person

MOST, MOST_EVER = 1_000, 5_000
_AUTHOR = "door"


def switch(station: Station, on: bool, author: str) -> None:
    """Open the door at a new address, or close it. Raises UserError without an event."""
    station.archive.notices.add(DOOR[on], "{}", author, station.unix_ms)


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
    queue: Collection[Entry], players: Collection[Player]
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


def accept(station: Station, ids: Collection[int], author: str) -> list[Sentence]:
    """Enter the players of waiting entries (ids); return sentences for the user. Raises UserError,
    and enters nobody, if an entry is decided already, or if a number belongs to another player.
    """
    chosen = _choose(station.archive, ids)
    people = [Person(Player(entry.number, entry.name), frozenset()) for entry in chosen]
    for number in (entry.number for entry in chosen if entry.number):
        alike = [entry.name for entry in chosen if entry.number == number]
        if len(alike) > 1:
            refusal = (
                "{names} have entered number {number}: accept one of them, and refuse the other"
            )
            raise UserError(refusal, names=", ".join(alike), number=number)
    with station.archive.transaction():
        sentences, _ = beginning.enter(station, people, author, sure=True)
        _decide(station, chosen, TAKEN, author)
    return sentences


def refuse(station: Station, ids: Collection[int], author: str) -> None:
    """Refuse waiting entries (ids). Raises UserError if an entry is decided already."""
    with station.archive.transaction():
        _decide(station, _choose(station.archive, ids), REFUSED, author)


def _choose(archive: Archive, ids: Collection[int]) -> list[Entry]:
    """Return the waiting entries with these ids. Raises UserError if one is decided already."""
    queue = {entry.id: entry for entry in waiting(archive)}
    if not set(ids) <= queue.keys():
        raise UserError("somebody else has decided this entry already: look at the list again")
    return [queue[id] for id in sorted({*ids})]


def _decide(station: Station, entries: Iterable[Entry], what: str, author: str) -> None:
    """Store the decision ``what`` on each entry."""
    for entry in entries:
        facts = {"entry": entry.id, "number": entry.number, "name": entry.name}
        value = json.dumps(facts, ensure_ascii=False)
        station.archive.notices.add(what, value, author, station.unix_ms)
