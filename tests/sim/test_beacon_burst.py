"""A hall of boards that listen to the beacon, heard by a gateway alone: a start, second edges, and
all results within two seconds. Half of the boards have 250 ppm, others take 25 % of the air.

``tests/prove/test_beacon.py`` plays the same with a thousand tables.
"""

import beaconhall
import pytest
from burst import Burst

TABLES = 12


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hall")
    return beaconhall.played(lambda hall: Burst().play(hall, 3, 60), folder, tables=TABLES)


def test_a_start_reaches_every_table_within_4_s(seen):
    assert seen.start_s is not None and seen.start_s <= 4


def test_second_edges_are_within_10_ms_of_their_median(seen):
    assert max(seen.edges_ms[1:]) <= 10


def test_a_burst_of_results_is_on_the_disk_and_acknowledged_within_8_s(seen):
    assert len(seen.acked_s) == len(seen.stored_s) == seen.results == TABLES
    assert seen.stored_s[-1] <= 5 and seen.acked_s[-1] <= 8
