"""A beacon over the modelled air: the second edges of a hall's boards stay together
(``host/sim/ether/seconds.py``).
"""

import os

import pytest

from host.sim.ether import seconds

HALLS = [(100, 70)] + ([(1000, 300), (100, 3000)] if os.environ.get("PLUSTHREE_PROVE") else [])


@pytest.fixture(scope="module")
def hall():
    """A hall of a hundred boards for a minute and a little."""
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
