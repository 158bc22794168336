"""The host's beacon, without IO: what is broadcast when (``firmware/core/beacon.py``).

``poll`` plans ``LEAD_MS`` ahead, so that gateways have each frame in time; its stamp and its
interval are those of the planned moment. A KEY alone is never given away before it may be told, as
a gateway need not wait. The air is cut into slots of ``SLOT_MS``, and what there is to say decides
by which of the patterns they are used. A board that listens 30 % of the time hears some nine frames
a second, so a command has most of the air at first, and then the keys that prove it. A pattern's
length goes not into a scan interval of 100 ms, else a board would hear the same kinds for ever.
"""

from collections import deque
from typing import NamedTuple

from firmware.core import beacon
from host.keys.beacon_chain import BeaconChain, number_at

SLOT_MS = 25
LEAD_MS = 200
_POLL_MS = 100
_OFTEN = 12  # so many times a changed block is sent before others have their turn again
_OTHERS = 4  # but of so many blocks one is of the others
# what the slots are for, one after the other: Tick, Key, Command, Acked
_QUIET = "TKTATAC"
_RESULTS = "AATAKAC"  # while blocks have changed
_FIRST = ((1500, "CCTCC"), (2500, "CKTKC"), (4500, "KKTKK"))  # until so long after a command came


class Sending(NamedTuple):
    """A frame of 27 bytes, and the event time at which it is to leave."""

    at_ms: int
    frame: bytes


class HallState(NamedTuple):
    """What TICKs tell: round, one of ``beacon``'s states, tables, the round's start (0: none set)
    and the policy's switches.
    """

    round: int = 0
    state: int = beacon.IDLE
    tables: int = 0
    start_ms: int = 0
    switches: int = 0


class Command(NamedTuple):
    """A desk intent ``(kind, at_ms, a, b, c)`` to all tables of a round (0: of any)."""

    counter: int
    round: int
    intent: tuple[int, int, int, int, int]


class AckedBlocks:
    """Which tables' results are on the disk, as the bodies of ACKED frames, one after the other."""

    def __init__(self, round_number: int):
        self._round = round_number
        self._revisions: dict[int, int] = {}  # by table
        self._bits: dict[tuple[int, int], int] = {}  # by revision and first table
        self._turns: deque[tuple[int, int]] = deque()
        self._fresh: dict[tuple[int, int], int] = {}  # how often they are still to be sent first
        self._given = 0

    def add(self, table: int, revision: int) -> None:
        """Acknowledge a table's result of this revision, and no earlier one."""
        before = self._revisions.get(table)
        if before is not None and before >= revision:
            return
        if before is not None:
            self._bits[before, self._first(table)] &= ~(1 << table % beacon.BLOCK)
        block = revision, self._first(table)
        if block not in self._bits:
            self._turns.append(block)
        self._revisions[table] = revision
        self._bits[block] = self._bits.get(block, 0) | 1 << table % beacon.BLOCK
        self._fresh[block] = _OFTEN

    @property
    def changed(self) -> bool:
        """Whether a block changed lately."""
        return bool(self._fresh)

    def _first(self, table):
        return table - table % beacon.BLOCK

    def next(self) -> bytes | None:
        """Return the body that is due, None where nothing is acknowledged."""
        if not self._turns:
            return None
        self._given += 1
        if self._fresh and self._given % _OTHERS:
            block, left = next(iter(self._fresh.items()))
            del self._fresh[block]
            if left > 1:
                self._fresh[block] = left - 1
        else:
            block = self._turns[0]
            self._turns.rotate(-1)
        return beacon.pack_acked(self._round, block[0], block[1], self._bits[block])


