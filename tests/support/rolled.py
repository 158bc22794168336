"""A seeded event of one board that rolls, archived like a host does; and ways to tamper with it."""

import random
import sqlite3

from lucky import EVENT, Lucky

from firmware.core import events, frames, intents
from host.archive import Archive, Entry
from host.nonces import Nonces
from host.roster import Board, Event

MASTER = bytes(range(32))
DEVICE = 7


class Desk:
    """The collector's place: hands an order on to the board at once."""

    now_ms = 0

    def __init__(self, board, hears):
        self._board, self._hears = board, hears

    def ask(self, number, table, intent, author):
        """Have the board take it, where it hears it."""
        if self._hears:
            self._board.ask(intent[0], intent[2], intent[3], intent[4], at_ms=intent[1])


def connect(path):
    """Return a connection that is quick rather than safe."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA synchronous = OFF")
    return db


def play(path, seed):
    """Play an event from its seed; return the Archive, every match over and everything in it."""
    luck = random.Random(f"event {seed}")
    board = Lucky(seed, device=DEVICE, key=frames.board_key(MASTER, DEVICE, 1))
    archive = Archive(path, connect)
    archive.roster.add_board(Board(DEVICE, 1, 12), 0)
    archive.roster.open_event(Event(EVENT, "Rolls", 0))
    hears = luck.random() < 0.8
    nonces, known = Nonces(archive, Desk(board, hears), luck.randbytes), 0

    def tell():
        nonlocal known
        fresh = board.records()[known:]
        known += len(fresh)
        entries = [entry_of(board, record) for record in fresh]
        archive.commit(entries)
        nonces.take(entries)

    for number in range(1, luck.randrange(2, 4)):
        _match(board, number, luck, tell)
    board.ask(intents.CLEAR_ROUND)
    tell()
    return archive


def _match(board, number, luck, tell):
    board.begin(number)
    tell()
    for _ in range(luck.randrange(1, 5)):
        _roll(board, luck)
    tell()
    board.over()
    if luck.random() < 0.2:
        board.ask(intents.REOPEN_RESULT)
        tell()
        _roll(board, luck)
        board.over()


def _roll(board, luck):
    if luck.random() < 0.2:
        board.boot()
        board.tick()
    board.roll(luck.choice((0x10, 0x11)))
    if luck.random() < 0.3:
        board.ask(intents.DISPUTE_ROLL, luck.randrange(2))
        board.ask(intents.RULE_ROLL, luck.randrange(2))
    else:
        board.agree()


def entry_of(board, record):
    """Return the Entry of a board's record."""
    kind, device, epoch, counter = frames.head(record)
    key = frames.board_key(MASTER, DEVICE, 1)
    event = EVENT if frames.genuine(frames.stream_key(key, EVENT, frames.UP, epoch), record) else 0
    return Entry(device, 1, epoch, counter, event, board.now_ms, record)


# tampering: each takes the list of Entries and some luck, and returns them changed


def signed(entry, event):
    """Return the Entry with another event in it, signed with the board's own key."""
    key = frames.stream_key(frames.board_key(MASTER, DEVICE, 1), entry.event, frames.UP, entry.epoch)
    frame = frames.seal(key, event[0], DEVICE, entry.epoch, entry.counter, frames.plain(*event[1:]))
    return Entry(*entry.place, entry.event, entry.received_ms, frame)


def _at(entries, kind):
    return [i for i, entry in enumerate(entries) if frames.event_of(entry.frame)[0] == kind]


def change_face(entries, luck):
    """Give a roll another face."""
    i = luck.choice(_at(entries, events.ROLLED))
    kind, at_ms, a, b, c = frames.event_of(entries[i].frame)
    entries[i] = signed(entries[i], (kind, at_ms, a, b % (2 if a == 0x10 else 6) + 1, c))
    return entries


def drop_roll(entries, luck):
    """Take a roll out."""
    del entries[luck.choice(_at(entries, events.ROLLED))]
    return entries


def swap_order(entries, luck):
    """Let a roll and a record beside it change places, by one who has not the board's key."""
    i = luck.choice(_at(entries, events.ROLLED))
    j = i - 1 if entries[i].place[:3] == entries[i - 1].place[:3] else i + 1
    first, second = entries[i], entries[j]
    entries[i] = Entry(*first.place, first.event, first.received_ms, second.frame)
    entries[j] = Entry(*second.place, second.event, second.received_ms, first.frame)
    return entries


def swap_rolls(entries, luck):
    """Let two rolls change places, where there are two, by one who has the key."""
    found = _at(entries, events.ROLLED)
    if len(found) < 2:
        return change_face(entries, luck)
    k = luck.randrange(len(found) - 1)
    i, j = found[k], found[k + 1]
    first, second = (frames.event_of(entries[k].frame) for k in (i, j))
    entries[i], entries[j] = signed(entries[i], second), signed(entries[j], first)
    return entries


def other_seed(entries, luck):
    """Tell another seed."""
    i = luck.choice([i for i in _at(entries, events.SEED_TOLD) if 4 <= frames.event_of(entries[i].frame)[2] < 8])
    kind, first, a, b, c = frames.event_of(entries[i].frame)
    entries[i] = signed(entries[i], (kind, first ^ 1 << luck.randrange(32), a, b, c))
    return entries


def truncate(entries, luck):
    """Cut the end off, some of the first match with it."""
    last = _at(entries, events.MATCH_ENDED)[0]
    rolled = _at(entries, events.ROLLED)[0]
    return entries[: luck.randrange(rolled, last + 1)]


WAYS = (change_face, drop_roll, swap_order, swap_rolls, other_seed, truncate)


def rewritten(archive, path, entries):
    """Return another Archive with these entries and the same nonces; the host is the tamperer."""
    other = Archive(path, connect)
    other.roster.add_board(Board(DEVICE, 1, 12), 0)
    other.roster.open_event(Event(EVENT, "Rolls", 0))
    other.commit(entries)
    for value in archive.notices.every("nonce"):
        other.notices.add("nonce", value, "host", 0)
    return other
