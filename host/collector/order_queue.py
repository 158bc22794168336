"""Which order a board gets next: joining the event first, then the desk's orders by age."""

from typing import NamedTuple

from firmware.core import intents
from host.archive.orders import NewOrder, Order
from host.archive.records import BoardKey
from host.archive.store import Archive
from host.collector.board_status import BoardStatus
from host.collector.challenges import Challenges
from host.collector.frame_signer import FrameSigner
from host.keys.keyring import NO_EVENT

HOST = "host"  # the author of the host's own orders


class _Sent(NamedTuple):
    """The order frame that was sent to a board last, and its boot."""

    epoch: int
    order_id: int
    frame: bytes


class OrderQueue:
    """The archive's pending orders by table, cached in memory."""

    def __init__(self, archive: Archive):
        self._archive = archive
        self._waiting: dict[int, list[Order]] = {}
        self._sent: dict[BoardKey, _Sent] = {}
        self._uncertain = max(archive.uncertain_order, archive.orders.last_sent)
        self._doubted = {}  # table -> its last order that may be done; else ``_uncertain``
        self._restored = archive.floor > 1  # a lost host may have sent other orders
        self.challenges = Challenges()
        self.event = NO_EVENT
        self.reload()

    def reload(self) -> None:
        """Read event and waiting orders again, as after an event was opened."""
        event = self._archive.roster.event
        self.event = event.number if event else NO_EVENT
        self._waiting = {}
        for order in self._archive.orders.pending:
            self._waiting.setdefault(order.table, []).append(order)

    def reload_table(self, table: int) -> None:
        """Read a table's waiting orders again after the archive settled some."""
        self._waiting[table] = self._archive.orders.pending_at(table)

    def add(self, new: NewOrder, now_ms: int) -> int:
        """Store an order and queue it; return its id.

        Raises ValueError when a number does not fit into a frame.
        """
        orders = self._archive.orders
        order_id = orders.add(new, now_ms)
        order = orders.get(order_id)
        assert order is not None  # just stored
        self._waiting.setdefault(new.table, []).append(order)
        return order_id

    def drop(self, order: Order) -> None:
        """Withdraw a waiting order that no board was sent."""
        self._archive.orders.drop(order.id)
        self.reload_table(order.table)

    def waiting(self, table: int) -> list[Order]:
        """Return the table's waiting orders, oldest first."""
        return self._waiting.get(table, [])

    def _ready(self, table: int) -> list[Order]:
        """Return the orders that may be sent: none while any is ``_held``.

        A host that was lost or killed, or this one before the board's reset, may have sent that
        one: in a second frame the board would carry it out twice.
        """
        return [] if self._held(table) else self.waiting(table)

    def _held(self, table: int) -> list[Order]:
        """Return the waiting orders that a board may have carried out already."""
        waiting = self._waiting.get(table)
        if not waiting:  # the usual case
            return []
        last = self._doubted.get(table, self._uncertain)
        return [order for order in waiting if order.id <= last and order.kind != intents.JOIN_EVENT]

    def note_reset(self, status: BoardStatus) -> None:
        """Hold back orders sent before a board's reset: its records will show whether it did
        them.
        """
        sent = self._sent.get(status.key)
        if sent is not None and sent.epoch < status.epoch:
            del self._sent[status.key]
            last = self._doubted.get(status.table, self._uncertain)
            self._doubted[status.table] = max(last, sent.order_id)

    def holds_back(self, status: BoardStatus) -> bool:
        """Return whether orders wait until a board has sent its records."""
        return bool(self._held(status.table))

    def must_prove(self, status: BoardStatus) -> bool:
        """Return whether a board must still answer a challenge in its boot.

        Until then, what it did of the held orders is unknown. An old status that somebody replays
        makes a board seem to have no records to send.
        """
        doubtful = self._restored or self.holds_back(status)
        joined = bool(self.event) and status.event == self.event
        return doubtful and joined and not self.challenges.answered(status)

    def urgent(self, status: BoardStatus) -> bool:
        """Return whether an order of the desk waits behind orders that are held back."""
        held = self._held(status.table)
        return bool(held) and len(self.waiting(status.table)) > len(held)

    def release(self, status: BoardStatus) -> None:
        """Release held orders: every record of the board is archived, with its answers."""
        held = self._held(status.table)
        if held and held[0].id <= self._archive.uncertain_order:
            self._archive.orders.settle_held(held, *status.key)
        self._doubted[status.table] = 0
        self.reload_table(status.table)

    def has_orders(self, status: BoardStatus) -> bool:
        """Return whether a board is to be sent any order."""
        if not self.event:
            return False
        if status.event != self.event:
            return True  # to join it
        return bool(self._ready(status.table))

    def next_order(self, status: BoardStatus, now_ms: int) -> Order | None:
        """Return the Order that a board must be sent now, or None."""
        if not self.event:
            return None
        joins = [o for o in self.waiting(status.table) if self._joins(o)]
        if status.event == self.event:
            for order in joins:  # it has joined, even if the answer was lost
                self._archive.orders.drop(order.id)
                self._waiting[status.table].remove(order)
            ready = [] if self.must_prove(status) else self._ready(status.table)
            return ready[0] if ready else None
        if not joins:
            intent = intents.JoinEvent(now_ms, 0, self.event)
            self.add(NewOrder(0, status.table, intent, HOST), now_ms)
            joins = self.waiting(status.table)[-1:]
        return joins[0]

    def _joins(self, order: Order) -> bool:
        """Return whether an order only has a board join this event."""
        if order.kind != intents.JOIN_EVENT:
            return False
        asked = order.asks(intents.JoinEvent)
        return asked.event == self.event and not asked.anew

    def signed_frame(self, order: Order, status: BoardStatus, signer: FrameSigner) -> bytes | None:
        """Return an order's frame for a board's epoch: signed once, then the same bytes.

        With a second counter the board would carry it out twice. A new counter is needed only after
        another order was sent, because the board then rejects lower ones. The counter is on the
        disk before the frame is returned, so an answer can be matched after a restart. Returns None
        if no counter is left.
        """
        board, epoch = status.key, status.epoch
        sent = self._sent.get(board)
        if sent is None or (sent.epoch, sent.order_id) != (epoch, order.id):
            event = NO_EVENT if order.kind == intents.JOIN_EVENT else status.event
            signed = signer.sign(event, order.kind, order.payload)
            if signed is None:
                return None
            self._archive.orders.sent(order.id, *board, epoch, signed.counter)
            self.challenges.withdraw(status)
            sent = self._sent[board] = _Sent(epoch, order.id, signed.frame)
        return sent.frame
