"""Event time stays within its declared uncertainty, whatever crystal, air and host do."""

import random
import types

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware.core import frames
from firmware.core.listener import Listener
from firmware.core.timebase import UNKNOWN_MS, Timebase

PC_PPM = 30  # of what is declared
PAUSES = st.one_of(st.integers(0, 2000), st.integers(0, 90_000), st.integers(0, 7_200_000))
WAYS = st.one_of(st.integers(0, 60), st.integers(0, 480), st.sampled_from((0, 498, 1200)))
ASKS = st.tuples(st.just("ask"), WAYS, WAYS, st.booleans())
JUMPS = st.one_of(st.integers(-200, 200), st.integers(-60_000, 60_000))
ACTS = st.lists(
    st.one_of(
        ASKS,
        ASKS,
        st.tuples(st.just("link"), PAUSES),
        st.tuples(st.just("pause"), PAUSES),
        st.tuples(st.just("free"), JUMPS),
        st.tuples(st.just("host"), JUMPS),
    ),
    max_size=20,
)
PPM = st.one_of(st.just(50), st.just(530), st.integers(PC_PPM, 550))
SKEWS = st.one_of(st.sampled_from((-550, 550)), st.integers(-550, 550))


class World:
    """A board's clock and a host's, each ``skews`` ppm fast."""

    def __init__(self, ppm, skews, ahead_ms, listening):
        self.base, self.skews = Timebase(ppm), skews
        protocol = types.SimpleNamespace(timebase=self.base, receive=None, entropy=bytes)
        self.ear = Listener(protocol, None) if listening else None
        self.true_us, self.free_us, self.ahead_ms = 1_000_000, 0, ahead_ms
        self.nonce = self.latest = 0
        self.held = False

    @property
    def uptime_ms(self):
        return (self.true_us * (1_000_000 + self.skews[0]) // 1_000_000 + self.free_us) // 1000

    @property
    def host_ms(self):
        return self.true_us * (1_000_000 + self.skews[1]) // 1_000_000_000 + self.ahead_ms

    def link(self, pause_ms):
        self.true_us += 1000 * pause_ms
        self.base.first = True

    def pause(self, pause_ms):
        self.true_us += 1000 * pause_ms

    def free(self, off_ms):
        """Let the oscillator go wrong by more than is declared, until the next link."""
        self.held = False
        self.free_us += 1000 * max(off_ms, 1 - self.uptime_ms)
        self.link(0)

    def host(self, ahead_ms):
        self.held = False
        self.ahead_ms += ahead_ms
        self.link(0)

    def ask(self, there_ms, back_ms, again):
        self.nonce += 1
        self.base.ask_host(self.nonce, self.uptime_ms)
        self.true_us += 1000 * there_ms + 377
        told = self.host_ms, self.nonce
        self.true_us += 1000 * back_ms + 377
        taken = self.base.host_answered(*told, self.uptime_ms)
        assert taken is not False or not self.held
        if taken is False:
            self.base.forget()  # the desk insists
            self.latest = 0
        self.held = self.held or bool(taken)
        assert not again or self.base.host_answered(*told, self.uptime_ms) is None

    def check(self):
        if self.ear:
            self.ear.clock.steer(self.uptime_ms)
        if not self.held:
            return
        now_ms = self.base.now_ms(self.uptime_ms)
        declared_ms = self.base.uncertainty_ms(self.uptime_ms)
        assert abs(now_ms - self.host_ms) <= declared_ms or declared_ms == UNKNOWN_MS
        assert now_ms >= self.latest
        self.latest = now_ms


def asked(there_ms=0, back_ms=0):
    return "ask", there_ms, back_ms, False


STANDS = [asked(480, 0), ("link", 0), asked()]  # a clock that was ahead
WIDE = [asked(), ("host", 400), asked(0, 480)]  # truth is where it was not likely to be
FAR = [asked(), ("host", -33_269), asked(), ("host", -33_269), asked()]  # stands for a minute
RATE = [asked(), ("link", 60_000), ("free", -60), asked(), ("pause", 3_600_000)]  # a wrong one


@example(STANDS, 50, 0, 0, 0, False)
@example(WIDE, 50, 0, 0, 0, False)
@example(WIDE, 50, 0, 0, 0, True)
@example(FAR, 50, -30, -PC_PPM, 0, False)
@example(RATE, 530, 500, -PC_PPM, 0, False)
@given(ACTS, PPM, SKEWS, st.sampled_from((-PC_PPM, 0, PC_PPM)), st.integers(0, 10**8),
       st.booleans())  # fmt: skip
def test_the_declared_uncertainty_holds_against_the_host_that_answered(
    acts, ppm, skew, pc, origin, listening
):
    skew = max(PC_PPM - ppm, min(ppm - PC_PPM, skew))
    world = World(ppm, (skew, pc), origin, listening)
    for act, *args in acts:
        getattr(world, act)(*args)
        world.check()
    world.pause(1_000_000)
    world.check()


class Asker:
    """A time base whose oscillator is ``skew`` ppm fast, and a host that is never late."""

    def __init__(self, ppm, skew):
        self.base, self.skew, self.true_ms, self.nonce = Timebase(ppm), skew, 1000, 0
        self.fast_ns = 0

    @property
    def uptime_ms(self):
        return self.true_ms + self.fast_ns // 1_000_000

    def pause(self, pause_ms):
        self.true_ms += pause_ms
        self.fast_ns += pause_ms * self.skew

    @property
    def error_ms(self):
        return self.base.now_ms(self.uptime_ms) - self.true_ms

    def ask(self, there_ms, back_ms):
        self.nonce += 1
        self.base.ask_host(self.nonce, self.uptime_ms)
        self.pause(there_ms)
        host_ms = self.true_ms
        self.pause(back_ms)
        return self.base.host_answered(host_ms, self.nonce, self.uptime_ms)


def test_an_answer_that_was_long_under_way_moves_no_clock_that_is_surer():
    asker = Asker(50, 0)
    assert asker.ask(30, 30) and abs(asker.error_ms) <= 1
    assert asker.ask(30, 330) and abs(asker.error_ms) <= 1


def test_of_two_answers_the_middle_of_what_both_leave_possible_is_taken():
    asker = Asker(50, 0)
    asker.ask(30, 90)
    assert asker.error_ms == -30
    asker.ask(60, 30)
    assert abs(asker.error_ms) <= 16
    assert asker.base.uncertainty_ms(asker.uptime_ms) <= 36, "of the latter alone it were 49"


@pytest.mark.parametrize("skew", [-450, 0, 450])
def test_between_answers_the_oscillator_is_corrected(skew):
    asker, errors = Asker(500, skew), []
    for minute in range(40):
        asker.ask(30, 30)
        asker.pause(60_000)
        errors.append(abs(asker.error_ms))
        if minute == 25:
            asker.skew += 20  # it warms
    assert max(errors[:2]) <= 30 and max(errors[2:]) <= 5


def lived(asker, minutes):
    """Let minutes pass, with a quick answer after each."""
    for _ in range(minutes):
        asker.pause(60_000)
        asker.ask(30, 30)


def test_a_minute_makes_a_corrected_oscillator_hardly_less_sure():
    asker = Asker(500, 450)
    lived(asker, 10)
    asker.pause(60_000)
    asker.ask(30, 330)
    assert abs(asker.error_ms) <= 3


@pytest.mark.parametrize("seed", range(3))
def test_a_rate_is_never_measured_in_less_than_half_of_twenty_minutes_again(seed):
    """As each answer's way may be off by 30 ms: over one minute that were 500 ppm."""
    luck, asker = random.Random(seed), Asker(500, 300)
    for minute in range(90):
        asker.pause(60_000)
        asker.ask(luck.choice((5, 20, 35, 65)), luck.choice((5, 20, 35, 65)))
        if minute >= 25:
            uptime_ms, kilosecond = asker.uptime_ms, 1_000_000
            later_ms = asker.base.likely_ms(uptime_ms + kilosecond)
            ppm = later_ms - asker.base.likely_ms(uptime_ms) - kilosecond
            assert abs(ppm + 300) <= 30


def test_a_rate_follows_a_board_that_warms():
    asker = Asker(500, 100)
    for _ in range(100):
        lived(asker, 1)
        asker.skew += 2
    asker.pause(300_000)
    assert abs(asker.error_ms) <= 12, "2 ppm a minute, 20 minutes old, for five minutes"


@pytest.mark.parametrize(
    ("span_ms", "measured"), ((10_000, False), (29_999, False), (30_000, True))
)
def test_answers_of_less_than_half_a_minute_tell_no_rate(span_ms, measured):
    """As each may be off by as much as a link delays it."""
    asker = Asker(500, 0)
    asker.ask(0, 60)
    asker.pause(span_ms - 60)
    asker.ask(60, 0)
    before = asker.error_ms
    asker.pause(100_000)
    assert (asker.error_ms != before) is measured


@pytest.mark.parametrize("skew", [-310, 310])
def test_answers_that_tell_nothing_new_move_nothing(skew):
    asker = Asker(500, skew)
    for _ in range(5):
        asker.ask(30, 30)
        asker.pause(60_000)
    asker.ask(30, 30)
    before = asker.error_ms
    for _ in range(30):
        asker.ask(200, 200)
    assert abs(asker.error_ms - before) <= 3


# half of what the answer leaves possible, 2 ms as both clocks are cut to whole ms, 1 ms more, and 500
# ppm of the seconds since, of the one that has begun and of the answer's own
@pytest.mark.parametrize(("trip_ms", "later_ms", "declared_ms"), (
    (0, 0, 4),
    (60, 0, 34),
    (61, 0, 35),
    (0, 999, 4),
    (0, 1999, 4),
    (0, 2000, 5),
    (0, 100_000, 54),
))  # fmt: skip
def test_what_is_declared_after_one_answer(trip_ms, later_ms, declared_ms):
    asker = Asker(500, 0)
    assert asker.ask(trip_ms // 2, trip_ms - trip_ms // 2)
    asker.pause(later_ms)
    assert asker.base.uncertainty_ms(asker.uptime_ms) == declared_ms


@pytest.mark.parametrize(
    ("ahead_ms", "taken"), ((-17, False), (-16, True), (0, True), (6, True), (7, False))
)
def test_a_step_is_taken_as_far_as_it_is_possible(ahead_ms, taken):
    """Beyond the 4 ms declared by both clocks' 2 ms, and back by the 10 ms of the answer's way."""
    asker = Asker(500, 0)
    assert asker.ask(0, 0)
    base, now_ms = asker.base, asker.base.now_ms(asker.uptime_ms)
    base.first = True
    base.ask_host(9, asker.uptime_ms - 10)
    assert base.host_answered(now_ms + ahead_ms, 9, asker.uptime_ms) is taken


def test_no_declared_uncertainty_is_more_than_a_record_can_hold():
    asker = Asker(550, 0)
    declared_ms = [asker.base.uncertainty_ms(asker.uptime_ms)]
    asker.ask(0, 0)
    asker.pause(32 * 3_600_000)
    assert 65535 > asker.base.uncertainty_ms(asker.uptime_ms) > 60_000
    asker.pause(1000 * 3_600_000)
    declared_ms.append(asker.base.uncertainty_ms(asker.uptime_ms))
    assert declared_ms == [65535, 65535]
    assert frames.plain(0, 0, declared_ms[1], 1)


def test_another_event_forgets_nothing_but_the_time():
    asker = Asker(500, -450)
    for _ in range(5):
        asker.ask(30, 30)
        asker.pause(60_000)
    asker.base.forget()
    assert asker.ask(30, 30) and abs(asker.error_ms) <= 1
    asker.base.forget()
    asker.fast_ns += 1_000_000_000  # its host's time is another by a second
    assert asker.ask(30, 30)
    asker.pause(60_000)
    assert abs(asker.error_ms) <= 3, "the rate was measured before"


def test_no_rate_is_measured_over_a_step():
    asker = Asker(500, 300)
    lived(asker, 5)
    asker.pause(300_000)
    asker.fast_ns += 100_000_000  # as without a crystal, while the radio was off
    asker.base.first = True
    assert asker.ask(30, 30)
    asker.pause(120_000)
    assert abs(asker.error_ms) <= 3


def test_a_board_that_was_on_before_the_event_began_goes_back_to_its_beginning():
    base = Timebase(500)
    assert base.now_ms(3_600_000) == 3_600_000
    base.ask_host(1, 3_600_000)
    assert base.host_answered(5000, 1, 3_600_000)
    assert base.now_ms(3_600_000) == 5000


@given(st.integers(0, 2**31), st.integers(0, 10**7), st.integers(0, 2**31), st.integers(0, 900))
def test_after_a_reset_no_answer_gives_time_back(last_ms, uptime_ms, host_ms, trip_ms):
    timebase = Timebase(50)
    timebase.resume(last_ms, uptime_ms)
    assert timebase.now_ms(uptime_ms) == last_ms
    timebase.ask_host(1, uptime_ms)
    taken = timebase.host_answered(host_ms, 1, uptime_ms + trip_ms)
    assert timebase.now_ms(uptime_ms + trip_ms) >= last_ms
    assert taken or host_ms < last_ms