class BeaconSender:
    """Plans the beacon of ``event``; ``secret`` is the host's for beacons (``Keyring.beacons``)."""

    def __init__(self, secret: bytes, event: int):
        self._secret, self._event = secret, event
        self._chains: dict[int, BeaconChain] = {}
        self.hall = HallState()
        self._acked = AckedBlocks(0)
        self._commands: deque[Command] = deque()
        self._last_command = 0
        self._commanded_ms: int | None = None  # when the last one came
        self._slot: int | None = None  # the next to plan

    def tell(self, hall: HallState) -> None:
        """Set what TICKs tell from now on; another round begins without acknowledgements."""
        if hall.round != self.hall.round:
            self._acked = AckedBlocks(hall.round)
        self.hall = hall

    def acknowledge(self, table: int, revision: int) -> None:
        """Tell that a table's result of this round and revision is on the disk."""
        self._acked.add(table, revision)

    def add_command(self, command: Command, now_ms: int) -> None:
        """Broadcast a command until it takes effect; its counter is stored and never used again.

        Raises ValueError if its intent is never broadcast, its counter does not rise, or boards
        could not learn of it in time.
        """
        if command.counter <= self._last_command or command.counter > 65535:
            raise ValueError("counter")
        if command.intent[1] < now_ms + beacon.AHEAD_MS:
            raise ValueError("too soon")
        beacon.pack_command(*command)
        self._last_command = command.counter
        self._commands.append(command)
        self._commanded_ms = now_ms

    def anchor(self, now_ms: int) -> bytes | None:
        """Return the 32 bytes that a board needs to follow; None in a chain's first second."""
        return self._chain(now_ms).anchor(now_ms)

    def poll(self, now_ms: int) -> list[Sending]:
        """Return what is to be sent until ``LEAD_MS`` from now and was not returned before.

        After a pause what lies in the past is left out.
        """
        first, end = -(-now_ms // SLOT_MS), (now_ms + LEAD_MS) // SLOT_MS
        if self._slot is None or self._slot < first:
            self._slot = first
        self._commands = deque(c for c in self._commands if c.intent[1] > now_ms)
        planned = []
        while self._slot <= end:
            at_ms = self._slot * SLOT_MS
            pattern = self._pattern(at_ms)
            frame = _MAKERS[pattern[self._slot % len(pattern)]](self, at_ms, now_ms)
            if frame is not None:
                planned.append(Sending(at_ms, frame))
            self._slot += 1
        return planned

    def due_ms(self, now_ms: int) -> int:
        """Return when to ``poll`` again at the latest, so that nothing is late."""
        return now_ms + _POLL_MS

    def _pattern(self, at_ms):
        age_ms = None if self._commanded_ms is None else at_ms - self._commanded_ms
        for until_ms, pattern in _FIRST:
            if age_ms is not None and age_ms < until_ms:
                return pattern
        return _RESULTS if self._acked.changed else _QUIET

    def _tick(self, at_ms, now_ms):
        hall = self.hall
        body = beacon.pack_tick((
            at_ms, hall.round, hall.state, hall.tables, hall.start_ms, hall.switches,
            self._last_command & 255,
        ))  # fmt: skip
        return self._chain(at_ms).sign(beacon.TICK, body, at_ms)

    def _key(self, at_ms, now_ms):
        told_ms = max(0, now_ms - beacon.DELAY * beacon.INTERVAL_MS)
        return self._chain(told_ms).disclose(now_ms)

    def _command(self, at_ms, now_ms):
        if not self._commands:
            return self._results(at_ms, now_ms)
        self._commands.rotate(-1)
        body = beacon.pack_command(*self._commands[-1])
        return self._chain(at_ms).sign(beacon.COMMAND, body, at_ms)

    def _results(self, at_ms, now_ms):
        body = self._acked.next()
        return body and self._chain(at_ms).sign(beacon.ACKED, body, at_ms)

    def _chain(self, at_ms):
        number = number_at(at_ms)
        if number not in self._chains:
            self._chains[number] = BeaconChain(self._secret, self._event, number)
        return self._chains[number]


_MAKERS = {"T": BeaconSender._tick, "K": BeaconSender._key, "C": BeaconSender._command,
           "A": BeaconSender._results}  # fmt: skip
