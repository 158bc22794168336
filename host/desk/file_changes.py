"""The effects of importing a file, as sentences by kind: the differences between the event's state
before and after the import.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from host.archive import stored_acts
from host.archive import teams as team_lists
from host.archive.people import People
from host.archive.roster import UNTIMED_MIN, Format, Pairing, Player
from host.archive.store import Archive
from host.archive.teams import Team
from host.base.json_values import parse
from host.base.sentences import Sentence
from host.event import event_log, file_minutes, points, squad_lists, team_lines
from host.event.fold import Hall
from host.event.imported_results import ImportedRounds
from host.event.match_results import FILE
from host.event.squad_lists import SquadList
from host.formats.history import History
from host.tournament import file_history

MISSING, ROUNDS, PAIRINGS, RESULTS, DIFFERS, NAMES, PEOPLE, SETTINGS, NOTES = KINDS = (
    "less", "rounds", "anew", "results", "differs", "names", "people", "settings", "notes",
)  # fmt: skip
MOST = 12  # sentences of a kind; the rest are only counted

Seated: TypeAlias = tuple[int | None, frozenset[str]]
"""A table, None for a bye, and the numbers of its players."""

_RENUMBERED = "renumbered"
_SETTINGS = frozenset((
    points.POINTS, "cut", "rule pack", "pods", "lengths", "organiser", "system", "parties",
    file_minutes.KEPT,
))  # fmt: skip


@dataclass(frozen=True)
class EventState:
    """The state that a file can change: players by number, numbers of dropped players, rounds by
    number, and the count of notices.
    """

    players: Mapping[str, Player]
    dropped: frozenset[str]
    rounds: Mapping[int, tuple[Format, Sequence[Pairing]]]
    notice_count: int

    @classmethod
    def of(cls, archive: Archive) -> "EventState":
        """Return the state of an archive's current event."""
        roster = archive.roster
        return cls(
            roster.players,
            People(archive).gone,
            {
                number: (roster.stored_format(number), roster.pairings_of(number))
                for number in roster.rounds
            },
            len(archive.notices.all),
        )


@dataclass(frozen=True)
class Change:
    """A sentence and its kind, one of ``KINDS``."""

    kind: str
    sentence: Sentence


def between(archive: Archive, before: EventState, after: EventState) -> Iterator[Change]:
    """Yield the differences between two states of an archive's event, the results aside (see
    ``results``); ``after`` is the current state.
    """
    renumbered = _new_numbers(archive, before)
    yield from _rounds(ImportedRounds(archive), before, after, renumbered)
    yield from _people(before, after, renumbered)
    for notice in stored_acts.notices(archive)[before.notice_count :]:
        if notice.what in _SETTINGS:
            what, value = event_log.texts(notice, {})
            yield Change(SETTINGS, Sentence("{what}: {value}", what=what, value=value))


def _new_numbers(archive: Archive, before: EventState) -> dict[str, str]:
    """Return the new number of each player whose number was corrected, by the old one."""
    new = stored_acts.notices(archive)[before.notice_count :]
    values = [parse(notice.value) for notice in new if notice.what == _RENUMBERED]
    return {
        str(value["before"]): str(value["after"]) for value in values if isinstance(value, dict)
    }


def _rounds(
    from_files: ImportedRounds, before: EventState, after: EventState, renumbered: Mapping[str, str]
) -> Iterator[Change]:
    """Yield each new round, and each change of a round's format or pairings."""
    for number, (form, pairings) in after.rounds.items():
        if number not in before.rounds:
            values = {"round": number, "matches": _matches(pairings), "byes": _byes(pairings)}
            if from_files.finished(number):
                text = "round {round} is new, with all results: {matches}{byes}"
                yield Change(ROUNDS, Sentence(text, **values))
            else:
                text = "round {round} is new: {matches}{byes}, {minutes}"
                yield Change(ROUNDS, Sentence(text, **values, minutes=_minutes(form.minutes)))
            continue
        form_before, ours = before.rounds[number]
        if form != form_before:
            values = {"round": number, "minutes": _minutes(form.minutes)}
            yield Change(
                PAIRINGS, Sentence("round {round} has another format: {minutes}", **values)
            )
        stored = {_table_and_players(pairing, renumbered) for pairing in ours}
        yield from _new_pairings(number, from_files.finished(number), stored, pairings)


def _new_pairings(
    number: int, finished: bool, ours: Collection[Seated], theirs: Sequence[Pairing]
) -> Iterator[Change]:
    """Yield the pairings of a round that are not among ``ours``, and before them their number."""
    changed = [pairing for pairing in theirs if _table_and_players(pairing, {}) not in ours]
    if not changed:
        return
    if finished:
        singular = "round {round} was paired otherwise: {count} pairing differs"
        plural = "round {round} was paired otherwise: {count} pairings differ"
    else:
        singular = "round {round} is paired again, before anybody played: {count} pairing differs"
        plural = "round {round} is paired again, before anybody played: {count} pairings differ"
    yield Change(PAIRINGS, Sentence.counted(singular, plural, count=len(changed), round=number))
    for pairing in changed:
        yield Change(PAIRINGS, _in_words(pairing))


def _table_and_players(pairing: Pairing, renumbered: Mapping[str, str]) -> Seated:
    """Return a pairing's table and its players by their current numbers."""
    current_numbers = (renumbered.get(number, number) for number in pairing.numbers)
    return pairing.table, frozenset(current_numbers)


