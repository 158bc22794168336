"""Boards for the host's tests: the real Journal, Sync and Match over RAM, and an air from a seed.

There is no screen, no key and no loop here: a test acts on ``Tabletop.happen`` and lets ``Air``
carry frames in steps of virtual time.
"""

import random

from firmware.core import events, frames, intents
from firmware.core.answers import DONE, ILLEGAL
from firmware.core.journal import Journal
from firmware.core.match import Match
from firmware.core.sync import Sync
from firmware.core.systems import p18
from firmware.core.timebase import Timebase
from host.archive.roster import Board, Event, Format, Pairing, Player
from host.desk.station import Station
from host.sim import stored_records
from host.sim.board import RamStore

STEP_MS = 20
ADVERTISE_MS = 500
START_MS = 121_000  # from an order to start to the start
SOON_MS = 11_000  # the same where nobody looks at the time: a tenth of the adverts are heard


class Flash(RamStore):
    """A journal of a few blocks, which is soon full."""

    blocks = 64


class Tabletop:
    """A board without a face: it does every command that is legal and says so."""

    def __init__(self, device, key, luck, rules=p18):
        self.device, self._key, self._luck, self.rules = device, key, luck, rules
        self.flash, self.names = Flash(), {}
        self.open = False
        self.boot(0)

    def boot(self, uptime_ms, reason=0):
        """Start, or start again as after a reset: all but the flash is gone."""
        self.journal = Journal(self.flash, self.device, self._key)
        self.journal.recover()
        self.timebase = Timebase(100)
        self.journal.open_epoch(self.journal.last_ms or 0, reason, 1)
        self.sync = Sync(self.journal, self.timebase, self._luck.randbytes)
        self.match = Match(self.rules)
        for record in stored_records.replay(self.journal):
            self.match.apply(events.of_record(record))
        self.open = False

    def now_ms(self, uptime_ms):
        return self.timebase.now_ms(uptime_ms)

    def happen(self, *happened):
        for event in happened:
            self.journal.append(event)
            self.match.apply(event)

    def tick(self, uptime_ms):
        """Do what time alone brings; return the event time."""
        now_ms = self.now_ms(uptime_ms)
        self.happen(*self.match.decide(intents.Tick(now_ms), now_ms))
        return now_ms

    def ask(self, uptime_ms, kind, a=0, b=0, c=0):
        now_ms = self.tick(uptime_ms)
        found = self.match.decide(intents.of_numbers(kind, now_ms, a, b, c), now_ms)
        self.happen(*found)
        return bool(found)

    def win(self, uptime_ms, seat=0):
        """Have a seat win two games and both confirm, the loser first."""
        for starter in (0, 1):
            assert self.ask(uptime_ms, intents.SET_STARTER, starter)
            assert self.ask(uptime_ms, intents.WIN_GAME, seat)
        assert self.ask(uptime_ms, intents.CONFIRM_RESULT, 1 - seat)
        assert self.ask(uptime_ms, intents.CONFIRM_RESULT, seat)

    def status(self, uptime_ms):
        return self.sync.status_frame(self.match, 0, uptime_ms)

    def receive(self, frame, uptime_ms):
        left = self.sync.receive(frame, uptime_ms)
        if left is None:
            return
        if isinstance(left, intents.JoinEvent):
            self.sync.join_event(left, self.now_ms(uptime_ms))
        elif isinstance(left, intents.Intent):
            self._obey(left, uptime_ms)
        elif left[0] == "event":
            self.happen(left[1])
        elif left[0] == "name":
            self.names[left[1]] = left[2:]

    def _obey(self, intent, uptime_ms):
        now_ms = self.tick(uptime_ms)
        found = self.match.decide(intent, now_ms)
        answer = self.sync.answer(DONE if found else ILLEGAL, now_ms)
        self.happen(*found, answer)

    def history(self):
        return [
            record for _, record in stored_records.walk(self.journal.ring, self.journal.ring.oldest)
        ]


