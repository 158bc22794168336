"""A reset inside any write of a whole evening: the match goes on, on the right screen, in good time."""

import contextlib
import itertools
from collections import Counter

import pytest
from solo import A, B, Solo

from firmware.core import digest, events, frames, intents, phases
from host.boards.deploy import bytecode
from host.sim import prices, stored_records
from host.sim.board import BoardReset
from host.sim.chip.flash import BLOCKS, PAGES

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


RESUMED_S = 5
BEAT_MS = 1500  # the heartbeat's second, and the step in which it beats
CLOCK_MS = 61_000  # from CLOCK to CLOCK: what a power loss may hide until the host has spoken
STEPS = 10  # `make test` takes every tenth write


@pytest.fixture(scope="module")
def whole():
    """The evening without a reset, and its states after each act."""
    evening = Evening()
    return evening, evening.play()


def resumed(evening, act, before):
    """Check the board just after its reset, before any host has spoken."""
    began_s, solo = evening.loop.time(), evening.solo
    solo.run(0.1)
    match, late_ms = solo.app.match, evening.true_ms - solo.now_ms
    if not evening.power:
        assert -100 <= late_ms <= BEAT_MS, "time given back, or taken"
    elif match.phase == phases.PLAYING:
        assert -100 <= late_ms <= CLOCK_MS + match.lost_ms, (
            "more than clock and freezes account for"
        )
    assert solo.app.timebase.guessed
    if match.phase == phases.PLAYING and match.rolled not in (1, 3) and match.extension_s == 0:
        assert solo.screen == "uncertain"
    elif match.rolled in (1, 3):
        assert solo.screen == "roll"
    assert evening.loop.time() - began_s <= RESUMED_S


@pytest.mark.parametrize("power", (False, True), ids=("reset", "power"))
@pytest.mark.parametrize("done", (False, True), ids=("before", "after"))
def test_a_reset_at_any_journal_write_loses_no_act_and_no_time(whole, done, power, proving):
    reference, states = whole
    for number in range(0, reference.writes, 1 if proving else STEPS):
        evening = Evening((number, done), power)
        assert evening.play(resumed) == states, f"write {number}"
        assert evening.resets == 1
        names = evening.names()
        assert len(set(names)) == len(names)


def rolls(evening):
    return [e for e in map(events.of_record, evening.journal()) if e.kind == events.ROLLED]


def test_a_journalled_roll_is_shown_again_and_an_unjournalled_one_is_void(whole):
    reference, _ = whole
    assert len(rolls(reference)) == 2
    seen = set()
    rolling = [range(reference.marks[i], reference.marks[i + 2]) for i in ROLLS]
    for number in itertools.chain(*rolling):
        evening = Evening((number, True))

        def shown(evening, act, before):
            held = rolls(evening)
            if held and evening.solo.app.match.rolled == 1:
                assert evening.solo.app.match.roll == held[-1]
                assert evening.solo.screen == "roll"
                seen.add(held[-1])

        evening.play(shown)
        assert len(rolls(evening)) == 2
    assert len(seen) == 2


def test_at_most_stands_by_a_clock_of_before_a_power_loss():
    solo = Solo()
    solo.tell_time(7_200_000)
    solo.pair()
    solo.run(160 + 605)
    left_ms = solo.app.match.remaining_ms(solo.now_ms)
    solo.heartbeat = None
    solo.boot(reason=1)
    solo.run(1)
    assert solo.screen == "uncertain"
    assert 0 <= solo.app.match.remaining_ms(solo.now_ms) - left_ms <= CLOCK_MS


def test_sleep_memory_keeps_a_time_that_is_but_a_lower_bound():
    solo = Solo()
    solo.tell_time(7_200_000)
    solo.pair()
    solo.run(160)
    solo.heartbeat = None
    solo.boot(reason=1)
    solo.run(50)
    before_ms = solo.now_ms
    solo.boot(reason=2)
    assert solo.app.timebase.guessed and 0 <= before_ms - solo.now_ms <= BEAT_MS


def test_a_reset_just_after_the_hosts_first_word_gives_no_time_back():
    solo = Solo()
    solo.tell_time(7_200_000)
    solo.pair()
    solo.run(160 + 30)
    solo.heartbeat = None
    solo.boot(reason=1)
    true_ms = solo.now_ms + 75_000  # what the power loss hid
    # the CLOCK record that was due meanwhile comes after it, with its own time
    solo.tell_time(true_ms)
    assert solo.now_ms - true_ms < 1000
    solo.boot(reason=2)
    assert solo.now_ms >= true_ms


class Hung(Exception):
    """A part of the board that stands still raises it where a chip would never return."""


def test_the_watchdog_is_fed_while_all_is_well():
    solo = Solo()
    solo.run(30)
    assert solo.board.clock.now_ms() - solo.board.alive_ms < 11_000


