"""Every quirk of a virtual PC befalls whoever uses it, and a whole round passes over each system's Bluetooth."""

import asyncio
import inspect
import os
import random
import re
import time
from dataclasses import replace

import pytest
from bleak import BleakClient, BleakScanner
from bleak.exc import BleakBluetoothNotAvailableError, BleakDeviceNotFoundError, BleakError
from hall import address, frame
from hall import play as play_hall
from stories import run_by

from firmware.core import frames
from host.sim import bluetooth_quirks, clock
from host.sim.air import BleAir
from host.sim.evening import Evening
from host.sim.programme import RandomProgramme


class Guest:
    """A PC with one quirk, in a hall with boards; adverts it hears are ``(second, address)``."""

    def __init__(self, hall, boards=1, **quirk):
        self.hall = hall
        self.pc = hall.air.computer(
            9, replace(bluetooth_quirks.profile(bluetooth_quirks.GOOD), **quirk)
        )
        self.backends, self.heard, self.found, self.gone = self.pc.backends(), [], {}, []
        for number in range(1, boards + 1):
            hall.board(number).advertise(frame(number))

    async def scan(self, seconds=3):
        scanner = BleakScanner(self._note, backend=self.backends[0])
        await scanner.start()
        await self.hall.run(seconds)
        return scanner

    def _note(self, device, _):
        self.heard.append((self.hall.loop.time(), device.address))
        self.found[device.address] = device

    async def client(self, number=1, timeout=8):
        made = BleakClient(
            self.found[address(number)], self.gone.append, timeout=timeout, backend=self.backends[1]
        )
        await self.during(made.connect())
        return made

    async def during(self, doing):
        return await self.hall._stepping(doing)


def story(told, **terms):
    async def main(hall):
        return await told(Guest(hall, **terms))

    return play_hall(main)


@run_by(story, forgets_s=30.0)
async def test_a_device_unseen_for_long_is_unknown(guest):
    await guest.scan()
    guest.hall.air.power_off(1)
    del guest.hall.links[1]
    await guest.hall.run(31)
    with pytest.raises(BleakDeviceNotFoundError):
        await guest.client()


@pytest.mark.parametrize(("filter_s", "most"), [(10.24, 4), (float("inf"), 1)])
def test_an_address_is_told_of_once_until_the_scan_begins_anew(filter_s, most):
    async def told(guest):
        scanner = await guest.scan(30)
        first = len(guest.heard)
        await scanner.stop()
        await guest.scan(3)
        return first, len(guest.heard)

    first, all_told = story(told, filter_s=filter_s)
    assert 1 <= first <= most and first < all_told <= first + 1


def test_nothing_is_heard_while_it_connects():
    async def told(guest):
        await guest.scan()
        guest.hall.air.power_off(1)
        del guest.hall.links[1]
        began_s = guest.hall.loop.time()
        with pytest.raises((BleakError, TimeoutError)):
            await guest.client(1, timeout=5)
        return [
            at_s - began_s
            for at_s, who in guest.heard
            if who == address(2) and at_s > began_s + 0.1
        ]

    assert story(told, boards=2, deaf=True) == [] and story(told, boards=2) != []


@run_by(story, echoes=True, filter_s=float("inf"))
async def test_own_connecting_tells_the_last_advert_anew(guest):
    await guest.scan()
    before = len(guest.heard)
    await guest.client()
    assert (len(guest.heard) - before) == 1


@run_by(story, boards=3, links=2)
async def test_an_adapter_holds_so_many_links(guest):
    await guest.scan()
    await guest.client(1)
    await guest.client(2)
    with pytest.raises(BleakError):
        await guest.client(3)


@pytest.mark.parametrize("quirk", [{"aborts": 1.0}, {"discover_s": (9.0, 9.0)}])
def test_an_attempt_fails(quirk):
    async def told(guest):
        await guest.scan()
        with pytest.raises((BleakError, TimeoutError)):
            await guest.client()

    story(told, **quirk)


