"""Who takes part: entered at any time by one act, dropped and back by number or name.

Each question names the person and the table: the pages and the typed desk ask the same.
"""

from host.archive import teams
from host.archive.people import (
    DROPPED,
    ENTERED,
    LATE,
    RETURNED,
    People,
    Person,
    same_name,
)
from host.archive.roster import Pairing, Player
from host.archive.store import Archive
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
    """Enter somebody, late once a round is published; return the Sentences that say it.

    Without a number the next free one is given. ``counts``: what the rounds that were missed count
    as (``missed_rounds.COUNTS``). Raises UserError for a number that is taken.
    """
    people, late = People(station.archive), station.desk.round is not None
    known = station.archive.roster.players.values()
    try:
        number = player_numbers.restored(number) or _next_number(people)
    except ValueError as mistake:
        raise UserError(mistake.args[0]) from None
    for one in known:
        if player_numbers.bare(one.number) == player_numbers.bare(number):
            said = "number {number} is taken by {before}: give {after} another number"
            raise UserError(said, number=one.number, before=one.name, after=name)
    player = Player(number, name)
    people.add(player, LATE if late else ENTERED, author, _unix_ms(station))
    said = "{name} is entered as {number}, and paired from the next draft on"
    alike = [one for one in known if same_name(one.name, name)]
    asked = late and counts != missed_rounds.NOTHING
    missed = [count_missed(station, number, counts, None, author)] if asked else []
    return [
        Sentence(said, name=name, number=number),
        *missed,
        *(identities.namesake(one, player) for one in alike),
    ]


def drop(station: Station, who: str, author: str, reason: str, sure: bool) -> tuple[Sentence, bool]:
    """Drop the player whom a number or a name means; return what to say, and whether it was done.

    It is only asked while nobody is ``sure``. Raises UserError for who is not there, or has
    dropped.
    """
    people = People(station.archive)
    team = teams.of_member(station.archive, who)  # one member drops: the team is out (D03 244)
    person = people.get(team.number) if team else people.find(who)
    if person.dropped:
        raise UserError("{who} has dropped already", who=seated_players.named(person.player))
    if not sure:
        return _question(station, person), False
    people.mark(person.player.number, DROPPED, author, _unix_ms(station), reason)
    return Sentence("{who} has dropped", who=seated_players.named(person.player)), True


def bring_back(station: Station, who: str, author: str) -> Sentence:
    """Have a player who dropped take part again, with points, opponents and byes as they were.

    Raises UserError for who is not there, or has not dropped.
    """
    people = People(station.archive)
    person = people.find(who)
    if not person.dropped:
        raise UserError("{who} has not dropped", who=seated_players.named(person.player))
    people.mark(person.player.number, RETURNED, author, _unix_ms(station))
    said = (
        "{who} is back, with points, opponents and byes as they were; paired from the next draft on"
    )
    return Sentence(said, who=seated_players.named(person.player))


def count_missed(
    station: Station, who: str, counts: str, only: int | None, author: str
) -> Sentence:
    """Have the published Swiss rounds that somebody missed count as losses, as byes or not at all;
    return what to say. ``only``: one of these rounds.

    Raises UserError for who is not there, or has missed none.
    """
    archive, person = station.archive, People(station.archive).find(who)
    number = person.player.number
    missed = [
        one
        for one in archive.roster.rounds
        if one not in person.rounds
        and published(archive, one)
        and not _is_elimination(archive, one)
        and only in (None, one)
    ]
    if not missed:
        who = seated_players.named(person.player)
        raise UserError("{who} has missed no round that could count", who=who)
    with archive.transaction():
        for one in missed:
            missed_round = MissedRound(number, one, counts)
            missed_rounds.keep(archive, missed_round, author, _unix_ms(station))
    said = (
        "{who}: round {rounds} counts as a loss"
        if counts == missed_rounds.LOSS
        else "{who}: round {rounds} counts as a bye"
        if counts == missed_rounds.BYE
        else "{who}: round {rounds} does not count"
    )
    rounds = ", ".join(map(str, missed))
    return Sentence(said, who=seated_players.named(person.player), rounds=rounds)


def _is_elimination(archive: Archive, number: int) -> bool:
    form = archive.roster.format_of(number)
    return form is not None and bool(form.bits & 1)


def _question(station: Station, person: Person) -> Sentence:
    """Return the question of a drop, with the table that is left."""
    roster = station.archive.roster
    who = seated_players.named(person.player)
    for number in reversed(roster.rounds):
        pairing = _pairing_of(roster.pairings_of(number), person.player)
        if pairing is None:
            continue
        where = seated_players.where(pairing)
        if number > (station.desk.round or 0):
            return Sentence("Drop {who}, {where} of the draft?", who=who, where=where)
        if pairing.table in station.desk.open:
            return Sentence(
                "Drop {who}, {where} of round {number}?", who=who, where=where, number=number
            )
        break
    return Sentence("Drop {who}?", who=who)


def _pairing_of(pairings: list[Pairing], player: Player) -> Pairing | None:
    for one in pairings:
        if player.number in (one.a.number, one.b and one.b.number):
            return one
    return None


def _next_number(people: People) -> str:
    numbers = [one.player.number for one in people.every]
    return str(1 + max((int(one) for one in numbers if one.isascii() and one.isdigit()), default=0))


def _unix_ms(station: Station) -> int:
    event = station.archive.roster.current_event
    return event.origin_unix_ms + station.collector.now_ms
