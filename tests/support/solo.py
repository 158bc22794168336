"""One board alone, run by hand: the real App on a virtual board, with nobody on the air."""

import asyncio

from firmware.app import App
from firmware.core import intents, settings
from firmware.core.systems import p18
from firmware.radio import hail
from host.sim.board import BoardReset, VirtualBoard
from host.sim.clock import VirtualLoop
from host.sim.faces import blank_face
from host.sim.sight import Names, Sight

KEY = "ab" * 32
A, B, J = 0, 1, 2
PRESS_MS, HOLD_MS = 120, 1100


class NoAir:
    """A link that nobody ever opens."""

    connected = False
    audible, guests = True, 0
    hail = staticmethod(hail.frame)

    def __init__(self):
        self.shown = None

    def poll(self, uptime_ms):
        """Nothing to do."""

    def advertise(self, frame, welcome=True):
        """Keep what is advertised."""
        self.shown = frame

    def receive(self):
        """Nothing ever comes."""

    def send(self, frame):
        """Nobody takes it."""
        return False

    def drop(self):
        """Nobody is there."""


class Solo:
    """A board of ``model`` with its program; ``now_ms`` is what the host would call the time."""

    def __init__(self, model="feather", faces=blank_face, rules=p18):
        self._faces, self._rules = faces, rules
        self.loop, self.model, self.names = VirtualLoop(), model, Names()
        self.store = self.heartbeat = None
        self.boot()

    def boot(self, reason=0):
        """Start the program, again with what outlives a reset."""
        told = settings.read(
            {"PLUSTHREE_DEVICE": 3, "PLUSTHREE_KEY": KEY, "PLUSTHREE_GENERATION": 1}
        )
        self.board = VirtualBoard(self.loop, told, 5, model=self.model, store=self.store,
                                  heartbeat=self.heartbeat)  # fmt: skip
        self.store, self.heartbeat = self.board.store, self.board.heartbeat
        self.app = App(self.board, NoAir(), self._faces(self.board), self._rules, reason)
        self.app.step()

    @property
    def now_ms(self):
        """The board's event time."""
        return self.app.timebase.now_ms(self.board.clock.now_ms())

    @property
    def sight(self):
        """What a person sees."""
        return Sight(self.names, self.app.face, self.app.match)

    @property
    def screen(self):
        """The name of the screen that is on."""
        return self.sight.screen

    def tell_time(self, now_ms):
        """Be the host that answers the question for the time."""
        uptime_ms = self.board.clock.now_ms()
        self.app.timebase.ask(1, uptime_ms)
        self.app.timebase.answer(now_ms, 1, uptime_ms)
        self.app._record((self.app.timebase.event(uptime_ms),))
        self.app.step()

    def desk(self, kind, a=0, b=0, c=0, at_ms=0):
        """Act as the desk; return whether it was legal."""
        done = self.app._ask((kind, at_ms, a, b, c), self.now_ms)
        self.run(0.5)  # a screen that comes on locks the keys for 0.3 s
        return done

    def pair(self, form=3 << 1, minutes=50, wait_s=150):
        """Set a round that starts after ``wait_s``."""
        assert self.desk(intents.SET_ROUND, 2, 12, 1)
        assert self.desk(intents.SET_FORMAT, self._rules.NUMBER, form, minutes)
        assert self.desk(intents.SET_START, at_ms=self.now_ms + 1000 * wait_s)

    def run(self, seconds):
        """Let time pass: the program runs when it is due."""
        self.loop.run_until_complete(self._run(self.loop.time() + seconds))

    async def _run(self, end_s):
        while self.loop.time() < end_s:
            due_s = self.board.clock.when(self.app.step())
            await asyncio.sleep(max(0.001, min(due_s, end_s) - self.loop.time()))
        self.app.step()

    def press(self, *keys):
        """Press keys one after the other."""
        for key in keys:
            self.board.keys.press(key, PRESS_MS)
            self.run(0.6)

    def hold(self, *keys):
        """Hold keys together."""
        for key in keys:
            self.board.keys.press(key, HOLD_MS)
        self.run(1.6)


__all__ = ("A", "B", "J", "BoardReset", "Solo")
