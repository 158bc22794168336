"""What the rounds before have against publishing the next one: a board whose match is not over, and
a result that came in after the round was drawn.

A board takes another round only before its match begins, or once that is over
(``firmware.core.legal``). A match whose result staff typed from paper is not over there.
"""

from firmware.core import intents, legal, phases
from firmware.core.match import Match
from host.archive.notices import parse_or_none
from host.archive.store import Archive
from host.base.sentences import Sentence
from host.event import event_log, paper_results
from host.event.fold import Hall
from host.event.imported_results import published
from host.event.match_results import ANNOUNCED, TYPED, Result
from host.event.paper_results import PaperResult


def behind(archive: Archive, hall: Hall, number: int) -> dict[int, Match]:
    """Return the tables of a stored round whose board was last heard in a match of another round
    that is not over there, each with that match. A silent board may be further than that.
    """
    found: dict[int, Match] = {}
    for pairing in archive.roster.pairings_of(number):
        fold = hall.fold_at(pairing.table)
        if pairing.table is None or pairing.b is None or fold is None:
            continue
        if fold.match.round != number and fold.match.phase not in (phases.IDLE, phases.AGREED):
            found[pairing.table] = fold.match
    return found


def to_clear(archive: Archive, hall: Hall, number: int, leave: bool) -> set[int]:
    """Return those of the tables ``behind`` whose board must leave its match for the round: one
    whose result is known, and with ``leave`` one without a result. A board that has announced its
    result, or shows it as a code, has ended its match itself.
    """
    found: set[int] = set()
    for table, match in behind(archive, hall, number).items():
        result = _result(archive, hall, table, match)
        must_leave = leave if result is None else result.by not in (ANNOUNCED, TYPED)
        if must_leave:
            found.add(table)
    return found


def _result(archive: Archive, hall: Hall, table: int, match: Match) -> Result | None:
    """Return the result of a board's match, or None."""
    published = archive.orders.last_round(intents.SET_ROUND) or 0
    # 0: a judge has set it up by hand
    pairing = archive.roster.pairing_at(match.round or published, table)
    return None if pairing is None else hall.results(pairing.round).get(pairing.pairing)


def question(archive: Archive, hall: Hall, number: int) -> Sentence | None:
    """Return the question to ask before a stored round is published, or None."""
    published = archive.orders.last_round(intents.SET_ROUND) or 0
    left = [
        (match.round or published, table)
        for table, match in behind(archive, hall, number).items()
        if not legal.in_phase(intents.SET_ROUND, match.phase)  # it has begun
        and _result(archive, hall, table, match) is None
    ]
    if left:
        text = (
            "Round {before} is not over at table {tables}: its match ends there without a result,"
            " which can still be typed from paper. Publish round {number} all the same?"
        )
        before, _ = max(left)
        tables = ", ".join(str(table) for each, table in sorted(left) if each == before)
        return Sentence(text, before=before, tables=tables, number=number)
    return _changed_question(archive, hall, number)


def drawn_before(archive: Archive, round_number: int) -> list[Sentence]:
    """Return a remark on each later round that was drawn here before a result of a round came in
    or changed, and is not published yet.
    """
    drawn = archive.notices.read(event_log.DRAFTED, lambda facts: facts["round"])
    text = (
        "round {number} is drawn by the results as they were: to have this one count there, drop"
        " that draft and draw it again"
    )
    return [
        Sentence(text, number=number)
        for number in archive.roster.rounds
        if number > round_number and number in drawn and not published(archive, number)
    ]


def _changed_question(archive: Archive, hall: Hall, number: int) -> Sentence | None:
    """Return the question about results that came in after a round was drawn here, or None."""
    drawn_ms = _drawn_ms(archive, number)
    if drawn_ms is None:
        return None
    typed, known = list[PaperResult](), dict[tuple[int, int], PaperResult]()
    for entry in paper_results.every(archive):
        if entry.at_ms > drawn_ms:
            typed.append(entry)
        else:
            known[entry.round, entry.pairing] = entry
    for before in reversed([each for each in archive.roster.rounds if each < number]):
        changed = {entry.pairing for entry in typed if entry.round == before}  # or withdrawn
        results = hall.results(before)
        changed |= {
            each
            for each, result in results.items()
            if result.ended_ms > drawn_ms and not _same(known.get((before, each)), result)
        }
        pairings = archive.roster.pairings_of(before)
        tables = [str(each.table) for each in pairings if each.pairing in changed]
        if tables:
            text = (
                "Round {number} was drawn before the result of table {tables} in round {before}"
                " came in: to have it count, drop that draft and draw it again. Publish round"
                " {number} as it is?"
            )
            return Sentence(text, number=number, tables=", ".join(tables), before=before)
    return None


def _same(typed: PaperResult | None, result: Result) -> bool:
    """Return whether a result says what was typed from paper."""
    if typed is None:
        return False
    own = typed.outcome, typed.games, typed.destroyed
    return own == (result.outcome, result.games, result.destroyed)


def _drawn_ms(archive: Archive, number: int) -> int | None:
    """Return the event time at which a round was drawn last, None if it was not drawn here."""
    drawn = [
        notice["unix_ms"]
        for notice in archive.notices.all
        if notice["what"] == event_log.DRAFTED
        and parse_or_none(str(notice["value"]), lambda facts: facts["round"]) == number
    ]
    return int(drawn[-1]) - archive.roster.current_event.origin_unix_ms if drawn else None
