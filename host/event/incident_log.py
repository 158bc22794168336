"""The incident log: what judges granted, ruled and corrected, and what players took back.

An act of the desk is an order, with author, reason and state. What happened at a table without an
order (by a judge's code or by the players) is a record. Both are merged in one list; the entry of a
judge's code says who is responsible for what follows it. Pages and paper have it in the order of
time; a list that wants another sorts it itself.
"""

import itertools
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from firmware.core import events, intents, payload
from host.archive.audited_tables import RowKey
from host.archive.store import Archive
from host.base import commands
from host.event import event_log, paper_results, penalties, turn_times
from host.event.timeline import match_events

# what a table records beside the effects of orders (``commands``)
_WORDS = {
    events.RESULT_REFUSED: "refused",
    events.ROLL_DISPUTED: "disputed",
    events.JUDGE_CALLED: "call",
    events.CODE_ENTERED: "code",
}
_BY_ORDERS = {event for command in commands.COMMANDS for event in command.becomes}
_ENDS = events.RESULT_CONFIRMED, events.RESULT_RULED  # each ends the match by itself
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


class _OrderedEvent(NamedTuple):
    """An event that an order causes at a table."""

    round: int
    table: int
    kind: int
    at_ms: int


def incidents(archive: Archive, round_number: int | None = None) -> list[Incident]:
    """Return every Incident of the current event, or of a round, in the order in which they
    happened.

    The desk's acts keep their order of storage, even where the PC's clock was set back; boards'
    records, which may arrive late, are sorted in by their time.
    """
    from_orders: set[_OrderedEvent] = set()
    positions = event_log.stored_positions(archive, ("commands", "notices"))
    acts = [
        (positions.get(row, 0), incident.at_ms, row, incident)
        for source in (_of_orders(archive, from_orders), _of_paper(archive), _of_penalties(archive))
        for row, incident in source
    ]
    acts.sort(key=lambda act: act[:3])
    entries: list[tuple[int, int, Incident]] = []  # time and number of an act, 0 for a record
    latest_ms = 0
    for number, (_, at_ms, _, incident) in enumerate(acts, 1):
        latest_ms = max(latest_ms, at_ms)
        entries.append((latest_ms, number, incident))
    records = [*_of_boards(archive, from_orders), *_of_turns(archive)]
    entries += [(incident.at_ms, 0, incident) for incident in records]
    entries.sort(key=lambda entry: (entry[0], entry[1], entry[2].round, entry[2].table))
    return [incident for _, _, incident in entries if round_number in (None, incident.round)]


def _of_orders(
    archive: Archive, from_orders: set[_OrderedEvent]
) -> Iterator[tuple[RowKey, Incident]]:
    """Yield the Incident of each order with its row; add its events to ``from_orders``."""
    for order in archive.orders.all:
        command = commands.of(order.kind)
        if command and command.incident:
            for event in command.becomes:
                from_orders.add(_OrderedEvent(order.round, order.table, event, order.at_ms))
            numbers = payload.numbers(order.intent)[1:]
            yield RowKey("commands", (order.id,)), Incident(
                order.at_ms, order.round, order.table, command.incident, numbers, order.author,
                order.reason, order.state,
            )  # fmt: skip


def ruled_at_table(archive: Archive, round_number: int, table: int, kind: int) -> bool:
    """Return whether a judge did an order's act (intent ``kind``) at the table, without the
    desk.
    """
    words = {command.incident for command in commands.COMMANDS if command.kind == kind}
    return any(
        incident.table == table and incident.what in words and incident.author == TABLE
        for incident in incidents(archive, round_number)
    )


def _of_boards(archive: Archive, from_orders: Container[_OrderedEvent]) -> Iterator[Incident]:
    """Yield the Incident of each board's record, except those that an order caused."""
    kinds = {*_BY_ORDERS, *_WORDS, *_ENDS, events.DESTROYED_COUNTED}
    for _, match in itertools.groupby(match_events(archive, kinds), lambda placed: placed[:3]):
        previous = None  # event of the match
        for placed in match:
            event, what = placed.event, _word(placed.event)
            ordered = _OrderedEvent(placed.round, placed.table, event.kind, event.at_ms)
            if what and ordered not in from_orders and not _without_judge(event, previous):
                _at_ms, first, second, third = payload.numbers(_as_ordered(event, previous))
                yield Incident(
                    event.at_ms, placed.round, placed.table, what, (first, second, third),
                    author=TABLE, reason="", state="done",
                )  # fmt: skip
            previous = event


def _word(event: events.Event) -> str | None:
    """Return the word for an event of a table, None for one that is no incident."""
    if isinstance(event, events.CodeEntered) and event.wrong:
        return "wrong_code"
    command = commands.behind(event.kind)
    return command.incident if command else _WORDS.get(event.kind)


def _without_judge(event: events.Event, before: events.Event | None) -> bool:
    """Return whether an event followed from play alone, although judges can cause such, too."""
    if isinstance(event, (events.GameWon, events.Conceded)):
        return not event.penalty
    return event.kind == events.MATCH_ENDED and before is not None and before.kind in _ENDS


def _as_ordered(event: events.Event, before: events.Event | None) -> events.Event | intents.Intent:
    """Return the intent that would have had the effect of an event: who loses a game, and why; the
    points of a ruling, which are in the event ``before`` it. Return other events unchanged.
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
    """Yield an Incident for each match with counted turns. Its numbers are 0, how many and the
    longest in seconds; its reason says how long each was.
    """
    for (number, table, _), turns in turn_times.of_matches(archive).items():
        longest_s = max(turn.lasted_s for turn in turns)
        yield Incident(
            turns[-1].ended_ms, number, table, "turns", (0, len(turns), longest_s),
            author=TABLE, reason=turn_times.words(turns), state="done",
        )  # fmt: skip


def _of_paper(archive: Archive) -> Iterator[tuple[RowKey, Incident]]:
    """Yield the Incident of each result typed from paper, withdrawals included, with its row."""
    tables = {
        (number, pairing.pairing): pairing.table or 0
        for number in archive.roster.rounds
        for pairing in archive.roster.pairings_of(number)
    }
    for row, typed in paper_results.stored(archive):
        yield (
            RowKey("notices", (row,)),
            Incident(
                typed.at_ms,
                typed.round,
                tables.get((typed.round, typed.pairing), 0),
                "paper",
                (paper_results.WON[typed.outcome], *(typed.destroyed or typed.games)),
                typed.by,
                typed.reason,
                "done",
            ),
        )


def _of_penalties(archive: Archive) -> Iterator[tuple[RowKey, Incident]]:
    """Yield the Incident of each penalty in force with its row: seat, level and category."""
    standing = {penalty.id for penalty in penalties.standing(archive)}
    for penalty in penalties.every(archive):
        numbers = (
            penalty.seat,
            penalties.LEVELS.index(penalty.level),
            penalties.CATEGORIES.index(penalty.category),
        )
        state = "done" if penalty.id in standing else "dropped"
        yield (
            RowKey("notices", (penalty.id,)),
            Incident(
                penalty.at_ms,
                penalty.round,
                penalty.table,
                "penalty",
                numbers,
                penalty.by,
                penalty.reason,
                state,
            ),
        )
