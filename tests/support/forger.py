"""Whoever has no key: frames made up, overheard, cut, bent, outdated, or signed with a stolen key.

``Forger`` makes them for one direction of one board; ``BoardDoor`` and ``HostDoor`` are the two
parsers, which say whether a frame changed anything behind them.
"""

import functools
import gc
import random
import struct
import sys

from lives import MASTER, Life

from firmware.core import events, frames, intents
from host.archive.roster import Board, Event
from host.desk.station import Station

FRESH_DOWN = (1, 2, 3, 4, 5, *range(intents.JOIN_EVENT, intents.TAKE_BACK + 1))
FRESH_UP = (1, 2, *range(events.BOOTED, events.OVERTIME_ENDED + 1))
POLL_EVERY = 256


class Forger:
    """Frames for the parser of ``direction`` of ``life``; ``other`` is the board that was
    stolen.
    """

    def __init__(self, life, other, direction, seed=1):
        self.life, self.other, self.direction = life, other, direction
        self.luck = random.Random(f"forger {direction} {seed}")
        past = life.down if direction == frames.DOWN else life.up
        journal = life.near.journal
        now = [said for said in past if (said.event, said.epoch) == (journal.event, journal.epoch)]
        self._past = {
            "same round": [s.frame for s in now if s.round == life.round],
            "other round": [s.frame for s in now if s.round != life.round],
            "other boot": [s.frame for s in past if s.event == journal.event and s.epoch < journal.epoch],
            "other event": [s.frame for s in past if s.event != journal.event],
            "other board": [s.frame for s in (other.down if direction else other.up)],
        }  # fmt: skip
        self._kinds = FRESH_DOWN if direction == frames.DOWN else FRESH_UP
        self.attacks = {
            "random": self.made_up,
            "truncation": self.truncated,
            "bit flip": self.bent,
            "downgrade": lambda: self.fresh(version=self.luck.choice((0, 2, 3))),
            "other board's key": lambda: self.fresh(key=self.other.key),
            "other direction": lambda: self.fresh(direction=1 - self.direction),
            "other event's key": lambda: self.fresh(event=self.luck.choice((1, 4, 7, 500))),
            **{name: functools.partial(self.replayed, name) for name in self._past},
        }

    def fresh(self, **forged):
        """Return what the true sender could say next, but for what is ``forged``."""
        terms = {"direction": self.direction, **forged}
        counter = 5000 + self.luck.randrange(60000)
        return self.life.sign(
            self.luck.choice(self._kinds), self.luck.randbytes(9), counter, **terms
        )

    def made_up(self):
        """Return random bytes, every second time with a head that is right."""
        if self.luck.random() < 0.5:
            return self.luck.randbytes(self.luck.choice((24, 24, 24, self.luck.randrange(40))))
        kind, journal = self.luck.choice(self._kinds), self.life.near.journal
        epoch = self.luck.choice((journal.epoch, journal.epoch, self.luck.randrange(65536)))
        head = frames.VERSION << 6 | kind, self.life.device, epoch, self.luck.randrange(65536)
        return struct.pack("<BHHH", *head) + self.luck.randbytes(17)

    def replayed(self, name):
        """Return a frame of that past; another board's with this board's name on it."""
        frame = self.luck.choice(self._past[name])
        if name == "other board":
            return frame[:1] + struct.pack("<H", self.life.device) + frame[3:]
        return frame

    def truncated(self):
        """Return a genuine fresh frame that is too short or too long."""
        size = self.luck.randrange(40)
        return (self.fresh() + self.luck.randbytes(16))[: size + (size == frames.SIZE)]

    def bent(self):
        """Return a genuine fresh frame with one to three bits turned over."""
        frame = bytearray(self.fresh())
        for bit in self.luck.sample(range(8 * frames.SIZE), self.luck.randint(1, 3)):
            frame[bit // 8] ^= 1 << bit % 8
        return bytes(frame)


class BoardDoor:
    """``Sync.receive``."""

    def __init__(self, life):
        self.near, self.uptime_ms = life.near, life.uptime_ms
        self.near.sync.link_opened(self.uptime_ms)
        self._print = self._seen()

    def _seen(self):
        sync, base = self.near.sync, self.near.timebase
        window = sync.window
        return (
            self.near.journal.ring.head, sync.highest, sync.commanded, sync.heard_ms, sync.time_refused,
            sync.asking,
            bytes(sync.names[0]), bytes(sync.names[1]), sync.name_parts, sync.names_round,
            window.first, window.done, window.asked, window.asked_end, base.offset_ms,
            base.error_ms, base.nonce,
        )  # fmt: skip

    def offer(self, frame):
        """Hand a frame in; return whether it changed or asked anything."""
        told = self.near.sync.receive(frame, self.uptime_ms)
        return told is not None or self._seen() != self._print

    def settle(self):
        """Nothing is put off here."""
        return False


class HostDoor:
    """``Keyring`` and ``Collector``, over an archive that holds all that was ever said."""

    def __init__(self, life, other, path):
        self.station, self.now_ms, self._offered = Station(path, MASTER), 9_000_000, 0
        roster = self.station.archive.roster
        for board in (life, other):
            roster.add_board(Board(board.device, 1, board.device), 0)
        for event in sorted({said.event for said in life.up if said.event}):
            roster.open_event(Event(event, f"Cup {event}", 0))
        self.station.refresh()
        self.collector = self.station.collector
        for board in (life, other):
            for said in board.up:
                self.collector.on_advert(f"radio {board.device}", said.frame, self.now_ms)
                self.collector.poll(self.now_ms)
        self.status = self.collector.statuses[life.device]
        self.settle()
        self._print, self._held = self._seen(), self._counts()

    def _seen(self):
        status = self.status
        return (
            status.epoch, status.counter, status.event, status.frame, status.zero_ms, status.phase,
            status.turn,
            status.flags, status.news_head, status.generation, len(self.collector.alarms),
        )  # fmt: skip

    def _counts(self):
        archive = self.station.archive
        return [
            archive.query(f"SELECT count(*) FROM {t}")[0][0]
            for t in ("records", "quarantine", "commands")
        ]

    def offer(self, frame):
        """Hand a frame in; return whether it changed anything."""
        self.collector.on_advert("a stranger's radio", frame, self.now_ms)
        self._offered += 1
        settled = self._offered % POLL_EVERY == 0 and self.settle()
        return settled or self._seen() != self._print

    def settle(self):
        """Let the Collector store what it took; return whether the archive has changed."""
        self.collector.poll(self.now_ms)
        held, before = self._counts(), getattr(self, "_held", None)
        return before is not None and held != before


def blocks():
    gc.collect()
    return sys.getallocatedblocks()


def doors(path):
    """Return ``{name: (door, forger)}`` of both parsers, each with a life of its own."""
    made = {}
    for name, direction in (("board", frames.DOWN), ("host", frames.UP)):
        life, other = Life(7), Life(8)
        forger = Forger(life, other, direction)
        made[name] = (BoardDoor(life) if direction else HostDoor(life, other, path)), forger
    return made
