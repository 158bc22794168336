"""Stations on the modelled air: channels, capture, clocks, connections, a hall, one seed; and published curves."""

import asyncio
import math
import os
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stories import run_by

from host.sim.ether import connection, curves, seconds
from host.sim.ether.connection import Initiation
from host.sim.ether.ether import (
    CHANNELS,
    Ether,
    Packet,
    RadioBusy,
    Spot,
    Station,
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
    listener, sender = Station(ether), Station(ether)
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
    listener, heard = Station(ether), []
    listener.hear = heard.append
    listener.scan(0.03, 0.1)
    await asyncio.sleep(60)
    share = len(heard) / (40 * 60 / 0.405)
    usable = (30_000 - 400 - advert_us(31)) / 100_000
    assert share == pytest.approx(usable, rel=0.1)


@run_by(curves.in_ether)
async def test_nrf_refuses_to_scan_while_it_advertises_and_the_other_way(ether):
    nordic, other = Station(ether), Station(ether, exclusive=False)
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
        Station(ether).advertise(data, interval_s)


@pytest.mark.parametrize("window_s, interval_s", [(0.2, 0.1), (0.0001, 0.1)])
@run_by(curves.in_ether)
async def test_wrong_windows_are_refused(ether, window_s, interval_s):
    with pytest.raises(ValueError):
        Station(ether).scan(window_s, interval_s)


@run_by(curves.in_ether, load=0)
async def test_one_radio_hears_nothing_while_it_sends(ether):
    """Two that advertise at the shortest interval and scan: each loses the other's share."""
    heard = []
    one, other = Station(ether, exclusive=False), Station(ether)
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
            listener, heard = Station(ether, decoding_us=0), []
            listener.hear = heard.append
            listener.scan(10, 10)
            Station(ether, ppm=ppm).advertise(b"", 1)
            await asyncio.sleep(600)
            return len(heard)

        return curves.in_ether(script, load=0)

    assert count(20_000) > count(0) > count(-20_000)


def test_windows_drift_with_the_clock():
    """1,000 ppm fast: after 30 s the window has come 30 ms earlier, and so is over."""

    def hears(ppm, at_us):
        async def script(ether):
            Station(ether, ppm=ppm).scan(0.03, 0.3)
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
        near, far = (Station(ether, Spot(x_m, 0)) for x_m in (near_m, far_m))
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
            gateway = Station(ether, spot, exclusive=False)
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
            Station(ether, exclusive=False).scan(0.1, 0.1)
            await asyncio.sleep(2)
            return max(len(each._packets) for each in ether.channels)

        def noted(found):
            seen.append(len(found))
            return found

        return curves.in_ether(script, load=0), max(seen)

    assert looked_at(2000)[0] < 2 * looked_at(200)[0] < 60
    assert looked_at(2000)[1] == looked_at(200)[1] == 1


async def joined(ether, peripheral=None, central=None, connectable=True):
    """Return ``(connection or None, central, peripheral)``; requests that are lost are repeated."""
    central = central or Station(ether, exclusive=False)
    peripheral = peripheral or Station(ether, Spot(5, 0))
    if not central.scanning:
        central.scan(0.1, 0.1)
    peripheral.advertise(b"here", 0.1, connectable)
    for _ in range(10):
        link = await attempt(ether, central, peripheral)
        if link is not None:
            return link, central, peripheral
    return None, central, peripheral


async def attempt(ether, central, peripheral):
    """Return the connection, or None if it was not made within 10 s."""
    made = ether.loop.create_future()
    initiation = Initiation(central, peripheral, lambda link: made.done() or made.set_result(link))
    await asyncio.wait({made}, timeout=10)
    initiation.cancel()
    return made.result() if made.done() else None


@run_by(curves.in_ether, load=0)
async def test_a_request_stops_the_advert_and_tells_the_board(ether):
    taken, board = [], Station(ether)
    board.accept = taken.append
    link, _, peripheral = await joined(ether, board)
    assert peripheral is board and taken == [link] and not board.advertising


@run_by(curves.in_ether, load=0)
async def test_who_is_not_connectable_is_not_connected_to(ether):
    link, _, board = await joined(ether, connectable=False)
    assert link is None and board.advertising


@run_by(curves.in_ether, load=0)
async def test_a_lost_request_shows_six_events_later(ether):
    """The advert arrives, the request does not: the board is deafened by a neighbour."""
    ether.channels[0].level = ether.channels[1].level = ether.channels[2].level = (
        lambda packet, others, spot: None if packet.data == b"" else -50.0
    )
    before_us = ether.now_us
    link, _, board = await joined(ether)
    assert link is None and board.advertising
    assert ether.now_us - before_us >= 6 * connection.INTERVAL_US


@pytest.mark.parametrize("load", [0, 0.25, 0.5])
def test_packets_arrive_once_in_order_and_events_carry_few(load):
    async def script(ether):
        link, central, board = await joined(ether)
        got, start_us = {central: [], board: []}, ether.now_us
        for number in range(100):
            for end, other in ((central, board), (board, central)):
                link.send(end, lambda other=other, number=number: got[other].append(number))
        while min(map(len, got.values())) < 100:
            await asyncio.sleep(0.03)
        assert got == {central: list(range(100)), board: list(range(100))}
        assert ether.now_us - start_us >= 100 / 4 * connection.INTERVAL_US
        return ether.now_us - start_us

    took_us = curves.in_ether(script, load=load)
    assert (took_us > 40 * connection.INTERVAL_US) == (load > 0)


@pytest.mark.parametrize("who", [0, 1])
@run_by(curves.in_ether)
async def test_who_vanishes_is_missed_after_the_supervision_time_out(ether, who):
    link, *ends = await joined(ether)
    ended = []
    for end in ends:
        link.ended[end] = lambda end=end: ended.append((end, ether.now_us))
    at_us = ether.now_us
    ends[who].power_off()
    await asyncio.sleep(6)
    assert ended == [(ends[1 - who], at_us + 4_000_000)]
    assert not any(end.claims for end in ends)


@run_by(curves.in_ether)
async def test_a_disconnection_reaches_both_ends_and_drops_what_waits(ether):
    link, central, board = await joined(ether)
    ended, got = [], []
    for end in (central, board):
        link.ended[end] = lambda end=end: ended.append(end)
    link.hang_up(board)
    for number in range(9):
        link.send(central, lambda number=number: got.append(number))
    await asyncio.sleep(1)
    link.send(board, lambda: got.append("late"))
    await asyncio.sleep(1)
    assert ended == [central, board] and got in ([], [0])


def test_events_take_their_time_from_the_scan():
    """Four links of 2.5 ms in 30 leave two thirds, less what an advert is cut by."""

    def share(links):
        async def script(ether):
            central = Station(ether, exclusive=False, decoding_us=0)
            for _ in range(links):
                link, *_ = await joined(ether, central=central)
                assert link
            central.stop_scan()
            central.scan(1, 1)
            Station(ether, Spot(1, 1)).advertise(bytes(31), 0.02)
            ether.counts.clear()
            await asyncio.sleep(100)
            counts = ether.counts
            return counts["heard"] / (counts["heard"] + counts["busy"] + counts["lost"])

        return curves.in_ether(script, load=0)

    assert share(0) == 1
    for links in (1, 4):
        taken_us = links * (connection.EVENT_US + curves.LENGTH_US)
        assert share(links) == pytest.approx(1 - taken_us / 30_000, abs=0.02)


def test_two_centrals_at_once_get_one_board():
    async def script(ether):
        board, made = Station(ether), []
        centrals = [Station(ether, Spot(place, 0), exclusive=False) for place in (1, 8)]
        for central in centrals:
            central.scan(0.1, 0.1)
            Initiation(central, board, made.append)
        board.advertise(b"here", 0.1, True)
        await asyncio.sleep(2)
        board.advertise(b"here", 0.1, False)
        await asyncio.sleep(2)
        assert len([link for link in made if link]) <= 1

    for seed in range(20):
        curves.in_ether(script, seed, load=0)


@pytest.mark.parametrize("count, interval_s", [(10, 0.02), (50, 0.1), (200, 0.5), (1000, 0.75)])
def test_as_many_adverts_collide_as_aloha_says(count, interval_s):
    period_us = interval_s * 1e6 + curves.MEAN_DELAY_US
    found = curves.clear(count, interval_s, 12_000 * period_us / 1e6 / count)
    assert found.samples > 10_000
    assert found.simulated == pytest.approx(found.by_formula, abs=0.02)
    aloha = math.exp(-2 * (count - 1) * curves.LENGTH_US / period_us)  # Abramson 1970
    assert found.by_formula == pytest.approx(aloha, abs=0.02)


@pytest.mark.parametrize("load", [0.05, 0.25, 0.6])
def test_others_hit_as_many_as_their_load_says(load):
    """Clear: no packet begins within its length before the advert or during it."""
    found = curves.clear(1, 0.02, 300, load=load)
    told = math.exp(2 * math.log1p(-load))
    sigma = math.sqrt(told * (1 - told) / found.samples)
    assert found.samples > 11_000 and abs(found.simulated - told) < 4 * sigma


@run_by(curves.in_ether, load=0.25)
async def test_others_are_on_the_air_for_their_share_of_time(ether):
    channel, instants = ether.channels[0].foreign, range(10_000, 90_000_000, 7_001)
    assert (
        sum(bool(channel.during(at_us, at_us + 1)) for at_us in instants) / len(instants)
    ) == pytest.approx(0.25, abs=0.015)


def test_what_was_asked_about_others_stays_the_same():
    """Questions overlap and go back a little; packets between them are never drawn twice."""

    async def script(ether: Ether):
        channel, at_us = ether.channels[0].foreign, 1_000_000
        for late_us in (0, 300, 150, 2_000, 1_700, 9_000, 8_200, 400_000):
            start_us = at_us + late_us
            wide = channel.during(start_us - 800, start_us + 800)
            parts = (channel.during(start_us - 800, start_us)
                     + channel.during(start_us, start_us + 800))  # fmt: skip
            assert sorted(set(parts)) == sorted(wide)

    for seed in range(50):
        curves.in_ether(script, seed, load=0.5)


# advertising interval, scan window and interval, seconds to run
SCANS = [
    (20_000, 100_000, 100_000, 60),  # every window holds an advert
    (100_000, 30_000, 100_000, 120),
    (152_500, 30_000, 100_000, 120),
    (1_000_000, 100_000, 320_000, 400),
    (290_000, 30_000, 300_000, 1500),  # near resonance: the phase hardly moves
]


@pytest.mark.parametrize("interval_us, window_us, scan_us, seconds", SCANS)
def test_discovery_takes_as_long_as_the_slotless_theory_says(
    interval_us, window_us, scan_us, seconds
):
    took = curves.latencies_us(interval_us, window_us, scan_us, seconds)
    told = 1e6 * curves.discovery(interval_us, window_us, scan_us, 1).by_formula
    mean = sum(took) / len(took)
    sigma = math.sqrt(sum((one - mean) ** 2 for one in took)) / len(took)
    assert len(took) > 2000
    assert abs(mean - told) < 4 * sigma + 0.01 * told


def test_a_window_that_holds_the_interval_never_misses():
    """Kindt et al.: with interval + delay <= window - length the first window decides."""
    took = curves.latencies_us(50_000, 100_000, 100_000, 60)
    assert max(took) <= 60_000 + 100_000 / 100 + 3 * 1_000 + curves.LENGTH_US + 50_000


HEARD = (1, 200, 1000, 2000) + (
    (50, 100, 400, 700, 1400) if os.environ.get("PLUSTHREE_PROVE") else ()
)


@pytest.mark.parametrize("load", [0, 0.25])
@pytest.mark.parametrize("count", HEARD)
def test_a_gateway_receives_the_published_share_whatever_the_hall(count, load):
    found = curves.clear(count, 0.75, 9_000 * 0.755 / count, load=load)
    assert found.simulated == pytest.approx(found.by_formula, rel=0.1, abs=0.02)
