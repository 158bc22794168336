"""What a board has promised in its lives so far, and whether the present one keeps it."""

from firmware.core import events, frames
from firmware.core.match import Match
from firmware.core.ring import ROOM
from host.sim.torture.frail import SECTOR

REPLAYED = (None, "A", "B", "tie")
_LATE_MS = 61_000  # the last CLOCK record may be a minute old
_AHEAD_MS = 2_500
_GRANTS = (events.START_SET, events.FORMAT_SET, events.EXTENDED, events.RESUMED)  # time, lawfully


def state_of(journal, rules):
    """Return a Match replayed from a journal."""
    match = Match(rules)
    for record in journal.replay():
        match.apply(frames.event_of(record))
    return match


def _written(table):
    """Return the slots of the last blocks written, which one torn sector can hold."""
    newest = table.app.journal.ring.number
    return [number % table.store.blocks for number in range(max(0, newest - SECTOR + 1), newest + 1)]


class Sworn:
    """One table's promises. A ``stored`` record is one whose append returned."""

    def __init__(self):
        self.records = {}  # (epoch, counter) -> bytes
        self.head = 0
        self._done = set()
        self._zero_ms = self._roll = self._round = self._outcome = None
        self._before, self._knew = None, 0

    def stored(self, table):
        """An append has returned: all up to the head is safe, in both copies."""
        ring = table.app.journal.ring
        for _, record in ring.walk(self.head):
            if record:
                self.records[frames.head(record)[2:]] = record
        self.head = ring.head

    def did(self, epoch, counter):
        """Note that a command was done; False when it was done before."""
        known = (epoch, counter) in self._done
        self._done.add((epoch, counter))
        return not known

    def kept(self, table):
        """Yield what the present life breaks as it goes; called when a face changes."""
        app = table.app
        match, ring = app.match, app.journal.ring
        copies = [table.store.read(copy, ring.number % table.store.blocks) for copy in (0, 1)]
        if copies[0] != copies[1]:
            yield "the two copies differ"
        self._knew = (app.timebase.bounded or not app.timebase.guessed) and app.journal.event
        self._before = (match.round, match.zero_ms, match.roll if match.rolled == 1 else None)
        self._now_ms = app.timebase.now_ms(table.board.clock.now_ms())
        self._phase = match.phase

    def survived(self, table):
        """Yield what the life that begins now has lost of the ones before."""
        journal = table.app.journal
        if journal.ring.head < self.head:
            yield f"{self.head - journal.ring.head} stored records lost"
        oldest = max(0, self.head - 40 * ROOM)
        places = list(self.records)[-(self.head - oldest) :]
        lost = [place for place in places if journal.read(*place) not in (self.records[place], None)]
        if lost:
            yield f"stored records changed: {lost[:3]}"
        gone = [place for place in places if journal.read(*place) is None]
        if gone and journal.ring.oldest == 0:
            yield f"stored records gone: {gone[:3]}"
        if any(table.store.read(0, slot) != table.store.read(1, slot) for slot in _written(table)):
            yield "a torn copy is left"
        grown = [frames.head(record)[0] for _, record in journal.ring.walk(self.head) if record]
        self.stored(table)
        yield from self._resumed(table, any(kind in _GRANTS for kind in grown))

    def _resumed(self, table, granted):
        """``granted``: the write that was cut short had stored an act of the desk on the clock."""
        app = table.app
        if self._before is None or app.match.round != self._before[0]:
            return
        _, zero_ms, roll = self._before
        if zero_ms is not None and app.match.zero_ms is not None and app.match.zero_ms > zero_ms:
            if not granted:
                yield f"time given back by a reset: {app.match.zero_ms - zero_ms} ms"
        if roll is not None and app.match.roll not in (None, roll):
            yield f"another roll after the reset: {roll} {app.match.roll}"
        if self._knew and self._knew == app.journal.event and not app.timebase.bounded:
            yield "woke without any idea of the time"
        if app.timebase.guessed and app.timebase.bounded:
            yield from self._bound(table)

    def _bound(self, table):
        now_ms = table.app.timebase.now_ms(table.board.clock.now_ms())
        if now_ms + _AHEAD_MS < self._now_ms and table.powered:
            yield f"sleep memory kept, and yet {self._now_ms - now_ms} ms given back"
        ahead_ms = now_ms - max(self._now_ms, table.true_ms())
        if ahead_ms > _AHEAD_MS:
            yield f"woke {ahead_ms} ms ahead of time"
