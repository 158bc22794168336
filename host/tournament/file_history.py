"""What another program's file tells of an event so far, taken into the archive.

Rounds that are not stored are stored with their results; of stored ones only results are taken, and
what a table or staff said counts more. Nothing that the desk knows is overwritten: what differs is
told.
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
from host.formats.history import History, PlayedRound, ToldResult
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
    """Keep what a file says: the rounds before the one that was imported, results, who missed a
    round or left, round times, standings. Return what the file does not say any more.
    """
    with archive.transaction():
        said = list(_keep_rounds(archive, history, unix_ms))
        _mark_dropped(archive, history, unix_ms)
        if history.minutes is not None:
            file_minutes.keep(archive, FileMinutes(history.source, *history.minutes), unix_ms)
        if history.standings is not None:
            file_standings.keep(archive, history.source, history.standings, unix_ms)
    return said


def _keep_rounds(archive: Archive, history: History, unix_ms: int) -> Iterator[Sentence]:
    roster, before, systems = archive.roster, ImportedRounds(archive), event_systems.of(archive)
    for one in history.rounds:
        if roster.format_of(one.number) is None and one.pairings:
            roster.store_round(one.number, one.format, one.pairings)
        one = as_stored(roster.pairings_of(one.number), one)
        if one is not None:
            _, rules = catalogue.numbered(systems, one.format.system)
            matches = tuple(_match(rules, one, result) for result in one.results)
            told = ImportedRound(one.number, history.source, one.finished, matches, one.missed)
            if told != before.get(one.number):
                imported_results.keep(archive, told, unix_ms)
            gone = before.results(one.number).keys() - {match.pairing for match in matches}
            tables = [str(p.table) for p in one.pairings if p.pairing in gone]
            if tables:
                said = (
                    "round {round}: {file} has no result of table {tables} any more; if it is an"
                    " older copy, import the newest one"
                )
                values = {"file": history.source, "tables": ", ".join(tables)}
                yield Sentence(said, round=one.number, **values)


def _mark_dropped(archive: Archive, history: History, unix_ms: int) -> None:
    people, last = People(archive), history.rounds[-1].number
    known = {one.player.number: one for one in people.every}
    for number in history.dropped:
        person = known.get(number)
        if person is not None and not person.dropped and last not in person.rounds:
            people.mark(number, DROPPED, history.source, unix_ms, history.source)
    author = {str(entry["player"]): entry["author"] for entry in people.log}
    for pairing in history.rounds[-1].pairings:
        for number in _meeting(pairing) - set(history.dropped):
            if number in known and known[number].dropped and author[number] == history.source:
                people.mark(number, RETURNED, history.source, unix_ms, history.source)


def as_stored(ours: Sequence[Pairing], one: PlayedRound) -> PlayedRound | None:
    """Return a round of the file with the pairings that it has here (``ours``), and its results
    for those; None where others meet.
    """
    places = {_meeting(pairing): pairing for pairing in ours}
    meetings = {pairing.pairing: _meeting(pairing) for pairing in one.pairings}
    if places.keys() != {*meetings.values()}:
        return None
    first = {pairing.pairing: pairing.a.number for pairing in one.pairings}
    results: list[ToldResult] = []
    for result in one.results:
        here = places[meetings[result.pairing]]
        turned = result if here.a.number == first[result.pairing] else result.turned
        same = here.pairing == result.pairing
        results.append(turned if same else replace(turned, pairing=here.pairing))
    return replace(one, pairings=ours, results=tuple(results))


def _meeting(one: Pairing) -> frozenset[str]:
    return frozenset(player.number for player in (one.a, one.b) if player is not None)


def _match(rules: Rules | None, one: PlayedRound, result: ToldResult) -> ImportedMatch:
    """Return a result with the points and margins that the rules' text gives, if any."""
    worth = None, None
    if rules is not None and rules.CAPS and result.destroyed is not None:
        match = xwing_standings.Match("a", "b", result.destroyed)
        try:
            worth = xwing_standings.worth(match, one.number, rules)
        except UserError:  # beyond the cap: standings say so, with the names
            pass
    return ImportedMatch(result.pairing, result.outcome, result.destroyed, *worth)


def differences(archive: Archive, hall: Hall, history: History) -> Iterator[Sentence]:
    """Yield what the file says otherwise than the archive, round by round."""
    for one in history.rounds:
        values: dict[str, str | int | None] = {"round": one.number, "file": history.source}
        seated = as_stored(archive.roster.pairings_of(one.number), one)
        if seated is None:
            said = (
                "round {round} is stored with other pairings than those of {file}: "
                "its results were not read"
            )
            yield Sentence(said, **values)
            continue
        ours, seats = hall.results(one.number), {p.pairing: p for p in seated.pairings}
        for told in seated.results:
            known, place = ours.get(told.pairing), seats[told.pairing]
            if known is None or known.outcome == told.outcome or place.b is None:
                continue
            facts = difference(one.number, history.source, place, told.outcome, known.outcome)
            yield Sentence(DIFFERS.template, **facts)


def difference(
    number: int, source: str, place: Pairing, theirs: str, ours: str
) -> dict[str, SentenceValue]:
    """Return the values of ``DIFFERS``: a round's pairing, and its outcome in a file and here."""
    assert place.b is not None  # a bye has no outcome
    names = {"a": place.a.name, "b": place.b.name}
    words = [Sentence(_OUTCOMES[one].template, **names) for one in (theirs, ours)]
    told: dict[str, SentenceValue] = {"round": number, "table": place.table, "file": source}
    return told | names | {"theirs": words[0], "ours": words[1]}