@run_by(story, late_s=(6.0, 6.0), links=1)
async def test_a_link_lives_on_after_it_was_hung_up_and_counts(guest):
    await guest.scan()
    client = await guest.client()
    await guest.during(client.start_notify(frames.UP_UUID, lambda *_: None))
    await guest.during(client.disconnect())
    assert not client.is_connected and guest.pc.full
    await guest.hall.run(4)
    assert guest.hall.links[1].connected
    await guest.hall.run(3)
    assert (guest.hall.links[1].connected, guest.pc.full) == (False, False)


@pytest.mark.parametrize(("untold", "times"), [(1.0, 0), (0.0, 1)])
def test_an_end_is_not_always_told(untold, times):
    async def told(guest):
        await guest.scan()
        client = await guest.client()
        guest.hall.links[1].drop()
        await guest.hall.run(1)
        return client.is_connected, len(guest.gone)

    assert story(told, untold=untold) == (False, times)


def test_services_may_be_an_old_memory():
    async def told(guest):
        await guest.scan()
        return (await guest.client()).services.get_service(frames.SERVICE_UUID)

    assert story(told, stale=1.0) is None and story(told) is not None


@pytest.mark.parametrize(("again", "least_s", "most_s"), [(1.0, 4.0, 6.0), (0.25, 1.0, 3.0)])
def test_the_services_of_a_board_that_a_system_knows_take_it_less_time(again, least_s, most_s):
    async def told(guest):
        took_s, loop = [], guest.hall.loop
        await guest.scan()
        for _ in range(2):
            began_s = loop.time()
            client = await guest.client()
            took_s.append(loop.time() - began_s)
            await guest.during(client.disconnect())
            await guest.hall.run(1)
        return took_s

    first_s, second_s = story(told, discover_s=(4.0, 4.0), again=again)
    assert first_s >= 4 and least_s <= second_s <= most_s


@pytest.mark.parametrize(("response", "arrives"), [(False, 0), (True, 1)])
@run_by(story, drops=1.0)
async def test_writes_without_response_are_dropped(guest, response, arrives):
    await guest.scan()
    client = await guest.client()
    await guest.during(client.start_notify(frames.UP_UUID, lambda *_: None))
    await guest.during(client.write_gatt_char(frames.DOWN_UUID, frame(3), response=response))
    await guest.hall.run(1)
    assert len(guest.hall.got[1]) == arrives


def test_packets_are_as_long_as_both_sides_say():
    async def told(guest):
        await guest.scan()
        client = await guest.client()
        return client.services.get_characteristic(frames.DOWN_UUID).max_write_without_response_size

    assert story(told, mtu=23) == 20 and story(told) >= frames.SIZE


@pytest.mark.parametrize(("after_s", "from_s", "to_s"), [(0, 0.4, 1), (3, 3.5, 4.5)])
@run_by(story, supervision_ms=420, discover_s=(9.0, 9.0))
async def test_a_link_begins_with_the_systems_own_time_out_until_its_board_has_asked(
    guest, after_s, from_s, to_s
):
    await guest.scan()
    connecting = guest.hall.loop.create_task(guest.client())
    while guest.pc.link_to(address(1)) is None:
        await guest.hall.run(0.1)
    await guest.hall.run(after_s)
    guest.hall.air.power_off(1)
    del guest.hall.links[1]
    began_s = guest.hall.loop.time()
    while guest.pc.link_to(address(1)) is not None:
        await guest.hall.run(0.1)
    connecting.cancel()
    assert from_s <= (guest.hall.loop.time() - began_s) <= to_s


@run_by(story, start_off=("POWERED_OFF", "hangs"), stop_off=(EOFError, AssertionError))
async def test_while_there_is_no_radio_starting_and_stopping_do_what_was_read(guest):
    scanner = await guest.scan()
    guest.pc.pull()
    with pytest.raises(EOFError):
        await scanner.stop()
    with pytest.raises(BleakBluetoothNotAvailableError):
        await guest.scan()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(100):
            await guest.scan()
    guest.pc.plug()
    heard = len(guest.heard)
    with pytest.raises(AssertionError):  # what was started before is of no more use
        await scanner.stop()
    await guest.scan()
    assert (len(guest.heard) - heard) > 0


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
    tables = 32 if proving else 1
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

    linux = replace(bluetooth_quirks.profile(bluetooth_quirks.LINUX), monitors=monitors)
    assert play_hall(story, system=linux) <= most_s


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
