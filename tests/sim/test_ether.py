"""Stations on the modelled air: channels, windows, capture, clocks, a hall, and one seed."""

import asyncio
import math
import os
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stories import run_by

from host.sim.ether import curves, seconds
from host.sim.ether.ether import (
    CHANNELS,
    Packet,
    RadioBusy,
    Spot,
    advert_us,
    channel_step_us,
    data_us,
    gateway_spots,
    request_us,
    size_m,
    table_spots,
)
from host.sim.ether.seconds import StationClock


def test_an_advert_of_31_bytes_lasts_376_us():
    assert (advert_us(31), request_us(), data_us(0)) == (376, 352, 80)
    assert 400 <= channel_step_us(31, False) <= 500 < channel_step_us(31, True)


@run_by(curves.in_ether, load=0)
async def test_a_scanner_hears_one_of_the_three_channels(ether):
    heard = []
    listener, sender = ether.station(), ether.station()
    listener.hear = heard.append
    listener.scan(0.1, 0.1)
    sender.advertise(b"news", 0.5)
    await asyncio.sleep(20)
    events = round(20 / 0.505)
    assert events - 3 <= len(heard) <= events  # some fall where it changes the channel
    assert {one.data for one in heard} == {b"news"} and heard[0].sender is sender
    gaps_us = [b.at_us - a.at_us for a, b in zip(heard, heard[1:], strict=False)]
    assert min(gaps_us) >= 500_000 - 2 * channel_step_us(4, False)


@run_by(curves.in_ether, load=0)
async def test_a_window_of_a_third_hears_a_third(ether):
    curves.advertisers(ether, 40, 0.4)
    listener, heard = ether.station(), []
    listener.hear = heard.append
    listener.scan(0.03, 0.1)
    await asyncio.sleep(60)
    share = len(heard) / (40 * 60 / 0.405)
    usable = (30_000 - 400 - advert_us(31)) / 100_000
    assert share == pytest.approx(usable, rel=0.1)


@run_by(curves.in_ether)
async def test_nrf_refuses_to_scan_while_it_advertises_and_the_other_way(ether):
    nordic, other = ether.station(), ether.station(exclusive=False)
    nordic.advertise(b"x", 0.1)
    with pytest.raises(RadioBusy):
        nordic.scan()
    nordic.stop()
    nordic.scan()
    with pytest.raises(RadioBusy):
        nordic.advertise(b"x", 0.1)
    other.advertise(b"x", 0.1)
    other.scan()
    await asyncio.sleep(1)


@pytest.mark.parametrize("data, interval_s", [(bytes(32), 1), (b"", 0.019), (b"", 10.25)])
@run_by(curves.in_ether)
async def test_wrong_adverts_are_refused(ether, data, interval_s):
    with pytest.raises(ValueError):
        ether.station().advertise(data, interval_s)


@pytest.mark.parametrize("window_s, interval_s", [(0.2, 0.1), (0.0001, 0.1)])
@run_by(curves.in_ether)
async def test_wrong_windows_are_refused(ether, window_s, interval_s):
    with pytest.raises(ValueError):
        ether.station().scan(window_s, interval_s)


@run_by(curves.in_ether, load=0)
async def test_one_radio_hears_nothing_while_it_sends(ether):
    """Two that advertise at the shortest interval and scan: each loses the other's share."""
    heard = []
    one, other = ether.station(exclusive=False), ether.station()
    one.hear = heard.append
    one.scan(0.1, 0.1)
    one.advertise(b"mine", 0.02)
    other.advertise(b"other", 0.02)
    await asyncio.sleep(200)
    own_us = CHANNELS * channel_step_us(4, False)
    lost = (own_us + advert_us(5)) / 25_000
    counts = ether.counts
    share = counts["busy"] / (counts["busy"] + counts["heard"] + counts["lost"])
    assert share == pytest.approx(lost, rel=0.2)
    assert {each.data for each in heard} == {b"other"}


def test_a_slow_clock_advertises_less_often():
    def count(ppm):
        async def script(ether):
            listener, heard = ether.station(decoding_us=0), []
            listener.hear = heard.append
            listener.scan(10, 10)
            ether.station(ppm=ppm).advertise(b"", 1)
            await asyncio.sleep(600)
            return len(heard)

        return curves.in_ether(script, load=0)

    assert count(20_000) > count(0) > count(-20_000)


def test_windows_drift_with_the_clock():
    """1,000 ppm fast: after 30 s the window has come 30 ms earlier, and so is over."""

    def hears(ppm, at_us):
        async def script(ether):
            ether.station(ppm=ppm).scan(0.03, 0.3)
            await asyncio.sleep(31)
            return bool(ether.scans.listening(0, at_us, at_us + 376))

        return curves.in_ether(script)

    cycle_us = 900_000
    into_us = 34 * cycle_us + 10_000
    assert hears(0, into_us) and not hears(1000, into_us)
    assert hears(1000, into_us - 30_000) and not hears(0, into_us - 30_000)


