"""Lets go of boards that were handed on to an event of another archive (``board_handing``)."""

from collections.abc import Iterable, Sequence

from firmware.core import events, intents
from host.archive.orders import PENDING, Order
from host.archive.records import ArchivedRecord, BoardKey
from host.archive.roster import AWAY, Board
from host.archive.store import Archive


class Departures:
    """Lets go of boards that have joined an event of another archive, as this desk ordered."""

    def __init__(self, archive: Archive):
        self._archive = archive

    def begin(self) -> None:
        """Let go of boards whose going was stored and no more, and withdraw what was ordered and
        not done: the other event may not be served now.
        """
        if not self._archive.orders.handing_on:  # so nearly always
            return
        self.take(self._archive.records(kinds=(events.EVENT_JOINED,)))
        for order in self._archive.orders.handing_on:
            if order.state == PENDING:
                self._archive.orders.drop(order.id)

    def take(self, records: Iterable[ArchivedRecord]) -> list[Board]:
        """Process newly archived records; return the boards that have gone."""
        joined = {one.board: one for one in records if one.kind == events.EVENT_JOINED}
        asked = self._archive.orders.handing_on if joined else []
        if not asked:
            return []
        return [board for key in joined if (board := self._gone(key, asked)) is not None]

    def _gone(self, key: BoardKey, asked: Sequence[Order]) -> Board | None:
        board, last = self._archive.roster.current_board(key.device), last_join(self._archive, key)
        if board is None or board.key != key or last is None:
            return None
        joined = last.board_event
        assert isinstance(joined, events.EventJoined)
        order = next(
            (one for one in reversed(asked) if one.asks(intents.JoinEvent).event == joined.event),
            None,
        )
        if order is None:
            return None
        event = self._archive.roster.event
        unix_ms = event.origin_unix_ms + last.received_ms if event else 0
        with self._archive.transaction():
            for waiting in self._archive.orders.pending_at(board.address):
                self._archive.orders.drop(waiting.id)
            self._archive.roster.move(key.device, AWAY, order.author, order.reason, unix_ms)
        return board


def last_join(archive: Archive, key: BoardKey) -> ArchivedRecord | None:
    """Return a board's last record of having joined an event, None without one."""
    found = [one for one in archive.records(kinds=(events.EVENT_JOINED,)) if one.board == key]
    return found[-1] if found else None
