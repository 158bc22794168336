"""The pure air carries some frames, loses its share, doubles and swaps, all from the seed."""

import asyncio

import pytest
from hall import Told

from host.sim import clock
from host.sim.pure import PureAir


def run(seed, loss, script):
    async def main():
        loop = asyncio.get_running_loop()
        air, ears = PureAir(loop, seed, loss), Told(100)
        link = air.link(1, lambda: None)
        carrier = air.carrier(ears, lambda: round(loop.time() * 1000))
        running = loop.create_task(carrier.run())
        await script(air, link, ears, carrier)
        running.cancel()
        return ears.notes, carrier.frames_up, carrier.frames_down

    return clock.run(main())


async def chat(air, link, ears, carrier):
    ears.todo = [("connect", "1")]
    await asyncio.sleep(8)
    for number in range(100):
        link.send(b"up%d" % number)
        ears.todo = [("write", "1", b"down%d" % number)]
        await asyncio.sleep(0.6)
    ears.todo = [("disconnect", "1")]
    await asyncio.sleep(5)


def test_a_clean_air_loses_nothing_and_keeps_order():
    log, up, down = run(1, 0, chat)
    assert log[0] == ("opened", "1") and log[-1] == ("closed", "1")
    assert [entry[2] for entry in log if entry[0] == "received"] == [
        b"up%d" % n for n in range(100)
    ]
    assert (up, down) == (100, 100)


def test_what_the_host_writes_reaches_the_board():
    async def script(air, link, ears, carrier):
        await chat(air, link, ears, carrier)

    async def listening(air, link, ears, carrier):
        got = []
        link.put = got.append
        await script(air, link, ears, carrier)
        assert got == [b"down%d" % n for n in range(100)]

    run(1, 0, listening)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_bad_air_loses_doubles_swaps_and_repeats_itself(seed):
    async def script(air, link, ears, carrier):
        while not link.connected:
            ears.todo = [("connect", "1")]
            await asyncio.sleep(5)
        for number in range(300):
            while link.connected and not link.send(number):
                await asyncio.sleep(0.01)
        await asyncio.sleep(5)

    log, _, _ = run(seed, 0.3, script)
    got = [entry[2] for entry in log if entry[0] == "received"]
    if got:  # the link may break in mid-talk, too
        assert len(set(got)) < 300 and got != sorted(got) and len(got) > len(set(got))
    assert log == run(seed, 0.3, script)[0]


def test_a_link_that_broke_carries_nothing_late():
    async def script(air, link, ears, carrier):
        ears.todo = [("connect", "1")]
        await asyncio.sleep(2)
        link.send(b"too late")
        link.drop()
        assert not link.connected and not link.send(b"nowhere")
        await asyncio.sleep(5)

    log, _, _ = run(1, 0, script)
    assert log == [("opened", "1"), ("closed", "1")]


def test_an_advert_repeats_until_it_is_heard_or_replaced():
    async def script(air, link, ears, carrier):
        for number in range(200):
            link.advertise(number)
            await asyncio.sleep(20)

    log, _, _ = run(4, 0.5, script)
    heard = [entry[2] for entry in log]
    assert set(heard) == set(range(200)) and len(heard) > 200


def test_a_carrier_hears_only_while_it_runs():
    async def main():
        loop = asyncio.get_running_loop()
        air, ears = PureAir(loop, 1, 0), Told(100)
        link, carrier = air.link(1), air.carrier(ears, lambda: round(loop.time() * 1000))
        link.advertise(b"before")
        await asyncio.sleep(5)
        running = loop.create_task(carrier.run())
        await asyncio.sleep(1)
        link.advertise(b"while")
        await asyncio.sleep(5)
        running.cancel()
        await asyncio.sleep(1)
        link.advertise(b"after")
        await asyncio.sleep(5)
        return ears.notes

    assert [note[:3] for note in clock.run(main())] == [("heard", "1", b"while")]


def test_a_link_takes_five_frames_at_once_and_more_when_they_have_left():
    taken = []

    async def burst(air, link, ears, carrier):
        ears.todo = [("connect", "1")]
        await asyncio.sleep(8)
        for pause_s in (0, 0.02, 0.05):
            await asyncio.sleep(pause_s)
            taken.append([link.send(b"up") for _ in range(6)].count(True))

    run(1, 0, burst)
    assert taken == [5, 0, 5]
