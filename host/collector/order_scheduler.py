"""Which order a board gets next: joining the event first, then the desk's orders by age."""

from firmware.core import frames, intents
from host.keys.keyring import NO_EVENT

HOST = "host"


class OrderScheduler:
    """The orders that wait, by table. The archive holds them; this is its memory of them."""

    def __init__(self, archive):
        self._archive, self._waiting = archive, {}
        self._frames = {}  # (device, generation) -> (epoch, order id, frame) that went out last
        self._uncertain = max(archive.uncertain_order, archive.orders.last_sent)
        self._doubted = {}  # table -> the last order that may be done; else ``_uncertain`` is
        self.reload()

    def reload(self):
        """Read event and waiting orders again, as after an event was opened."""
        event = self._archive.roster.event
        self.event = event.number if event else NO_EVENT
        self._waiting = {}
        for order in self._archive.orders.pending:
            self._waiting.setdefault(order.table, []).append(order)

    def settled(self, table):
        """Read a table's waiting orders again after the archive settled some."""
        self._waiting[table] = self._archive.orders.pending_at(table)

    def ask(self, round_number, table, intent, *, author, reason="", now_ms):
        """Keep an order for a table and let it go out; return its id."""
        orders = self._archive.orders
        order_id = orders.add(
            round_number, table, intent, author=author, reason=reason, asked_ms=now_ms
        )
        self._waiting.setdefault(table, []).append(orders.get(order_id))
        return order_id

    def waiting(self, table):
        """Return the table's waiting orders, oldest first."""
        return self._waiting.get(table, [])

    def _ready(self, table):
        """Return the orders that may go out, none while a board has still to tell of earlier ones.

        A host that was killed or lost may have told them, or this one before the board's reset;
        a second frame would do them twice.
        """
        return [] if self._held(table) else self.waiting(table)

    def _held(self, table):
        last = self._doubted.get(table, self._uncertain)
        return [o for o in self.waiting(table) if o.id <= last and o.kind != intents.JOIN_EVENT]

    def reborn(self, watch):
        """A board was reset: what it was told before, its records will say whether it did."""
        place = watch.device, watch.generation
        if place in self._frames and self._frames[place][0] < watch.epoch:
            _, told, _ = self._frames.pop(place)
            last = self._doubted.get(watch.table, self._uncertain)
            self._doubted[watch.table] = max(last, told)

    def holds(self, watch):
        """Whether orders wait for what a board has still to tell."""
        return bool(self._held(watch.table))

    def presses(self, watch):
        """Whether the desk has asked for something that waits behind such orders."""
        held = self._held(watch.table)
        return bool(held) and len(self.waiting(watch.table)) > len(held)

    def release(self, watch):
        """Every record that a board had is archived: settle what a lost host has asked of it."""
        held = self._held(watch.table)
        if held and held[0].id <= self._archive.uncertain_order:
            self._archive.orders.settle_held(held, watch.device, watch.generation)
        self._doubted[watch.table] = 0
        self.settled(watch.table)

    def wanted(self, watch):
        """Whether a board is to be told anything."""
        return bool(self.event) and (watch.event != self.event or bool(self._ready(watch.table)))

    def next(self, watch, now_ms):
        """Return the Order that a board must be told now, or None."""
        if not self.event:
            return None
        joins = [o for o in self.waiting(watch.table) if o.kind == intents.JOIN_EVENT and not o.a]
        if watch.event == self.event:
            for order in joins:  # it has joined, whatever became of the answer
                self._archive.orders.drop(order.id)
                self._waiting[watch.table].remove(order)
            return next(iter(self._ready(watch.table)), None)
        if not joins:
            intent = (intents.JOIN_EVENT, now_ms, 0, self.event, 0)
            self.ask(0, watch.table, intent, author=HOST, now_ms=now_ms)
            joins = self.waiting(watch.table)[-1:]
        return joins[0]

    def frame(self, order, watch, post):
        """Return an order's frame for a board's epoch: signed once, then the same bytes again.

        A second counter would have the board do it twice; only after another order has gone out
        is one needed, as the board takes no lower one any more. The counter is on the disk
        before the frame is given out, so that an answer is understood after a restart.
        """
        place, epoch = (watch.device, watch.generation), watch.epoch
        held = self._frames.get(place)
        if held is None or held[:2] != (epoch, order.id):
            event = NO_EVENT if order.kind == intents.JOIN_EVENT else watch.event
            kind, *numbers = order.intent
            signed = post.sign(event, kind, frames.plain(*numbers))
            if signed is None:
                return None
            self._archive.orders.sent(order.id, *place, epoch, signed[1])
            held = self._frames[place] = epoch, order.id, signed[0]
        return held[2]
