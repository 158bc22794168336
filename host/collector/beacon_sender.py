"""The host's beacon, without IO: which frames are broadcast when (``firmware/core/beacon.py``).

``poll`` plans ``LEAD_MS`` ahead, so that gateways have each frame in time; its stamp and its
interval are those of the planned moment, or of a little earlier (``_SOONER_MS``). But a KEY is
never handed to a gateway before it may be disclosed, as a gateway need not wait.

The beacon's part of each cycle has ``SLOTS`` slots of ``SLOT_MS``: an advert leaves up to 10 ms
after its time, by chance. The pending frames decide by which of the patterns the slots are used. A
pattern's length has no common factor with ``SLOTS``, else each kind would keep its place in the
cycle, and a board whose clock is a little wrong would never hear the first.
"""

import math
from collections import deque
from collections.abc import Collection
from typing import NamedTuple

from firmware.core import beacon
from firmware.core.intents import Intent
from host.collector.heard_times import HeardTimes
from host.keys.beacon_chain import SHIFT_MS, BeaconChain, number_at

SLOT_MS = 12
SLOTS = beacon.PART_MS // SLOT_MS
LEAD_MS = 80
# of the first slot: boards read a stamp late, so most of their clocks are some ms behind
_FIRST_MS = 5
_POLL_MS = 20
# Acknowledgements are signed as if they left so much sooner, and their keys come as much earlier:
# boards whose time is uncertain by 130 ms or less can still take each of them, and five of six at
# 160 ms, which is about as far as a board lets it come
_SOONER_MS = 164
_REPEATS = 12  # times that a changed block is sent before the others
_OTHERS = 20  # meanwhile, one block in so many is of the others
# patterns of the slots, by kind of frame: Tick, Key, Command, Acked, Heard
_QUIET = "TKHTATKHTCHT"
_RECORDS = "AKTAHAKTATA"  # while records are acknowledged
_RESULTS = "AAAKAAATAKA"
_ENDING = "AKAKTAK"  # once one frame acknowledges all but a few: keys are what boards lack then
_RECALL = "TAKATAATAKA"
_FIRST = ((1200, "CCTCCCK"), (2500, "CKTKCCK"), (4500, "KCKTKAK"))  # by the newest command's age


class Sending(NamedTuple):
    """A frame of 27 bytes, the event time at which it is to leave, and the number of the gateway
    that sends it: None for all.
    """

    at_ms: int
    frame: bytes
    gateway: int | None = None


class HallState(NamedTuple):
    """The contents of a TICK: round, one of ``beacon``'s states, tables in the hall, the round's
    start (0: none set), the policy's switches, the number of tables whose results are awaited, and
    the number of boards not heard yet, where all are recalled; ``recalling``: most boards that
    send now are recalled ones.
    """

    round: int = 0
    state: int = beacon.IDLE
    tables: int = 0
    start_ms: int = 0
    switches: int = 0
    awaited: int = 0
    unheard: int = 0
    recalling: bool = False


class Command(NamedTuple):
    """A desk intent to all tables of a round (0: of any)."""

    counter: int
    round: int
    intent: Intent


