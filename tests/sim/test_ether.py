"""Stations on the modelled air: channels, windows, capture, one radio each, and one seed."""

import asyncio

import pytest
from stories import run_by

from host.sim.ether import curves
from host.sim.ether.ether import (
    CHANNELS,
    RadioBusy,
    advert_us,
    channel_step_us,
    data_us,
    request_us,
)


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
