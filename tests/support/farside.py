"""A tiny host and a bad air, for the board's Sync: about what the real collector must do,
no more.
"""

import random
from collections import namedtuple

from torn import DEVICE, KEY, TornStore

from firmware.core import beacon, events, frames, intents, payload
from firmware.core.journal import Journal
from firmware.core.sync import Sync
from firmware.core.timebase import Timebase
from host.keys import signatures

Table = namedtuple("Table", "round phase turn zero_ms")
JOIN = intents.JoinEvent(0, 0, 5)
ORDERS = [JOIN, intents.SetRound(0, 1, 4, 4), intents.SetFormat(0, 0, 0, 50), intents.SetStart(9)]


class BadAir:
    """Carries frames one way with loss, repeats and disorder drawn from ``draw(n)`` (0 to n-1)."""

    def __init__(self, draw, loss_percent):
        self.draw, self.loss, self.flying = draw, loss_percent, []

    def send(self, frame):
        """Launch a frame; it may be lost, or fly twice."""
        for _ in range(2 if self.draw(10) == 0 else 1):
            if self.draw(100) >= self.loss:
                self.flying.append((self.draw(4), bytes(frame)))

    def land(self):
        """Return the frames that arrive now, in any order; the others come nearer."""
        here = [frame for steps, frame in self.flying if steps == 0]
        self.flying = [(steps - 1, frame) for steps, frame in self.flying if steps]
        return here


class FarSide:
    """The host at the other end: archives, acknowledges, tells the time, repeats one command."""

    def __init__(self, key=KEY, device=DEVICE):
        self.key, self.device = key, device
        self.archive, self.conflicts = {}, 0
        self.status = None  # (epoch, counter, fields)
        self.event, self.epoch, self.counter = 0, 1, 0
        self.orders, self.repeated = [], None

    def sign(self, kind, payload):
        """Return a down frame under the next counter; NAMEs and ANCHORs are masked."""
        key = frames.stream_key(self.key, self.event, frames.DOWN, self.epoch)
        self.counter += 1
        rest = kind, self.device, self.epoch, self.counter
        frame = signatures.sign(key, *rest, payload)
        if kind in (frames.NAME, beacon.ANCHOR):
            hidden = frames.mask_name(self.key, frame, payload[1:])
            frame = signatures.sign(key, *rest, payload[:1] + hidden)
        return frame

    def heard(self, frame, now_ms):
        kind, _, epoch, counter = frames.head(frame)
        for event in (self.event, 5, 0):
            if signatures.verify(frames.stream_key(self.key, event, frames.UP, epoch), frame):
                break
        else:
            raise AssertionError("a board never sends what cannot be verified")
        if kind == frames.STATUS:
            if self.status is None or (epoch, counter) > self.status[:2]:
                self.status = epoch, counter, frames.status_of(frame)
                if epoch != self.epoch:
                    self.repeated = None
                self.epoch, self.event = epoch, event
            return []
        if kind == frames.TIME_ASKED:
            nonce = int.from_bytes(frame[7:11], "little")
            return [self.sign(frames.TIME, frames.pack_time(now_ms, nonce))]
        self._archive(frame, kind, epoch, counter)
        return [self.sign(frames.ACK, frames.pack_ack(epoch, counter, 0, frame[frames.BODY :]))]

    def _archive(self, frame, kind, epoch, counter):
        if self.archive.setdefault((epoch, counter), frame) != frame:
            self.conflicts += 1
        if kind == events.ANSWERED and self.repeated:
            if (epoch, events.of_record(frame).counter) == frames.head(self.repeated)[2:]:
                self.orders.pop(0)
                self.repeated = None

    def fetch(self):
        """Return a FETCH for the first record that must exist and is not here, or None."""
        closed = [
            events.of_record(r) for r in self.archive.values() if r[0] & 63 == events.EPOCH_CLOSED
        ]
        for epoch, count in [(one.epoch, one.records) for one in closed]:
            for counter in range(count):
                if (epoch, counter) not in self.archive:
                    return self.sign(frames.FETCH, frames.pack_fetch(epoch, counter, 8))
        return None

    def command(self):
        """Return the outstanding command's frame, signed once an epoch, or None."""
        if self.orders and self.repeated is None:
            self.repeated = self.sign(self.orders[0].kind, payload.pack(self.orders[0]))
        return self.repeated


class NearSide:
    """A board without a match: what App does with journal, timebase and Sync."""

    def __init__(self, store, draw, uptime_ms=0, ppm=50, device=DEVICE, key=KEY):
        self.journal = Journal(store, device, key)
        self.journal.recover()
        self.timebase = Timebase(ppm)
        if self.journal.last_ms is not None:
            self.timebase.resume(self.journal.last_ms, uptime_ms)
        self.journal.open_epoch(self.timebase.now_ms(uptime_ms))
        self.sync = Sync(
            self.journal, self.timebase, lambda count: bytes(draw(256) for _ in range(count))
        )
        self.applied, self.names = [], {}
        self.table = Table(0, 0, 0, None)

    def acked(self, epoch, counter):
        """Return whether the host has certainly got this record."""
        window, place = self.sync.window, self.journal.find(epoch, counter)
        return place is not None and (
            place < window.first or window.done >> place - window.first & 1
        )

    def take(self, frame, uptime_ms):
        """Receive one frame and do what Sync says is left to do."""
        got = self.sync.receive(frame, uptime_ms)
        now_ms = self.timebase.now_ms(uptime_ms)
        if got is None:
            return
        if isinstance(got, intents.Intent):
            self.applied.append(got)
            if isinstance(got, intents.JoinEvent):
                self.sync.join_event(got, now_ms)
            else:
                done = events.of_numbers(got.kind + 5, *payload.numbers(got))
                self.journal.append(done, self.sync.answer(0, now_ms))
        elif got[0] == "event":
            self.journal.append(got[1])
        elif got[0] == "name":
            self.names[got[1]] = got[2:]

    def speak(self, air, uptime_ms):
        air.send(self.sync.status_frame(self.table, 0, uptime_ms))
        for _ in range(4):
            frame = self.sync.outgoing(uptime_ms)
            if frame is None:
                break
            air.send(frame)
            self.sync.sent(uptime_ms)


def talk(near, far, draw, loss, steps, uptime_ms=0, busy=0):
    """Let both sides talk over a bad air for ``steps`` of 50 ms; return the uptime then."""
    up, down = BadAir(draw, loss), BadAir(draw, loss)
    near.sync.link_opened(uptime_ms)
    for step in range(steps):
        uptime_ms += 50
        if busy and draw(10) < busy:
            near.journal.append(events.TurnEnded(near.timebase.now_ms(uptime_ms), 0, 0, 0))
        near.speak(up, uptime_ms)
        for frame in up.land():
            for answer in far.heard(frame, uptime_ms + 1_000_000):
                down.send(answer)
        if far.status and far.command():
            down.send(far.command())
        if step % 20 == 0 and (fetch := far.fetch()):
            down.send(fetch)
        for frame in down.land():
            near.take(frame, uptime_ms)
    near.sync.link_closed()
    return uptime_ms


def pair(ppm=50):
    """Return a joined board and its host, with everything acknowledged."""
    draw = random.Random(1).randrange
    near, far = NearSide(TornStore(64), draw, ppm=ppm), FarSide()
    far.orders = list(ORDERS)
    uptime_ms = talk(near, far, draw, 0, 200)
    assert not far.orders and not near.sync.waiting
    return near, far, uptime_ms
