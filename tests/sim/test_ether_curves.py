"""The modelled air against published curves: collisions by N, others' load, discovery latency."""

import math

import pytest
from stories import run_by

from host.sim.ether import curves
from host.sim.ether.ether import Ether


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


@pytest.mark.parametrize("load", [0, 0.25])
@pytest.mark.parametrize("count", [1, 50, 100, 200, 400, 700, 1000, 1400, 2000])
def test_a_gateway_receives_the_published_share_whatever_the_hall(count, load):
    found = curves.clear(count, 0.75, 9_000 * 0.755 / count, load=load)
    assert found.simulated == pytest.approx(found.by_formula, rel=0.1, abs=0.02)
