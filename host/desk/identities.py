"""Matches the players of a file with ours: a number is one person for the whole event.

A number that is known with another name is refused, as accepting it would rename a player of
earlier rounds. Accepted with a remark: a spelling that differs in accents, capitals and word order;
any new name of a player with nothing published yet; a number that another program corrected, or
that a spreadsheet stripped of its leading zeros.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from firmware.core import intents
from host.archive import draft_pods, fixed_tables
from host.archive.people import People, same_name
from host.archive.roster import Pairing, Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.event import missed_rounds
from host.event.imported_results import ImportedRounds
from host.formats.event_file import EventFile
from host.formats.player_numbers import bare

Seat: TypeAlias = tuple[int, int, str]
"""A round, a pairing of it, and A or B."""


class OtherName(UserError):
    """A number of the player ``before`` that a file gives to ``after``; no player of this event has
    that name.
    """

    number = before = after = ""


def recognise(
    archive: Archive, file: EventFile, renamed: Collection[str], author: str, unix_ms: int
) -> tuple[EventFile, list[Sentence]]:
    """Return the file with our numbers of its players, and a remark on each corrected name or
    number.

    Stores the corrections. ``renamed``: numbers with a new name that the user has confirmed. Raises
    UserError for a number that is known with another name.
    """
    people, our_numbers = People(archive), numbers_here(archive, file)
    remarks = list(_renumber(archive, file, our_numbers, author, unix_ms))
    known = archive.roster.players
    final_numbers: set[str] | None = None  # read once, and only if a name differs
    for number, player in file.players.items():
        ours = known.get(our_numbers.get(number, number))
        if ours is None or ours.name == player.name:
            continue
        if final_numbers is None:
            final_numbers = _final_numbers(archive)
        confirmed = not {number, ours.number}.isdisjoint(renamed)
        may_rename = ours.number not in final_numbers or confirmed
        if not may_rename and not same_name(ours.name, player.name):
            raise _refusal(known, file, ours, replace(player, number=number))
        people.rename(ours.number, player.name, author, unix_ms)
        values = {"number": ours.number, "before": ours.name, "after": player.name}
        remarks.append(Sentence("player {number} is {after} now, instead of {before}", **values))
    return file.with_numbers(our_numbers), remarks


def _renumber(
    archive: Archive, file: EventFile, our_numbers: dict[str, str], author: str, unix_ms: int
) -> Iterator[Sentence]:
    """Adopt the file's numbers in ``our_numbers`` (the file's number → ours), and yield a
    Sentence on each. Only for another program's file: our own lists change no number.
    """
    if not (file.numbered and file.history):
        return
    for new, old in list(our_numbers.items()):
        People(archive).renumber(old, new, author, unix_ms)
        pods = draft_pods.in_force(archive, file.round)
        if pods is not None:
            circles = tuple(
                tuple(new if number == old else number for number in pod) for pod in pods.circles
            )
            draft_pods.store(archive, replace(pods, circles=circles), author, unix_ms)
        fixed_tables.renumber(archive, old, new, author, unix_ms)
        missed_rounds.renumber(archive, old, new, author, unix_ms)
        values = {"name": file.players[new].name, "before": old, "after": new}
        yield Sentence("{name} has the number {after} now, instead of {before}", **values)
        del our_numbers[new]


def numbers_here(archive: Archive, file: EventFile) -> dict[str, str]:
    """Return our number of each player who has another number in the file, by that number."""
    known, people = archive.roster.players, file.players
    if not file.numbered:
        return _numbers_by_name(known, people, _earlier_sitters(archive, file))
    absent = known.keys() - people.keys()
    unknown = sorted(people.keys() - known.keys())
    if not unknown or absent == known.keys():  # all are known, or it is a file of other people
        return {}
    sitters = _earlier_sitters(archive, file)
    found: dict[str, str] = {}
    for number in unknown:
        candidates = [{ours for ours in absent if bare(ours) == bare(number)}]
        if file.history:
            name = people[number].name
            candidates.append({ours for ours in absent if same_name(known[ours].name, name)})
            candidates.append(sitters.get(number, set()) & absent)
        single = next((numbers for numbers in candidates if len(numbers) == 1), None)
        if single:
            found[number] = single.pop()
    counts = Counter(found.values())
    return {number: ours for number, ours in found.items() if counts[ours] == 1}


def _numbers_by_name(
    known: Mapping[str, Player], people: Mapping[str, Player], sitters: Mapping[str, set[str]]
) -> dict[str, str]:
    """Return our numbers, as ``numbers_here`` does, for a file that identifies players by name.
    ``sitters``: from ``_earlier_sitters``; a new player gets the file's number, or else a free one.
    """
    found: dict[str, str] = {}
    for number, player in people.items():
        similar = [ours for ours in known if same_name(known[ours].name, player.name)]
        exact = [ours for ours in similar if known[ours].name == player.name]
        match exact or similar:
            case [only]:
                found[number] = only
    for number in people:
        if number in found:
            continue
        taken = set(found.values())
        earlier = sitters.get(number, set()) - taken
        if len(earlier) == 1:
            found[number] = earlier.pop()
        else:
            numbers = (number, *map(str, range(1, 2 + len(known) + len(people))))
            found[number] = next(new for new in numbers if new not in known and new not in taken)
    return {number: ours for number, ours in found.items() if number != ours}


def _earlier_sitters(archive: Archive, file: EventFile) -> dict[str, set[str]]:
    """Return, for each player of the file, the numbers of our players who sat in the same seats in
    the rounds before the imported one.
    """
    found: dict[str, set[str]] = {}
    for played in file.history.rounds[:-1] if file.history else ():
        stored = _by_seat(archive.roster.pairings_of(played.number))
        for seat, number in _by_seat(played.pairings).items():
            if seat in stored:
                found.setdefault(number, set()).add(stored[seat])
    return found


def _by_seat(pairings: Sequence[Pairing]) -> dict[Seat, str]:
    """Return the number of the player in each seat."""
    return {
        (pairing.round, pairing.pairing, seat): player.number
        for pairing in pairings
        for seat, player in (("A", pairing.a), ("B", pairing.b))
        if player is not None
    }


def _final_numbers(archive: Archive) -> set[str]:
    """Return the numbers that were published, have results from a file, or were entered by hand."""
    last, from_files = archive.orders.last_round(intents.SET_ROUND) or 0, ImportedRounds(archive)
    final = {str(entry["player"]) for entry in People(archive).log}
    for number in archive.roster.rounds:
        if number <= last or from_files.results(number):
            final.update(_by_seat(archive.roster.pairings_of(number)).values())
    return final


def _refusal(
    known: Mapping[str, Player], file: EventFile, ours: Player, theirs: Player
) -> UserError:
    """Return the refusal of a number that the file gives to another player."""
    line = file.lines.get(theirs.number)
    values = {
        "place": f"{file.path}:{line}" if line else file.path,
        "number": ours.number, "before": ours.name, "after": theirs.name,
    }  # fmt: skip
    same = (player.number for player in known.values() if same_name(player.name, theirs.name))
    own = next(same, None)
    if own is not None:
        text = (
            "{place}: number {number} is {before} in this event, and {after}, who has it here, is"
            " number {own}: put the numbers right. If {number} is one person whose name was"
            " corrected, add --rename {number} to plusthree import"
        )
        return UserError(text, **values, own=own)
    text = (
        "{place}: number {number} is {before} in this event, and {after} has it here: give {after}"
        " another number. If both are one person whose name was corrected, add --rename {number} to"
        " plusthree import"
    )
    refusal = OtherName(text, **values)
    refusal.number, refusal.before, refusal.after = ours.number, ours.name, theirs.name
    return refusal


def namesakes(archive: Archive, number: int) -> list[Sentence]:
    """Return a Sentence on each player of a round with the same name as another number."""
    seated = set(_by_seat(archive.roster.pairings_of(number)).values())
    first_of_name: dict[str, Player] = {}
    remarks = list[Sentence]()
    for player in archive.roster.players.values():
        first = first_of_name.setdefault(player.name.casefold(), player)
        if first is not player and (first.number in seated or player.number in seated):
            remarks.append(namesake(first, player))
    return remarks


def namesake(player: Player, other: Player) -> Sentence:
    """Return the remark on two numbers with the same name."""
    text = "{name} is number {one} and number {other}: are these two people, or one entered twice?"
    return Sentence(text, name=player.name, one=player.number, other=other.number)
