"""Who is who in a file: a number is one person for the whole event.

A number that is known with another name is refused: taken, it would rename who played the rounds
before. What is taken, and said: a spelling that differs in accents, capitals and the order of
words; any name of somebody of whom nothing was published yet; a number that another program
corrected, or without the zeros that a spreadsheet takes away.
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
    """A number that is ``before`` in this event, and that a file gives to ``after``, whom nobody
    here is called.
    """

    number = before = after = ""


def recognised(
    archive: Archive, file: EventFile, renamed: Collection[str], author: str, unix_ms: int
) -> tuple[EventFile, list[Sentence]]:
    """Return the file with the numbers that its players have here, and what to say of it.

    Corrected names and numbers are stored. ``renamed``: numbers whose new names the user confirmed.
    Raises UserError for a number that is known with another name.
    """
    people, who = People(archive), numbers_here(archive, file)
    said = list(_renumbered(archive, file, who, author, unix_ms))
    known, fixed = archive.roster.players, None
    for told, player in file.players.items():
        here = known.get(who.get(told, told))
        if here is None or here.name == player.name:
            continue
        fixed = _fixed(archive) if fixed is None else fixed
        free = here.number not in fixed or {told, here.number} & set(renamed)
        if not free and not same_name(here.name, player.name):
            raise _refusal(known, file, here, replace(player, number=told))
        people.rename(here.number, player.name, author, unix_ms)
        values = {"number": here.number, "before": here.name, "after": player.name}
        said.append(Sentence("player {number} is {after} now, instead of {before}", **values))
    return file.with_numbers(who), said


def _renumbered(
    archive: Archive, file: EventFile, who: dict[str, str], author: str, unix_ms: int
) -> Iterator[Sentence]:
    """Take the numbers that another program gives the players in ``who``, and say so; a list of
    our own keeps theirs.
    """
    for told, here in list(who.items()) if file.numbered and file.history else ():
        People(archive).renumber(here, told, author, unix_ms)
        pods = draft_pods.in_force(archive, file.round)
        if pods is not None:
            moved = tuple(tuple(told if n == here else n for n in one) for one in pods.circles)
            draft_pods.store(archive, replace(pods, circles=moved), author, unix_ms)
        fixed_tables.renumber(archive, here, told, author, unix_ms)
        missed_rounds.renumber(archive, here, told, author, unix_ms)
        values = {"name": file.players[told].name, "before": here, "after": told}
        yield Sentence("{name} has the number {after} now, instead of {before}", **values)
        del who[told]


def numbers_here(archive: Archive, file: EventFile) -> dict[str, str]:
    """Return the number here of each player of the file who has another one there."""
    known, people = archive.roster.players, file.players
    if not file.numbered:
        return _by_name(known, people, _seats(archive, file))
    absent, found = known.keys() - people.keys(), {}
    unknown = sorted(people.keys() - known.keys())
    if not unknown or absent == known.keys():  # all are known, or these are other people
        return found
    seats = _seats(archive, file)
    for told in unknown:
        evidence = [{one for one in absent if bare(one) == bare(told)}]
        if file.history:
            name = people[told].name
            evidence += [{one for one in absent if same_name(known[one].name, name)}]
            evidence += [seats.get(told, set()) & absent]
        certain = next((one for one in evidence if len(one) == 1), None)
        if certain:
            found[told] = certain.pop()
    counts = Counter(found.values())
    return {told: here for told, here in found.items() if counts[here] == 1}


def _by_name(
    known: Mapping[str, Player], people: Mapping[str, Player], seats: Mapping[str, set[str]]
) -> dict[str, str]:
    """Return the number here of each player of a file that tells players apart by their names."""
    found: dict[str, str] = {}
    for told, player in people.items():
        named = [one for one in known if same_name(known[one].name, player.name)]
        exact = [one for one in named if known[one].name == player.name]
        if len(exact or named) == 1:
            found[told] = (exact or named)[0]
    for told in (one for one in people if one not in found):
        taken = set(found.values())
        before = seats.get(told, set()) - taken
        numbers = (told, *map(str, range(1, 2 + len(known) + len(people))))
        free = next(one for one in numbers if one not in known and one not in taken)
        found[told] = before.pop() if len(before) == 1 else free
    return {told: here for told, here in found.items() if told != here}


def _seats(archive: Archive, file: EventFile) -> dict[str, set[str]]:
    """Return who sits here where each player sits in the file, in the rounds before the one that
    is imported.
    """
    found: dict[str, set[str]] = {}
    for played in file.history.rounds[:-1] if file.history else ():
        here = _sitting(archive.roster.pairings_of(played.number))
        for seat, number in _sitting(played.pairings).items():
            if seat in here:
                found.setdefault(number, set()).add(here[seat])
    return found


def _sitting(pairings: Sequence[Pairing]) -> dict[Seat, str]:
    return {
        (one.round, one.pairing, seat): player.number
        for one in pairings
        for seat, player in (("A", one.a), ("B", one.b))
        if player is not None
    }


def _fixed(archive: Archive) -> set[str]:
    """Return the numbers that were published, have results from a file, or were entered by hand."""
    last, told = archive.orders.last_round(intents.SET_ROUND) or 0, ImportedRounds(archive)
    fixed = {str(one["player"]) for one in People(archive).log}
    for number in archive.roster.rounds:
        if number <= last or told.results(number):
            fixed.update(_sitting(archive.roster.pairings_of(number)).values())
    return fixed


def _refusal(
    known: Mapping[str, Player], file: EventFile, here: Player, there: Player
) -> UserError:
    """Return the refusal of a number that the file gives to somebody else."""
    line = file.lines.get(there.number)
    values = {
        "place": f"{file.path}:{line}" if line else file.path,
        "number": here.number, "before": here.name, "after": there.name,
    }  # fmt: skip
    own = next((one.number for one in known.values() if same_name(one.name, there.name)), None)
    if own is not None:
        said = (
            "{place}: number {number} is {before} in this event, and {after}, who has it here, is"
            " number {own}: put the numbers right. If {number} is one person whose name was"
            " corrected, add --rename {number} to plusthree import"
        )
        return UserError(said, **values, own=own)
    said = (
        "{place}: number {number} is {before} in this event, and {after} has it here: give {after}"
        " another number. If both are one person whose name was corrected, add --rename {number} to"
        " plusthree import"
    )
    refusal = OtherName(said, **values)
    refusal.number, refusal.before, refusal.after = here.number, here.name, there.name
    return refusal


def namesakes(archive: Archive, number: int) -> list[Sentence]:
    """Return a Sentence on each player of a round whose name another number has, too."""
    seated, known = set(_sitting(archive.roster.pairings_of(number)).values()), {}
    for one in archive.roster.players.values():
        known.setdefault(one.name.casefold(), []).append(one)
    return [
        namesake(others[0], one)
        for others in known.values()
        for one in others[1:]
        if {others[0].number, one.number} & seated
    ]


def namesake(one: Player, other: Player) -> Sentence:
    """Return what to say where two numbers have one name."""
    said = "{name} is number {one} and number {other}: are these two people, or one entered twice?"
    return Sentence(said, name=one.name, one=one.number, other=other.number)
