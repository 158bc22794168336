"""The desk's orders for pages: all pending ones, and the last answered ones."""

from host.archive.orders import PENDING, Orders
from host.web.cards import OrderCard
from host.web.tablecard import order_card

SETTLED_MOST = 50


class OrderSheet:
    """``cards`` by order id, kept up to date by ``look``."""

    def __init__(self, orders: Orders):
        self._orders = orders
        self.cards: dict[int, OrderCard] = {}
        self._waiting: set[int] = set()
        self._last = 0
        self.look()

    def look(self) -> set[int]:
        """Read new orders and answers; return the ids of the cards that changed."""
        pending = {one.id for one in self._orders.pending} if self._waiting else set()
        settled = map(self._orders.get, sorted(self._waiting - pending))
        changed = [one for one in settled if one is not None]
        changed += self._orders.after(self._last)
        self._last = max([self._last, *(one.id for one in changed)])
        self._waiting -= {one.id for one in changed}
        self._waiting |= {one.id for one in changed if one.state == PENDING}
        self.cards |= {one.id: order_card(one) for one in changed}
        return {one.id for one in changed} | self._forget()

    def _forget(self) -> set[int]:
        over = sorted(key for key, card in self.cards.items() if card["state"] != PENDING)[
            :-SETTLED_MOST
        ]
        for order_id in over:
            del self.cards[order_id]
        return set(over)
