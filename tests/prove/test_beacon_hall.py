"""A thousand whole boards that listen to the beacon over the modelled air: figures.

Half of them have 250 ppm, others take 25 % of the air, boards listen 30 % of the time. The PC has no
Bluetooth: gateways alone hear and send. Seeds are printed. The burst comes once the records of the
round's begin are told, which takes a gateway six minutes for a thousand tables.
"""

import beaconhall
import pytest
from burst import Burst, at
from recall import Recall

TABLES, SEED = 1000, 1
LOOKS = {1: 20, 3: 12}  # 20 s apart
AWAY_S, HEARD_S = 6, 20
ACKED_S = {1: (11, 15), 3: (6, 6)}  # from the burst's begin, by gateways: 99 %, all


# with one, tests/sim/test_beacon_burst.py plays it in `make test`
@pytest.mark.parametrize("gateways", (pytest.param(1, marks=pytest.mark.prove), 3))
def test_a_thousand_tables(proving, printed, tmp_path, gateways):
    tables, looks = (TABLES, LOOKS[gateways]) if proving else (12, 3)
    seen = beaconhall.played(
        lambda hall: Burst().play(hall, looks), tmp_path, tables=tables, seed=SEED,
        gateways=gateways,
    )  # fmt: skip
    shares = (0.5, 0.9, 0.99, 1)
    stored, acked = ([at(one, s, tables) for s in shares] for one in (seen.stored_s, seen.acked_s))
    rows = [
        f"start at all tables: {seen.start_s} s",
        f"second edges, 99 %: {seen.edges_ms} ms, every 20 s",
        f"results on the disk (50, 90, 99, 100 %): {stored} s",
        f"acknowledged: {acked} s",
    ]
    printed(f"beacon: {tables} tables, {gateways} gateways, seed {SEED}", rows)
    assert seen.start_s <= 4
    assert max(seen.edges_ms[2:]) <= 10
    assert len(seen.acked_s) == seen.results == tables  # nothing is lost
    most, last = ACKED_S[gateways]
    assert acked[2] <= most and acked[3] <= last


def test_a_host_that_begins_again_hears_a_thousand_boards(proving, printed, tmp_path):
    """The laptop dies soon after a start, whose records most boards still have to tell."""
    tables, seed = (TABLES, SEED) if proving else (12, 2)
    seen = beaconhall.played(
        lambda hall: Recall().play(hall, AWAY_S), tmp_path, tables=tables, seed=seed
    )
    shares = [at(seen.heard_s, one, tables) for one in (0.5, 0.9, 0.99, 1)]
    printed(
        f"beacon: {tables} tables, one gateway, a host that begins again, seed {seed}",
        [f"heard (50, 90, 99, 100 %): {shares} s; {seen.waiting} boards had records to tell"],
    )
    assert seen.waiting > tables // 2
    assert len(seen.heard_s) == tables and seen.heard_s[-1] <= HEARD_S
