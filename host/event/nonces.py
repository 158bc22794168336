"""Makes the host's nonce for every commitment, once the commitment is stored.

A nonce is an HMAC of the commitment and its position in the journal, under a key that no board has.
So the board could not know it when it committed, and nobody can choose it: a restored host gives
the same nonce as the lost one, and an audit computes it again. It is stored as a notice, which
cannot be removed, and sent as the order SET_NONCE.
"""

import json
import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from firmware.core import digest, events, intents, payload, seeds
from firmware.core.events import Event
from firmware.core.journal import OVER
from host.archive.orders import NewOrder
from host.archive.records import ArchivedRecord, BoardKey, Position, RecordId
from host.archive.roster import Board
from host.archive.store import Archive
from host.base.json_values import Json
from host.event.live_boards import OrderSender
from host.event.unrevealed_seeds import begins_another

GIVEN = "nonce"
HOST = "host"
_COMMITMENT_PARTS = (0, 1, 2)  # parts of a commitment, record after record
_NONE = Position(0, 0)
MOST_OPEN = 8  # commitments of a board that wait for a nonce; a board makes one per match
MOST_GIVEN = 128  # nonces for a board at an event: a stolen key must not fill the disk
_KINDS = (*OVER, events.SEED_STORED, events.EVENT_JOINED)  # those that affect commitments


class GivenNonce(NamedTuple):
    """A nonce, and the record in which its commitment begins."""

    commitment: RecordId
    nonce: bytes


class _Board:
    """One board's commitments at the event."""

    def __init__(self) -> None:
        # by the position of part 0: the commitment's bytes, eight a part
        self.commitments: dict[Position, dict[int, bytes]] = {}
        self.decided = _NONE  # the position of the last record of a nonce or of none
        self.over = _NONE  # the position of the last match's end

    def add(self, position: Position, event: Event) -> None:
        """Note an archived record."""
        if isinstance(event, events.SeedStored):
            self._add_part(position, event)
        elif event.kind in OVER or begins_another(event):
            self.over = max(self.over, position)

    def _add_part(self, position: Position, event: events.Event) -> None:
        part = event.part
        if part in _COMMITMENT_PARTS:  # written one after the other, from part 0 on
            first = Position(position.epoch, position.counter - part)
            self.commitments.setdefault(first, {})[part] = payload.data_of(event)
            if len(self.commitments) > MOST_OPEN:
                del self.commitments[min(self.commitments)]
        elif part in (seeds.NONCE, seeds.NONE):
            self.decided = max(self.decided, position)

    def wanting(self) -> Iterator[tuple[Position, bytes]]:
        """Yield the position and the bytes of each commitment that may still get a nonce."""
        for position, parts in self.commitments.items():
            if len(parts) == len(_COMMITMENT_PARTS) and position > max(self.decided, self.over):
                yield position, b"".join(parts[part] for part in _COMMITMENT_PARTS)


class Nonces:
    """Gives nonces when commitments are archived; ``key`` is the Keyring's for them."""

    def __init__(self, archive: Archive, collector: OrderSender, key: bytes):
        self._archive, self._collector, self._key = archive, collector, key
        self.reload()

    def reload(self) -> None:
        """Read the archive again, as after an event was opened."""
        self._boards: dict[BoardKey, _Board] = {}
        self._given: dict[BoardKey, set[RecordId]] = {}
        for nonce in all_given(self._archive):
            self._given.setdefault(nonce.commitment.board, set()).add(nonce.commitment)
        event = self._archive.roster.event
        self.take(self._archive.records(event.number, _KINDS) if event else [])

    def take(self, records: Iterable[ArchivedRecord]) -> None:
        """Process newly archived records, and give a nonce for each new commitment."""
        touched: set[BoardKey] = set()
        for record in records:
            key = record.board
            touched.add(key)
            if key not in self._boards:
                self._boards[key] = _Board()
            if record.kind in _KINDS:
                self._boards[key].add(record.position, record.board_event)
        for key in sorted(touched):
            wanting = [*self._boards[key].wanting()]
            board = self._archive.roster.current_board(key.device) if wanting else None
            if board is not None and board.generation == key.generation:
                for position, commitment in wanting:
                    self._give(board, position, commitment)

    def _give(self, board: Board, position: Position, commitment: bytes) -> None:
        """Store a nonce for a commitment and order it at the board, once and not too often."""
        record = RecordId(*board.key, *position)
        earlier = self._given.setdefault(board.key, set())
        if record in earlier or len(earlier) >= MOST_GIVEN:
            return
        earlier.add(record)
        nonce = nonce_for(self._key, record, commitment)
        number = self._archive.orders.last_round(intents.SET_ROUND) or 0
        event, now_ms = self._archive.roster.current_event, self._collector.now_ms
        with self._archive.transaction():
            value = json.dumps({"commitment": record, "nonce": nonce.hex()})
            self._archive.notices.add(GIVEN, value, HOST, event.origin_unix_ms + now_ms)
            intent = intents.SetNonce(nonce[:4], commitment[0], nonce[4:])
            self._collector.add_order(NewOrder(number, board.address, intent, HOST))


def nonce_for(key: bytes, record: RecordId, commitment: bytes) -> bytes:
    """Return the 8-byte nonce for the 24-byte commitment that begins in ``record``."""
    return digest.hmac(key, struct.pack("<HHHH", *record) + commitment)[:8]


def all_given(archive: Archive) -> list[GivenNonce]:
    """Return the current event's nonces that can be read."""
    return [nonce for nonce in archive.notices.read(GIVEN, read_nonce) if nonce is not None]


def read_nonce(facts: Mapping[str, Json]) -> GivenNonce | None:
    """Return the nonce in a notice, None if it is invalid.

    Raises LookupError, TypeError and ValueError.
    """
    commitment, nonce = facts["commitment"], facts["nonce"]
    if not isinstance(commitment, list) or not isinstance(nonce, str):
        return None
    numbers = [number for number in commitment if isinstance(number, int)]
    return GivenNonce(RecordId(*numbers), bytes.fromhex(nonce))
