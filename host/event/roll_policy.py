"""What the head judge lets boards roll, table by table and in the whole hall (P18 4.5): the kill switch.

An order to a table waits for its board, however long that is away. The hall's word is also a notice:
it holds for tables that play only later, and for a board that takes a table over.
"""

import json

from firmware.core import events, frames, intents

WORDS = {
    "off": 0,
    "on": 1,
    "informal": 3,
    "barred": 4,
}  # bits of SET_POLICY; "off" leaves what rules allow
BITS = 7  # the switches that are about luck; others, as sound, stay a table's own
NOTICE = "luck"


def announce(archive, bits, author, now_ms):
    """Keep the hall's word."""
    value = json.dumps({"bits": bits & BITS, "at_ms": now_ms})
    archive.notices.add(NOTICE, value, author, archive.roster.event.origin_unix_ms + now_ms)


def standing(archive, table):
    """Return the switches that a table's board is to have, or None when nobody said anything."""
    order = archive.orders.newest(table, intents.SET_POLICY)
    said = [one for one in archive.notices.read(NOTICE, word) if one is not None]
    if not said or order is not None and order.asked_ms >= said[-1][1]:
        return order and order.a
    return (order.a if order else 0) & ~BITS | said[-1][0]


def word(told):
    """Return ``(bits, at_ms)`` of the hall's word."""
    bits, at_ms = told["bits"], told["at_ms"]
    return (bits & BITS, at_ms) if isinstance(bits, int) and isinstance(at_ms, int) else None


class Rejoined:
    """Tells a board that joined the event anew what its table was told before: it has forgotten."""

    def __init__(self, archive, collector):
        self._archive, self._collector = archive, collector

    def take(self, entries):
        """Take in newly archived entries."""
        for entry in entries:
            kind, _, _, event, before = frames.event_of(entry.frame)
            board = self._archive.roster.current_boards.get(entry.device)
            if kind != events.EVENT_JOINED or event == before or board is None:
                continue
            if board.generation == entry.generation and event == self._archive.roster.event.number:
                self._tell(board.address)

    def _tell(self, table):
        switches = standing(self._archive, table)
        order = self._archive.orders.newest(table, intents.SET_POLICY)
        if switches is not None and (order is None or order.state != "pending"):
            number = self._archive.orders.last_round(intents.SET_ROUND) or 0
            intent = (intents.SET_POLICY, self._collector.now_ms, switches, 0, 0)
            self._collector.add_order(
                number, table, intent, author="host", reason="the board joined anew"
            )
