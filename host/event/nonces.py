"""The host's half of a seed: a nonce for every commitment, drawn once that lies on the disk.

A nonce is kept as a notice, which is only ever added, and goes out as the order SET_NONCE. So the
board could not know it when it committed, and this host cannot say later that it gave another one.
"""

import json
import os
import struct

from firmware.core import events, frames, intents, seeds
from firmware.core.journal import OVER

GIVEN = "nonce"
HOST = "host"
_SAID = (0, 1, 2)  # parts of a commitment, record after record
_NONE = (0, 0)
_KINDS = (*OVER, events.SEED_TOLD, events.EVENT_JOINED)  # what a board's commitments are known by


class _Board:
    """One board's commitments at the event."""

    def __init__(self):
        self.said = {}  # place of part 0 -> {part: eight bytes}
        self.decided = self.over = (
            _NONE  # place of the last word on a nonce; of the last match's end
        )

    def add(self, place, event):
        """Note an archived record."""
        kind, _, part, b, c = event
        if kind in OVER or kind == events.EVENT_JOINED and b != c:
            self.over = max(self.over, place)
            self._forget()
        elif kind == events.SEED_TOLD and part in _SAID:
            self.said.setdefault((place[0], place[1] - part), {})[part] = seeds.eight_of(event)
        elif kind == events.SEED_TOLD and part in (seeds.NONCE, seeds.NONE):
            self.decided = max(self.decided, place)
            self._forget()

    def _forget(self):
        """Let go of commitments for which no nonce may be given any more."""
        bound = max(self.decided, self.over)
        self.said = {place: parts for place, parts in self.said.items() if place > bound}

    def wanting(self):
        """Yield ``(place, first byte)`` of the commitments that a nonce may still be given for."""
        for place, parts in self.said.items():
            if len(parts) == len(_SAID) and place > max(self.decided, self.over):
                yield place, parts[0][0]


class Nonces:
    """Draws them as the records of commitments are archived; ``randbytes(n)`` gives n random bytes."""

    def __init__(self, archive, collector, randbytes=os.urandom):
        self._archive, self._collector, self._randbytes = archive, collector, randbytes
        self.reload()

    def reload(self):
        """Read the archive anew, as after an event was opened."""
        self._boards = {}
        self._given = {given_for(one) for one in given(self._archive)}
        event = self._archive.roster.event
        self.take(self._archive.records(event.number, _KINDS) if event else [])

    def take(self, entries):
        """Take in newly archived entries, and give what they want."""
        touched = set()
        for entry in entries:
            board = entry.device, entry.generation
            touched.add(board)
            noted = self._boards.setdefault(board, _Board())
            noted.add((entry.epoch, entry.counter), frames.event_of(entry.frame))
        current = self._archive.roster.current_boards
        for device, generation in sorted(touched):
            board = current.get(device)
            if board is not None and board.generation == generation:
                for place, first in self._boards[device, generation].wanting():
                    self._give(board, place, first)

    def _give(self, board, place, first):
        whose = (board.device, board.generation, *place)
        if whose in self._given:
            return
        self._given.add(whose)
        nonce = self._randbytes(8)
        at_ms, b, c = struct.unpack("<IHH", nonce)
        number = self._archive.orders.last_round(intents.SET_ROUND) or 0
        event, now_ms = self._archive.roster.event, self._collector.now_ms
        with self._archive.transaction():
            value = json.dumps({"commitment": whose, "nonce": nonce.hex()})
            self._archive.notices.add(GIVEN, value, HOST, event.origin_unix_ms + now_ms)
            self._collector.add_order(
                number, board.address, (intents.SET_NONCE, at_ms, first, b, c), author=HOST
            )


def given(archive):
    """Return the current event's nonces that can be read: ``commitment`` [device, generation, epoch, counter], ``nonce``."""
    return [one for one in archive.notices.read(GIVEN, _given) if one is not None]


def _given(told):
    return told if all(isinstance(one, int) for one in told["commitment"]) else None


def given_for(one):
    """Return the place of the commitment that a nonce of ``given`` was drawn for."""
    return tuple(one["commitment"])
