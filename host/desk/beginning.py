"""Beginning an event at the desk: it is opened with what is played, people are entered, and round 1
is drawn from them.

What is played is said before there is a round, and kept as a notice; so are the families and travel
groups in lists of players, which round 1 keeps apart where its rules do.
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
from host.formats import player_numbers
from host.formats.event_file import EventFile
from host.formats.people_file import Person
from host.formats.round_format import of_round, parse_format, words_of
from host.systems import catalogue, round_limits
from host.systems.rules import Catalogue, Rules
from host.tournament import event_pack
from host.tournament.round_draft import DraftRequest, first_draft
from host.tournament.rule_packs import Pack

_MOST_NAMED = 6


@dataclass(frozen=True)
class NewEvent:
    """What the organiser says of an event: ``format`` in words (``round_format``), ``cut``: the
    players of an announced elimination.
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
    """Open an event with its first people, or change what is played in it while it has no round;
    return what to say, and whether it was done, as ``enter``.

    Raises UserError, and stores nothing, for what an event file could not say either.
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
    told = EventFile(new.name, 1, form, [], lengths)
    if not sure and (asked := _question(people)):
        return [asked], False
    with archive.transaction():
        if before is None:
            event_import.open_event(roster, new.name, station.origin_unix_ms)
            if station.plan is not None:
                hall_plan.store(archive, station.plan, author, unix_ms)
        round_lengths.announce(archive, lengths, author, unix_ms)
        round_lengths.announce_cut(archive, new.cut or 0, author, unix_ms)
        event_import.announce(archive, told, unix_ms, systems, author)
        if new.pack is not None and new.pack != event_pack.chosen(archive):
            event_pack.choose(archive, new.pack, author, unix_ms)
        numbers, said = [form.system, form.bits, form.minutes], words_of(form, systems)
        facts = {"format": numbers, "rounds": new.rounds, "words": said}
        archive.notices.add(event_plan.BEGUN, json.dumps(facts), author, unix_ms)
        said = enter(station, people, author, True, teams)[0] if people else []
    station.refresh()
    remark = round_limits.remark(rules, form.bits, form.minutes)
    return [*said, *([remark] if remark else [])], True


def _format(words: str, systems: Catalogue) -> tuple[Format, str, Rules]:
    """Return the Format of round 1 in words, with its system. Raises UserError."""
    try:
        form = parse_format(words, systems)
    except ValueError as mistake:
        raise UserError(mistake.args[0]) from None
    name, rules = catalogue.numbered(systems, form.system)
    assert name is not None and rules is not None  # the format was read with these systems
    return of_round(form, 1, rules), name, rules


def _minutes(form: Format, number: int, rules: Rules) -> int:
    """Return the minutes of a Swiss round: those of round 1 where its text has no others."""
    try:
        of_round(form, number, rules)
    except ValueError as mistake:
        raise UserError(mistake.args[0]) from None
    return rules.MINUTES[number - 1] if rules.CAPS and number > 1 else form.minutes


def enter(
    station: Station,
    people: Sequence[Person],
    author: str,
    sure: bool = False,
    teams: Sequence[Team] = (),
) -> tuple[list[Sentence], bool]:
    """Enter a list of people; return what to say, and whether it was done.

    Who is there already with number and name, or with the name where the list has no number, is not
    entered twice. Two people of one name are only asked about while nobody is ``sure``. ``teams``:
    the people with their members, where they are teams. Raises UserError, and enters nobody, where
    a number is somebody else's, and for teams that cannot be.
    """
    known, archive = People(station.archive), station.archive
    here = archive.roster.players
    fresh, there = _parted(people, here)
    if not sure and (asked := _question(fresh)):
        return [asked], False
    numbered = _numbered(fresh, here)
    with archive.transaction():
        what = ENTERED if station.desk.round is None else LATE
        known.add_all([one.player for one in numbered], what, author, station.unix_ms)
        keep_parties(archive, [*numbered, *there], author, station.unix_ms)
        kept = _keep_teams(archive, teams, author, station.unix_ms) if teams else []
    said = [_entered(len(numbered))] if numbered else []
    if there:
        one = "one player was entered already"
        many = "{count} players were entered already"
        said.append(Sentence.counted(one, many, count=len(there)))
    return said + kept, True


def _keep_teams(
    archive: Archive, teams: Sequence[Team], author: str, unix_ms: int
) -> list[Sentence]:
    """Keep teams with their members; return what to say. Raises UserError."""
    form = event_plan.last_format(archive)
    if form is not None and not team_lines.plays_teams(form):
        raise UserError(
            "this is a list of teams, and this event is not played by teams (D03 241): choose a"
            " match of teams, or paste the columns number and name alone"
        )
    try:
        remarks = handed_lists.keep_teams(archive, teams, author, unix_ms)
    except team_lists.OtherName as other:
        raise UserError(
            "number {number} is {before} in this event, and {after} in this list: read the sheet"
            " under Files, where a corrected name can be confirmed",
            number=other.number, before=other.before, after=other.after,
        ) from None  # fmt: skip
    one = "one team is kept with its members"
    many = "{count} teams are kept with their members"
    return [Sentence.counted(one, many, count=len(teams)), *remarks]


def keep_parties(archive: Archive, people: Iterable[Person], author: str, unix_ms: int) -> None:
    """Keep the families and travel groups of people who are entered, where a list says any."""
    here, known = archive.roster.players.values(), event_plan.parties(archive)
    numbers = {player_numbers.bare(one.number): one.number for one in here}
    names = {name_key(one.name): one.number for one in here}
    found: dict[str, list[str]] = {}
    for one in people:
        told = player_numbers.bare(one.player.number)
        number = numbers.get(told) if told else names.get(name_key(one.player.name))
        if number and one.parties and one.parties != known.get(number):
            found[number] = sorted(one.parties)
    if found:
        archive.notices.add(event_plan.PARTIES, json.dumps(found), author, unix_ms)


def _entered(count: int) -> Sentence:
    return Sentence.counted("one player is entered", "{count} players are entered", count=count)


def _parted(
    people: Sequence[Person], known: Mapping[str, Player]
) -> tuple[list[Person], list[Person]]:
    """Return those people of a list who are not entered yet, and those who are. Raises UserError
    for a number that is somebody else's.

    Numbers are compared without the zeros that a spreadsheet takes away.
    """
    numbers = {player_numbers.bare(one.number): one for one in known.values()}
    names = {name_key(one.name) for one in known.values()}
    fresh, there = list[Person](), list[Person]()
    for one in people:
        player = one.player
        owner = numbers.get(player_numbers.bare(player.number)) if player.number else None
        if owner is None:
            named = not player.number and name_key(player.name) in names
            (there if named else fresh).append(one)
        elif same_name(owner.name, player.name):
            there.append(one)
        else:
            said = "number {number} is taken by {before}: give {after} another number"
            raise UserError(said, number=owner.number, before=owner.name, after=player.name)
    return fresh, there


def _question(people: Sequence[Person]) -> Sentence | None:
    """Return what to ask of a list in which people without a number have one name."""
    players = [one.player for one in people if not one.player.number]
    counts = Counter(name_key(one.name) for one in players)
    twice = {name_key(one.name): one.name for one in players if counts[name_key(one.name)] > 1}
    if not twice:
        return None
    names = ", ".join([*twice.values()][:_MOST_NAMED])
    return Sentence("more than one line says {names}. Are these several people?", names=names)


def _numbered(people: Sequence[Person], known: Mapping[str, Player]) -> list[Person]:
    """Return people with a free number for each who has none."""
    taken = [*known, *(one.player.number for one in people)]
    free = 1 + max((int(one) for one in taken if one.isascii() and one.isdigit()), default=0)
    found: list[Person] = []
    for one in people:
        if one.player.number:
            found.append(one)
        else:
            found.append(replace(one, player=Player(str(free), one.player.name)))
            free += 1
    return found


def draw(station: Station, request: DraftRequest, author: str) -> list[Sentence]:
    """Draw round 1 from everybody who is entered, as a draft; return remarks.

    Raises UserError where it is drawn already, and where something is missing.
    """
    archive = station.archive
    event, plan = archive.roster.current_event, event_plan.plan_of(archive)
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
    """Return the EventFile of round 1 for everybody who is there. Raises UserError."""
    roster = archive.roster
    _, rules = catalogue.numbered(event_systems.of(archive), form.system)
    assert rules is not None  # the format was stored with a system that is known
    known = event_plan.parties(archive)
    here = [
        Person(one.player, known.get(one.player.number, frozenset()))
        for one in People(archive).every
        if not one.dropped
    ]
    if len(here) < 2:
        raise UserError("there are not two players to pair: enter players first")
    drawn = first_draft(here, roster.current_event.name, form, rules, request, roster.tables)
    fixed = fixed_tables.fixed(archive)
    return replace(drawn, pairings=fixed_tables.placed(drawn.pairings, fixed))


def words(archive: Archive) -> str:
    """Return the Format of the plan as words, "" without one."""
    plan = event_plan.plan_of(archive)
    return words_of(plan.format, event_systems.of(archive)) if plan else ""