class AckedBlocks:
    """The host's acknowledgements to all tables, as the bodies of ACKED frames in turn.

    ``tables`` are all of the hall's: where few of them lack something, one frame acknowledges all
    but those. Gateways that send alone send different blocks at a time, and each sends all of them,
    as many boards hear only one gateway.
    """

    def __init__(self, round_number: int, tables: Collection[int] = ()):
        self._round, self._tables = round_number, frozenset(tables)
        # what is acknowledged, by table and whether it is about the board itself
        self._newest: dict[tuple[int, bool], int] = {}
        self._tables_with: dict[int, set[int]] = {}  # the same the other way round
        self._blocks: list[tuple[int, int]] = []  # what is acknowledged, and the first table
        self._repeats_left: dict[tuple[int, int], int] = {}  # of changed blocks
        self._sent: dict[tuple[int, int, int], int] = {}  # the last turn, by gateway and block
        self._turns, self._gateways = 0, 1  # calls of ``next``, and how many gateways made them

    def add(self, table: int, what: int) -> None:
        """Acknowledge ``what`` of a table, unless something later is acknowledged: ``beacon.WHOLE``
        of a milestone is later than the milestone, and ``beacon.HEARD`` is independent.
        """
        key = table, what == beacon.HEARD
        before = self._newest.get(key)
        if before is not None and _rank(before) >= _rank(what):
            return
        if before is not None:
            self._tables_with[before].discard(table)
        block = what, table - table % beacon.BLOCK
        if block not in self._blocks:
            self._blocks.append(block)
        self._newest[key] = what
        self._tables_with.setdefault(what, set()).add(table)
        self._repeats_left[block] = _REPEATS * self._gateways

    @property
    def changed(self) -> bool:
        """Whether a block changed lately."""
        return bool(self._repeats_left)

    @property
    def results(self) -> bool:
        """Whether a changed block acknowledges results, or the boards themselves."""
        return any(not what & beacon.WHOLE for what, _ in self._repeats_left)

    def next(self, gateway: int = 0) -> bytes | None:
        """Return the body that is due at a ``gateway``, None where nothing is acknowledged.

        The calls tell how many gateways there are.
        """
        self._gateways = max(self._gateways, gateway + 1)
        if not self._blocks:
            return None
        self._turns += 1
        changed_first = bool(self._repeats_left) and self._turns % _OTHERS != 0
        due = self._urgent() if changed_first else self._blocks
        block = min(due, key=lambda block: self._sent.get((gateway, *block), 0))
        self._sent[gateway, *block] = self._turns
        if changed_first:
            left = self._repeats_left.pop(block) - 1
            if left:  # behind the others
                self._repeats_left[block] = left
        return self._body(*block)

    def _urgent(self):
        """Return the blocks of which one is next: results before acknowledgements that only end
        repetitions, and of those the ones that were sent least since they changed.
        """
        results = [(what, first) for what, first in self._repeats_left if not what & beacon.WHOLE]
        due = results or self._repeats_left
        most = max(self._repeats_left[block] for block in due)
        return [block for block in due if self._repeats_left[block] == most]

    def _body(self, what, first):
        """Return the body of a block: of all tables but a few, or of those from ``first`` on."""
        acknowledged = self._tables_with[what]
        missing = self._tables - acknowledged
        if len(missing) <= beacon.MOST_BUT:
            return beacon.pack_all(self._round, what, sorted(missing))
        bits = sum(
            1 << (table - first) for table in acknowledged if 0 <= table - first < beacon.BLOCK
        )
        return beacon.pack_acked(self._round, what, first, bits)


def _rank(what):
    """Return what orders acknowledgements in time: by milestone, and ``WHOLE`` behind it."""
    return what & ~beacon.WHOLE, what


