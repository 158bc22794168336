"""Stores the history of an event from another program's file in the archive.

Rounds that are not stored yet are stored with their results; of stored rounds only the results are
taken, and results from a table or staff take precedence. Nothing that the desk knows is
overwritten: differences are reported.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from host.archive.people import DROPPED, RETURNED, People
from host.archive.roster import Pairing
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence, SentenceValue
from host.event import event_systems, file_minutes, imported_results
from host.event.file_minutes import FileMinutes
from host.event.fold import Hall
from host.event.imported_results import ImportedMatch, ImportedRound, ImportedRounds
from host.formats.history import FileResult, History, PlayedRound
from host.systems import catalogue
from host.systems.rules import Rules
from host.tournament import file_standings, xwing_standings

DIFFERS = Sentence(
    "round {round}, table {table}, {a} – {b}: {file} says {theirs}, here it is {ours}"
)
_OUTCOMES = {
    "A": Sentence("{a} wins"),
    "B": Sentence("{b} wins"),
    "tie": Sentence("a tie"),
    "neither": Sentence("both lose"),
}


def keep(archive: Archive, history: History, unix_ms: int) -> list[Sentence]:
    """Store a file's rounds before the imported one, its results, who missed a round or left, round
    times and standings. Return remarks on results that the file no longer has.
    """
    with archive.transaction():
        remarks = list(_keep_rounds(archive, history, unix_ms))
        _mark_dropped(archive, history, unix_ms)
        if history.minutes is not None:
            file_minutes.keep(archive, FileMinutes(history.source, *history.minutes), unix_ms)
        if history.standings is not None:
            file_standings.keep(archive, history.source, history.standings, unix_ms)
    return remarks


def _keep_rounds(archive: Archive, history: History, unix_ms: int) -> Iterator[Sentence]:
    roster, before, systems = archive.roster, ImportedRounds(archive), event_systems.of(archive)
    for played in history.rounds:
        if roster.format_of(played.number) is None and played.pairings:
            roster.store_round(played.number, played.format, played.pairings)
        played = as_stored(roster.pairings_of(played.number), played)
        if played is not None:
            _, rules = catalogue.by_number(systems, played.format.system)
            matches = tuple(_match(rules, played, result) for result in played.results)
            in_file = ImportedRound(
                played.number, history.source, played.finished, matches, played.missed
            )
            if in_file != before.get(played.number):
                imported_results.keep(archive, in_file, unix_ms)
            removed = before.results(played.number).keys() - {match.pairing for match in matches}
            tables = [str(p.table) for p in played.pairings if p.pairing in removed]
            if tables:
                text = (
                    "round {round}: {file} has no result of table {tables} any more; if it is an"
                    " older copy, import the newest one"
                )
                values = {"file": history.source, "tables": ", ".join(tables)}
                yield Sentence(text, round=played.number, **values)


def _mark_dropped(archive: Archive, history: History, unix_ms: int) -> None:
    people, last = People(archive), history.rounds[-1].number
    known = {person.player.number: person for person in people.every}
    for number in history.dropped:
        person = known.get(number)
        if person is not None and not person.dropped and last not in person.rounds:
            people.mark(number, DROPPED, history.source, unix_ms, history.source)
    author = {str(entry["player"]): entry["author"] for entry in people.log}
    for pairing in history.rounds[-1].pairings:
        for number in _meeting(pairing) - set(history.dropped):
            if number in known and known[number].dropped and author[number] == history.source:
                people.mark(number, RETURNED, history.source, unix_ms, history.source)


def as_stored(ours: Sequence[Pairing], played: PlayedRound) -> PlayedRound | None:
    """Return a round of the file with the pairings stored here (``ours``), and its results under
    their numbers; None if other players meet.
    """
    places = {_meeting(pairing): pairing for pairing in ours}
    meetings = {pairing.pairing: _meeting(pairing) for pairing in played.pairings}
    if places.keys() != {*meetings.values()}:
        return None
    first = {pairing.pairing: pairing.a.number for pairing in played.pairings}
    results: list[FileResult] = []
    for result in played.results:
        own = places[meetings[result.pairing]]
        as_seated = result if own.a.number == first[result.pairing] else result.turned
        same = own.pairing == result.pairing
        results.append(as_seated if same else replace(as_seated, pairing=own.pairing))
    return replace(played, pairings=ours, results=tuple(results))


def _meeting(pairing: Pairing) -> frozenset[str]:
    return frozenset(player.number for player in (pairing.a, pairing.b) if player is not None)


def _match(rules: Rules | None, played: PlayedRound, result: FileResult) -> ImportedMatch:
    """Return a result with its points and margins under the rules, if they define any."""
    worth = None, None
    if rules is not None and rules.CAPS and result.destroyed is not None:
        match = xwing_standings.Match("a", "b", result.destroyed)
        try:
            worth = xwing_standings.worth(match, played.number, rules)
        except UserError:  # beyond the cap: the standings report it, with names
            pass
    return ImportedMatch(result.pairing, result.outcome, result.destroyed, *worth)


def differences(archive: Archive, hall: Hall, history: History) -> Iterator[Sentence]:
    """Yield the differences between file and archive, round by round."""
    for played in history.rounds:
        values: dict[str, str | int | None] = {"round": played.number, "file": history.source}
        seated = as_stored(archive.roster.pairings_of(played.number), played)
        if seated is None:
            text = (
                "round {round} is stored with other pairings than those of {file}: "
                "its results were not read"
            )
            yield Sentence(text, **values)
            continue
        ours, seats = hall.results(played.number), {p.pairing: p for p in seated.pairings}
        for in_file in seated.results:
            known, place = ours.get(in_file.pairing), seats[in_file.pairing]
            if known is None or known.outcome == in_file.outcome or place.b is None:
                continue
            facts = difference(played.number, history.source, place, in_file.outcome, known.outcome)
            yield Sentence(DIFFERS.template, **facts)


def difference(
    number: int, source: str, place: Pairing, theirs: str, ours: str
) -> dict[str, SentenceValue]:
    """Return the values of ``DIFFERS``: a pairing of a round, and its outcome in a file and
    here.
    """
    assert place.b is not None  # a bye has no outcome
    names = {"a": place.a.name, "b": place.b.name}
    words = [Sentence(_OUTCOMES[outcome].template, **names) for outcome in (theirs, ours)]
    values: dict[str, SentenceValue] = {"round": number, "table": place.table, "file": source}
    return values | names | {"theirs": words[0], "ours": words[1]}
