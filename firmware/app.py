"""The composition root: one table's board, whole, in one loop body (docs/architecture.md).

``App.step`` does one thing: what time alone brings, a gesture, or a frame; where there is none, the
picture and the advert. It returns the uptime at which it is next due, so that a simulated hall
costs nothing while nothing happens. ``launch`` builds the real board.
"""

from firmware.core import answers, code, intents, phases, sync, upkeep
from firmware.core.journal import Journal
from firmware.core.ledger import Ledger
from firmware.core.timebase import Timebase
from firmware.ui import gestures, hand, view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.types import Board, Face, LinkPort, Match, Rules

VERSION = 1
POLL_MS = 20  # how often keys and link are looked at where nothing wakes the board
_HELD_MS = 5  # the same while a key is down, as its release is near and a person then waits
_IDLE_MS = 10000  # a status is signed anew this often
_OPEN_MS = 250
_BURST = 13  # frames sent a step: as many as may be under way, and the question after them
_ACTS = 8  # so many steps may pass before what they did is shown
_PAUSE_MS = 200  # what is due so soon comes first: a block takes 150, a collection 100
_LATEST_MS = 1 << 31  # no event goes on for so long
_NEW_PLAYERS = (intents.SET_ROUND, intents.CLEAR_ROUND)
_FAILED = 254  # the call of a board that laid its match aside


