"""Entries, drops and returns of players, at any time.

The questions name the player and the table, as pages and the typed desk ask the same ones.
"""

from host.archive import teams
from host.archive.people import DROPPED, ENTERED, LATE, RETURNED, People, Person, same_name
from host.archive.roster import Pairing, Player
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import identities, seated_players
from host.desk.station import Station
from host.event import missed_rounds
from host.event.imported_results import published
from host.event.missed_rounds import MissedRound
from host.formats import player_numbers


def enter(
    station: Station, number: str, name: str, author: str, counts: str = missed_rounds.NOTHING
) -> list[Sentence]:
    """Enter a player, as late once a round is published; return sentences for the user.

    A player without a number gets the next free one. ``counts``: how missed rounds count
    (``missed_rounds.COUNTS``). Raises UserError for a number that is taken.
    """
    people, late = People(station.archive), station.desk.round is not None
    known = station.archive.roster.players.values()
    try:
        number = player_numbers.restore(number) or _next_number(people)
    except ValueError as error:
        raise UserError(error.args[0]) from None
    for other in known:
        if player_numbers.bare(other.number) == player_numbers.bare(number):
            refusal = "number {number} is taken by {before}: give {after} another number"
            raise UserError(refusal, number=other.number, before=other.name, after=name)
    player = Player(number, name)
    people.add(player, LATE if late else ENTERED, author, station.unix_ms)
    text = "{name} is entered as {number}, and paired from the next draft on"
    sentences = [Sentence(text, name=name, number=number)]
    namesakes = [other for other in known if same_name(other.name, name)]
    if late and counts != missed_rounds.NOTHING:
        sentences.append(count_missed(station, number, counts, None, author))
    return [*sentences, *(identities.namesake(other, player) for other in namesakes)]


def drop(station: Station, who: str, author: str, reason: str, sure: bool) -> tuple[Sentence, bool]:
    """Drop a player, by number or name; return a sentence for the user, and whether it was done.

    Unless ``sure``, nothing is done and the sentence is a question. Raises UserError for an unknown
    player, and for one who has dropped already.
    """
    people = People(station.archive)
    person = teams.find(station.archive, who)  # one member drops: the team is out (D03 244)
    if person.dropped:
        raise UserError(
            "{who} has dropped already", who=seated_players.name_and_number(person.player)
        )
    if not sure:
        return _question(station, person), False
    people.mark(person.player.number, DROPPED, author, station.unix_ms, reason)
    return Sentence("{who} has dropped", who=seated_players.name_and_number(person.player)), True


def bring_back(station: Station, who: str, author: str) -> Sentence:
    """Let a dropped player take part again, with points, opponents and byes as they were.

    Raises UserError for an unknown player, and for one who has not dropped.
    """
    people = People(station.archive)
    person = teams.find(station.archive, who)
    if not person.dropped:
        raise UserError("{who} has not dropped", who=seated_players.name_and_number(person.player))
    people.mark(person.player.number, RETURNED, author, station.unix_ms)
    text = (
        "{who} is back, with points, opponents and byes as they were; paired from the next draft on"
    )
    return Sentence(text, who=seated_players.name_and_number(person.player))


def count_missed(
    station: Station, who: str, counts: str, only: int | None, author: str
) -> Sentence:
    """Count the published Swiss rounds that a player missed as losses, as byes or not at all;
    return a sentence for the user. ``only``: the number of a single round.

    Raises UserError for an unknown player, and for one who has missed no such round.
    """
    archive, person = station.archive, teams.find(station.archive, who)
    number = person.player.number
    missed = [
        round_number
        for round_number in archive.roster.rounds
        if round_number not in person.rounds
        and published(archive, round_number)
        and not archive.roster.stored_format(round_number).elimination
    ]
    if only is not None:
        missed = [round_number for round_number in missed if round_number == only]
    if not missed:
        who = seated_players.name_and_number(person.player)
        raise UserError("{who} has missed no round that could count", who=who)
    with archive.transaction():
        for round_number in missed:
            missed_round = MissedRound(number, round_number, counts)
            missed_rounds.keep(archive, missed_round, author, station.unix_ms)
    if counts == missed_rounds.LOSS:
        text = "{who}: round {rounds} counts as a loss"
    elif counts == missed_rounds.BYE:
        text = "{who}: round {rounds} counts as a bye"
    else:
        text = "{who}: round {rounds} does not count"
    rounds = ", ".join(map(str, missed))
    return Sentence(text, who=seated_players.name_and_number(person.player), rounds=rounds)


def _question(station: Station, person: Person) -> Sentence:
    """Return the question before a drop, with the table that the player leaves."""
    roster = station.archive.roster
    who = seated_players.name_and_number(person.player)
    published = station.desk.round or 0
    for number in (number for number in reversed(roster.rounds) if number >= published):
        pairing = _pairing_of(roster.pairings_of(number), person.player)
        if pairing is None:
            continue
        where = seated_players.location(pairing)
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
