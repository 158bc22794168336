"""Clocks of stations: rates and wander."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.sim.ether import seconds
from host.sim.ether.seconds import StationClock

HOUR_US = 3_600_000_000


@pytest.mark.parametrize("ppm", [-500, -20, 0, 20, 250])
def test_a_rate_is_what_it_is_called(ppm):
    clock = StationClock(ppm, 7)
    assert clock.uptime_us(0) == 7
    assert clock.uptime_us(HOUR_US) == 7 + HOUR_US + ppm * 3600


@given(
    st.floats(-500, 500),
    st.floats(0, 100),
    st.floats(0, 1),
    st.integers(0, 10 * HOUR_US),
    st.integers(0, HOUR_US),
)
def test_a_clock_goes_on(ppm, wander_ppm, phase, at_us, zero_us):
    clock = StationClock(ppm, zero_us, wander_ppm, phase)
    shown_us = clock.uptime_us(at_us)
    assert clock.uptime_us(at_us + 10_000) > shown_us
    most_us = (abs(ppm) + wander_ppm) * at_us / 1e6 + 1
    assert abs(shown_us - zero_us - at_us) <= most_us


def test_half_of_a_hall_has_the_worst_rate_that_it_may():
    hall = seconds.clocks(1000, random.Random(1), wander_ppm=30)
    assert {clock.ppm for clock in hall[1::2]} == {-250, 250}
    assert max(abs(clock.ppm) for clock in hall[::2]) <= 20
    assert {clock.wander_ppm for clock in hall[::2]} == {0}


def test_warmth_comes_and_goes():
    clock = StationClock(0, 0, wander_ppm=50)
    quarters = [clock.uptime_us(quarter * seconds.PERIOD_US // 4) for quarter in range(5)]
    late = [shown - quarter * seconds.PERIOD_US // 4 for quarter, shown in enumerate(quarters)]
    assert late[0] == late[4] == 0 and late[2] == pytest.approx(50 * 1200 / math.pi, abs=1)
