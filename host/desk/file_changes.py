"""What reading a file changes, in sentences by kind, from the event's state before and after it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from host.archive import stored_acts
from host.archive import teams as team_lists
from host.archive.people import People
from host.archive.roster import UNTIMED_MIN, Format, Pairing, Player
from host.archive.store import Archive
from host.archive.teams import Team
from host.base.json_values import parsed
from host.base.sentences import Sentence
from host.event import event_log, file_minutes, points, squad_lists, team_lines
from host.event.fold import Hall
from host.event.imported_results import ImportedRounds
from host.event.match_results import FILE
from host.event.squad_lists import SquadList
from host.formats.history import History
from host.tournament import file_history

LESS, ROUNDS, ANEW, RESULTS, DIFFERS, NAMES, PEOPLE, SETTINGS, NOTES = KINDS = (
    "less", "rounds", "anew", "results", "differs", "names", "people", "settings", "notes",
)  # fmt: skip
MOST = 12  # sentences of a kind; the others are counted

Place: TypeAlias = tuple[int | None, frozenset[str]]
"""A table, None for a bye, and the numbers of who meets there."""

_RENUMBERED = "renumbered"
_SETTINGS = frozenset((
    points.POINTS, "cut", "rule pack", "pods", "lengths", "organiser", "system", "parties",
    file_minutes.KEPT,
))  # fmt: skip


@dataclass(frozen=True)
class EventState:
    """What a file can change: players by number, who has dropped, each round, how many notices."""

    players: Mapping[str, Player]
    dropped: frozenset[str]
    rounds: Mapping[int, tuple[Format, Sequence[Pairing]]]
    notices: int

    @classmethod
    def of(cls, archive: Archive) -> "EventState":
        """Return the state of an archive's current event."""
        roster = archive.roster
        forms = {number: roster.format_of(number) for number in roster.rounds}
        return cls(
            roster.players,
            People(archive).gone,
            {number: (form, roster.pairings_of(number)) for number, form in forms.items() if form},
            len(archive.notices.all),
        )


@dataclass(frozen=True)
class Change:
    """A sentence and its kind, one of ``KINDS``."""

    kind: str
    said: Sentence


def between(archive: Archive, before: EventState, after: EventState) -> Iterator[Change]:
    """Yield what differs between two states of an archive's event, the second being its present
    one; results apart (``results``).
    """
    moved = _renumbered(archive, before)
    yield from _rounds(ImportedRounds(archive), before, after, moved)
    yield from _people(before, after, moved)
    for one in stored_acts.notices(archive)[before.notices :]:
        if one.what in _SETTINGS:
            what, value = event_log.texts(one, {})
            yield Change(SETTINGS, Sentence("{what}: {value}", what=what, value=value))


def _renumbered(archive: Archive, before: EventState) -> dict[str, str]:
    """Return the new number of each player whose number was corrected, by the old one."""
    new = stored_acts.notices(archive)[before.notices :]
    facts = [parsed(one.value) for one in new if one.what == _RENUMBERED]
    return {str(one["before"]): str(one["after"]) for one in facts if isinstance(one, dict)}


def _rounds(
    told: ImportedRounds, before: EventState, after: EventState, moved: Mapping[str, str]
) -> Iterator[Change]:
    for number, (form, pairings) in after.rounds.items():
        if number not in before.rounds:
            values = {"round": number, "matches": _matches(pairings), "byes": _byes(pairings)}
            if told.finished(number):
                said = "round {round} is new, with all results: {matches}{byes}"
                yield Change(ROUNDS, Sentence(said, **values))
            else:
                said = "round {round} is new: {matches}{byes}, {minutes}"
                yield Change(ROUNDS, Sentence(said, **values, minutes=_minutes(form.minutes)))
            continue
        form_before, ours = before.rounds[number]
        if form != form_before:
            values = {"round": number, "minutes": _minutes(form.minutes)}
            yield Change(ANEW, Sentence("round {round} has another format: {minutes}", **values))
        places = {_place(one, moved) for one in ours}
        yield from _anew(number, told.finished(number), places, pairings)


def _anew(
    number: int, finished: bool, ours: Collection[Place], theirs: Sequence[Pairing]
) -> Iterator[Change]:
    """Yield the tables of a round at which others meet now."""
    changed = [one for one in theirs if _place(one, {}) not in ours]
    if not changed:
        return
    if finished:
        one = "round {round} was paired otherwise: {count} pairing differs"
        many = "round {round} was paired otherwise: {count} pairings differ"
    else:
        one = "round {round} is paired again, before anybody played: {count} pairing differs"
        many = "round {round} is paired again, before anybody played: {count} pairings differ"
    yield Change(ANEW, Sentence.counted(one, many, count=len(changed), round=number))
    for pairing in changed:
        yield Change(ANEW, _seated(pairing))


def _place(one: Pairing, moved: Mapping[str, str]) -> Place:
    """Return a pairing's table and who meets there, by the numbers that they have now."""
    players = [player.number for player in (one.a, one.b) if player is not None]
    return one.table, frozenset(moved.get(number, number) for number in players)


