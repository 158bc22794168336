"""Releases boards that were handed on to an event of another archive (``board_handing``)."""

from collections.abc import Iterable, Sequence

from firmware.core import events, intents
from host.archive.orders import PENDING, Order
from host.archive.records import ArchivedRecord, BoardKey
from host.archive.roster import AWAY, Board
from host.archive.store import Archive


class Departures:
    """Releases boards that have joined an event of another archive, as this desk ordered."""

    def __init__(self, archive: Archive):
        self._archive = archive

    def begin(self) -> None:
        """Release boards whose join was archived just before the program ended, and withdraw orders
        that are still pending, as the other event may not be served now.
        """
        if not self._archive.orders.handing_on:  # the usual case, without reading all records
            return
        self.take(self._archive.records(kinds=(events.EVENT_JOINED,)))
        for order in self._archive.orders.handing_on:
            if order.state == PENDING:
                self._archive.orders.drop(order.id)

    def take(self, records: Iterable[ArchivedRecord]) -> list[Board]:
        """Process newly archived records; return the boards that were released."""
        joins = (record for record in records if record.kind == events.EVENT_JOINED)
        joined = dict.fromkeys(record.board for record in joins)
        if not joined:
            return []
        orders = self._archive.orders.handing_on
        released = [self._release(key, orders) for key in joined]
        return [board for board in released if board is not None]

    def _release(self, key: BoardKey, orders: Sequence[Order]) -> Board | None:
        """Release a board if its last join was ordered; return it, else None."""
        board, last = self._archive.roster.current_board(key.device), last_join(self._archive, key)
        if board is None or board.key != key or last is None:
            return None
        joined = last.board_event
        assert isinstance(joined, events.EventJoined)
        ordered = [order for order in orders if order.asks(intents.JoinEvent).event == joined.event]
        if not ordered:
            return None
        order = ordered[-1]
        event = self._archive.roster.event
        unix_ms = event.origin_unix_ms + last.received_ms if event else 0
        with self._archive.transaction():
            for pending in self._archive.orders.pending_at(board.address):
                self._archive.orders.drop(pending.id)
            self._archive.roster.move(key.device, AWAY, order.author, order.reason, unix_ms)
        return board


def last_join(archive: Archive, key: BoardKey) -> ArchivedRecord | None:
    """Return a board's last EVENT_JOINED record, None without one."""
    joins = archive.records(kinds=(events.EVENT_JOINED,))
    found = [record for record in joins if record.board == key]
    return found[-1] if found else None
