"""The head judge's switches for rolls, per table and for the whole hall (P18 4.5).

An order to a table waits until its board responds. The hall's switches are also stored as a notice,
so they hold for tables that play later and for boards that take a table over.
"""

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from firmware.core import events, intents, play
from host.archive.orders import NewOrder
from host.archive.records import ArchivedRecord
from host.archive.store import Archive
from host.base.json_values import Json, filled
from host.event.live_boards import OrderSender

# bits of SET_POLICY; "off" leaves what the rules allow
WORDS = {"off": 0, "on": 1, "informal": 3, "barred": 4}
BITS = 7  # the switches for rolls; others, such as sound, belong to the table
NOTICE = "luck"


class Switches(NamedTuple):
    """The hall's switches (bits), and since when (event time in ms)."""

    bits: int
    at_ms: int


def announce(archive: Archive, bits: int, author: str, now_ms: int, reason: str = "") -> None:
    """Store the hall's switches."""
    value = json.dumps({"bits": bits & BITS, "at_ms": now_ms, "reason": reason})
    unix_ms = archive.roster.current_event.origin_unix_ms + now_ms
    archive.notices.add(NOTICE, value, author, unix_ms)


def switches_of(archive: Archive, table: int) -> int | None:
    """Return the switches (bits) that a table's board must have, None if none were set.

    The counting of turns is left out, as it is for one match.
    """
    order = archive.orders.latest_at(table, intents.SET_POLICY)
    ordered = order.asks(intents.SetPolicy).switches & ~play.COUNTED if order else 0
    hall = _halls_newest(archive)
    if hall is None:
        return ordered if order else None
    if order is not None and order.asked_ms >= hall.at_ms:
        return ordered
    return (ordered & ~BITS) | hall.bits


def halls(archive: Archive) -> int:
    """Return the hall's switches (bits), 0 if none were set: a table may have others."""
    hall = _halls_newest(archive)
    return hall.bits if hall else 0


def _halls_newest(archive: Archive) -> Switches | None:
    stored = archive.notices.read(NOTICE, read_switches)
    return next((switches for switches in reversed(stored) if switches is not None), None)


def read_switches(facts: Mapping[str, Json]) -> Switches:
    """Return the switches in a notice. Raises LookupError, TypeError."""
    bits, at_ms = filled(Switches, facts)
    return Switches(bits & BITS, at_ms)


class Rejoined:
    """Resends a table's switches to a board that joined the event again and has lost them."""

    def __init__(self, archive: Archive, collector: OrderSender):
        self._archive, self._collector = archive, collector

    def take(self, records: Iterable[ArchivedRecord]) -> None:
        """Process newly archived records."""
        for record in records:
            if record.kind != events.EVENT_JOINED:
                continue
            joined = record.board_event
            assert isinstance(joined, events.EventJoined)
            if joined.event == joined.before:
                continue  # it has kept its switches
            board = self._archive.roster.current_board(record.device)
            event = self._archive.roster.event
            if board is None or event is None or joined.event != event.number:
                continue
            if board.key == record.board:
                self._resend(board.address)

    def _resend(self, table: int) -> None:
        switches = switches_of(self._archive, table)
        order = self._archive.orders.latest_at(table, intents.SET_POLICY)
        if switches is not None and (order is None or order.state != "pending"):
            number = self._archive.orders.last_round(intents.SET_ROUND) or 0
            intent = intents.SetPolicy(self._collector.now_ms, switches)
            self._collector.add_order(
                NewOrder(number, table, intent, "host", "the board joined anew")
            )
