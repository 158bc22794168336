"""What another program's file tells of an event so far, taken into the archive.

Rounds that are not stored are stored with their results; of stored ones only results are taken, and
what a table or staff said counts more. Nothing that the desk knows is overwritten: what differs is
told.
"""

from collections.abc import Iterator, Sequence

from host.archive.people import DROPPED, People
from host.archive.roster import Pairing
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.event import event_systems, file_minutes, told_results
from host.event.file_minutes import FileMinutes
from host.event.fold import Hall
from host.event.told_results import ToldMatch, ToldRound
from host.formats.history import History, PlayedRound, ToldResult
from host.systems import catalogue
from host.tournament import file_standings, xwing_standings


def keep(archive: Archive, history: History, unix_ms: int) -> None:
    """Keep what a file says: the rounds before the one that was imported, results, who missed a
    round or left,
    round times, standings.
    """
    with archive.transaction():
        _keep_rounds(archive, history, unix_ms)
        _mark_dropped(archive, history, unix_ms)
        if history.minutes is not None:
            file_minutes.keep(archive, FileMinutes(history.source, *history.minutes), unix_ms)
        if history.standings is not None:
            file_standings.keep(archive, history.source, history.standings, unix_ms)


def _keep_rounds(archive: Archive, history: History, unix_ms: int) -> None:
    roster = archive.roster
    for one in history.rounds:
        if roster.format_of(one.number) is None and one.pairings:
            roster.store_round(one.number, one.format, one.pairings)
        if _seated_so(archive, one):
            matches = tuple(_match(archive, one, result) for result in one.results)
            told = ToldRound(one.number, history.source, one.finished, matches, one.missed)
            told_results.keep(archive, told, unix_ms)


def _mark_dropped(archive: Archive, history: History, unix_ms: int) -> None:
    people, last = People(archive), history.rounds[-1].number
    known = {one.player.number: one for one in people.every}
    for number in history.dropped:
        person = known.get(number)
        if person is not None and not person.dropped and last not in person.rounds:
            people.mark(number, DROPPED, history.source, unix_ms, history.source)


def _seated_so(archive: Archive, one: PlayedRound) -> bool:
    return _seats(archive.roster.pairings_of(one.number)) == _seats(one.pairings)


def _seats(pairings: Sequence[Pairing]) -> list[tuple[int, str, str | None]]:
    return [(one.pairing, one.a.number, one.b and one.b.number) for one in pairings]


def _match(archive: Archive, one: PlayedRound, result: ToldResult) -> ToldMatch:
    """Return a result with the points and margins that the rules' text gives, if any."""
    worth = None, None
    _, rules = catalogue.numbered(event_systems.of(archive), one.format.system)
    if rules is not None and rules.CAPS and result.destroyed is not None:
        match = xwing_standings.Match("a", "b", result.destroyed)
        try:
            worth = xwing_standings.worth(match, one.number, rules)
        except UserError:  # beyond the cap: standings say so, with the names
            pass
    return ToldMatch(result.pairing, result.outcome, result.destroyed, *worth)


def differences(archive: Archive, hall: Hall, history: History) -> Iterator[Sentence]:
    """Yield what the file says otherwise than the archive, round by round."""
    words = {"A": "{a} wins", "B": "{b} wins", "tie": "a tie", "neither": "both lose"}
    for one in history.rounds:
        values: dict[str, str | int | None] = {"round": one.number, "file": history.source}
        if not _seated_so(archive, one):
            said = (
                "round {round} is stored with other pairings than those of {file}: "
                "its results were not read"
            )
            yield Sentence(said, **values)
            continue
        ours, seats = hall.results(one.number), {p.pairing: p for p in one.pairings}
        for told in one.results:
            known, place = ours.get(told.pairing), seats[told.pairing]
            if known is None or known.outcome == told.outcome or place.b is None:
                continue
            names = {"a": place.a.name, "b": place.b.name}
            values |= {"table": place.table, **names}
            theirs, here = (words[word].format(**names) for word in (told.outcome, known.outcome))
            said = (
                "round {round}, table {table}, {a} – {b}: {file} says {theirs}, here it is {ours}"
            )
            yield Sentence(said, **values, theirs=theirs, ours=here)
