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
    """Store a file's rounds and results; yield a remark on each round with results removed."""
    roster, before, systems = archive.roster, ImportedRounds(archive), event_systems.of(archive)
    for in_file in history.rounds:
        number = in_file.number
        if roster.format_of(number) is None and in_file.pairings:
            roster.store_round(number, in_file.format, in_file.pairings)
        played = as_stored(roster.pairings_of(number), in_file)
        if played is None:
            continue
        rules = catalogue.rules_of(systems, played.format.system)
        matches = tuple(_imported_match(rules, played, result) for result in played.results)
        imported = ImportedRound(number, history.source, played.finished, matches, played.missed)
        if imported != before.get(number):
            imported_results.keep(archive, imported, unix_ms)
        removed = before.results(number).keys() - {match.pairing for match in matches}
        tables = [str(pairing.table) for pairing in played.pairings if pairing.pairing in removed]
        if tables:
            text = (
                "round {round}: {file} has no result of table {tables} any more; if it is an"
                " older copy, import the newest one"
            )
            yield Sentence(text, round=number, file=history.source, tables=", ".join(tables))


def _mark_dropped(archive: Archive, history: History, unix_ms: int) -> None:
    """Mark who dropped by the file, and as returned who plays its last round after such a mark.
    Whom staff have marked as dropped stays so.
    """
    people, last_round, source = People(archive), history.rounds[-1], history.source
    known = {person.player.number: person for person in people.every}
    for number in history.dropped:
        person = known.get(number)
        if person is None or person.dropped or last_round.number in person.rounds:
            continue
        people.mark(number, DROPPED, source, unix_ms, source)
    last_author = {str(entry["player"]): entry["author"] for entry in people.log}
    for pairing in last_round.pairings:
        for number in _players_of(pairing) - set(history.dropped):
            has_dropped = number in known and known[number].dropped
            if has_dropped and last_author[number] == source:
                people.mark(number, RETURNED, source, unix_ms, source)


def as_stored(ours: Sequence[Pairing], in_file: PlayedRound) -> PlayedRound | None:
    """Return a round of the file with the pairings stored here (``ours``), and its results under
    their numbers; None if other players meet.
    """
    our_pairing_of = {_players_of(pairing): pairing for pairing in ours}
    file_pairings = {pairing.pairing: pairing for pairing in in_file.pairings}
    if our_pairing_of.keys() != {_players_of(pairing) for pairing in in_file.pairings}:
        return None
    results: list[FileResult] = []
    for result in in_file.results:
        theirs = file_pairings[result.pairing]
        own = our_pairing_of[_players_of(theirs)]
        same_order = own.a.number == theirs.a.number
        as_seated = result if same_order else result.turned
        results.append(replace(as_seated, pairing=own.pairing))
    return replace(in_file, pairings=ours, results=tuple(results))


def _players_of(pairing: Pairing) -> frozenset[str]:
    """Return the numbers of a pairing's players, in whichever order they sit."""
    return frozenset(player.number for player in (pairing.a, pairing.b) if player is not None)


def _imported_match(rules: Rules | None, played: PlayedRound, result: FileResult) -> ImportedMatch:
    """Return a result with its points and margins under the rules, if they define any."""
    points, margins = None, None
    if rules is not None and rules.CAPS and result.destroyed is not None:
        match = xwing_standings.Match("a", "b", result.destroyed)
        try:
            points, margins = xwing_standings.worth(match, played.number, rules)
        except UserError:  # beyond the cap: the standings report it, with names
            pass
    return ImportedMatch(result.pairing, result.outcome, result.destroyed, points, margins)


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
        ours = hall.results(played.number)
        pairings = {pairing.pairing: pairing for pairing in seated.pairings}
        for theirs in seated.results:
            own, pairing = ours.get(theirs.pairing), pairings[theirs.pairing]
            if own is None or own.outcome == theirs.outcome or pairing.b is None:
                continue
            facts = difference(played.number, history.source, pairing, theirs.outcome, own.outcome)
            yield Sentence(DIFFERS.template, **facts)


def difference(
    number: int, source: str, pairing: Pairing, theirs: str, ours: str
) -> dict[str, SentenceValue]:
    """Return the values of ``DIFFERS``: a pairing of a round, and its outcome in a file and
    here.
    """
    assert pairing.b is not None  # a bye has no outcome
    names = {"a": pairing.a.name, "b": pairing.b.name}
    words = [Sentence(_OUTCOMES[outcome].template, **names) for outcome in (theirs, ours)]
    values: dict[str, SentenceValue] = {"round": number, "table": pairing.table, "file": source}
    return values | names | {"theirs": words[0], "ours": words[1]}
