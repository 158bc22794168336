"""Begins an event at the desk: opens it with its format, enters the players, and drafts round 1.

The format is stored as a notice, as there is no round yet; so are the families and travel groups in
lists of players, whose members round 1 does not pair with each other if its rules say so.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from host.archive import fixed_tables
from host.archive import teams as team_lists
from host.archive.people import ENTERED, LATE, People, name_key, same_name
from host.archive.roster import Format, Player
from host.archive.store import Archive
from host.archive.teams import Team
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import event_import, hall_plan, handed_lists, round_lengths
from host.desk.station import Station
from host.event import event_plan, event_systems, team_lines
from host.event.imported_results import published
from host.formats import player_numbers
from host.formats.event_file import EventFile
from host.formats.people_file import Person
from host.formats.round_format import parse_format, with_round, words_of
from host.systems import catalogue, round_limits
from host.systems.match_facts import usual_minutes
from host.systems.rules import Catalogue, Rules
from host.tournament import event_pack
from host.tournament.round_draft import DraftRequest, first_draft
from host.tournament.rule_packs import Pack

_MOST_NAMED = 6


@dataclass(frozen=True)
class NewEvent:
    """The organiser's choices for an event. ``format``: in words (``round_format``); ``cut``: the
    number of players in an announced elimination.
    """

    name: str
    format: str
    rounds: int = 0
    cut: int | None = None
    pack: Pack | None = None


def begin(
    station: Station,
    new: NewEvent,
    people: Sequence[Person],
    systems: Catalogue,
    author: str,
    sure: bool = False,
    teams: Sequence[Team] = (),
) -> tuple[list[Sentence], bool]:
    """Open an event with its first players, or change its format while it has no round.

    Return sentences for the user, and whether it was done (else the only sentence is a question),
    as ``enter``. Raises UserError, and stores nothing, for choices that an event file could not
    make either.
    """
    archive, roster, unix_ms = station.archive, station.archive.roster, station.unix_ms
    form, name, rules = _format(new.format, systems)
    if new.pack is not None:
        event_pack.require_system(new.pack, name)
    if roster.rounds:
        raise UserError("the event {name!r} has its first round", name=roster.current_event.name)
    before = roster.event
    if before is not None and new.name != before.name:
        raise UserError("the event {name!r} has begun here already", name=before.name)
    lengths = tuple(_minutes(form, number, rules) for number in range(1, new.rounds + 1))
    file = EventFile(new.name, 1, form, [], lengths)
    question = None if sure else _question(people)
    if question:
        return [question], False
    with archive.transaction():
        if before is None:
            event_import.open_event(roster, new.name, station.origin_unix_ms)
            if station.plan is not None:
                hall_plan.store(archive, station.plan, author, unix_ms)
        round_lengths.announce(archive, lengths, author, unix_ms)
        round_lengths.announce_cut(archive, new.cut or 0, author, unix_ms)
        event_import.announce(archive, file, unix_ms, systems, author)
        if new.pack is not None and new.pack != event_pack.pack_of(archive):
            event_pack.choose(archive, new.pack, author, unix_ms)
        facts = {
            "format": [form.system, form.bits, form.minutes],
            "rounds": new.rounds,
            "words": words_of(form, systems),
        }
        archive.notices.add(event_plan.BEGUN, json.dumps(facts), author, unix_ms)
        sentences = list[Sentence]()
        if people:
            sentences, _ = enter(station, people, author, sure=True, teams=teams)
    station.refresh()
    remark = round_limits.remark(rules, form.bits, form.minutes)
    if remark:
        sentences.append(remark)
    return sentences, True


def _format(words: str, systems: Catalogue) -> tuple[Format, str, Rules]:
    """Return the Format of round 1 for its words, with its system. Raises UserError."""
    try:
        form = parse_format(words, systems)
    except ValueError as error:
        raise UserError(error.args[0]) from None
    name, rules = catalogue.by_number(systems, form.system)
    assert name is not None and rules is not None  # the format was read with these systems
    return with_round(form, 1, rules), name, rules


def _minutes(form: Format, number: int, rules: Rules) -> int:
    """Return the minutes of a Swiss round: those of ``form``, except after round 1 of a system
    whose minutes go by round (one with ``CAPS``). Raises UserError for a round beyond its last.
    """
    try:
        of_this_round = with_round(form, number, rules)
    except ValueError as error:
        raise UserError(error.args[0]) from None
    by_round = rules.CAPS and number > 1
    return usual_minutes(of_this_round.bits, rules) if by_round else form.minutes


def enter(
    station: Station,
    people: Sequence[Person],
    author: str,
    sure: bool = False,
    teams: Sequence[Team] = (),
) -> tuple[list[Sentence], bool]:
    """Enter a list of people. Return sentences for the user, and whether it was done.

    A player who is known by number and name, or by name if the list has no number, is not entered
    twice. If two people have the same name and nobody is ``sure``, nothing is done and the only
    sentence is the question. ``teams``: for people who are teams, these with their members. Raises
    UserError, and enters nobody, for a number that belongs to another player, and for invalid
    teams.
    """
    archive, players = station.archive, station.archive.roster.players
    new, entered = _split(people, players)
    question = None if sure else _question(new)
    if question:
        return [question], False
    numbered = _number(new, players)
    with archive.transaction():
        what = ENTERED if station.desk.round is None else LATE
        new_players = [person.player for person in numbered]
        People(archive).add_all(new_players, what, author, station.unix_ms)
        store_parties(archive, [*numbered, *entered], author, station.unix_ms)
        on_teams = _store_teams(archive, teams, author, station.unix_ms) if teams else []
    sentences = [_entry_sentence(len(numbered))] if numbered else []
    if entered:
        singular = "one player was entered already"
        plural = "{count} players were entered already"
        sentences.append(Sentence.counted(singular, plural, count=len(entered)))
    return sentences + on_teams, True


def _store_teams(
    archive: Archive, teams: Sequence[Team], author: str, unix_ms: int
) -> list[Sentence]:
    """Store teams with their members; return sentences for the user. Raises UserError."""
    form = event_plan.last_format(archive)
    if form is not None and not team_lines.plays_teams(form):
        raise UserError(
            "this is a list of teams, and this event is not played by teams (D03 241): choose a"
            " match of teams, or paste the columns number and name alone"
        )
    try:
        remarks = handed_lists.store_teams(archive, teams, author, unix_ms)
    except team_lists.OtherName as other:
        raise UserError(
            "number {number} is {before} in this event, and {after} in this list: read the sheet"
            " under Files, where a corrected name can be confirmed",
            number=other.number, before=other.before, after=other.after,
        ) from None  # fmt: skip
    singular = "one team is kept with its members"
    plural = "{count} teams are kept with their members"
    return [Sentence.counted(singular, plural, count=len(teams)), *remarks]


def store_parties(archive: Archive, people: Iterable[Person], author: str, unix_ms: int) -> None:
    """Store the families and travel groups that a list gives for entered people."""
    players, known = archive.roster.players.values(), event_plan.parties(archive)
    numbers = {player_numbers.bare(player.number): player.number for player in players}
    names = {name_key(player.name): player.number for player in players}
    found: dict[str, list[str]] = {}
    for person in people:
        bare = player_numbers.bare(person.player.number)
        number = numbers.get(bare) if bare else names.get(name_key(person.player.name))
        if number and person.parties and person.parties != known.get(number):
            found[number] = sorted(person.parties)
    if found:
        archive.notices.add(event_plan.PARTIES, json.dumps(found), author, unix_ms)


def _entry_sentence(count: int) -> Sentence:
    return Sentence.counted("one player is entered", "{count} players are entered", count=count)


def _split(
    people: Sequence[Person], known: Mapping[str, Player]
) -> tuple[list[Person], list[Person]]:
    """Return the people of a list who are not entered yet, and those who are. Raises UserError for
    a number that belongs to another player.

    Numbers are compared without leading zeros, as spreadsheets strip these.
    """
    numbers = {player_numbers.bare(player.number): player for player in known.values()}
    names = {name_key(player.name) for player in known.values()}
    new, entered = list[Person](), list[Person]()
    for person in people:
        player = person.player
        if not player.number:
            known_by_name = name_key(player.name) in names
            (entered if known_by_name else new).append(person)
            continue
        owner = numbers.get(player_numbers.bare(player.number))
        if owner is None:
            new.append(person)
        elif same_name(owner.name, player.name):
            entered.append(person)
        else:
            refusal = "number {number} is taken by {before}: give {after} another number"
            raise UserError(refusal, number=owner.number, before=owner.name, after=player.name)
    return new, entered


def _question(people: Sequence[Person]) -> Sentence | None:
    """Return the question about people in a list with the same name and no number, None without."""
    names = [person.player.name for person in people if not person.player.number]
    counts = Counter(map(name_key, names))
    repeated = {name_key(name): name for name in names if counts[name_key(name)] > 1}
    if not repeated:
        return None
    listed = ", ".join([*repeated.values()][:_MOST_NAMED])
    return Sentence("more than one line says {names}. Are these several people?", names=listed)


def _number(people: Sequence[Person], known: Mapping[str, Player]) -> list[Person]:
    """Return people with a free number for everybody without one."""
    taken = [*known, *(person.player.number for person in people)]
    digits = (int(number) for number in taken if number.isascii() and number.isdigit())
    free = 1 + max(digits, default=0)
    found: list[Person] = []
    for person in people:
        if person.player.number:
            found.append(person)
        else:
            found.append(replace(person, player=Player(str(free), person.player.name)))
            free += 1
    return found


def draw(station: Station, request: DraftRequest, author: str) -> list[Sentence]:
    """Draft round 1 from all entered players; return remarks.

    Raises UserError if it is drafted already, or if the format or players are missing.
    """
    archive = station.archive
    event, plan = archive.roster.current_event, event_plan.plan_of(archive)
    if archive.roster.rounds and published(archive, 1):
        raise UserError(
            "round 1 is published: the next one is drafted on the page Rounds, or with plusthree"
            " pair"
        )
    if archive.roster.rounds:
        raise UserError("round 1 is drafted already: publish it, or drop it first")
    if plan is None:
        raise UserError(
            "nobody has said what is played in {event}: choose it first", event=event.name
        )
    drawn = first_round(archive, plan.format, request)
    event_import.import_file(archive, drawn, station.unix_ms, author=author)
    station.refresh()
    return event_import.remarks(archive, 1)


def first_round(archive: Archive, form: Format, request: DraftRequest) -> EventFile:
    """Return the EventFile of round 1 for all players who have not dropped. Raises UserError."""
    roster = archive.roster
    rules = event_systems.rules_of(archive, form)
    parties = event_plan.parties(archive)
    people = [
        Person(entry.player, parties.get(entry.player.number, frozenset()))
        for entry in People(archive).every
        if not entry.dropped
    ]
    if len(people) < 2:
        raise UserError("there are not two players to pair: enter players first")
    drawn = first_draft(people, roster.current_event.name, form, rules, request, roster.tables)
    fixed = fixed_tables.fixed(archive)
    return replace(drawn, pairings=fixed_tables.place(drawn.pairings, fixed))


def words(archive: Archive) -> str:
    """Return the planned Format in words, "" without a plan."""
    plan = event_plan.plan_of(archive)
    return words_of(plan.format, event_systems.of(archive)) if plan else ""
