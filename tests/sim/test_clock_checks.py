"""The torture's check of clocks: it accuses no board that keeps its word, and finds one that lies.

A board's word (``firmware.core.timebase``) is of an oscillator within its ppm: one that runs free
spoils what is declared until the next link, by as much as it goes wrong.
"""

import types

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware.core.timebase import Timebase
from host.sim.board import BoardClock
from host.sim.torture.invariants import DRIFT_PPM, ClockChecker

PPM, EVENT = 500, 1
HOUR_MS = 3_600_000
PAUSES = st.one_of(st.integers(0, 2000), st.integers(0, 90_000))
WAYS = st.one_of(st.integers(0, 45), st.integers(0, 480))
ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), WAYS, WAYS),
        st.tuples(st.just("ask"), WAYS, WAYS),
        st.tuples(st.just("link")),
        st.tuples(st.just("pause"), PAUSES),
        st.tuples(st.just("free"), st.sampled_from((-1, 1)), st.integers(100, 60_000)),
        st.tuples(st.just("restart"), st.integers(0, 8000)),
        st.tuples(st.just("host")),
    ),
    max_size=20,
)
SKEWS = st.one_of(st.sampled_from((-PPM, PPM)), st.integers(-PPM, PPM))


class Hall:
    """A table's board, a host whose time is true or an hour wrong, and the checker of its clock:
    a venue in as far as that one looks at it.
    """

    def __init__(self, skew_ppm):
        self.loop = types.SimpleNamespace(time=lambda: self.true_ms / 1000)
        self.laptops = [types.SimpleNamespace(offsets_ms={0, HOUR_MS})]
        self.true_ms, self.ends_ms, self.ahead_ms, self.nonce = 10**6, None, 0, 0
        self.skew_ppm, self.said = skew_ppm, []
        self.checker = ClockChecker(self)
        self.restart(0)

    def event_ms(self, event):
        assert event == EVENT
        return self.true_ms

    @property
    def uptime_ms(self):
        return self.clock.now_ms()

    def restart(self, dark_ms):
        """Lose power for a while: the oscillator is its own again."""
        self.pause(dark_ms)
        self.base, self.ends_ms = Timebase(PPM), None
        self.clock = BoardClock(self.loop, self.skew_ppm)
        self.table = types.SimpleNamespace(
            app=types.SimpleNamespace(
                timebase=self.base, journal=types.SimpleNamespace(event=EVENT)
            ),
            board=types.SimpleNamespace(clock=self.clock),
        )
        self.checker.start(self.table, self.said.append)

    def pause(self, pause_ms):
        """Let time pass; a run of the free oscillator ends in it where it is over."""
        until_ms = self.true_ms + pause_ms
        if self.ends_ms is not None and self.ends_ms <= until_ms:
            self.true_ms, self.ends_ms = self.ends_ms, None
            self.clock.drift(self.skew_ppm)
        self.true_ms = until_ms

    def free(self, way, length_ms):
        self.checker.begin_drift(length_ms / 1000)
        self.clock.drift(way * DRIFT_PPM)
        self.ends_ms = max(self.ends_ms or 0, self.true_ms + length_ms)

    def link(self):
        self.base.first = True

    def host(self):
        self.ahead_ms = HOUR_MS - self.ahead_ms
        self.link()

    def ask(self, there_ms, back_ms):
        self.nonce += 1
        self.base.ask_host(self.nonce, self.uptime_ms)
        self.pause(there_ms)
        word = self.true_ms + self.ahead_ms, self.nonce
        self.checker._sent_times.add(word)
        self.pause(back_ms)
        if self.base.host_answered(*word, self.uptime_ms) is False:
            self.base.forget()  # the desk insists

    def check(self):
        self.said += self.checker.errors(self.table)


def lived(acts, skew_ppm):
    """Return what the checker says of a board's life."""
    hall = Hall(skew_ppm)
    for act, *args in acts:
        getattr(hall, act)(*args)
        hall.check()
    return hall.said


def asked(there_ms=30, back_ms=30):
    return "ask", there_ms, back_ms


AMID = [("free", -1, 60_000), asked(), ("pause", 1200), asked(), ("pause", 1200), asked(2, 20)]
TWICE = [asked(0, 0), ("free", 1, 10_000), ("pause", 20_000), ("free", 1, 1000), ("pause", 500)]
ON_THE_WAY = [("free", -1, 350), asked(0, 351)]


@example(AMID, 0)
@example(TWICE, 0)
@example(ON_THE_WAY, -PPM)
@given(ACTS, SKEWS)
def test_no_board_that_keeps_its_word_is_accused(acts, skew_ppm):
    assert lived(acts, skew_ppm) == []


@pytest.mark.parametrize("before", ([], [("free", 1, 60_000), ("pause", 70_000), ("link",)]))
@pytest.mark.parametrize("after", ([], [("free", 1, 1000), ("pause", 3000)]))
@pytest.mark.parametrize("way", (-1, 1))
def test_a_clock_that_is_further_off_than_it_may_be_is_found(before, after, way):
    hall = Hall(0)
    for act, *args in (*before, asked(0, 0), asked(0, 0), *after):
        getattr(hall, act)(*args)
        hall.check()
    assert hall.said == []
    free_ms = DRIFT_PPM // 1000 if after else 0
    off_ms = way * (hall.base.uncertainty_ms(hall.uptime_ms) + 2 * free_ms + 6)
    hall.base.offset_ms += off_ms
    hall.base.latest_ms += off_ms
    hall.check()
    assert len(hall.said) == 1 and hall.said[0].startswith("clock off by ")


def test_a_time_that_no_host_has_sent_is_found():
    hall = Hall(0)
    hall.base.ask_host(1, hall.uptime_ms)
    assert hall.base.host_answered(hall.true_ms, 1, hall.uptime_ms)
    assert len(hall.said) == 1 and hall.said[0].startswith("took the time from nobody")
