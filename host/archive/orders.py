"""What the desk has asked of tables: kept before it is sent, attributed, and settled by records.

An order is a down command in absolutes. Its answer is an ANSWERED record of the board, which is
settled in the same transaction that stores the record: a killed host neither forgets an answer
nor invents one.
"""

from dataclasses import dataclass

from firmware.core import events, frames, intents

PENDING, DONE, REFUSED, DROPPED = "pending", "done", "refused", "dropped"
_SLACK_MS = 10_000  # a board's clock and the host's
_UNDONE = (PENDING, REFUSED, DROPPED)
_COLUMNS = (
    "id, event, round, table_number, kind, at_ms, a, b, c, author, reason, asked_ms, state, refusal"
)


@dataclass(frozen=True)
class Order:
    """One command to one table; ``kind`` to ``c`` are the intent, ``refusal`` the board's reason."""

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
    def intent(self):
        """The intent ``(kind, at_ms, a, b, c)`` that the down frame carries."""
        return self.kind, self.at_ms, self.a, self.b, self.c


class Orders:
    """The desk's half of the archive."""

    def __init__(self, archive):
        self._archive = archive

    def add(self, round_number, table, intent, *, author, reason="", asked_ms):
        """Keep an order for a table of the current event; return its id. Raises ValueError."""
        frames.plain(*intent[1:])
        values = (self._archive.roster.event.number, round_number, table, *intent)
        columns = "event, round, table_number, kind, at_ms, a, b, c, author, reason, asked_ms"
        with self._archive.transaction():
            return self._archive.write(
                f"INSERT INTO commands ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                *values, author, reason, asked_ms,
            )[1]  # fmt: skip

    def get(self, order_id):
        """Return the Order, or None."""
        rows = self._select("id = ?", order_id)
        return rows[0] if rows else None

    @property
    def pending(self):
        """The current event's orders that no board has answered, oldest first."""
        event = self._archive.roster.event
        return self._select("state = 'pending' AND event = ?", event.number) if event else []

    def pending_at(self, table):
        """Return the current event's unanswered orders to one table, oldest first."""
        event = self._archive.roster.event
        where = "state = 'pending' AND table_number = ? AND event = ?"
        return self._select(where, table, event.number) if event else []

    def last_round(self, kind):
        """Return the highest round of the current event with an order of a kind, or None."""
        event = self._archive.roster.event
        sql = "SELECT max(round) FROM commands WHERE kind = ? AND event = ?"
        return self._archive.query(sql, kind, event.number)[0][0] if event else None

    def started(self, number):
        """Say whether a start was set for a round of the current event, and not refused everywhere."""
        event = self._archive.roster.event
        where = "kind = ? AND round = ? AND state IN ('pending', 'done') AND event = ?"
        return bool(event and self._select(where, intents.SET_START, number, event.number))

    @property
    def all(self):
        """Every order of the current event, oldest first."""
        event = self._archive.roster.event
        return self._select("event = ?", event.number) if event else []

    def after(self, order_id):
        """Return the current event's orders newer than one, oldest first."""
        event = self._archive.roster.event
        return self._select("id > ? AND event = ?", order_id, event.number) if event else []

    def latest(self, round_number, table, kind):
        """Return the newest Order of a kind for a table in a round that was not refused, or None."""
        where = "round = ? AND table_number = ? AND kind = ? AND state IN ('pending', 'done') AND event = ?"
        event = self._archive.roster.event.number
        rows = self._select(where, round_number, table, kind, event)
        return rows[-1] if rows else None

    def newest(self, table, *kinds):
        """Return the newest Order of one of ``kinds`` for a table in any round that was not refused, or None."""
        any_kind = ", ".join("?" * len(kinds))
        where = f"table_number = ? AND kind IN ({any_kind}) AND state IN ('pending', 'done') AND event = ?"
        rows = self._select(where, table, *kinds, self._archive.roster.event.number, last=True)
        return rows[0] if rows else None

    def last_of(self, kind, round_number=None):
        """Return the newest Order of a kind at any table of the event (of a round) that was not refused, or None."""
        where = (
            "kind = ? AND state IN ('pending', 'done') AND event = ? AND (round = ? OR ? IS NULL)"
        )
        event = self._archive.roster.event.number
        rows = self._select(where, kind, event, round_number, round_number, last=True)
        return rows[0] if rows else None

    def _select(self, where, *values, last=False):
        sql = f"SELECT {_COLUMNS} FROM commands WHERE {where} ORDER BY id{' DESC LIMIT 1' if last else ''}"
        return [Order(*row) for row in self._archive.query(sql, *values)]

    def sent(self, order_id, device, generation, epoch, counter):
        """Remember under which counter an order goes out, before it does."""
        with self._archive.transaction():
            values = (device, generation, epoch, counter, order_id)
            self._archive.write("INSERT INTO sends VALUES (?, ?, ?, ?, ?)", *values)

    @property
    def last_sent(self):
        """The newest order that went out, or 0."""
        return self._archive.query("SELECT coalesce(max(command), 0) FROM sends")[0][0]

    def drop(self, order_id):
        """Give up an order that no board has answered yet."""
        self._mark(order_id, DROPPED, 0, (PENDING,))

    def settle(self, entries):
        """Settle the orders that archived records answer; joins the caller's transaction.

        An order may have gone out under several counters: one DONE among the answers wins, as
        a repeat of what is done already may well be refused.
        """
        for entry in entries:
            kind, _, reason, counter, _ = frames.event_of(entry.frame)
            if kind != events.ANSWERED:
                continue
            sql = "SELECT command FROM sends WHERE device = ? AND generation = ? AND epoch = ? AND counter = ?"
            for (order_id,) in self._archive.query(sql, *entry.place[:3], counter):
                state = REFUSED if reason else DONE
                self._mark(order_id, state, reason, (PENDING,) if reason else _UNDONE)

    def settle_held(self, orders, device, generation):
        """Settle orders of before a restore by answers to frames that a lost host has sent."""
        sent = "SELECT epoch, counter FROM sends WHERE device = ? AND generation = ?"
        ours = set(self._archive.query(sent, device, generation))
        answers = []
        for entry in self._archive.records(self._archive.roster.event.number):
            kind, at_ms, reason, counter, asked = frames.event_of(entry.frame)
            mine = entry.place[:2] == (device, generation)
            if mine and kind == events.ANSWERED and (entry.epoch, counter) not in ours:
                answers.append((at_ms, asked, reason))
        for order in orders:
            found = [
                one
                for one in answers
                if one[1] == order.kind and one[0] >= order.asked_ms - _SLACK_MS
            ]
            if found:
                answers.remove(found[0])
                reason = found[0][2]
                self._mark(order.id, REFUSED if reason else DONE, reason, (PENDING,))

    def _mark(self, order_id, state, refusal, olds):
        marks = ", ".join("?" for _ in olds)
        sql = f"UPDATE commands SET state = ?, refusal = ? WHERE id = ? AND state IN ({marks})"
        with self._archive.transaction():
            self._archive.write(sql, state, refusal, order_id, *olds)
