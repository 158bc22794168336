"""A whole round over each system's Bluetooth at its worst, and with a radio that comes and goes.

A slice of it here; `make prove` plays 32 boards on every system.
"""

import asyncio
import inspect
import os
import random
import re
import time
from dataclasses import replace

import pytest
from hall import frame
from hall import play as play_hall

from host.sim import bluetooth_quirks, clock
from host.sim.air import BleAir
from host.sim.evening import Evening
from host.sim.programme import RandomProgramme

SYSTEMS = (bluetooth_quirks.LINUX, bluetooth_quirks.WINDOWS, bluetooth_quirks.MACOS)
PLAYED = SYSTEMS if os.environ.get("PLUSTHREE_PROVE") else SYSTEMS[:1]
LOSS, SEED = 0.05, 7
PULLS, OUT_S = 10, (5, 60)
AGAIN_S = 10
LAST_S = 60


def play(path, system, tables, seed=SEED, befall=None):
    """Play a round; return its Facts, the air, and what ``befall(evening, air)`` returned."""

    async def main():
        loop = asyncio.get_running_loop()
        air = BleAir(loop, seed, LOSS, system)
        evening = Evening(loop, air, path, RandomProgramme(tables, seed), seed)
        befalling = befall and loop.create_task(befall(evening, air))
        facts = await evening.play((1,))
        found = await befalling if befall else None
        evening.venue.close()
        return facts, air, found

    return clock.run(main())


@pytest.mark.parametrize("system", PLAYED)
def test_a_round_arrives_whole_over_each_system(system, tmp_path, printed, proving):
    tables = 32 if proving else 3
    began_s = time.process_time()
    facts, air, _ = play(tmp_path / "a.db", system, tables)
    cpu_s = time.process_time() - began_s
    last_s = max(facts.last_results_s)
    line = (
        f"{tables} boards, {LOSS:.0%} of packets lost: {facts.archived} of {tables}, last result"
        f" {last_s:.1f} s after its table"
    )
    printed(
        f"a round over {system} as read (virtual time)",
        [f"{line}, {cpu_s:.1f} s of CPU; told: {len(air.said)}"],
    )
    assert (facts.archived, facts.lost, facts.duplicated, facts.conflicts) == (tables, 0, 0, 0)
    assert facts.violations == [] and last_s <= LAST_S


async def comes_and_goes(evening, air):
    """Pull the radio out ten times; return after how many seconds each time a board was heard
    again.
    """
    luck, waited = random.Random(f"pulls {SEED}"), []
    await asyncio.sleep(60)
    for _ in range(PULLS):
        await asyncio.sleep(luck.uniform(60, 180))
        air.pc.pull()
        await asyncio.sleep(luck.uniform(*OUT_S))
        air.pc.plug()
        back_ms = evening.venue.now_ms()
        while not any(
            (status.heard_ms or 0) > back_ms
            for status in evening.venue.station.collector.statuses.values()
        ):
            await asyncio.sleep(0.25)
            if evening.venue.now_ms() - back_ms > 120_000:
                break
        waited.append((evening.venue.now_ms() - back_ms) / 1000)
    return waited


@pytest.mark.parametrize("system", PLAYED)
def test_a_radio_that_is_pulled_and_put_back_ten_times_costs_nothing_but_time(
    system, tmp_path, printed, proving
):
    tables = 32 if proving else 2
    facts, air, waited = play(tmp_path / "a.db", system, tables, befall=comes_and_goes)
    heard = f"heard again {max(waited):.1f} s after it was put back at the latest"
    last = (
        f"{facts.archived} of {tables} results, the last {max(facts.last_results_s):.1f} s after"
        " its table"
    )
    printed(
        f"radio out and in {len(waited)} times over {system}",
        [f"{heard}; {last}; told: {len(air.said)}"],
    )
    assert len(waited) == PULLS and max(waited) <= AGAIN_S
    assert (facts.archived, facts.lost, facts.duplicated, facts.violations) == (tables, 0, 0, [])
    assert any(
        "plug one in" in line or "switch it on" in line or "does not" in line for line in air.said
    )


@pytest.mark.parametrize(("monitors", "most_s"), [(True, 2), (False, 6)])
def test_a_pattern_monitor_lifts_the_filter_and_without_one_the_scan_begins_anew(monitors, most_s):
    async def story(hall):
        for number in range(1, 4):
            hall.board(number).advertise(frame(number))
        await hall.run(60)
        return hall.carrier.delay_s

    assert (
        play_hall(
            story,
            system=replace(bluetooth_quirks.profile(bluetooth_quirks.LINUX), monitors=monitors),
        )
        <= most_s
    )


def test_every_quirk_says_where_it_was_read():
    """The comment above each field names a source, down to the last one that is no price."""
    fields = inspect.getsource(bluetooth_quirks.Profile).partition("name: str\n")[2]
    told = re.findall(r"((?: +#.*\n)+) +(\w+): ", fields)
    prices = {"links", "filter_s", "discover_s", "start_s"}
    named = set(bluetooth_quirks.Profile.__dataclass_fields__) - prices - {"name"}
    assert {name for _, name in told} == named
    for comment, name in told:
        assert any(mark in comment for mark in ("bluez", "bleak", "winrt", "noble")), name


def evening(path, tables, seed, loss):
    """Play one round; a board that hangs in its radio ends it (bleio.Hung)."""

    async def main():
        loop = asyncio.get_running_loop()
        air = BleAir(loop, seed, loss)
        return await Evening(loop, air, path, RandomProgramme(tables, seed), seed).play((1,))

    return clock.run(main())


@pytest.mark.prove  # test_simulate plays a smaller one twice
def test_a_round_over_a_lossy_radio_loses_nothing_and_replays(tmp_path):
    first = evening(tmp_path / "first.sqlite", 3, 11, 0.25)
    assert (first.archived, first.lost, first.duplicated, first.violations) == (3, 0, 0, [])
    assert first.frames["up"] > 100
    assert first == evening(tmp_path / "second.sqlite", 3, 11, 0.25)
