"""The composition root: one table's board, whole, in one loop body (docs/architecture.md).

``App.step`` does everything once: keys, gestures, the screen's intent, what time alone brings,
the journal, the match, the link, the picture. It returns the uptime at which it is next due, so
that a simulated hall costs nothing while nothing happens. ``launch`` builds the real board.
"""

from firmware.core import code, crash_state, intents, sync
from firmware.core.journal import Journal
from firmware.core.ledger import Ledger
from firmware.core.timebase import Timebase
from firmware.ui import face, gestures, hand, recall, view

VERSION = 1
POLL_MS = 20  # how often keys and link are looked at where nothing wakes the board
_IDLE_MS = 10000  # a status is signed anew this often
_OPEN_MS = 250
_BURST = 8  # frames sent a step
_LATEST_MS = 1 << 31  # no event goes on for so long
_FAILED = 254  # the call of a board that laid its match aside


class App:
    """A board's program over its ports (board, link, face), with the rules' table ``system``."""

    def __init__(self, board, link, screens, system, reason=0):
        self.board, self.link, self.face = board, link, screens
        self.gestures, self.hand = gestures.Gestures(), hand.Hand(screens)
        self.timebase = Timebase(board.settings["ppm"])
        self.journal = Journal(board.store, board.settings["device"], board.settings["key"])
        self.ledger = Ledger(self.journal, system, board.entropy)
        self._opened, self._guests = False, 0
        self._unsaid = ()  # events of a press that is not stored yet
        self.failures = crash_state.failures(board.heartbeat.read())
        self._beat_ms = self._page = self._due_ms = 0
        self.view = view.View(board, screens, self.journal)
        screens.verify = self._verify
        self._resume(reason)
        self.sync = sync.Sync(self.journal, self.timebase, board.entropy)
        if self.failures >= crash_state.FAILURES:
            now_ms = self.timebase.now_ms(board.clock.now_ms())
            self._ask((intents.CALL_JUDGE, now_ms, _FAILED, 0, 0), now_ms)

    def _resume(self, reason):
        """Take up the journal: time from its last word at the least, then the match it tells of."""
        uptime_ms = self.board.clock.now_ms()
        self.journal.recover()
        if (
            self.failures >= crash_state.FAILURES
        ):  # whatever the journal tells, this table must not stay dark
            self.journal.start = None
        if self.journal.last_ms is not None and self.journal.last_ms < _LATEST_MS:
            self.timebase.resume(max(self.journal.last_ms, self._heartbeat()), uptime_ms)
        self.journal.open_epoch(self.timebase.now_ms(uptime_ms), reason, VERSION)
        self.ledger.resume()

    @property
    def match(self):
        """The table's match."""
        return self.ledger.match

    def _heartbeat(self):
        """Return the event time that outlived the reset, 0 without one of this event."""
        return crash_state.time_ms(self.board.heartbeat.read(), self.journal.event)

    def step(self):
        """Run the loop's body once; return the uptime in ms when it is next due.

        Before it is due, and while no key moved and nothing was heard, link and watchdog are all there is to serve.
        """
        uptime_ms = self.board.clock.now_ms()
        edges = self.board.keys.poll()
        busy = edges or uptime_ms >= self._due_ms or self.view.changed
        if busy:
            now_ms = self.timebase.now_ms(uptime_ms)
            self._tick(now_ms)
            self._keys(edges, uptime_ms, now_ms)
        if self._air(uptime_ms) or busy:
            now_ms = self.timebase.now_ms(uptime_ms)
            self._tick(now_ms)
            self._look(uptime_ms, now_ms)
            self._advertise(uptime_ms)
            if self.ledger.draft is None:
                self.board.unload()
            self._due_ms = self._due(uptime_ms, now_ms)
        self._beat(uptime_ms)
        if self.link.audible and not (self.journal.ring.dirty or self.sync.drop_due(uptime_ms)):
            self.board.alive()  # UI, journal and radio have all come this far
        return self._due_ms

    # what changes the match

    def _tick(self, now_ms):
        self._show(self.ledger.tick(now_ms))

    def _record(self, happened, answer=None):
        self.ledger.record(happened, answer)
        if self.journal.held:
            self._unsaid += happened
        else:
            self._show(happened)

    def _show(self, happened):
        """Let events that are safe be seen and heard."""
        for event in happened:
            self.view.changed = True
            self.view.tell(self.match, event[0])

    def _ask(self, intent, now_ms, answered=False):
        """Put an intent to the table; return whether it was legal."""
        happened = self.ledger.ask(intent, now_ms)
        reason = sync.DONE if happened else sync.ILLEGAL
        answer = self.sync.answer(reason, now_ms) if answered else None
        if happened or answered:
            self._record(happened, answer)
        return bool(happened)

    # keys

    def _keys(self, edges, uptime_ms, now_ms):
        for key, pressed, at_ms in edges:
            self._gesture(self.gestures.feed(key, pressed, at_ms), uptime_ms, now_ms)
        self._gesture(self.gestures.poll(uptime_ms), uptime_ms, now_ms)
        self.view.sound(uptime_ms)
        if self.hand.expired(uptime_ms):
            self.view.changed = True

    def _gesture(self, gesture, uptime_ms, now_ms):
        if not gesture:
            return
        self._read(uptime_ms, now_ms)
        before = self.face.number
        half = self.hand.half
        self._press(gesture, uptime_ms, now_ms)
        if self.hand.half != half:
            self.view.changed = True
        self._read(uptime_ms, now_ms)
        if self.face.number != before:
            self.gestures.lock(uptime_ms)

    def _press(self, gesture, uptime_ms, now_ms):
        """Do all that a gesture asks for in one write, and then tell of it."""
        refused, self._unsaid = False, ()
        self.journal.held = True
        try:
            for kind, a, b, c in self.hand.asked(gesture, self.match, uptime_ms):
                if kind == face.RECALL:
                    self._recall(a, b, now_ms)
                elif not self._ask((kind, now_ms, a, b, c), now_ms):
                    refused = True
            self.journal.settle()
        finally:
            self.journal.held = (
                False  # an error may come in between; what follows it is stored at once
            )
        self._show(self._unsaid)
        if refused:
            self.view.tell(self.match, 0)

    def _recall(self, what, older, now_ms):
        """Read lines about the past out of the journal; ``older``: the page after the last one."""
        self._page = self._page + 1 if older else 0
        self.view.recalled[:4] = recall.lines(what, self._page, self.ledger, self.face, now_ms)
        self.view.changed = True

    def _verify(self, digits):
        """Whether ``digits`` are the next of this board's one-time codes; it is used up by that."""
        event = code.entered(self.journal, digits, self.timebase.now_ms(self.board.clock.now_ms()))
        if event is not None:
            self._record((event,))
        return event is not None and not event[2]

    # the link

    def _air(self, uptime_ms):
        """Serve the link; return whether somebody came or went, or a frame was heard."""
        link = self.link
        link.poll(uptime_ms)
        heard = link.guests != self._guests
        self._guests = link.guests
        if link.connected != self._opened:
            heard = True
            self._opened = link.connected
            if self._opened:
                self.sync.opened(uptime_ms)
            else:
                self.sync.closed()
        for _ in range(sync.CHECKS):
            frame = link.receive()
            if frame is None:
                break
            heard = True
            self._hear(frame, uptime_ms)
        if self._opened:
            self._send(uptime_ms)
            if self.sync.drop_due(uptime_ms):
                link.drop()
        return heard

    def _send(self, uptime_ms):
        for _ in range(_BURST):
            frame = self.sync.outgoing(uptime_ms)
            if frame is None or not self.link.send(frame):
                break
            self.sync.sent(uptime_ms)

    def _hear(self, frame, uptime_ms):
        told = self.sync.receive(frame, uptime_ms)
        if self.sync.heard_ms == uptime_ms:
            self.link.heard(frame)
        if told is None:
            return
        now_ms = self.timebase.now_ms(uptime_ms)
        if told[0] == "event":
            self._record((told[1],))
        elif told[0] == "name":
            self.view.names[told[1]] = told[2]
            self.view.changed = True
        elif told[0] == "identify":
            self.view.lit_ms = uptime_ms + told[1] * 1000
        elif told[0] == intents.JOIN_EVENT:
            self._join(told, now_ms)
        else:
            self._tick(now_ms)
            if self._ask(told, now_ms, True) and told[0] in (
                intents.SET_ROUND,
                intents.CLEAR_ROUND,
            ):
                self.view.names = ["", ""]

    def _join(self, intent, now_ms):
        before = self.journal.event
        self.sync.join(intent, now_ms)
        if self.journal.event != before:
            self.ledger.restart(self.match.rules)
            self.view.names = ["", ""]
        self.view.changed = True
        self.ledger.due_ms = 0

    def _advertise(self, uptime_ms):
        frame = self.link.hail(
            self.sync, self.link, self.match, self.view.flags(self.match), uptime_ms
        )
        self.link.advertise(frame, self.sync.air[1])

    def _read(self, uptime_ms, now_ms):
        """Let the view catch up; a screen that comes on by itself locks the keys."""
        self.view.half, self.view.draft = self.hand.half, self.ledger.draft
        self.view.seeds = self.ledger.seeds
        standing = self.view.standing(self.sync, uptime_ms)
        if self.view.read(self.match, standing, now_ms):
            self.gestures.lock(uptime_ms)

    def _look(self, uptime_ms, now_ms):
        self._read(uptime_ms, now_ms)
        self.view.show(self.match, self.gestures.down(uptime_ms), now_ms)
        self.view.glow(self.match, now_ms)

    def _beat(self, uptime_ms):
        """Keep the time, or its bound, where a reset leaves it (docs/board.md, Time): it is never given back."""
        if uptime_ms - self._beat_ms >= 1000 and (
            self.timebase.bounded or not self.timebase.guessed
        ):
            self._beat_ms = uptime_ms
            if uptime_ms > crash_state.WELL_MS and (
                self.match.phase or self.failures < crash_state.FAILURES
            ):
                self.failures = 0
            now_ms = self.timebase.now_ms(uptime_ms)
            self.board.heartbeat.write(
                crash_state.packed(self.journal.event, now_ms, self.failures)
            )

    def _due(self, uptime_ms, now_ms):
        due_ms = max(uptime_ms + 1, min(uptime_ms + _IDLE_MS, self.sync.air[0]))
        if self.ledger.due_ms is not None:
            due_ms = min(due_ms, uptime_ms + max(1, self.ledger.due_ms - now_ms))
        if self.hand.half:
            due_ms = min(due_ms, uptime_ms + 1000)
        if self._opened:
            due_ms = min(due_ms, uptime_ms + _OPEN_MS)
        if self.gestures.held:
            due_ms = min(due_ms, self.gestures.due_ms(uptime_ms, POLL_MS))
        return min(due_ms, uptime_ms + self.view.lasts_ms(self.match, now_ms))


def main():
    """Run this board's program (``launch``); what ends it is a reset."""
    from firmware import launch

    launch.main(App, POLL_MS)
