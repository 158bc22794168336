"""The door: players enter themselves on their own phones, and wait until staff accept them.

Nothing of an event changes by such an entry: it is a notice, and staff see beside it what it
contradicts. ``MOST`` of them wait at a time, and an event takes ``MOST_EVER``.
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
    """Let players enter themselves from now on, at a new address, or no more. Raises UserError
    without an event.
    """
    station.archive.notices.add(DOOR[on], "{}", author, station.unix_ms)


def enter(station: Station, number: str, name: str) -> Sentence:
    """Keep a player's own entry for staff to accept; return what to say to the player.

    The same entry once more changes nothing. Raises UserError for a number that is no number, and
    where too many wait. Who has a number is said to nobody here.
    """
    archive = station.archive
    try:
        number = player_numbers.restored(number)
    except ValueError as mistake:
        raise UserError(mistake.args[0]) from None
    bare = player_numbers.bare(number)
    here = [
        one for one in archive.roster.players.values() if player_numbers.bare(one.number) == bare
    ]
    if any(same_name(one.name, name) for one in here):
        said = "{name}, you are entered: your table is shown once the next round is published"
        return Sentence(said, name=name)
    queue = waiting(archive)
    kept = Sentence("{name}, your entry is with the organiser: wait to be called", name=name)
    if any(one.number == number and same_name(one.name, name) for one in queue):
        return kept
    if len(queue) >= MOST or len(archive.notices.rows(ENTRY)) >= MOST_EVER:
        raise UserError("too many entries are waiting: tell the organiser your name and number")
    facts = json.dumps({"number": number, "name": name}, ensure_ascii=False)
    archive.notices.add(ENTRY, facts, _AUTHOR, station.unix_ms)
    return kept


def contradictions(
    queue: Collection[Entry], players: Collection[Player]
) -> dict[int, list[Sentence]]:
    """Return, by an entry's id, what staff should see beside it: whom its number or its name
    belongs to.
    """
    numbers = {player_numbers.bare(one.number): one for one in players}
    names = {name_key(one.name): one for one in players}
    claimed = Counter(player_numbers.bare(one.number) for one in queue if one.number)
    given = Counter(name_key(one.name) for one in queue)
    found: dict[int, list[Sentence]] = {}
    for entry in queue:
        bare, name = player_numbers.bare(entry.number), name_key(entry.name)
        owner, namesake = numbers.get(bare), names.get(name)
        said = found[entry.id] = []
        if owner is not None:
            whose = "number {number} is {name} in this event"
            said.append(Sentence(whose, number=owner.number, name=owner.name))
        elif namesake is not None:
            whose = "{name} is number {number} in this event: is this somebody else?"
            said.append(Sentence(whose, name=namesake.name, number=namesake.number))
        if claimed[bare] > 1:
            said.append(Sentence("this number was entered with several names"))
        if given[name] > 1:
            said.append(Sentence("this name was entered with several numbers"))
    return found


def accept(station: Station, ids: Collection[int], author: str) -> list[Sentence]:
    """Enter the players of some entries that wait; return what to say. Raises UserError for one
    that does not wait, and enters nobody where a number is somebody else's.
    """
    chosen = _chosen(station.archive, ids)
    people = [Person(Player(one.number, one.name), frozenset()) for one in chosen]
    for number in (one.number for one in chosen if one.number):
        alike = [one.name for one in chosen if one.number == number]
        if len(alike) > 1:
            said = "{names} have entered number {number}: accept one of them, and refuse the other"
            raise UserError(said, names=", ".join(alike), number=number)
    with station.archive.transaction():
        said, _ = beginning.enter(station, people, author, sure=True)
        _decide(station, chosen, TAKEN, author)
    return said


def refuse(station: Station, ids: Collection[int], author: str) -> None:
    """Put some entries that wait aside. Raises UserError for one that does not wait."""
    with station.archive.transaction():
        _decide(station, _chosen(station.archive, ids), REFUSED, author)


def _chosen(archive: Archive, ids: Collection[int]) -> list[Entry]:
    queue = {one.id: one for one in waiting(archive)}
    if not set(ids) <= queue.keys():
        raise UserError("somebody else has decided this entry already: look at the list again")
    return [queue[one] for one in sorted({*ids})]


def _decide(station: Station, entries: Iterable[Entry], what: str, author: str) -> None:
    for one in entries:
        facts = {"entry": one.id, "number": one.number, "name": one.name}
        told = json.dumps(facts, ensure_ascii=False)
        station.archive.notices.add(what, told, author, station.unix_ms)
