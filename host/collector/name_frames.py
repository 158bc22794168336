"""The NAME frames of a table: who sits at its two seats in the round that its board was sent."""

from firmware.core import frames, intents
from host.archive.roster import Pairing, Player
from host.archive.store import Archive
from host.collector import display_names

_PART_SIZE = 8  # bytes of a name in one frame
_NAME_SIZE = 20


class NameFrames:
    """Turns the roster's pairings into NAME payloads (``frames``)."""

    def __init__(self, archive: Archive):
        self._archive = archive
        self._tables: dict[int, list[bytes]] = {}

    def clear(self, table: int) -> None:
        """Clear a table's cache: its orders have changed."""
        self._tables.pop(table, None)

    def clear_all(self) -> None:
        """Clear the cache: rounds have changed."""
        self._tables = {}

    def payloads(self, table: int) -> list[bytes]:
        """Return the 9-byte NAME payloads for a table.

        There are none when the table has no pairing in its round, or its round was cleared.
        """
        if table not in self._tables:
            self._tables[table] = self._read(table)
        return self._tables[table]

    def _read(self, table: int) -> list[bytes]:
        order = self._archive.orders.latest_at(table, intents.SET_ROUND, intents.CLEAR_ROUND)
        if order is None or order.kind != intents.SET_ROUND:
            return []
        pairing = self._archive.roster.pairing_at(order.round, table)
        return _payloads(order.round, pairing) if pairing else []


def _payloads(round_number: int, pairing: Pairing) -> list[bytes]:
    assert pairing.b is not None  # a table has two players
    payloads = []
    pair = display_names.for_table(pairing.a, pairing.b)
    for seat, name, player in zip((0, 1), pair, (pairing.a, pairing.b), strict=True):
        text = name.encode("latin-1").ljust(_NAME_SIZE, b"\0") + _number(player)
        for part, start in enumerate(range(0, len(text), _PART_SIZE)):
            piece = text[start : start + _PART_SIZE]
            payloads.append(frames.pack_name(round_number, part, seat, piece))
    return payloads


def _number(player: Player) -> bytes:
    """Return a player's number as u32; 0, which is not shown, if it is no such number."""
    plain = player.number.isascii() and player.number.isdigit() and len(player.number) < 10
    return (int(player.number) if plain else 0).to_bytes(4, "little")
