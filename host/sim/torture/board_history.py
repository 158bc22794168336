"""What a board has stored since the run began, and checks that a restarted program still has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from firmware.core import events
from firmware.core.match import Match
from firmware.core.ring import ROOM, Ring
from host.sim.tap import head_of
from host.sim.torture.power_cuts import SECTOR

if TYPE_CHECKING:
    from firmware.core.journal import Journal
    from firmware.core.types import Rules
    from host.sim.torture.types import FaultyTable


REPLAYED = (None, "A", "B", "tie")
_FAR = 40 * ROOM  # how many records before the head a restart is checked for
_LATE_MS = 61_000  # the last CLOCK record may be a minute old while the clock runs
_AHEAD_MS = 2_500
_BEGINS = (events.ROUND_SET, events.ROUND_CLEARED, events.EVENT_JOINED)
_ROLLS = ("roll", "roll_rounds", "roll_pregame", "roll_still")  # the screens that show one
_GRANTS = (
    events.START_SET,
    events.FORMAT_SET,
    events.EXTENDED,
    events.RESUMED,
)  # these may give time


def replayed_match(journal: Journal, rules: Rules) -> Match:
    """Return a Match replayed from a journal."""
    match = Match(rules)
    for record in journal.replay():
        match.apply(events.of_record(record))
    return match


def _written(table):
    """Return the slots of the last blocks written, all of which one torn sector can hold."""
    newest = table.app.journal.ring.number
    return [
        number % table.store.blocks for number in range(max(0, newest - SECTOR + 1), newest + 1)
    ]


class BoardHistory:
    """The records that one board has stored, over all its restarts.

    A record counts as stored once what has written it (``append``, ``settle``, ``close_block``) has
    returned.
    """

    def __init__(self):
        self.records: dict[tuple[int, int], bytes] = {}  # (epoch, counter) -> bytes
        self.head = 0
        self._at: dict[int, bytes] = {}  # place in the ring -> the same bytes
        self._done: set[tuple[int, int]] = set()
        self._granted = (
            False  # whether a desk act on the clock was stored since the screen last changed
        )
        self._before: tuple[int, int | None] | None = None  # the round and its zero, as last shown
        self._knew = 0
        self._seen: tuple[int | None, events.Rolled] | None = (
            None  # (place of the match in the ring, the last roll that was shown)
        )

    def note_stored(self, table: FaultyTable) -> None:
        """Note that an append has returned: all records up to the head are in both copies."""
        ring = table.app.journal.ring
        for index, record in ring.walk(self.head):
            if record:
                self.records[head_of(record)[2:]] = self._at[index] = record
                self._granted = self._granted or head_of(record)[0] in _GRANTS
        self.head = ring.head
        if self._seen is not None and self._seen[0] != table.app.journal.start:
            self._seen = None  # another match has begun

    def check_copies(self, table: FaultyTable) -> Iterator[str]:
        """Yield a sentence if an append has returned without both copies holding the last block."""
        ring = table.app.journal.ring
        slot = ring.number % table.store.blocks
        if any(table.store.read(copy, slot) != ring.tail for copy in (0, 1)):
            yield "told as stored, and not in both copies"

    def note_command(self, epoch: int, counter: int) -> bool:
        """Note that a command was carried out; return False if it had been before."""
        known = (epoch, counter) in self._done
        self._done.add((epoch, counter))
        return not known

    def check_screen(self, table: FaultyTable) -> Iterator[str]:
        """Yield what is wrong in the running program; called after each change of screen."""
        app = table.app
        match, ring = app.match, app.journal.ring
        copies = [table.store.read(copy, ring.number % table.store.blocks) for copy in (0, 1)]
        if copies[0] != copies[1]:
            yield "the two copies differ"
        self._knew = (app.timebase.bounded or not app.timebase.guessed) and app.journal.event
        self._before, self._granted = (match.round, match.zero_ms), False
        yield from self._rolls(table)

    def _rolls(self, table):
        """A roll that was shown stays until the next roll or another match."""
        app = table.app
        match, start = app.match, app.journal.start
        if self._seen is not None and self._seen[0] == start:
            roll = self._seen[1]
            if match.roll is None or match.roll.number < roll.number:
                yield f"a roll that was shown is gone: {roll} {match.roll}"
            elif match.roll.number == roll.number and match.roll != roll:
                yield f"another roll than was shown: {roll} {match.roll}"
        if match.roll is not None and table.screen in _ROLLS:
            self._seen = start, match.roll

    def check_flash(self, table: FaultyTable) -> Iterator[str]:
        """Yield what recovery would accept as records although the board never wrote it."""
        ring = Ring(table.store.copy())
        ring.recover()
        first = max(ring.oldest, self.head - _FAR)
        known = (
            (index, record, self._at.get(index)) for index, record in ring.walk(first) if record
        )
        made_up = [
            index
            for index, record, own in known
            if record != own and (own or not table.is_own_record(record))
        ]
        if made_up:
            yield f"what a cut left is read as records, {len(made_up)} of them from {made_up[0]} on"

    def check_restart(self, table: FaultyTable) -> Iterator[str]:
        """Yield which stored records, shown rolls or time the restarted program has lost."""
        journal = table.app.journal
        if journal.ring.head < self.head:
            yield f"{self.head - journal.ring.head} stored records lost"
        oldest = max(0, self.head - _FAR)
        places = list(self.records)[-(self.head - oldest) :]
        lost = [
            place for place in places if journal.read(*place) not in (self.records[place], None)
        ]
        if lost:
            yield f"stored records changed: {lost[:3]}"
        gone = [place for place in places if journal.read(*place) is None]
        if gone and journal.ring.oldest == 0:
            yield f"stored records gone: {gone[:3]}"
        if any(table.store.read(0, slot) != table.store.read(1, slot) for slot in _written(table)):
            yield "a torn copy is left"
        grown = [head_of(record)[0] for _, record in journal.ring.walk(self.head) if record]
        if self._seen is not None and not any(kind in _BEGINS for kind in grown):
            if self._seen[0] != journal.start:
                yield f"the match of a roll that was shown is gone: {self._seen}"
        self.note_stored(table)
        yield from self._rolls(table)
        yield from self._resumed(table)

    def _resumed(self, table):
        app = table.app
        if self._before is None or app.match.round != self._before[0]:
            return
        zero_ms = self._before[1]
        if zero_ms is not None and app.match.zero_ms is not None and app.match.zero_ms > zero_ms:
            if not self._granted:
                yield f"time given back by a reset: {app.match.zero_ms - zero_ms} ms"
        if self._knew and self._knew == app.journal.event and not app.timebase.bounded:
            yield "woke without any idea of the time"
        if app.timebase.guessed and app.timebase.bounded:
            yield from self._bound(table)

    def _bound(self, table):
        """Compare the restored time with the time at the power cut. It may be late by the age of
        sleep memory, or without sleep memory by the age of the last CLOCK record.
        """
        now_ms = table.app.timebase.now_ms(table.board.clock.now_ms())
        back_ms = table.last_ms - now_ms
        if table.clock_ran and self._knew == table.app.journal.event:
            if back_ms > (_AHEAD_MS + table.idle_ms if table.powered else _LATE_MS):
                kept = "kept" if table.powered else "gone"
                yield f"sleep memory {kept}, and {back_ms} ms given back"
        ahead_ms = now_ms - max(table.last_ms, table.latest_ms())
        if ahead_ms > _AHEAD_MS:
            yield f"woke {ahead_ms} ms ahead of time"
