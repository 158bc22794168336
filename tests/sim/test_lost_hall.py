"""How soon after a restore a hall is the organiser's again: heard, ruled, and archived to the last
record.

Heard: each board's status was verified under the restored keys, and says the phase and the zero
that the board itself has; adverts do that for all at once. Ruled: an order given with the restore
was answered. Archived: all that boards had to tell when the command ran lies in the new archive.
Four links, made one after another, bring that, so it takes its time in a large hall, behind what
the desk asks for.
"""

import asyncio
import os

import pytest
from stolen import PHRASE, Stolen

from firmware.core import phases
from host.sim import clock
from host.sim.air import BleAir
from host.sim.pure import PureAir

AIRS = {"pure": PureAir, "ble": BleAir}
LONG = [
    ("pure", 32, 0.05),
    ("pure", 48, 0.1),
    ("pure", 100, 0.05),
    ("pure", 200, 0.05),
    ("ble", 16, 0.05),
]
HALLS = [("pure", 8, 0.1)] + (LONG if os.environ.get("PLUSTHREE_PROVE") else [])
SEED = 4
LIMIT_S = 60
JUDGES = 4
GOING = (phases.PLAYING, phases.FROZEN)


async def timed(condition, since_s):
    """Return how long after ``since_s`` the condition holds."""
    loop = asyncio.get_running_loop()
    while not condition():
        await asyncio.sleep(0.25)
        assert loop.time() - since_s < 900
    return loop.time() - since_s


def hearing(hall, station):
    """Return a function that says whether every board was heard with what it says of itself now."""
    told, statuses = set(), {status.table: status for status in station.collector.statuses.values()}

    def heard():
        for number, table in hall.venue.tables.items():
            match, status = table.app.match, statuses[number]
            if status.heard_ms and (status.phase, status.zero_ms) == (
                match.phase,
                match.zero_ms or 0,
            ):
                told.add(number)
        return len(told) == len(statuses)

    return heard


def rule(hall, station):
    """Let judges stop the last tables in the order of service; say whether all are answered.

    A table that has ended its match meanwhile refuses, as it should.
    """
    playing = [
        n
        for n, table in sorted(hall.venue.tables.items())
        if table.app.match.phase == phases.PLAYING
    ]
    orders = [order for number in playing[-JUDGES:] for order in station.desk.freeze(number)]
    assert len(orders) == JUDGES

    def answered():
        states = [station.archive.orders.get(order) for order in orders]
        going = [one for one in states if hall.venue.tables[one.table].app.match.phase in GOING]
        assert all(one.state != "refused" for one in going)
        return all(one.state != "pending" for one in states)

    return answered


async def afterwards(folder, air, tables, loss):
    """Lose the laptop and restore; return the three times and what the archive has not."""
    loop = asyncio.get_running_loop()
    hall = Stolen(loop, AIRS[air](loop, SEED, loss), folder, tables, SEED)
    await hall.lose()
    held, since_s = hall.held(), loop.time()
    assert hall.acknowledged <= held.keys()
    with hall.restore() as station:
        owed = held.keys() - {entry.id for entry in station.archive.records()}
        station.listeners.append(
            lambda entries: owed.difference_update([entry.id for entry in entries])
        )
        conditions = hearing(hall, station), rule(hall, station), lambda: not owed
        took_s = await asyncio.gather(*[timed(condition, since_s) for condition in conditions])
        await hall.end()
        kept = {entry.id: entry.frame for entry in station.archive.records()}
        return took_s, [place for place, record in held.items() if kept.get(place) != record]


@pytest.mark.parametrize(("air", "tables", "loss"), HALLS)
def test_a_hall_is_heard_and_ruled_within_a_minute_and_nothing_is_lost(
    tmp_path, printed, monkeypatch, air, tables, loss
):
    monkeypatch.setenv("PLUSTHREE_PASSPHRASE", PHRASE)
    (heard_s, ruled_s, archived_s), lost = clock.run(afterwards(tmp_path, air, tables, loss))
    printed("a hall after plusthree restore (virtual time)",
            [f"{tables} boards, {air} air, {loss:.0%} loss: all heard {heard_s:.1f} s, {JUDGES} orders answered {ruled_s:.1f} s, "
             f"all archived {archived_s:.1f} s after, {len(lost)} records lost"])  # fmt: skip
    assert not lost
    assert heard_s <= LIMIT_S and ruled_s <= LIMIT_S