def _in_words(pairing: Pairing) -> Sentence:
    a, b = pairing.a, pairing.b
    if b is None:
        return Sentence("{a} has a bye", a=a.name)
    return Sentence("table {table}: {a} – {b}", table=pairing.table, a=a.name, b=b.name)


def _matches(pairings: Sequence[Pairing]) -> Sentence:
    count = sum(pairing.b is not None for pairing in pairings)
    return Sentence.counted("{count} match", "{count} matches", count=count)


def _byes(pairings: Sequence[Pairing]) -> Sentence | str:
    count = sum(pairing.b is None for pairing in pairings)
    return Sentence.counted(", {count} bye", ", {count} byes", count=count) if count else ""


def _minutes(minutes: int) -> Sentence:
    if minutes == UNTIMED_MIN:
        return Sentence("no limit")
    return Sentence.counted("{count} minute", "{count} minutes", count=minutes)


def _people(
    before: EventState, after: EventState, renumbered: Mapping[str, str]
) -> Iterator[Change]:
    """Yield each player who is new, removed, dropped or back."""
    known = {renumbered.get(number, number) for number in before.players}
    new = [player for number, player in after.players.items() if number not in known]
    if before.players:
        for player in new:
            yield Change(PEOPLE, Sentence("{name} ({number}) is new", **_player_fields(player)))
    elif new:
        count = Sentence.counted("{count} player", "{count} players", count=len(new))
        yield Change(PEOPLE, Sentence("{players} are new", players=count))
    for number, player in before.players.items():
        if renumbered.get(number, number) not in after.players:
            text = "{name} ({number}) is no longer in the file, and has not played"
            yield Change(PEOPLE, Sentence(text, **_player_fields(player)))
    dropped = {renumbered.get(number, number) for number in before.dropped}
    for number in sorted(after.dropped - dropped):
        drops = Sentence("{name} ({number}) drops", **_player_fields(after.players[number]))
        yield Change(PEOPLE, drops)
    for number in sorted(dropped - after.dropped):
        if number in after.players:
            back = Sentence("{name} ({number}) is back", **_player_fields(after.players[number]))
            yield Change(PEOPLE, back)


def teams(archive: Archive, before: Mapping[str, Team]) -> Iterator[Change]:
    """Yield each team that is new, or that has other members or another home than before."""
    for number, team in team_lists.of(archive).items():
        if before.get(number) != team:
            text = "team {name} ({number}): {a} and {b}, {home}"
            values = {"a": team.a.name, "b": team.b.name, "home": team_lines.home(team)}
            yield Change(PEOPLE, Sentence(text, name=team.name, number=number, **values))


def squads(archive: Archive, before: Mapping[str, SquadList]) -> Iterator[Change]:
    """Yield each player with new or other squads."""
    players = archive.roster.players
    for number, squad_list in squad_lists.of(archive).items():
        if before.get(number) != squad_list:
            name = players[number].name if number in players else number
            totals = ", ".join(map(str, squad_list.totals))
            values = {"faction": squad_list.faction, "points": totals}
            text = "{name} ({number}): squads of {points} points, {faction}"
            yield Change(PEOPLE, Sentence(text, name=name, number=number, **values))


def _player_fields(player: Player) -> dict[str, str]:
    return {"name": player.name, "number": player.number}


def results(
    hall: Hall, history: History, before: EventState, after: EventState
) -> Iterator[Change]:
    """Yield the file's results that are new, that differ from those of an earlier file, and that
    contradict the results of tables or staff in ``hall``.
    """
    for played in history.rounds:
        _, pairings = after.rounds.get(played.number, (None, ()))
        stored = file_history.as_stored(pairings, played)
        if stored is None:
            refusal = Sentence(
                "round {round} is stored with other pairings than those of {file}: "
                "its results were not read",
                round=played.number, file=history.source,
            )  # fmt: skip
            yield Change(DIFFERS, refusal)
            continue
        known_results = hall.results(played.number)
        by_number = {pairing.pairing: pairing for pairing in stored.pairings}
        new = sum(result.pairing not in known_results for result in stored.results)
        # of a new round with all results its own sentence says that
        if new and (played.number in before.rounds or not played.finished):
            few = "round {round}: the result of {count} table that had none"
            more = "round {round}: the results of {count} tables that had none"
            yield Change(RESULTS, Sentence.counted(few, more, count=new, round=played.number))
        for in_file in stored.results:
            pairing, known = by_number[in_file.pairing], known_results.get(in_file.pairing)
            if known is None or known.outcome == in_file.outcome or pairing.b is None:
                continue
            values = file_history.difference(
                played.number, history.source, pairing, in_file.outcome, known.outcome
            )
            if known.by == FILE:
                text = (
                    "round {round}, table {table}, {a} – {b}: {file} says {theirs} now, it said"
                    " {ours} before"
                )
                yield Change(RESULTS, Sentence(text, **values))
            else:
                yield Change(DIFFERS, Sentence(file_history.DIFFERS.template, **values))


def by_kind(changes: Collection[Change]) -> dict[str, list[Sentence]]:
    """Return the sentences by kind, in the order of ``KINDS``. Of a kind with more than ``MOST``
    the rest are replaced by a sentence with their number.
    """
    found: dict[str, list[Sentence]] = {}
    for kind in KINDS:
        sentences = [change.sentence for change in changes if change.kind == kind]
        if len(sentences) > MOST + 1:
            count = len(sentences) - MOST
            more = Sentence.counted("and {count} more", "and {count} more", count=count)
            sentences = [*sentences[:MOST], more]
        if sentences:
            found[kind] = sentences
    return found
