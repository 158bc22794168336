"""The incident log: what judges granted, ruled and corrected, and what players took back.

An act of the desk is an order, with author, reason and state. What happened at a table without an
order (by a judge's code or by the players) is a record. Both are merged in one list; the entry of a
judge's code tells who stood behind what follows it.
"""

from collections.abc import Container, Iterator
from dataclasses import dataclass

from firmware.core import events, intents, payload
from host.archive.audited_tables import RowKey
from host.archive.store import Archive
from host.base import commands
from host.event import event_log, paper_results, penalties, turn_times
from host.event.timeline import match_events

# what else a table tells, beside what an order could have done there (``commands``)
_SEEN = {
    events.RESULT_REFUSED: "refused",
    events.ROLL_DISPUTED: "disputed",
    events.JUDGE_CALLED: "call",
    events.CODE_ENTERED: "code",
}
_MADE = {event for command in commands.COMMANDS for event in command.becomes}
_ENDS = events.RESULT_CONFIRMED, events.RESULT_RULED  # a match ends with them by itself
TABLE = "table"  # the author if no order is known


@dataclass(frozen=True)
class Incident:
    """One entry. ``what`` is a word above or of ``commands``.

    ``numbers`` are the three of its intent or event. ``author`` is ``TABLE`` if no order is known;
    ``state`` is the order's.
    """

    at_ms: int
    round: int
    table: int
    what: str
    numbers: tuple[int, int, int]
    author: str
    reason: str
    state: str


def incidents(archive: Archive, round_number: int | None = None) -> list[Incident]:
    """Return every Incident of the current event, or of a round, in the order of events.

    The desk's acts keep the order in which they were stored, also where the PC's clock was set
    back; boards' records, which may arrive late, join them by their time.
    """
    done: set[tuple[int, int, int, int]] = set()
    acts = [*_of_orders(archive, done), *_of_paper(archive), *_of_penalties(archive)]
    places = event_log.stored_positions(archive, ("commands", "notices"))
    acts.sort(key=lambda act: (places.get(act[0], 0), act[1].at_ms, act[0]))
    found: list[tuple[int, int, Incident]] = []
    latest_ms = 0
    for number, (_, one) in enumerate(acts, 1):
        latest_ms = max(latest_ms, one.at_ms)
        found.append((latest_ms, number, one))
    found += [(one.at_ms, 0, one) for one in (*_of_boards(archive, done), *_of_turns(archive))]
    found.sort(key=lambda entry: (*entry[:2], entry[2].round, entry[2].table))
    return [one for _, _, one in found if round_number in (None, one.round)]


def _of_orders(
    archive: Archive, done: set[tuple[int, int, int, int]]
) -> Iterator[tuple[RowKey, Incident]]:
    """Yield the Incident of each order with its row; add to ``done`` the events that it becomes."""
    for order in archive.orders.all:
        command = commands.of(order.kind)
        if command and command.incident:
            for made in command.becomes:
                done.add((order.round, order.table, made, order.at_ms))
            numbers = payload.numbers(order.intent)[1:]
            yield RowKey("commands", (order.id,)), Incident(
                order.at_ms, order.round, order.table, command.incident, numbers, order.author,
                order.reason, order.state,
            )  # fmt: skip


def ruled_at_table(archive: Archive, round_number: int, table: int, kind: int) -> bool:
    """Return whether a judge did there, without the desk, what an order of an intent does."""
    words = {one.incident for one in commands.COMMANDS if one.kind == kind}
    return any(
        one.table == table and one.what in words and one.author == TABLE
        for one in incidents(archive, round_number)
    )


def _of_boards(archive: Archive, done: Container[tuple[int, int, int, int]]) -> Iterator[Incident]:
    """Yield the Incident of each board's record but those that an order brought about."""
    before = None
    for one in match_events(archive, {*_MADE, *_SEEN, *_ENDS, events.DESTROYED_COUNTED}):
        event, kind = one.event, one.event.kind
        by_itself = kind == events.MATCH_ENDED and before is not None and before.kind in _ENDS
        said = _as_ordered(event, before)
        if isinstance(event, (events.GameWon, events.Conceded)):
            by_itself = not event.penalty  # won in play, or conceded by the player
        before = event
        command = commands.behind(kind)
        what = command.incident if command else _SEEN.get(kind)
        if by_itself or what is None or (one.round, one.table, kind, event.at_ms) in done:
            continue
        if isinstance(event, events.CodeEntered) and event.wrong:
            what = "wrong_code"
        numbers = payload.numbers(said)[1:]
        yield Incident(event.at_ms, one.round, one.table, what, numbers, TABLE, "", "done")


def _as_ordered(event: events.Event, before: events.Event | None) -> events.Event | intents.Intent:
    """Return what an order would have said to the same effect: who loses a game, and why; the
    points of a ruling, which stand in the event ``before`` it. Other events are as they are.
    """
    at_ms = event.at_ms
    if isinstance(event, events.GameWon) and event.penalty and event.seat < 2:
        return intents.LoseGame(at_ms, 1 - event.seat, event.penalty - 1)
    if isinstance(event, events.Conceded) and event.penalty:
        return intents.LoseGame(at_ms, event.seat, event.penalty - 1)
    if isinstance(event, events.ResultRuled) and isinstance(before, events.DestroyedCounted):
        points = before.first, before.second
        return intents.RuleResult(at_ms, event.outcome, 1, event.final, *points)
    return event


def _of_turns(archive: Archive) -> Iterator[Incident]:
    """Yield an Incident for each match with counted turns: how many, and how long each was."""
    for (number, table, _), told in turn_times.of_matches(archive).items():
        longest_s = max(turn.lasted_s for turn in told)
        yield Incident(
            told[-1].ended_ms, number, table, "turns", (0, len(told), longest_s), TABLE,
            turn_times.words(told), "done",
        )  # fmt: skip


def _of_paper(archive: Archive) -> Iterator[tuple[RowKey, Incident]]:
    """Yield the Incidents of results typed from paper, withdrawals included, with their rows."""
    tables = {
        (number, one.pairing): one.table or 0
        for number in archive.roster.rounds
        for one in archive.roster.pairings_of(number)
    }
    for row, one in paper_results.stored(archive):
        yield (
            RowKey("notices", (row,)),
            Incident(
                one.at_ms,
                one.round,
                tables.get((one.round, one.pairing), 0),
                "paper",
                (paper_results.WON[one.outcome], *(one.destroyed or one.games)),
                one.by,
                one.reason,
                "done",
            ),
        )


def _of_penalties(archive: Archive) -> Iterator[tuple[RowKey, Incident]]:
    """Yield the Incident of each penalty in force with its row: seat, level and category."""
    standing = {one.id for one in penalties.standing(archive)}
    for one in penalties.every(archive):
        numbers = (
            one.seat,
            penalties.LEVELS.index(one.level),
            penalties.CATEGORIES.index(one.category),
        )
        state = "done" if one.id in standing else "dropped"
        yield (
            RowKey("notices", (one.id,)),
            Incident(
                one.at_ms, one.round, one.table, "penalty", numbers, one.by, one.reason, state
            ),
        )
