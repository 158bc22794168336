"""A seeded event of two boards that roll, with resets, losses and swaps of boards."""

import random
import sqlite3

from lucky import EVENT, Lucky

from firmware.core import events, frames, intents
from host.archive import audit_log
from host.archive.decoded_frames import VerifiedFrame
from host.archive.records import ArchivedRecord
from host.archive.roster import Board, Event
from host.archive.store import Archive
from host.event.nonces import Nonces
from host.keys import signatures
from host.keys.keyring import Keyring
from host.sim import stored_records

MASTER = bytes(range(32))
TABLE, DEVICES = 12, (7, 8)  # the second takes the table over where the first is lost


class Desk:
    """The collector's place: hands an order on to the board at once."""

    now_ms = 0

    def __init__(self):
        self.board = None

    def add_order(self, order):
        intent = order.intent
        if self.board is not None:
            self.board.now_ms += 1000
            self.board.tick()
            self.board.put(intent)


def connect(path):
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA synchronous = OFF")
    return db


def opened(path):
    """Return an Archive of the boards and the event, that keeps counterfoils."""
    archive = Archive(path, connect)
    archive.audit_log.begin(audit_log.key_of(MASTER))
    for device in DEVICES:
        archive.roster.add_board(Board(device, 1, TABLE + device - DEVICES[0]), 0)
    archive.roster.open_event(Event(EVENT, "Rolls", 0))
    return archive


def key_of(device):
    return frames.board_key(MASTER, device, 1)


def nonce_key(archive):
    return Keyring(MASTER, archive.roster).nonces


def entry_of(record, received_ms):
    """Return the ArchivedRecord of a board's record."""
    _, device, epoch, counter = frames.head(record)
    key = frames.stream_key(key_of(device), EVENT, frames.UP, epoch)
    return ArchivedRecord(
        device,
        1,
        epoch,
        counter,
        EVENT if signatures.verify(key, record) else 0,
        received_ms,
        record,
    )


class Evening:
    """One event as it goes; everything is from ``seed``."""

    def __init__(self, path, seed):
        self.luck = random.Random(f"event {seed}")
        self.archive, self._desk = opened(path), Desk()
        self._nonces = Nonces(self.archive, self._desk, nonce_key(self.archive))
        self._hears, self._gaps = self.luck.random() < 0.8, self.luck.random() < 0.1
        self._lost = self.luck.randrange(1, 9) if self.luck.random() < 0.25 else 99
        self._seed, self._sent, self._told = seed, set(), 0
        self._take(DEVICES[0])

    def _take(self, device):
        self.board = Lucky(f"{self._seed} {device}", device=device, key=key_of(device))
        self._desk.board = self.board if self._hears else None

    def tell(self):
        """Let the host hear what the board has to say, as long as it is not lost."""
        self._told += 1
        if self.board.device == DEVICES[0] and self._told > self._lost:
            return
        journal, entries = self.board.journal, []
        for place, _ in list(stored_records.walk(journal.ring, journal.ring.oldest)):
            record = journal.to_send(place)
            if record is None or record in self._sent:
                continue
            self._sent.add(record)
            if not (self._gaps and self.luck.random() < 0.03):
                entries.append(entry_of(record, self.board.now_ms))
        self.archive.commit(entries)
        self._nonces.take(entries)

    def swap(self):
        """A board that is lost says once how much it had; the other takes the table over."""
        journal = self.board.journal
        if self.luck.random() < 0.5:
            payload = frames.pack_status(0, 3, 0, 0, journal.news_head)
            frame = journal.sign(frames.STATUS, 1, payload)
            self.archive.audit_log.add_head(
                VerifiedFrame(
                    frame, frames.STATUS, journal.device, 1, journal.event, journal.epoch, 1
                )
            )
        self._take(DEVICES[1])

    @property
    def lost(self):
        return self.board.device == DEVICES[0] and self._told >= self._lost

    def match(self, number):
        """Play a match, and now and then open it again."""
        board, luck = self.board, self.luck
        board.begin(number, TABLE)
        self.tell()
        for _ in range(luck.randrange(1, 5)):
            self.roll()
        self.tell()
        board.over()
        self.tell()
        if luck.random() < 0.2:
            board.ask(intents.REOPEN_RESULT)
            self.tell()
            self.roll()
            board.over()

    def roll(self):
        """Roll and agree, or have a judge rule; with a reset before it now and then."""
        board, luck = self.board, self.luck
        if luck.random() < 0.2:
            board.restart()
        board.roll(*luck.choice(((0x20,), (0x21,), (0x20, 4), (0x20, 255))))
        if luck.random() < 0.3:
            board.ask(intents.DISPUTE_ROLL, luck.randrange(2))
            board.ask(intents.RULE_ROLL, luck.randrange(2))
        else:
            board.agree()


def play(path, seed):
    """Play an event from its seed; return the Archive, closed and sealed."""
    evening = Evening(path, seed)
    for number in range(1, evening.luck.randrange(2, 4)):
        evening.match(number)
        if evening.lost:
            evening.swap()
    if evening.luck.random() < 0.7:
        evening.board.ask(intents.CLEAR_ROUND)
    evening.tell()
    evening.archive.notices.add(audit_log.CLOSED, "Rolls", "host", 1)
    evening.archive.audit_log.close_event()
    return evening.archive


def rolls_of(entries):
    return [i for i, entry in enumerate(entries) if entry.kind == events.ROLLED]