class Air:
    """Carries between boards and a Collector: lossy, doubling, late, and always from its seed."""

    def __init__(self, collector, boards, seed=1, loss=0.0):
        self.collector, self.boards = collector, {f"radio {b.device}": b for b in boards}
        self.loss, self._luck = loss, random.Random(seed)
        self.now_ms, self._order, self._flying = 1000, 0, []
        self._poll_ms = 0  # when the collector is to be asked again
        self._doing = {"connect": self._open, "write": self._write, "disconnect": self._close}
        self.connections = 0
        self.away = set()  # addresses out of reach

    def run(self, duration_ms, until=lambda: False):
        """Let time pass; stops early when ``until()`` holds. Returns whether it did."""
        self._wake()  # whoever has acted does
        for _ in range(duration_ms // STEP_MS):
            self.now_ms += STEP_MS
            if self._flying:
                self._land()
            advertise = self.now_ms % ADVERTISE_MS == 0
            for address, board in self.boards.items():
                if board.open:
                    self._exchange(address, board)
                elif advertise and address not in self.away:
                    self.carry(self._heard, address, board.status(self.now_ms))
            self.collector.now_ms = self.now_ms
            if self.now_ms >= self._poll_ms:
                self._poll()
            if until():
                return True
        return False

    def _wake(self):
        """Have the collector asked in this step, as a Pump does after each report."""
        self._poll_ms = self.now_ms

    def _poll(self):
        actions = self.collector.poll(self.now_ms)
        self._poll_ms = self.collector.due_ms(self.now_ms)
        for action in actions:
            self._doing[action[0]](*action[1:])

    def carry(self, deliver, *what):
        """Let something arrive later, perhaps twice, perhaps never."""
        for _ in range(1 + (self._luck.random() < self.loss / 3)):
            if self._luck.random() >= self.loss:
                late_ms = self._luck.choice((20, 20, 40, 60)) + 500 * (
                    self._luck.random() < self.loss / 4
                )
                self._order += 1
                self._flying.append((self.now_ms + late_ms, self._order, deliver, what))

    def cut(self, board):
        for address, other in self.boards.items():
            if other is board and board.open:
                self._close(address)

    def _land(self):
        due = sorted(item for item in self._flying if item[0] <= self.now_ms)
        self._flying = [item for item in self._flying if item[0] > self.now_ms]
        for _, _, deliver, what in due:
            deliver(*what)

    def _exchange(self, address, board):
        """Send what a linked board has to say; end the link when the board gives it up."""
        for _ in range(4):
            frame = board.sync.outgoing(self.now_ms)
            if frame is None:
                break
            board.sync.sent(self.now_ms)
            self.carry(self._received, address, frame)
        if board.sync.drop_due(self.now_ms):
            self._close(address)

    def _heard(self, address, frame):
        self.collector.on_advert(address, frame, self.now_ms)
        self._wake()

    def _received(self, address, frame):
        self.collector.on_notification(address, frame, self.now_ms)
        self._wake()

    def _open(self, address):
        self.connections += 1
        board = self.boards[address]
        if address in self.away or self._luck.random() < self.loss / 2:
            self.collector.on_disconnected(address)
            self._wake()
            return
        board.open = True
        board.sync.link_opened(self.now_ms)
        self.collector.on_connected(address)
        self._wake()

    def _write(self, address, frame):
        if frames.head(frame) and self.boards[address].open:
            self.carry(self._put, address, frame)

    def _put(self, address, frame):
        if self.boards[address].open:
            self.boards[address].receive(frame, self.now_ms)

    def _close(self, address):
        if self.boards[address].open:
            self.boards[address].open = False
            self.boards[address].sync.link_closed()
        self.collector.on_disconnected(address)
        self._wake()


MASTER = bytes(range(32))
EVENT = 5


class Venue:
    """A Station over a real archive file, its boards, and the air between them."""

    rules, bits, kind = p18, 3 << 1, Tabletop

    def __init__(self, path, tables=2, seed=1, loss=0.0):
        self.path, self.loss = path, loss
        self.boards = [self._board(100 + n, f"{seed} {n}") for n in range(1, tables + 1)]
        self.station = Station(path, MASTER)
        self._fill(tables)
        self.air = Air(self.station.collector, self.boards, seed, loss)
        self.station.collector.now_ms = self.air.now_ms

    def _board(self, device, seed):
        key = frames.board_key(MASTER, device, 1)
        return self.kind(device, key, random.Random(seed), self.rules)

    def add_spare(self, device=200):
        """Have a board without a table, too; return it."""
        self.archive.roster.add_board(Board(device, 1, 0), 0)
        self.station.refresh()
        spare = self.air.boards[f"radio {device}"] = self._board(device, device)
        self.boards.append(spare)
        return spare

    def _fill(self, tables):
        roster = self.station.archive.roster
        for n in range(1, tables + 1):
            roster.add_board(Board(100 + n, 1, n), 0)
        roster.open_event(Event(EVENT, "Test Cup", 0))
        players = [Player(str(n), f"Given{n} Family") for n in range(2 * tables)]
        pairings = [
            Pairing(1, n + 1, n + 1, players[2 * n], players[2 * n + 1]) for n in range(tables)
        ]
        roster.store_round(1, Format(self.rules.NUMBER, self.bits, 50), pairings)
        self.station.refresh()

    @property
    def archive(self):
        return self.station.archive

    @property
    def drained(self):
        waiting = any(board.sync.waiting for board in self.boards)
        return self.station.collector.idle and not self.archive.orders.pending and not waiting

    def drain(self, limit_ms=300_000):
        """Run until ``drained``; fails when that takes too long."""
        assert self.air.run(limit_ms, lambda: self.drained), "it never drained"

    def publish(self, number=1):
        """Publish a round, and let every board hear of it."""
        self.station.desk.publish(number)
        self.drain()

    def begin(self, number=1, start_ms=START_MS):
        """Bring every table of a round into play, ``start_ms`` after the order to start it."""
        self.publish(number)
        self.station.desk.start(self.air.now_ms + start_ms)
        self.drain()
        for board in self.boards:
            for seat in (0, 1):
                assert board.ask(self.air.now_ms, intents.CONFIRM_SEAT, seat)
        self.air.run(start_ms + 4000)

    def win(self, board, seat=0):
        """Have a seat win two games and both confirm, the loser first."""
        board.win(self.air.now_ms, seat)

    def win_unheard(self, place=0, seat=0):
        """Have a match end at a board that is out of reach of the host; return the board."""
        board = self.boards[place]
        self.air.away.add(f"radio {board.device}")
        self.air.cut(board)
        self.win(board, seat)
        return board

    def restart(self):
        """Close the host and open it again, as after a crash: its memory is gone."""
        for board in self.boards:
            self.air.cut(board)
        self.station.close()
        self.station = Station(self.path, MASTER)
        self.air.collector = self.station.collector

    def check(self):
        """The archive holds every record of every board once, byte for byte."""
        held = {entry.id: entry.frame for entry in self.archive.records()}
        for board in self.boards:
            for record in board.history():
                kind, device, epoch, counter = frames.head(record)
                if kind not in events.NOT_NEWS:
                    assert held[device, 1, epoch, counter] == record
