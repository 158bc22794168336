"""A scripted evening at one table, act by act, that can be reset inside any write of its
journal.
"""

from solo import A, B, Solo

from firmware.core import frames, intents
from host.sim import stored_records
from host.sim.board import BoardReset

HOST_MS = 7_200_000
_STATE = (
    "phase", "round", "table", "games", "game", "progress", "won", "turn", "seat", "present",
    "policy", "consent", "rolled", "agreed", "outcome", "section", "claimed", "confirmed",
    "missing", "extension_s", "seen", "call", "pending_answer",
)  # fmt: skip


def desk(kind, a=0, b=0, c=0):
    return lambda evening: evening.solo.desk(kind, a, b, c)


def roll():
    """Return the act of a roll, which its name tells."""
    act = desk(intents.ROLL, 0 | 2 << 4)
    act.__name__ = "roll"
    return act


def until(second):
    return lambda evening: evening.solo.run(max(0.0, second - evening.loop.time()))


def keys(method, *pressed):
    return lambda evening: getattr(evening.solo, method)(*pressed)


ACTS = (
    desk(intents.SET_ROUND, 2, 12, 1), desk(intents.SET_FORMAT, 0, 3 << 1, 50),
    lambda evening: evening.solo.desk(intents.SET_START, at_ms=HOST_MS + 150_000),
    desk(intents.SET_POLICY, 1), until(20), keys("hold", A), keys("hold", B), until(60), until(170),
    keys("press", A), desk(intents.CONSENT, 0), desk(intents.CONSENT, 1), roll(),
    desk(intents.AGREE_ROLL, 0), desk(intents.AGREE_ROLL, 1), until(500), desk(intents.FREEZE),
    until(560),
    desk(intents.RESUME), desk(intents.EXTEND, 0, 300), keys("press", A), keys("press", B),
    until(800),
    desk(intents.WIN_GAME, 0), desk(intents.SET_STARTER, 1), roll(),
    desk(intents.DISPUTE_ROLL, 1), desk(intents.RULE_ROLL, 1), until(1400),
    desk(intents.WIN_GAME, 0),
    keys("hold", B), keys("hold", A), until(1500),
)  # fmt: skip

ROLLS = tuple(i for i, act in enumerate(ACTS) if act.__name__ == "roll")


class Beating(Solo):
    """A board that steps every second at least, as the real loop does far more often."""

    async def _run(self, end_s):
        while self.loop.time() < end_s:
            due_s = min(self.board.clock.when(self.app.step()), self.loop.time() + 1)
            await self.rest(min(due_s, end_s) - self.loop.time())
        self.app.step()


class Evening:
    """One run over the ACTS; ``cut`` is None or (number of the write, whether it is still done)."""

    def __init__(self, cut=None, power=False):
        self.solo, self.cut, self.power = Beating(), cut, power
        self.loop, self.writes, self.faces = self.solo.loop, 0, []
        self.resets, self.marks = 0, []  # the latter: writes before each act
        self.solo.tell_time(self.true_ms)
        write = self.solo.store.write
        self.solo.store.write = lambda copy, block, data: self._write(write, copy, block, data)

    def _write(self, write, copy, block, data):
        number, self.writes = self.writes, self.writes + 1
        if self.cut is None or number != self.cut[0]:
            write(copy, block, data)
            return
        if self.cut[1]:
            write(copy, block, data)
        self.cut = None
        raise BoardReset

    @property
    def true_ms(self):
        return HOST_MS + round(self.loop.time() * 1000)

    @property
    def state(self):
        match = self.solo.app.match
        return tuple(getattr(match, name) for name in _STATE)

    def play(self, after=lambda evening, act, before: None):
        """Go through the acts; ``after`` is called for a reset, before the host is back."""
        states = [self.state]
        for act in ACTS:
            self.marks.append(self.writes)
            try:
                act(self)
            except BoardReset:
                self.resets += 1
                self._boot(after, states[-1], act)
            states.append(self.state)
        return states

    def _boot(self, after, before, act):
        if self.power:
            self.solo.heartbeat = None
        self.solo.boot(reason=1)
        after(self, act, before)
        self.solo.tell_time(self.true_ms)
        self.solo.run(0.5)
        if self.state == before:
            act(self)

    def journal(self):
        return [record for _, record in stored_records.walk(self.solo.app.journal.ring, 0)]

    def names(self):
        return [frames.head(record)[2:] for record in self.journal()]