HALLS = [(100, 70)] + ([(1000, 300), (100, 3000)] if os.environ.get("PLUSTHREE_PROVE") else [])


@pytest.fixture(scope="module")
def hall():
    return seconds.looks(100, 70, 1)


@pytest.mark.parametrize("count, until_s", HALLS)
def test_seconds_change_together_after_a_minute(hall, count, until_s):
    found = hall if (count, until_s) == HALLS[0] else seconds.looks(count, until_s, 1)
    print(
        f"{count} boards, 99 % within (ms):", *(round(one.filtered_us / 1000, 1) for one in found)
    )
    assert max(one.filtered_us for one in found[6:]) <= 10_000


def test_whoever_believes_its_last_stamp_is_late_by_its_own_radio(hall):
    """The filter is what brings seconds together: stamps come as late as copies and looks make
    them.
    """
    last = hall[-1]
    assert last.believing_us > 2 * last.filtered_us


def test_a_scan_as_long_as_the_beacons_period_never_agrees():
    """The same hall: boards whose windows never meet a first copy are late by a copy or two."""
    found = seconds.looks(100, 70, 1, scan_s=seconds.TICK_S)
    assert min(one.filtered_us for one in found) > 20_000


def pair(near_m, far_m, first_us):
    """Return who of two is heard at (0, 0) when the far one begins ``first_us`` earlier."""

    async def script(ether):
        air = ether.channels[0]
        near, far = (ether.station(Spot(x_m, 0)) for x_m in (near_m, far_m))
        packets = [
            Packet(sender, 0, start_us, start_us + 376, b"", False)
            for sender, start_us in ((near, 10_000), (far, 10_000 - first_us))
        ]
        for packet in sorted(packets, key=lambda packet: packet.start_us):
            air.add(packet)
        return tuple(
            air.level(packet, air.overlapping(packet), Spot(0, 0)) is not None for packet in packets
        )

    return curves.in_ether(script, load=0)


def test_the_stronger_survives_only_if_it_came_first():
    assert pair(1, 30, -100) == (True, False)
    assert pair(1, 30, 100) == (False, False)
    assert pair(5, 6, -100) == (False, False)
    assert pair(1, 30, -400) == pair(1, 30, 400) == (True, True)


def test_a_little_stronger_is_not_enough():
    """8 dB on average, and fading of 8 at most: never 14, and always stronger."""
    for _ in range(20):
        assert pair(10, 21, -100) == (False, False)


def test_who_is_too_far_is_not_heard_and_disturbs_nobody():
    assert pair(5, 200, 0) == (True, False)


def test_the_hall_has_a_place_for_everybody():
    spots = table_spots(1000)
    far = size_m(1000)
    assert len(set(spots)) == 1000 and 0.7 < far.x_m / far.y_m < 1.4
    assert all(spot.x_m <= far.x_m and spot.y_m <= far.y_m for spot in spots)
    assert all(spot.y_m == far.y_m / 2 for spot in gateway_spots(3, 1000))


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


def run_of(seed):
    async def script(ether):
        log = []
        for place, spot in enumerate(gateway_spots(3, 100)):
            gateway = ether.station(spot, exclusive=False)
            gateway.hear = lambda heard, place=place: log.append(
                (place, heard.at_us, heard.rssi_dbm, heard.data)
            )
            gateway.scan(0.1, 0.1)
        curves.advertisers(ether, 100, 0.5)
        await asyncio.sleep(5)
        return log, dict(ether.counts)

    return curves.in_ether(script, seed)


def test_everything_follows_from_the_seed():
    assert run_of(7) == run_of(7) != run_of(8)


def test_an_advert_costs_the_same_in_a_large_hall():
    """What the ether looks at for each advert (packets nearby, windows) does not grow with N."""

    def looked_at(count):
        seen = []

        async def script(ether):
            listening = ether.scans.listening
            ether.scans.listening = lambda *when: noted(listening(*when))
            curves.advertisers(ether, count, count * 0.00075)
            ether.station(exclusive=False).scan(0.1, 0.1)
            await asyncio.sleep(2)
            return max(len(each._packets) for each in ether.channels)

        def noted(found):
            seen.append(len(found))
            return found

        return curves.in_ether(script, load=0), max(seen)

    assert looked_at(2000)[0] < 2 * looked_at(200)[0] < 60
    assert looked_at(2000)[1] == looked_at(200)[1] == 1