def _seated(one: Pairing) -> Sentence:
    if one.b is None:
        return Sentence("{a} has a bye", a=one.a.name)
    return Sentence("table {table}: {a} – {b}", table=one.table, a=one.a.name, b=one.b.name)


def _matches(pairings: Sequence[Pairing]) -> Sentence:
    count = sum(one.b is not None for one in pairings)
    return Sentence.counted("{count} match", "{count} matches", count=count)


def _byes(pairings: Sequence[Pairing]) -> Sentence | str:
    count = sum(one.b is None for one in pairings)
    return Sentence.counted(", {count} bye", ", {count} byes", count=count) if count else ""


def _minutes(minutes: int) -> Sentence:
    if minutes == UNTIMED_MIN:
        return Sentence("no limit")
    return Sentence.counted("{count} minute", "{count} minutes", count=minutes)


def _people(before: EventState, after: EventState, moved: Mapping[str, str]) -> Iterator[Change]:
    was = {moved.get(one, one) for one in before.players}
    new = [player for number, player in after.players.items() if number not in was]
    if before.players:
        for one in new:
            yield Change(PEOPLE, Sentence("{name} ({number}) is new", **_named(one)))
    elif new:
        count = Sentence.counted("{count} player", "{count} players", count=len(new))
        yield Change(PEOPLE, Sentence("{players} are new", players=count))
    for number, player in before.players.items():
        if moved.get(number, number) not in after.players:
            said = "{name} ({number}) is no longer in the file, and has not played"
            yield Change(PEOPLE, Sentence(said, **_named(player)))
    gone = {moved.get(one, one) for one in before.dropped}
    for number in sorted(after.dropped - gone):
        said = Sentence("{name} ({number}) drops", **_named(after.players[number]))
        yield Change(PEOPLE, said)
    for number in sorted(gone - after.dropped):
        if number in after.players:
            said = Sentence("{name} ({number}) is back", **_named(after.players[number]))
            yield Change(PEOPLE, said)


def teams(archive: Archive, before: Mapping[str, Team]) -> Iterator[Change]:
    """Yield each team whose members or home are news."""
    for number, one in team_lists.of(archive).items():
        if before.get(number) != one:
            said = "team {name} ({number}): {a} and {b}, {home}"
            values = {"a": one.a.name, "b": one.b.name, "home": team_lines.home(one)}
            yield Change(PEOPLE, Sentence(said, name=one.name, number=number, **values))


def squads(archive: Archive, before: Mapping[str, SquadList]) -> Iterator[Change]:
    """Yield each player whose squads are news."""
    players = archive.roster.players
    for number, one in squad_lists.of(archive).items():
        if before.get(number) != one:
            name = players[number].name if number in players else number
            values = {"faction": one.faction, "points": ", ".join(map(str, one.totals))}
            said = "{name} ({number}): squads of {points} points, {faction}"
            yield Change(PEOPLE, Sentence(said, name=name, number=number, **values))


def _named(one: Player) -> dict[str, str]:
    return {"name": one.name, "number": one.number}


def results(
    hall: Hall, history: History, before: EventState, after: EventState
) -> Iterator[Change]:
    """Yield what a file says of results beside what was known ``before``, as ``hall`` is: new ones,
    others than a file said, and those of which tables or staff say otherwise.
    """
    for one in history.rounds:
        _, here = after.rounds.get(one.number, (None, ()))
        seated = file_history.as_stored(here, one)
        if seated is None:
            said = Sentence(
                "round {round} is stored with other pairings than those of {file}: "
                "its results were not read",
                round=one.number, file=history.source,
            )  # fmt: skip
            yield Change(DIFFERS, said)
            continue
        ours, places = hall.results(one.number), {p.pairing: p for p in seated.pairings}
        new = sum(told.pairing not in ours for told in seated.results)
        if new and (one.number in before.rounds or not one.finished):
            few = "round {round}: the result of {count} table that had none"
            more = "round {round}: the results of {count} tables that had none"
            yield Change(RESULTS, Sentence.counted(few, more, count=new, round=one.number))
        for told in seated.results:
            place, result = places[told.pairing], ours.get(told.pairing)
            if result is None or result.outcome == told.outcome or place.b is None:
                continue
            values = file_history.difference(
                one.number, history.source, place, told.outcome, result.outcome
            )
            if result.by == FILE:
                said = (
                    "round {round}, table {table}, {a} – {b}: {file} says {theirs} now, it said"
                    " {ours} before"
                )
                yield Change(RESULTS, Sentence(said, **values))
            else:
                yield Change(DIFFERS, Sentence(file_history.DIFFERS.template, **values))


def grouped(changes: Collection[Change]) -> dict[str, list[Sentence]]:
    """Return the sentences by kind, in the order of ``KINDS``: ``MOST`` of each, then a count."""
    found: dict[str, list[Sentence]] = {}
    for kind in KINDS:
        said = [one.said for one in changes if one.kind == kind]
        if len(said) > MOST + 1:
            count = len(said) - MOST
            more = Sentence.counted("and {count} more", "and {count} more", count=count)
            said = [*said[:MOST], more]
        if said:
            found[kind] = said
    return found