class BeaconSender:
    """Plans the beacon of ``event``; ``secret`` is the host's for beacons (``Keyring.beacons``).

    ``heard`` must note each STATUS that is heard.
    """

    def __init__(self, secret: bytes, event: int):
        self._secret, self._event = secret, event
        self._chains: dict[int, BeaconChain] = {}
        self.hall = HallState()
        self._acked, self.heard = AckedBlocks(0), HeardTimes()
        self._commands: deque[Command] = deque()
        self._last_command = 0
        self._commanded_ms: int | None = None  # when the last one came
        self._slot: int | None = None  # the next to plan

    def set_hall(self, hall: HallState, tables: Collection[int] = ()) -> None:
        """Set the contents of TICKs from now on; another round, with its ``tables``, begins
        without acknowledgements.
        """
        if hall.round != self.hall.round:
            self._acked = AckedBlocks(hall.round, tables)
        self.hall = hall

    def acknowledge(self, table: int, what: int) -> None:
        """Acknowledge what is on the disk of a table: a milestone, ``WHOLE`` or ``HEARD``."""
        self._acked.add(table, what)

    def add_command(self, command: Command, now_ms: int) -> None:
        """Broadcast a command until it takes effect; each has a higher counter than the one before.

        Raises ValueError if its intent is never broadcast, its counter does not rise, or boards
        could not learn of it in time.
        """
        if command.counter <= self._last_command or command.counter > 65535:
            raise ValueError("counter")
        if command.intent.at_ms < now_ms + beacon.AHEAD_MS:
            raise ValueError("too soon")
        beacon.pack_command(*command)  # refuses an intent that is never broadcast
        self._last_command = command.counter
        self._commands.append(command)
        self._commanded_ms = now_ms

    def anchor(self, now_ms: int) -> bytes | None:
        """Return the 32 bytes that a board needs to follow; None in a chain's first second."""
        return self._chain(now_ms).anchor(now_ms)

    def poll(self, now_ms: int, apart: int = 1) -> list[Sending]:
        """Return the frames to send until ``LEAD_MS`` from now that were not returned before.

        After a pause, past slots are left out. Each of ``apart`` gateways sends acknowledgements of
        its own, so that more tables get theirs at a time.
        """
        end_ms = now_ms + LEAD_MS
        if self._slot is None or _at_ms(self._slot) < now_ms:
            self._slot = now_ms // beacon.CYCLE_MS * SLOTS
            while _at_ms(self._slot) < now_ms:
                self._slot += 1
        self._commands = deque(c for c in self._commands if c.intent.at_ms > now_ms)
        planned = []
        while (at_ms := _at_ms(self._slot)) <= end_ms:
            pattern = self._pattern(at_ms)
            kind = pattern[self._slot % len(pattern)]
            gateways = range(apart) if kind in _OWN and apart > 1 else (None,)
            for gateway in gateways:
                frame = _MAKERS[kind](self, at_ms, now_ms, gateway or 0)
                if frame is not None:
                    planned.append(Sending(at_ms, frame, gateway))
            self._slot += 1
        return planned

    def due_ms(self, now_ms: int) -> int:
        """Return when to ``poll`` again at the latest, so that nothing is late."""
        return now_ms + _POLL_MS

    def _pattern(self, at_ms):
        """Return the pattern of kinds by which slots are used now."""
        if self._commanded_ms is not None:
            for until_ms, pattern in _FIRST:
                if at_ms - self._commanded_ms < until_ms:
                    return pattern
        if self.hall.recalling:
            return _RECALL
        if self._acked.results:
            return _ENDING if self.hall.awaited <= beacon.MOST_BUT else _RESULTS
        return _RECORDS if self._acked.changed else _QUIET

    def _tick(self, at_ms, now_ms, gateway):
        """Return a signed TICK: round and start, and how many boards are about to speak."""
        hall = self.hall
        speakers = hall.unheard if hall.recalling else hall.awaited
        share = min(beacon.SHARES, math.ceil(speakers * beacon.SHARES / max(1, hall.tables)))
        state = hall.state | share << 3
        if hall.unheard > 0:
            state |= beacon.RECALL
        body = beacon.pack_tick((
            at_ms, hall.round, state, hall.tables, hall.start_ms, hall.switches,
            self._last_command & 255,
        ))  # fmt: skip
        return self._sign(beacon.TICK, body, at_ms)

    def _key(self, at_ms, now_ms, gateway):
        disclosed_ms = max(0, now_ms - beacon.DELAY * beacon.INTERVAL_MS)
        return self._chain(disclosed_ms).disclose(now_ms)

    def _command(self, at_ms, now_ms, gateway):
        if not self._commands:
            return self._results(at_ms, now_ms, gateway)
        self._commands.rotate(-1)
        body = beacon.pack_command(*self._commands[-1])
        return self._sign(beacon.COMMAND, body, at_ms)

    def _results(self, at_ms, now_ms, gateway):
        body = self._acked.next(gateway)
        return body and self._sign(beacon.ACKED, body, at_ms - _SOONER_MS)

    def _times(self, at_ms, now_ms, gateway):
        """Return a frame of the times at which boards were heard, or else of results."""
        signed_ms = max(SHIFT_MS, at_ms)
        chain = self._chain(signed_ms)
        end_ms = chain.start_ms + (chain.interval(signed_ms) + 1) * beacon.INTERVAL_MS
        body = self.heard.next(end_ms)
        if not body:
            return self._results(at_ms, now_ms, gateway)
        return self._sign(beacon.TIMES, body, at_ms)

    def _sign(self, kind, body, at_ms):
        """Return a frame signed with the key of an event time, or of the first interval before."""
        at_ms = max(SHIFT_MS, at_ms)
        return self._chain(at_ms).sign(kind, body, at_ms)

    def _chain(self, at_ms):
        number = number_at(at_ms)
        if number not in self._chains:
            self._chains[number] = BeaconChain(self._secret, self._event, number)
        return self._chains[number]


def _at_ms(slot):
    """Return the event time of a slot; they are counted through all cycles."""
    return slot // SLOTS * beacon.CYCLE_MS + _FIRST_MS + slot % SLOTS * SLOT_MS


_OWN = "AH"
_MAKERS = {"T": BeaconSender._tick, "K": BeaconSender._key, "C": BeaconSender._command,
           "A": BeaconSender._results, "H": BeaconSender._times}  # fmt: skip