@pytest.mark.parametrize("part", ("face", "journal", "radio"))
def test_the_watchdog_starves_when_one_part_stands_still(part):
    solo = Solo()
    solo.tell_time(7_200_000)
    solo.run(5)
    fed_ms = solo.board.alive_ms

    def hang(*args):
        raise Hung

    if part == "face":
        solo.app.view.show = hang
    elif part == "journal":
        solo.store.write = hang
    else:
        solo.app.link.audible = False
    for _ in range(50):
        try:
            solo.pair()
            solo.run(1)
        except (Hung, AssertionError):
            pass
    assert solo.board.alive_ms == fed_ms


def test_a_write_that_is_swallowed_starves_the_watchdog():
    solo = Solo()
    solo.tell_time(7_200_000)
    solo.run(5)
    assert solo.board.clock.now_ms() - solo.board.alive_ms < 11_000
    solo.app.journal.ring.flush = lambda: None  # comes back, and nothing lies in the flash
    solo.pair()
    fed_ms = solo.board.alive_ms
    solo.run(40)
    assert solo.app.journal.ring.dirty and solo.board.alive_ms == fed_ms


def test_a_link_that_cannot_be_dropped_starves_the_watchdog():
    solo = Solo()
    solo.app.link.connected = True
    solo.run(40)
    assert solo.board.clock.now_ms() - solo.board.alive_ms >= 30_000


MODEL = "feathers3"
RESUMED_MS = 5000
DAY = 1000  # records of an event's earlier rounds


class Charges:
    """Counts what a boot costs, in us, by the prices of one model."""

    def __init__(self):
        self._price = prices.load().on(MODEL)
        self.paid_us = Counter()

    def pay(self, name, count=1):
        """Charge so many of what ``prices.toml`` calls ``name``."""
        scale = 1000 if name.endswith("_ms") else 1
        self.paid_us[name] += self._price[name] * scale * count

    def paid(self, work, *names):
        """Return the function ``work`` at the price of ``names``."""

        def does(*args):
            for name in names:
                self.pay(name)
            return work(*args)

        return does

    @contextlib.contextmanager
    def counted(self):
        """Charge the bytecodes of the firmware that run within."""
        count = [0]

        def ran():
            count[0] += 1

        def picked(frame):
            name = frame.f_globals.get("__name__", "")
            return name.startswith("firmware.") and name != "firmware.core.digest"

        with prices.counted(picked, ran):
            yield
        self.paid_us["bytecode_ns"] += prices.us(count[0], self._price["bytecode_ns"])


def filled(evening):
    """Fill the ring beyond one lap with an older event's records, then join an event and live its
    rounds.
    """
    app = evening.solo.app
    ring, now_ms = app.journal.ring, evening.solo.now_ms
    while ring.number < ring.store.blocks + 8:
        app.journal.append(*[events.Clock(now_ms, 0)] * 8)
    app.journal.append(events.EventJoined(now_ms, 7, app.journal.event))
    app.journal.append(events.TimeSet(now_ms, 0, 1))
    joined = ring.head
    while ring.head - joined < DAY:
        app.journal.append(*[events.Clock(now_ms, 0)] * 8)


@pytest.mark.parametrize("power", (False, True), ids=("reset", "power"))
def test_the_right_screen_is_back_in_time_out_of_a_full_journal(monkeypatch, printed, power):
    evening = Evening(power=power)
    filled(evening)
    for act in ACTS[:24]:
        act(evening)
    solo, charges = evening.solo, Charges()
    assert solo.app.match.phase
    assert solo.store.blocks * 21 - 600 < solo.app.journal.ring.head - solo.app.journal.ring.oldest
    written = ["flash_erase_us"] + ["flash_program_us"] * (PAGES * BLOCKS)
    for owner, name, names in (
        (digest, "mac", ["hmac_us"]),
        (solo.store, "readinto", ["flash_read_us"]),
        (solo.store, "write", written),
    ):
        monkeypatch.setattr(owner, name, charges.paid(getattr(owner, name), *names))
    before = evening.state
    if power:
        solo.heartbeat = None
    charges.pay("start_cold_ms" if power else "start_warm_ms")
    charges.pay("open_ms")
    charges.pay("load_us_per_kb", sum(bytecode.loaded_at_start(MODEL).values()) / 1024)
    with charges.counted():
        solo.boot(reason=1)
    took_ms = sum(charges.paid_us.values()) / 1000
    printed(
        "from a reset to the right screen (prices.toml, no board)",
        [f"{took_ms:.0f} ms: "
         + ", ".join(f"{name} {us / 1000:.0f}" for name, us in charges.paid_us.items())],
    )  # fmt: skip
    assert evening.state == before and solo.screen == "uncertain"
    assert took_ms <= RESUMED_MS
