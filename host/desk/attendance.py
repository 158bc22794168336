"""Entries, drops and returns of players, at any time.

The questions name the player and the table, as pages and the typed desk ask the same ones.
"""

from host.archive import teams
from host.archive.people import DROPPED, ENTERED, LATE, RETURNED, People, Person, same_name
from host.archive.roster import Pairing, Player
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import identities
from host.desk.staff import Done, Staff
from host.desk.station import Station
from host.event import missed_rounds
from host.event.imported_results import published
from host.event.missed_rounds import MissedRound
from host.formats import player_numbers


def enter(staff: Staff, number: str, missed: str, name: str) -> Done:
    """Enter a player, as late once a round is published.

    A player without a number gets the next free one. ``missed``: what missed rounds count as
    (``missed_rounds.COUNTS``). Raises UserError for a number that is taken.
    """
    people, late = People(staff.archive), staff.desk.round is not None
    known = staff.archive.roster.players.values()
    try:
        number = player_numbers.restore(number) or _next_number(people)
    except ValueError as error:
        raise UserError(error.args[0]) from None
    for other in known:
        if player_numbers.bare(other.number) == player_numbers.bare(number):
            refusal = "number {number} is taken by {before}: give {after} another number"
            raise UserError(refusal, number=other.number, before=other.name, after=name)
    player = Player(number, name)
    people.add(player, LATE if late else ENTERED, staff.author, staff.unix_ms)
    text = "{name} is entered as {number}, and paired from the next draft on"
    remarks = list[Sentence]()
    namesakes = [other for other in known if same_name(other.name, name)]
    if late and missed != missed_rounds.NOTHING:
        remarks.append(count_missed(staff, number, missed))
    remarks += [identities.namesake(other, player) for other in namesakes]
    return Done(message=Sentence(text, name=name, number=number), remarks=remarks)


def drop(staff: Staff, number: str, sure: bool, reason: str) -> Done:
    """Drop a player, by number or name; unless ``sure``, ask first.

    Raises UserError for an unknown player, and for one who has dropped already.
    """
    people = People(staff.archive)
    person = teams.find(staff.archive, number)  # one member drops: the team is out (D03 244)
    who = person.player.name_and_number
    if person.dropped:
        raise UserError("{who} has dropped already", who=who)
    if not sure:
        return Done(ask=_question(staff.station, person))
    people.mark(person.player.number, DROPPED, staff.author, staff.unix_ms, reason)
    return Done(message=Sentence("{who} has dropped", who=who))


def bring_back(staff: Staff, number: str) -> Sentence:
    """Let a dropped player take part again, with points, opponents and byes as they were.

    Raises UserError for an unknown player, and for one who has not dropped.
    """
    people = People(staff.archive)
    person = teams.find(staff.archive, number)
    who = person.player.name_and_number
    if not person.dropped:
        raise UserError("{who} has not dropped", who=who)
    people.mark(person.player.number, RETURNED, staff.author, staff.unix_ms)
    text = (
        "{who} is back, with points, opponents and byes as they were; paired from the next draft on"
    )
    return Sentence(text, who=who)


def count_missed(staff: Staff, number: str, missed: str, round: int | None = None) -> Sentence:
    """Count the published Swiss rounds that a player missed, or one ``round`` of them, as losses,
    as byes or not at all (``missed``).

    Raises UserError for an unknown player, and for one who has missed no such round.
    """
    archive, person = staff.archive, teams.find(staff.archive, number)
    who = person.player.name_and_number
    counted = [
        each
        for each in archive.roster.rounds
        if each not in person.rounds
        and round in (None, each)
        and published(archive, each)
        and not archive.roster.stored_format(each).elimination
    ]
    if not counted:
        raise UserError("{who} has missed no round that could count", who=who)
    with archive.transaction():
        for each in counted:
            missed_round = MissedRound(person.player.number, each, missed)
            missed_rounds.keep(archive, missed_round, staff.author, staff.unix_ms)
    if missed == missed_rounds.LOSS:
        text = "{who}: round {rounds} counts as a loss"
    elif missed == missed_rounds.BYE:
        text = "{who}: round {rounds} counts as a bye"
    else:
        text = "{who}: round {rounds} does not count"
    return Sentence(text, who=who, rounds=", ".join(map(str, counted)))


def _question(station: Station, person: Person) -> Sentence:
    """Return the question before a drop, with the table that the player leaves."""
    roster = station.archive.roster
    who = person.player.name_and_number
    published = station.desk.round or 0
    not_over = [number for number in roster.rounds if number >= published]
    for number in reversed(not_over):
        pairing = _pairing_of(roster.pairings_of(number), person.player)
        if pairing is None:
            continue
        where = pairing.location
        if number > published:
            return Sentence("Drop {who}, {where} of the draft?", who=who, where=where)
        if pairing.table in station.desk.open:
            return Sentence(
                "Drop {who}, {where} of round {number}?", who=who, where=where, number=number
            )
    return Sentence("Drop {who}?", who=who)


def _pairing_of(pairings: list[Pairing], player: Player) -> Pairing | None:
    own = (pairing for pairing in pairings if player.number in pairing.numbers)
    return next(own, None)


def _next_number(people: People) -> str:
    """Return the lowest number above all numeric ones."""
    numbers = [person.player.number for person in people.every]
    digits = (int(number) for number in numbers if number.isascii() and number.isdigit())
    return str(1 + max(digits, default=0))