class App:
    """A board's program over its ports (board, link, face), with the rules' table ``system``."""

    def __init__(
        self, board: "Board", link: "LinkPort", screens: "Face", system: "Rules", reason: int = 0
    ):
        self.board, self.link, self.face = board, link, screens
        self.gestures, self.hand = gestures.Gestures(), hand.Hand(screens)
        self.timebase = Timebase(board.settings["ppm"])
        self.journal = Journal(board.store, board.settings["device"], board.settings["key"])
        self.ledger = Ledger(self.journal, system, board.entropy)
        self.match: "Match" = self.ledger.match  # the table's, the same all along
        screens.table.match = self.match
        self._opened, self._guests = False, 0
        self._silence, self._touched_ms = upkeep.Silence(), 0
        self._connected_ms = 0  # uptime at which anybody connected last
        self._typed_code = None  # that no step has checked yet
        self._unshown = ()  # events of a press that is not stored yet
        self._edges = ()  # of keys, that no step has read yet
        self.failures = upkeep.failures(board.heartbeat.read())
        self._beat_ms = self._due_ms = self._acts = 0
        self._still_until_ms = 0  # event time to which only news changes the picture; 0: unknown
        self.garbage = upkeep.Garbage(board.heap, board.clock.now_ms())
        self.view = view.View(board, screens, self.journal)
        screens.verify = self._verify
        self._resume(reason)
        self.sync = sync.Sync(self.journal, self.timebase, board.entropy)
        if self.failures >= upkeep.FAILURES:
            now_ms = self.timebase.now_ms(board.clock.now_ms())
            self._ask(intents.CallJudge(now_ms, _FAILED), now_ms)

    def _resume(self, reason):
        """Take up the journal: time from its last word at the least, then the match it tells of."""
        uptime_ms = self.board.clock.now_ms()
        self.journal.recover()
        if self.failures >= upkeep.FAILURES:
            self.journal.start = None  # whatever it tells, this table must not stay dark
        if self.journal.last_ms is not None and self.journal.last_ms < _LATEST_MS:
            outlived_ms = upkeep.time_ms(self.board.heartbeat.read(), self.journal.event)
            self.timebase.resume(max(self.journal.last_ms, outlived_ms), uptime_ms)
        self.journal.open_epoch(self.timebase.now_ms(uptime_ms), reason, VERSION)
        self.ledger.resume()

    def step(self) -> int:
        """Do one act, or the picture where there is none; return the uptime when it is next due.
        Before that, while no key moved and nothing was heard, it serves link and watchdog alone.
        """
        uptime_ms = self.board.clock.now_ms()
        self._edges = self._edges or self.board.keys.poll()
        if self._edges:
            self._touched_ms = uptime_ms
        busy = self._acts or self._edges or uptime_ms >= self._due_ms or self.view.changed
        now_ms = self.timebase.now_ms(uptime_ms)
        self._beat(uptime_ms, now_ms)  # before an act, whose write a reset may cut short
        acted = False
        if self._acts < _ACTS:
            acted = busy and self._act(uptime_ms, now_ms)
            acted = acted or self._serve(uptime_ms)
        if acted:
            self._acts += 1
            self.garbage.acted()
            self._due_ms, self._still_until_ms = uptime_ms + 1, 0
        elif busy:
            self._acts = 0
            self._look(uptime_ms, now_ms)
        if self.sync.drop_due(uptime_ms):  # in every step: an act must not let a stranger stay
            self.link.drop()
        elif self.link.audible and not self.journal.ring.dirty:
            self.board.alive()  # UI, journal and radio have all come this far
        return max(uptime_ms + 1, min(self._due_ms, self.link.due_ms))

    @property
    def poll_ms(self) -> int:
        """How long a board may rest at the most until the next step."""
        return _HELD_MS if self.gestures.held else POLL_MS

    def _act(self, uptime_ms, now_ms):
        """Do one act of time, of a code or of a key; return whether there was one."""
        if self._tick(now_ms) or self._check_code(uptime_ms, now_ms):
            return True
        return self._keys(uptime_ms, now_ms)

    def _tick(self, now_ms):
        """Let time alone do what is due; return whether there may be more of it at once."""
        self._show(self.ledger.tick(now_ms, whole=False))
        return self.ledger.due_ms == 0

    def _record(self, happened, answer=None):
        """Journal and apply events; show them as soon as they are safe."""
        self.ledger.record(happened, answer)
        if self.journal.held:
            self._unshown += happened
        else:
            self._show(happened)

    def _show(self, happened):
        """Let events that are safe be seen and heard."""
        for event in happened:
            self.view.changed = True
            self.view.play_tone(self.match, event.kind)

    def _ask(self, intent, now_ms, answered=False):
        """Put an intent to the table; return whether it was legal."""
        happened = self.ledger.ask(intent, now_ms)
        reason = answers.DONE if happened else answers.ILLEGAL
        answer = self.sync.answer(reason, now_ms) if answered else None
        if happened or answered:
            self._record(happened, answer)
        return bool(happened)

    def _keys(self, uptime_ms, now_ms):
        """Do what the next gesture asks for; return whether there was one."""
        gesture = 0
        while self._edges and not gesture:
            self._read(uptime_ms, now_ms)  # a screen that has come on since locks them
            key, pressed, edge_ms = self._edges[0]
            gesture = self.gestures.feed(key, pressed, edge_ms)
            self._edges = self._edges[1:]
        gesture = gesture or self.gestures.poll(uptime_ms)
        if gesture:
            self._gesture(gesture, uptime_ms, now_ms)
        return gesture

    def _gesture(self, gesture, uptime_ms, now_ms):
        """Do what a gesture asks for; a screen that it leads to locks the keys."""
        self._read(uptime_ms, now_ms)
        before = self.face.screen
        pending = self.face.table.pending
        self._press(gesture, uptime_ms, now_ms)
        if self.face.table.pending != pending:
            self.view.changed = True
        if self.face.screen != before:
            self.gestures.lock(uptime_ms)

    def _press(self, gesture, uptime_ms, now_ms):
        """Do all that a gesture asks for, store it in one write, and then show it."""
        refused, self._unshown = False, ()
        self.journal.held = True
        try:
            for request in self.hand.intents_for(gesture, self.match, uptime_ms, now_ms):
                if isinstance(request, hand.Recall):
                    self.view.look_back(request.what, request.older, self.ledger, now_ms)
                elif not self._ask(request, now_ms):
                    refused = True
            self.journal.settle()
        finally:
            self.journal.held = False  # after an error, too: what follows it is stored at once
        self._show(self._unshown)
        if refused:
            self.view.play_tone(self.match, 0)

    def _verify(self, digits):
        """Keep a typed code for the next step, as comparing it takes long."""
        self._typed_code = digits

    def _check_code(self, uptime_ms, now_ms):
        """Compare a typed code with the next one-time codes; return whether there was one."""
        if self._typed_code is None:
            return False
        event = code.enter(self.journal, self._typed_code, now_ms)
        self._typed_code = None
        if event:
            self._record((event,))
        self.hand.admit(event is not None and not event.wrong, uptime_ms)
        self.gestures.lock(uptime_ms)
        return True

    def _serve(self, uptime_ms):
        """Serve the link; return whether somebody came or went, or a frame was heard."""
        link = self.link
        link.poll(uptime_ms)
        happened, self._guests = link.guests != self._guests, link.guests
        if happened:
            self._connected_ms = uptime_ms
        if link.connected != self._opened:
            happened = True
            self._opened = link.connected
            if self._opened:
                self.sync.link_opened(uptime_ms)
            else:
                self.sync.link_closed()
        frame = link.receive()  # one a step, which costs two tag checks at most
        if frame is not None:
            happened = True
            self._hear(frame, uptime_ms)
        if self._opened and not happened:  # else in the next step: memory for one at a time
            for _ in range(_BURST):
                frame = self.sync.outgoing(uptime_ms, link.asks)
                if frame is None or not link.send(frame):
                    break
                self.sync.sent(uptime_ms)
            link.flush()
        return happened

    def _hear(self, frame, uptime_ms):
        """Process a frame from the link, and do what it leaves to be done."""
        received = self.sync.receive(frame, uptime_ms)
        if self.sync.heard_ms == uptime_ms:
            self.link.heard(frame)
        if received is None:
            return
        now_ms = self.timebase.now_ms(uptime_ms)
        if isinstance(received, intents.JoinEvent):
            self._join(received, now_ms)
        elif isinstance(received, intents.Intent):
            self._tick(now_ms)
            if self._ask(received, now_ms, answered=True) and received.kind in _NEW_PLAYERS:
                self.face.table.names = ["", ""]
        elif received[0] == "event":
            self._record(received[1:])
        elif received[0] == "name":
            _, seat, text, _ = received
            self.face.table.names[seat] = text
            self.view.changed = True
        else:  # identify
            self.view.lit_ms = uptime_ms + received[1] * 1000

    def _join(self, intent, now_ms):
        """Join an event; another one leaves the table idle and without names."""
        before = self.journal.event
        self.sync.join_event(intent, now_ms)
        if self.journal.event != before:
            self.ledger.restart(self.match.rules)
            self.face.table.names = ["", ""]
        self.view.changed = True
        self.ledger.due_ms = 0

    def _read(self, uptime_ms, now_ms):
        """Let the view catch up; a screen that comes on by itself locks the keys."""
        self._still_until_ms = 0
        self.face.table.draft, self.view.seeds = self.ledger.draft, self.ledger.seeds
        board_state = self.view.board_state(self.sync, uptime_ms)
        if self.view.read(self.match, board_state, now_ms):
            self.gestures.lock(uptime_ms)

    def _look(self, uptime_ms, now_ms):
        """Draw, light, sound and advertise how things stand; set when to do so again."""
        match, view, drawn = self.match, self.view, False
        self._due_ms = uptime_ms + 1
        clock_moved = now_ms >= self._still_until_ms
        if view.changed or clock_moved or view.board_state_changed(self.sync, uptime_ms):
            view.sound(uptime_ms)
            view.changed = self.hand.expired(uptime_ms) or view.changed
            self._read(uptime_ms, now_ms)
            if view.make_result_code(match):
                return  # that took this step's time: the picture comes in the next
            keys = self.gestures
            drawn = view.show(match, keys.down(uptime_ms), now_ms, keys.fresh(uptime_ms))
        lights_ms = view.show_lights(match, now_ms)
        frame = self.link.advert_frame(self.sync, self.link, match, view.flags(match), uptime_ms)
        self.link.advertise(frame, self.sync.advertising.connectable)
        self._restart_if_unheard(uptime_ms)
        self._set_due(uptime_ms, now_ms, lights_ms)
        self._rest(self.garbage.due(drawn, uptime_ms), uptime_ms)

    def _rest(self, collects, uptime_ms):
        """Close a journal block that is nearly full, or collect garbage (``collects``: it is due).
        Both stop the chip, so unless memory is low they wait for a key and what is due soon.
        """
        low, closes = self.garbage.low, not self.journal.fits()
        if not (collects or closes):
            return
        if not low:
            self._edges = self._edges or self.board.keys.poll()
            if self._edges:
                self._due_ms = uptime_ms + 1
            if self.gestures.held or self._due_ms - uptime_ms < _PAUSE_MS:
                return
        if collects and (low or not closes):  # one a step: the block first, unless memory is low
            self.garbage.collect(uptime_ms)
        else:
            self.journal.close_block()

    def _restart_if_unheard(self, uptime_ms):
        """Restart what the host may not hear any more (``upkeep``)."""
        sync = self.sync
        heard_ms = max(sync.answered_ms, self._connected_ms) if sync.answered_ms else 0
        due = self._silence.due(sync.asks, heard_ms, self._touched_ms, self.match, uptime_ms)
        if due == upkeep.RADIO:
            self.link.restart()
        elif due == upkeep.BOARD and not self.journal.ring.dirty:
            self.board.reset()  # all that was shown is stored; what was sent is sent again

    def _beat(self, uptime_ms, now_ms):
        """Store the time, or its bound, in sleep memory: a reset must not set it back."""
        if uptime_ms - self._beat_ms < 1000:
            return
        if self.timebase.guessed and not self.timebase.bounded:
            return
        self._beat_ms = uptime_ms
        match_set_aside = self.failures >= upkeep.FAILURES and not self.match.phase
        if uptime_ms > upkeep.WELL_MS and not match_set_aside:
            self.failures = 0
        self.board.heartbeat.write(upkeep.pack(self.journal.event, now_ms, self.failures))

    def _set_due(self, uptime_ms, now_ms, lights_ms):
        """Set when to look again: at the first time at which anything is due."""
        if self.face.late and not self.gestures.fresh(uptime_ms):
            self._due_ms = uptime_ms + 1  # to draw the clock, which stood back for a key's picture
            return
        due_ms = min(uptime_ms + min(_IDLE_MS, lights_ms), self.sync.advertising.turn_ms)
        if self.ledger.due_ms is not None:
            due_ms = min(due_ms, uptime_ms + self.ledger.due_ms - now_ms)
        if self._opened:
            due_ms = min(due_ms, uptime_ms + _OPEN_MS)
        if self._still_until_ms:
            due_ms = min(due_ms, uptime_ms + self._still_until_ms - now_ms)
        else:
            due_ms = min(due_ms, self._picture_due_ms(uptime_ms, now_ms))
        self._due_ms = max(uptime_ms + 1, due_ms)

    def _picture_due_ms(self, uptime_ms, now_ms):
        """Return when the picture may change; set ``_still_until_ms`` if nothing can change it."""
        match, held, expires_ms = self.match, self.gestures.held, self.hand.due_ms
        unchanged_ms = self.view.unchanged_ms(match, now_ms)
        due_ms = uptime_ms + unchanged_ms
        if held:
            due_ms = min(due_ms, self.gestures.due_ms(uptime_ms))
        if expires_ms is not None:
            due_ms = min(due_ms, expires_ms)
        elif match.call is None and match.phase != phases.PREGAME and not held:
            self._still_until_ms = now_ms + unchanged_ms
        return due_ms


def main() -> None:
    """Run this board's program (``launch``); what ends it is a reset."""
    from firmware import launch

    launch.main(App)
