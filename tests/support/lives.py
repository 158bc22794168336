"""A board's past in frames: two events of two boots each, some rounds, everything said both ways
kept.

``Life`` is the board itself with its present; what was said lies in ``past``, by when it was said.
"""

import random
import struct
from collections import namedtuple

from farside import NearSide, Table
from torn import TornStore

from firmware.core import events, frames, intents

MASTER = bytes(range(32))
FIRST_EVENT, SECOND_EVENT = 5, 6
Said = namedtuple("Said", "event epoch round frame")


class Life:
    """Device ``device`` after its past; ``up`` and ``down`` are lists of Said."""

    def __init__(self, device=7, seed=1):
        self.device, self.key = device, frames.board_key(MASTER, device, 1)
        self.luck = random.Random(f"life {device} {seed}")
        self.store, self.up, self.down = TornStore(128), [], []
        self.uptime_ms = self.round = 0
        for event, rounds in (
            (FIRST_EVENT, (1, 2)),
            (FIRST_EVENT, (3,)),
            (SECOND_EVENT, (1,)),
            (SECOND_EVENT, (2, 3)),
        ):
            self._boot(event)
            for number in rounds:
                self._round(number)

    def _boot(self, event):
        self.uptime_ms += 5000
        self.near = NearSide(
            self.store, self.luck.randrange, self.uptime_ms, device=self.device, key=self.key
        )
        self.counter = 0
        self.tell(intents.JOIN_EVENT, frames.plain(self.uptime_ms, 0, event, 0))
        self._speak()

    def _round(self, number):
        self.round = number
        self.near.table = Table(number, 1, 0, None)
        self.tell(intents.SET_ROUND, frames.plain(self.uptime_ms, number, 4, 9))
        for seat in (0, 1):
            for part in (0, 1, 2):
                self.tell(
                    frames.NAME,
                    frames.pack_name(number, part, seat, b"Name %d%d " % (number, seat)),
                )
        for kind in (intents.FREEZE, intents.RESUME, intents.EXTEND):
            self.tell(kind, frames.plain(self.uptime_ms, 0, 60 * number, 0))
        for kind in (events.CONCEDED, events.RESULT_CONFIRMED, events.MATCH_ENDED):
            self.near.journal.append(events.of_numbers(kind, self.uptime_ms, 1, 0, 0))
        self.tell(frames.FETCH, frames.pack_fetch(self.near.journal.epoch, 0, 2))
        self.tell(frames.IDENTIFY, frames.plain(0, 0, 5))
        self._speak()

    def sign(self, kind, payload, counter, *, key=None, version=frames.VERSION,
             direction=frames.DOWN,
             event=None, epoch=None):  # fmt: skip
        """Return a frame as whoever holds ``key`` makes it; the present where nothing is said."""
        journal = self.near.journal
        epoch = journal.epoch if epoch is None else epoch
        event = journal.event if event is None else event
        stream = frames.stream_key(key or self.key, event, direction, epoch)
        body = struct.pack("<BHHH", version << 6 | kind, self.device, epoch, counter) + payload
        return body + frames.digest.hmac(stream, body)[: frames.digest.TAG_SIZE]

    def tell(self, kind, payload):
        """Say something down, and let the board take it."""
        self.counter += 1
        frame = self.sign(kind, payload, self.counter)
        if kind == frames.NAME:
            hidden = payload[:1] + frames.mask_name(self.key, frame, payload[1:])
            frame = self.sign(kind, hidden, self.counter)
        self._keep(self.down, frame)
        self.near.take(frame, self.uptime_ms)

    def _keep(self, where, frame):
        journal = self.near.journal
        where.append(Said(journal.event, journal.epoch, self.round, bytes(frame)))

    def _speak(self):
        """Let the board say all it has, with a host that acknowledges and tells the time."""
        sync = self.near.sync
        sync.link_opened(self.uptime_ms)
        for _ in range(60):
            self.uptime_ms += 20
            self._keep(self.up, sync.status_frame(self.near.table, 0, self.uptime_ms))
            frame = sync.outgoing(self.uptime_ms)
            if frame is None:
                continue
            sync.sent(self.uptime_ms)
            self._keep(self.up, frame)
            kind, _, epoch, counter = frames.head(frame)
            if kind == frames.TIME_ASKED:
                nonce = int.from_bytes(frame[7:11], "little")
                self.tell(frames.TIME, frames.pack_time(self.uptime_ms + 9_000_000, nonce))
            else:
                self.tell(frames.ACK, frames.pack_ack(epoch, counter, 0, frame[frames.BODY :]))
        sync.link_closed()
        assert not sync.waiting
