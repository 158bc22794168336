"""What a board has promised in its lives so far, and whether the present one keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from firmware.core import events, frames
from firmware.core.match import Match
from firmware.core.ring import ROOM, Ring
from host.sim.tap import head_of
from host.sim.torture.frail import SECTOR

if TYPE_CHECKING:
    from firmware.core.journal import Journal
    from firmware.core.types import Event, Rules
    from host.sim.torture.types import FrailTable


REPLAYED = (None, "A", "B", "tie")
_FAR = 40 * ROOM  # records back from the head that a start is held to
_LATE_MS = 61_000  # the last CLOCK record may be a minute old while the clock runs
_AHEAD_MS = 2_500
_BEGINS = (events.ROUND_SET, events.ROUND_CLEARED, events.EVENT_JOINED)
_ROLLS = ("roll", "roll_die", "flips")  # the screens that show one
_GRANTS = (events.START_SET, events.FORMAT_SET, events.EXTENDED, events.RESUMED)  # time, lawfully


def state_of(journal: Journal, rules: Rules) -> Match:
    """Return a Match replayed from a journal."""
    match = Match(rules)
    for record in journal.replay():
        match.apply(frames.event_of(record))
    return match


def _written(table):
    """Return the slots of the last blocks written, which one torn sector can hold."""
    newest = table.app.journal.ring.number
    return [
        number % table.store.blocks for number in range(max(0, newest - SECTOR + 1), newest + 1)
    ]


class Sworn:
    """One table's promises. A ``stored`` record is one whose append returned."""

    def __init__(self):
        self.records: dict[tuple[int, int], bytes] = {}  # (epoch, counter) -> bytes
        self.head = 0
        self._at: dict[int, bytes] = {}  # place in the ring -> the same bytes
        self._done: set[tuple[int, int]] = set()
        self._granted = (
            False  # an act of the desk on the clock was stored since the face last changed
        )
        self._before: tuple[int, int | None] | None = None  # the round and its zero, as last shown
        self._knew = 0
        self._seen: tuple[int | None, Event] | None = (
            None  # (place of the match, its last roll that stood on the screen)
        )

    def stored(self, table: FrailTable) -> None:
        """An append has returned: all up to the head is safe, in both copies."""
        ring = table.app.journal.ring
        for index, record in ring.walk(self.head):
            if record:
                self.records[head_of(record)[2:]] = self._at[index] = record
                self._granted = self._granted or head_of(record)[0] in _GRANTS
        self.head = ring.head
        if self._seen is not None and self._seen[0] != table.app.journal.start:
            self._seen = None  # another match has begun

    def written(self, table: FrailTable) -> Iterator[str]:
        """Yield what is amiss when an append has returned."""
        ring = table.app.journal.ring
        slot = ring.number % table.store.blocks
        if any(table.store.read(copy, slot) != ring.tail for copy in (0, 1)):
            yield "told as stored, and not in both copies"

    def did(self, epoch: int, counter: int) -> bool:
        """Note that a command was done; False when it was done before."""
        known = (epoch, counter) in self._done
        self._done.add((epoch, counter))
        return not known

    def kept(self, table: FrailTable) -> Iterator[str]:
        """Yield what the present life breaks as it goes; called when a face changes."""
        app = table.app
        match, ring = app.match, app.journal.ring
        copies = [table.store.read(copy, ring.number % table.store.blocks) for copy in (0, 1)]
        if copies[0] != copies[1]:
            yield "the two copies differ"
        self._knew = (app.timebase.bounded or not app.timebase.guessed) and app.journal.event
        self._before, self._granted = (match.round, match.zero_ms), False
        yield from self._rolls(table)

    def _rolls(self, table):
        """A roll that somebody saw stays, and nothing but the next one or another match takes its
        place.
        """
        app = table.app
        match, start = app.match, app.journal.start
        if self._seen is not None and self._seen[0] == start:
            roll = self._seen[1]
            if match.roll is None or match.roll[4] < roll[4]:
                yield f"a roll that was shown is gone: {roll} {match.roll}"
            elif match.roll[4] == roll[4] and match.roll != roll:
                yield f"another roll than was shown: {roll} {match.roll}"
        if match.roll is not None and table.screen in _ROLLS:
            self._seen = start, match.roll

    def found(self, table: FrailTable) -> Iterator[str]:
        """Yield what a start is about to take for records that no life of the board has written."""
        ring = Ring(table.store.copy())
        ring.recover()
        first = max(ring.oldest, self.head - _FAR)
        known = (
            (index, record, self._at.get(index)) for index, record in ring.walk(first) if record
        )
        made_up = [
            index
            for index, record, own in known
            if record != own and (own or not table.wrote(record))
        ]
        if made_up:
            yield f"what a cut left is read as records, {len(made_up)} of them from {made_up[0]} on"

    def survived(self, table: FrailTable) -> Iterator[str]:
        """Yield what the life that begins now has lost of the ones before."""
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
        self.stored(table)
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
        """The time now is what it was at the end, but for what sleep memory, or without it the
        records, may be old.
        """
        now_ms = table.app.timebase.now_ms(table.board.clock.now_ms())
        back_ms = table.last_ms - now_ms
        if table.ran and self._knew == table.app.journal.event:
            if back_ms > (_AHEAD_MS + table.idle_ms if table.powered else _LATE_MS):
                kept = "kept" if table.powered else "gone"
                yield f"sleep memory {kept}, and {back_ms} ms given back"
        ahead_ms = now_ms - max(table.last_ms, table.true_ms())
        if ahead_ms > _AHEAD_MS:
            yield f"woke {ahead_ms} ms ahead of time"
