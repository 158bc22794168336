"""Boards with the real ``firmware.radio`` and a PC with the bleak API, over the modelled air."""

import asyncio

import pytest
from hall import Told
from stories import run_by

from firmware.core import frames
from firmware.radio import advertiser
from host.sim import bleio, clock
from host.sim.ether.air import EtherAir

FRAME = bytes([frames.TIME_ASKED]) + bytes(23)


def run(script, system="good", seed=1, load=0.25):
    async def main():
        loop = asyncio.get_running_loop()
        air, ears = EtherAir(loop, seed, 4, load, system), Told(50)
        link = air.link(1)
        running = loop.create_task(air.carrier(ears, lambda: round(loop.time() * 1000)).run())
        link.advertise(FRAME)
        polling = loop.create_task(polled(link, loop))
        await script(air, link, ears)
        for task in (running, polling):
            task.cancel()
        await asyncio.gather(running, polling, return_exceptions=True)
        return ears.notes

    return clock.run(main())


async def polled(link, loop):
    while True:
        link.poll(round(loop.time() * 1000))
        await asyncio.sleep(0.02)


async def until(holds, seconds=60):
    for _ in range(seconds * 50):
        if holds():
            return True
        await asyncio.sleep(0.02)
    return False


def subscribed(link):
    """Whether the host will get what is notified, which espressif's watch cannot tell."""
    return bool(link._up.subscribers)


async def connected(link, ears):
    """Ask for a connection until the board is subscribed to."""
    assert await until(lambda: ears.of("heard"))
    [address] = {entry[1] for entry in ears.of("heard")}
    for _ in range(20):
        ears.todo = [("connect", address)]
        if await until(lambda: link.connected and subscribed(link), 15):
            ears.notes.clear()
            return address
    raise AssertionError("never connected")


@pytest.mark.parametrize("system", ["good", "linux", "windows", "macos"])
@run_by(run, "system", scene=3)
async def test_frames_go_both_ways(air, link, ears):
    address = await connected(link, ears)
    got, sent = [], [bytes([frames.TIME]) + bytes(22) + bytes([n]) for n in range(5)]
    ears.todo = [("write", address, frame) for frame in sent]
    assert link.send(FRAME)

    def look():
        frame = link.receive()
        if frame:
            got.append(frame)
        return len(got) == 5 and ears.of("received")

    assert await until(look)
    assert sorted(got) == sorted(sent) and ears.of("received")[0][2] == FRAME


@run_by(run, scene=3)
async def test_an_advert_is_heard_as_the_frame_that_it_carries(air, link, ears):
    await until(lambda: len(ears.of("heard")) > 3)
    assert {entry[2] for entry in ears.of("heard")} == {FRAME}
    assert air.pc.boards and len(advertiser.pack(FRAME)) == 31


@run_by(run, scene=3)
async def test_the_sixth_notification_that_nobody_takes_is_dropped(air, link, ears):
    await connected(link, ears)
    adapter = air._adapters[1]
    [up] = [each for each in adapter._characteristics() if str(each.uuid) == frames.UP_UUID]
    for _ in range(6):
        up.value = FRAME
    assert adapter.held[0].client.waiting(adapter.station) == 5


@run_by(run, scene=3)
async def test_a_link_is_asked_for_before_it_carries_anything(air, link, ears):
    """The real Link: nothing but questions until one is answered, three at most before."""
    await connected(link, ears)
    assert not link.send(bytes([frames.STATUS]) + bytes(23))
    assert [link.send(FRAME) for _ in range(6)].count(True) == 5


@run_by(run, scene=3)
async def test_a_board_that_loses_its_battery_is_missed(air, link, ears):
    await connected(link, ears)
    air.power_off(1)
    assert await until(lambda: ears.of("closed"), 20)
    assert not air.pc._links


@run_by(run, scene=3)
async def test_both_ends_may_hang_up(air, link, ears):
    address = await connected(link, ears)
    link.drop()
    assert await until(lambda: ears.of("closed") and not link.connected, 20)
    await connected(link, ears)
    ears.notes.clear()
    ears.todo = [("disconnect", address)]
    assert await until(lambda: ears.of("closed") and not link.connected, 20)
    assert await until(lambda: link.adapter.advertising)


def test_the_same_seed_gives_the_same_run():
    async def script(air, link, ears):
        await connected(link, ears)
        ears.notes.append(("at", asyncio.get_running_loop().time(), dict(air.ether.counts)))

    first = run(script, system="linux", seed=3)
    assert first == run(script, system="linux", seed=3) != run(script, system="linux", seed=4)


@run_by(run, scene=3)
async def test_a_bad_advert_is_refused_as_on_the_chip(air, link, ears):
    adapter = air._adapters[1]
    with pytest.raises(bleio.BluetoothError):
        adapter.start_advertising(b"", interval=1.0)
    adapter.stop_advertising()
    for data, interval in ((bytes(32), 1.0), (b"", 0.019)):
        with pytest.raises(ValueError):
            adapter.start_advertising(data, interval=interval)
