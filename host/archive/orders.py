"""The desk's orders to tables: stored before they are sent, settled by the boards' records.

An order carries an intent in absolute terms. Its answer is an ANSWERED record of the board; the
order is settled in the transaction that stores this record, so a killed host neither loses nor
invents an answer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from firmware.core import answers, events, frames, intents, payload
from firmware.core.intents import Intent
from host.archive.database import Database, SqlValue
from host.archive.records import ArchivedRecord, Position, stored
from host.archive.roster import Roster

PENDING, DONE, REFUSED, DROPPED = "pending", "done", "refused", "dropped"
_SLACK_MS = 10_000  # a board's clock and the host's
_NOT_DONE = (PENDING, REFUSED, DROPPED)
_COLUMNS = (
    "id, event, round, table_number, kind, at_ms, a, b, c, author, reason, asked_ms, state, refusal"
)


IntentT = TypeVar("IntentT", bound=Intent)


class NewOrder(NamedTuple):
    """An order to store."""

    round_number: int
    table: int
    intent: Intent
    author: str
    reason: str = ""


@dataclass(frozen=True)
class Order:
    """One intent for one table, as its row has it: ``a``, ``b`` and ``c`` are the intent's payload
    (``payload.numbers``), which nobody else reads.

    ``state`` is a constant above, ``refusal`` the board's reason (``firmware.core.answers``).

    ``at_ms`` and ``asked_ms`` are event time in ms: when it takes effect, and when the desk asked.
    """

    id: int
    event: int
    round: int
    table: int
    kind: int
    at_ms: int
    a: int
    b: int
    c: int
    author: str
    reason: str
    asked_ms: int
    state: str
    refusal: int

    @property
    def intent(self) -> Intent:
        """The intent that the down frame carries."""
        return intents.of_numbers(self.kind, self.at_ms, self.a, self.b, self.c)

    @property
    def payload(self) -> bytes:
        """The payload of the down frame."""
        return frames.plain(self.at_ms, self.a, self.b, self.c)

    def asks(self, kind: type[IntentT]) -> IntentT:
        """Return the intent of an order that was looked up by its kind."""
        intent = self.intent
        assert isinstance(intent, kind)
        return intent


class Orders:
    """The orders of an archive's current event."""

    def __init__(self, archive: Database, roster: Roster):
        self._archive, self._roster = archive, roster
        # (event, kind): its last round; cached, as the query scans all orders of the hall, and
        # cleared when another program has written
        self._last_rounds: dict[tuple[int, int], int | None] = {}
        self._version: int | None = None
        archive.on_rollback(self._last_rounds.clear)

    def add(self, order: NewOrder, asked_ms: int) -> int:
        """Store an order of the current event, asked for at event time ``asked_ms``; return its id.

        Raises ValueError for a number that does not fit into a frame.
        """
        round_number, table, intent, author, reason = order
        event = self._roster.current_event.number
        values = event, round_number, table, intent.kind, *payload.numbers(intent)
        columns = "event, round, table_number, kind, at_ms, a, b, c, author, reason, asked_ms"
        sql = f"INSERT INTO commands ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        _, order_id = self._write(sql, *values, author, reason, asked_ms)
        self._last_rounds.pop((event, intent.kind), None)
        return order_id

    def _write(self, sql: str, *values: SqlValue) -> tuple[int, int]:
        """Run one changing statement, as a transaction unless there is one."""

        def write():
            with self._archive.transaction():
                return self._archive.write(sql, *values)

        return self._archive.retry_once(write)

    def get(self, order_id: int) -> Order | None:
        """Return the Order, or None."""
        rows = self._select("id = ?", order_id)
        return rows[0] if rows else None

    @property
    def pending(self) -> list[Order]:
        """The current event's orders that no board has answered, oldest first."""
        return self._select("state = 'pending' AND event = ?", self._event)

    @property
    def waiting(self) -> bool:
        """Whether any order is pending."""
        sql = "SELECT count(*) FROM commands WHERE state = 'pending' AND event = ?"
        return bool(self._archive.number(sql, self._event))

    @property
    def handing_on(self) -> list[Order]:
        """The orders to join an event of another archive, oldest first."""
        where = "kind = ? AND b NOT IN (SELECT number FROM events)"
        return self._select(where, intents.JOIN_EVENT)

    def pending_at(self, table: int) -> list[Order]:
        """Return the current event's unanswered orders to one table, oldest first."""
        where = "state = 'pending' AND table_number = ? AND event = ?"
        return self._select(where, table, self._event)

    def last_round(self, kind: int) -> int | None:
        """Return the highest round of the current event with an order of a kind, or None."""
        version, key = self._archive.version, (self._event, kind)
        if version != self._version or not self._archive.writes:
            self._last_rounds.clear()
            self._version = version
        if key not in self._last_rounds:
            where = "event = ? AND kind = ? ORDER BY round DESC LIMIT 1"
            rounds = self._archive.select(int, f"SELECT round FROM commands WHERE {where}", *key)
            self._last_rounds[key] = next(iter(rounds), None)
        return self._last_rounds[key]

    def started(self, round_number: int) -> bool:
        """Whether a start was set for a round of the current event, and not every board refused
        it.
        """
        where = "kind = ? AND round = ? AND state IN ('pending', 'done') AND event = ?"
        return bool(self._select(where, intents.SET_START, round_number, self._event))

    @property
    def all(self) -> list[Order]:
        """Every order of the current event, oldest first."""
        return self._select("event = ?", self._event)

    def after(self, order_id: int) -> list[Order]:
        """Return the current event's orders newer than one, oldest first."""
        return self._select("id > ? AND event = ?", order_id, self._event)

    def latest_in_round(self, round_number: int, table: int, kind: int) -> Order | None:
        """Return a table's newest order of a kind in a round that was not refused, or None."""
        where = (
            "round = ? AND table_number = ? AND kind = ? AND state IN ('pending', 'done') AND"
            " event = ?"
        )
        rows = self._select(where, round_number, table, kind, self._event)
        return rows[-1] if rows else None

    def latest_at(self, table: int, *kinds: int) -> Order | None:
        """Return a table's newest order of one of ``kinds`` that was not refused, or None."""
        any_kind = ", ".join("?" * len(kinds))
        where = (
            f"table_number = ? AND kind IN ({any_kind}) AND state IN ('pending', 'done') AND"
            " event = ?"
        )
        rows = self._select(where, table, *kinds, self._event, last=True)
        return rows[0] if rows else None

    def latest_of(self, kind: int, round_number: int | None = None) -> Order | None:
        """Return the newest order of a kind, in any round or in one, that was not refused, or
        None.
        """
        where = (
            "kind = ? AND state IN ('pending', 'done') AND event = ? AND (round = ? OR ? IS NULL)"
        )
        rows = self._select(where, kind, self._event, round_number, round_number, last=True)
        return rows[0] if rows else None

    @property
    def _event(self) -> int:
        """The current event's number; without an event a number that no event has."""
        event = self._roster.event
        return event.number if event else 0

    def _select(self, where: str, *values: SqlValue, last: bool = False) -> list[Order]:
        order = "id DESC LIMIT 1" if last else "id"
        sql = f"SELECT {_COLUMNS} FROM commands WHERE {where} ORDER BY {order}"
        return self._archive.select(Order, sql, *values)

    def sent(self, order_id: int, device: int, generation: int, epoch: int, counter: int) -> None:
        """Store the counter under which an order will be sent, before it is sent."""
        values = (device, generation, epoch, counter, order_id)
        self._write("INSERT INTO sends VALUES (?, ?, ?, ?, ?)", *values)

    @property
    def last_sent(self) -> int:
        """The id of the newest order that was sent, or 0."""
        return self._archive.number("SELECT coalesce(max(command), 0) FROM sends")

    def was_sent(self, order_id: int) -> bool:
        """Whether an order ever went out to a board."""
        sql = "SELECT count(*) FROM sends WHERE command = ?"
        return bool(self._archive.select(int, sql, order_id)[0])

    def drop(self, order_id: int) -> None:
        """Withdraw an order that no board has answered yet."""
        self._mark(order_id, DROPPED, 0, (PENDING,))

    def settle(self, records: Iterable[ArchivedRecord]) -> None:
        """Settle the orders that archived records answer; joins the caller's transaction.

        An order may have been sent under several counters. One DONE among the answers decides,
        because a board may refuse the repeat of an order that it has already carried out. A start
        that a board has set is settled, by whichever way it heard of it; an answer to a broadcast
        names none of the orders.
        """
        for record in records:
            kind = record.kind
            if kind == events.START_SET:
                self._settle_start(record)
            elif kind == events.ANSWERED:
                self._settle_answered(record)

    def _settle_answered(self, record: ArchivedRecord):
        """Settle the orders that went out under the counter that a board has answered."""
        answer = record.board_event
        assert isinstance(answer, events.Answered)
        reason, counter = answer.refusal, answer.counter
        if answer.broadcast:
            return
        sql = (
            "SELECT command FROM sends WHERE device = ? AND generation = ? AND epoch = ? AND"
            " counter = ?"
        )
        for order_id in self._archive.select(int, sql, *record.boot, counter):
            if reason and answer.asked == frames.ESCAPE and self._extended(order_id):
                reason = answers.UNKNOWN  # an older board, which took it for a score
            state = REFUSED if reason else DONE
            # one DONE decides, even after a refusal
            self._mark(order_id, state, reason, (PENDING,) if reason else _NOT_DONE)

    def _extended(self, order_id: int) -> bool:
        """Whether an order's frame has its number in a byte of its own (``frames``)."""
        order = self.get(order_id)
        return order is not None and order.kind >= frames.EXTENDED

    def _settle_start(self, record: ArchivedRecord):
        """Settle the orders of the very start that a board has set."""
        board = self._roster.current_board(record.device)
        if board is None:
            return
        where = "state = ? AND kind = ? AND table_number = ? AND at_ms = ? AND event = ?"
        start = board.address, record.board_event.at_ms, self._event
        for order in self._select(where, PENDING, intents.SET_START, *start):
            self._mark(order.id, DONE, 0, (PENDING,))

    def settle_held(self, orders: Iterable[Order], device: int, generation: int) -> None:
        """Settle orders from before a restore by answers to frames that the lost host sent."""
        answers = self._foreign_answers(device, generation)
        for order in orders:
            matching = [
                answer
                for answer in answers
                if (answer.asked, answer.broadcast) == (order.kind, 0)
                and answer.at_ms >= order.asked_ms - _SLACK_MS
            ]
            if matching:
                answers.remove(matching[0])
                reason = matching[0].refusal
                self._mark(order.id, REFUSED if reason else DONE, reason, (PENDING,))

    def _foreign_answers(self, device: int, generation: int) -> list[events.Event]:
        """Return a board's answers to frames that this archive did not send, in journal order.

        A refused score may be a challenge's answer (``host/collector/challenges.py``). It settles
        no order: a spare board's score that was refused indeed is sent again, and refused again.
        """
        query = "SELECT epoch, counter FROM sends WHERE device = ? AND generation = ?"
        ours = set(self._archive.select(Position, query, device, generation))
        where = "event = ? AND device = ? AND generation = ? ORDER BY epoch, counter"
        records = stored(self._archive, where, self._event, device, generation)
        board_events = [(record.epoch, record.board_event) for record in records]
        return [
            answer
            for epoch, answer in board_events
            if isinstance(answer, events.Answered)
            and (epoch, answer.counter) not in ours
            and not (answer.refusal and answer.asked == intents.SET_SCORE)
        ]

    def _mark(self, order_id: int, state: str, refusal: int, before: Sequence[str]) -> None:
        """Give an order a state, if it has one of the states ``before``."""
        marks = ", ".join("?" * len(before))
        sql = f"UPDATE commands SET state = ?, refusal = ? WHERE id = ? AND state IN ({marks})"
        self._write(sql, state, refusal, order_id, *before)
