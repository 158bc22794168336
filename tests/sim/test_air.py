"""The radio below everything: what is heard, what is lost, what it costs, and that seeds replay."""

import hashlib
import time

import pytest
from hall import address, answered, frame, play, question, told
from stories import run_by


def test_loss_is_what_was_asked_for():
    async def story(hall):
        link = hall.board(1)
        for number in range(250):
            link.advertise(frame(number))
            await hall.run(0.14)  # one advert each
        return len(hall.told.of("heard"))

    assert play(story, loss=0) == 250
    assert 155 <= play(story, loss=0.3) <= 195


def came(hall):
    return [note[2] for note in hall.told.of("received")]


async def asked(hall, link, nonce):
    """Have a full link ask for the time, and its host answer as soon as it hears that."""
    link.send(question(nonce))
    while link.full:
        if came(hall)[-1:] == [question(nonce)]:
            hall.told.todo = [("write", address(1), told(nonce))]
        await hall.run(0.02)
        for answer in hall.got[1][-1:]:
            link.heard(answer)


def test_a_link_loses_nothing_but_time():
    async def story(hall):
        link = hall.board(1)
        link.advertise(frame(7))
        await hall.run(4)
        while not link.connected:
            hall.told.todo = [("connect", address(1))]
            await hall.run(1)
        answered(link)
        await hall.run(0.5)  # until that question has left
        began_ms = hall.now_ms()
        for number in range(60):
            if link.full:
                await asked(hall, link, number)
            assert link.send(frame(number))
        while frame(59) not in came(hall):
            await hall.run(0.1)
        order = [each for each in came(hall) if each == frame(each[0])]
        return order, hall.got[1] == sorted(hall.got[1]), hall.now_ms() - began_ms

    order, sorted_down, clean_ms = play(story, loss=0, seed=5)
    assert order == [frame(number) for number in range(60)] and sorted_down
    order, sorted_down, lossy_ms = play(story, loss=0.5, seed=5)
    assert order == [frame(number) for number in range(60)] and sorted_down
    assert lossy_ms > clean_ms


@run_by(play)
async def test_two_adverts_at_once_are_not_both_heard(hall):
    for number in range(60):
        hall.board(number + 1)
    for number, link in hall.links.items():
        link.advertise(frame(number))
    await hall.run(0.3)  # all begin within 10 ms, and the second is later
    together = len(hall.told.of("heard"))
    await hall.run(20)
    assert together < 30 and len({note[1] for note in hall.told.of("heard")}) == 60


async def _busy(hall, boards=6, turns=6):
    """Every 10 s the host turns to three others; all boards speak and change meanwhile."""
    for number in range(1, boards + 1):
        hall.board(number).advertise(frame(number))
    held = []
    for turn in range(turns):
        hall.told.todo = [("disconnect", each) for each in held]
        held = [address(1 + (turn * 3 + each) % boards) for each in range(3)]
        hall.told.todo += [("connect", each) for each in held]
        await hall.run(5)
        for link in hall.links.values():
            answered(link)
            link.send(frame(3))
            link.advertise(frame(turn))
        await hall.run(5)
    return hashlib.sha256(repr(hall.told.notes).encode()).hexdigest(), len(hall.told.of("opened"))


def test_a_seed_replays_and_another_does_not():
    first = play(_busy, seed=3, loss=0.1)
    assert first == play(_busy, seed=3, loss=0.1) and first[1] > 12
    assert first[0] != play(_busy, seed=4, loss=0.1)[0]


@pytest.mark.prove
def test_speed(printed):
    began_s = time.perf_counter()
    _, connections = play(lambda hall: _busy(hall, 32, 30), loss=0.1)
    wall_s = time.perf_counter() - began_s
    line = f"32 boards polling at 50 Hz, 300 s, {connections} connections: {wall_s:.1f} s of wall"
    printed("virtual radio", [f"{line} ({300 / wall_s:.0f} times real time)"])
    assert connections > 60
