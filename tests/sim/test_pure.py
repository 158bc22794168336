"""The pure air carries some frames, loses its share, doubles and swaps, all from the seed."""

import asyncio

import pytest
from hall import answered, question, told

from host.sim import clock
from host.sim.pure import PureAir


class Ears:
    """A collector that writes down what it is told and asks for what it is given."""

    def __init__(self):
        self.log, self.wanted = [], []

    def heard(self, address, frame, now_ms):
        self.log.append(("heard", address, frame))

    def opened(self, address):
        self.log.append(("opened", address))

    def closed(self, address):
        self.log.append(("closed", address))

    def received(self, address, frame, now_ms):
        self.log.append(("received", address, frame))

    def poll(self, now_ms):
        actions, self.wanted = self.wanted, []
        return actions

    def due_ms(self, now_ms):
        return now_ms + 100


def run(seed, loss, script):
    async def main():
        loop = asyncio.get_running_loop()
        air, ears = PureAir(loop, seed, loss), Ears()
        link = air.link(1, lambda: None)
        carrier = air.carrier(ears, lambda: round(loop.time() * 1000))
        running = loop.create_task(carrier.run())
        await script(air, link, ears, carrier)
        running.cancel()
        return ears.log, carrier.frames_up, carrier.frames_down

    return clock.run(main())


async def chat(air, link, ears, carrier):
    ears.wanted = [("connect", "1")]
    await asyncio.sleep(8)
    for number in range(100):
        answered(link)
        link.send(b"up%d" % number)
        ears.wanted = [("write", "1", b"down%d" % number)]
        await asyncio.sleep(0.6)
    ears.wanted = [("disconnect", "1")]
    await asyncio.sleep(5)


def records(log):
    """Return what came over the link but for the questions."""
    return [entry[2] for entry in log if entry[0] == "received" and entry[2].startswith(b"up")]


def test_a_clean_air_loses_nothing_and_keeps_order():
    log, up, down = run(1, 0, chat)
    assert log[0] == ("opened", "1") and log[-1] == ("closed", "1")
    assert records(log) == [b"up%d" % n for n in range(100)]
    assert (up, down) == (200, 100), "and a question each"


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
            ears.wanted = [("connect", "1")]
            await asyncio.sleep(5)
        for number in range(300):
            while link.connected and not link.send(b"up%03d" % number):
                answered(link)
                await asyncio.sleep(0.01)
        await asyncio.sleep(5)

    log, _, _ = run(seed, 0.3, script)
    got = records(log)
    if got:  # the link may break in mid-talk, too
        assert len(set(got)) < 300 and got != sorted(got) and len(got) > len(set(got))
    assert log == run(seed, 0.3, script)[0]


def test_a_link_that_broke_carries_nothing_late():
    async def script(air, link, ears, carrier):
        ears.wanted = [("connect", "1")]
        await asyncio.sleep(2)
        answered(link)
        assert link.send(b"too late")
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


def accepted(link, *sent):
    """Say which of the frames the link takes."""
    return [link.send(one) for one in sent]


def with_a_link(story):
    """Play ``story(link)`` on a link that has just been opened."""

    async def script(air, link, ears, carrier):
        ears.wanted = [("connect", "1")]
        await asyncio.sleep(8)
        await story(link)

    run(1, 0, script)


UP = [b"up%d" % number for number in range(6)]


def test_a_link_takes_questions_alone_before_one_is_answered():
    async def story(link):
        assert accepted(link, UP[0], question(1), UP[0]) == [False, True, False]
        link.heard(told(2))
        assert not link.send(UP[0]) and not link.full
        link.heard(told(1))
        assert link.send(UP[0])

    with_a_link(story)


def test_two_places_are_kept_for_questions_and_neither_time_nor_other_words_free_any():
    async def story(link):
        answered(link)
        await asyncio.sleep(1)  # so that the question has left
        assert accepted(link, *UP[:4]) == [True] * 3 + [False] and link.full
        assert accepted(link, question(1), question(2), question(3)) == [True, True, False]
        await asyncio.sleep(30)
        link.heard(told(0))
        assert accepted(link, UP[3], question(3)) == [False, False]
        link.heard(told(1))
        assert not link.full and accepted(link, *UP[3:6]) == [True, True, False]

    with_a_link(story)


def test_a_new_connection_begins_with_a_question():
    async def script(air, link, ears, carrier):
        for _ in range(2):
            ears.wanted = [("connect", "1")]
            await asyncio.sleep(8)
            assert accepted(link, UP[0], question(1)) == [False, True]
            link.heard(told(1))
            assert accepted(link, *UP[:4]) == [True] * 3 + [False]
            link.drop()
            await asyncio.sleep(8)

    run(1, 0, script)


def test_a_link_takes_five_frames_at_once_and_more_when_they_have_left():
    async def story(link):
        for pause_s in (0, 0.05):
            await asyncio.sleep(pause_s)
            answered(link)
            assert accepted(link, *UP[:3], question(1)) == [True] * 4
            link.heard(told(1))  # sooner than they can have left
            assert accepted(link, UP[3]) == [False] and not link.full
            await asyncio.sleep(0.02)
            assert accepted(link, UP[3]) == [False]

    with_a_link(story)
