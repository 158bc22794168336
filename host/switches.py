"""What the head judge lets boards roll, table by table and in the whole hall (P18 4.5): the kill switch.

An order to a table waits for its board, however long that is away. The hall's word is also a notice:
it holds for tables that play only later, and for a board that takes a table over.
"""

import json

from firmware.core import events, frames, intents

WORDS = {"off": 0, "on": 1, "barred": 4}  # bits of SET_POLICY; "off" leaves what the rules allow anyway
LUCK = "luck"
_OURS = 1 | 4


def announce(archive, word, author, now_ms):
    """Keep the hall's word."""
    value = json.dumps({"word": word, "at_ms": now_ms})
    archive.notices.add(LUCK, value, author, archive.roster.event.origin_unix_ms + now_ms)


def standing(archive, table):
    """Return the switches that a table's board is to have, or None when nobody said anything."""
    order = archive.orders.newest(table, intents.SET_POLICY)
    hall = json.loads(archive.notices.latest(LUCK) or "null")
    if hall is None or order is not None and order.asked_ms >= hall["at_ms"]:
        return order and order.a
    return with_word(order.a if order else 0, hall["word"])


def with_word(switches, word):
    """Return a table's ``switches`` (bits) after a word of WORDS; sound and the like stay."""
    return switches & ~_OURS | WORDS[word]


def owed(archive, table):
    """Return the switches that a table's board has still to be told, None where it has its word."""
    order, switches = archive.orders.newest(table, intents.SET_POLICY), standing(archive, table)
    return None if order is not None and order.a == switches else switches


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
            self._collector.ask(number, table, intent, author="host", reason="the board joined anew")
