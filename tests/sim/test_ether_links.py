"""Connections on the modelled air: requests, events, what they cost, and how they end."""

import asyncio

import pytest
from stories import run_by

from host.sim.ether import connection, curves
from host.sim.ether.connection import Initiation
from host.sim.ether.ether import Spot


async def joined(ether, peripheral=None, central=None, connectable=True):
    """Return ``(connection or None, central, peripheral)``; requests that are lost are repeated."""
    central = central or ether.station(exclusive=False)
    peripheral = peripheral or ether.station(Spot(5, 0))
    if not central.scanning:
        central.scan(0.1, 0.1)
    peripheral.advertise(b"here", 0.1, connectable)
    for _ in range(10):
        link = await attempt(ether, central, peripheral)
        if link is not None:
            return link, central, peripheral
    return None, central, peripheral


async def attempt(ether, central, peripheral):
    """Return the connection, or None if it was not made within 10 s."""
    made = ether.loop.create_future()
    initiation = Initiation(central, peripheral, lambda link: made.done() or made.set_result(link))
    await asyncio.wait({made}, timeout=10)
    initiation.cancel()
    return made.result() if made.done() else None


@run_by(curves.in_ether, load=0)
async def test_a_request_stops_the_advert_and_tells_the_board(ether):
    taken, board = [], ether.station()
    board.accept = taken.append
    link, _, peripheral = await joined(ether, board)
    assert peripheral is board and taken == [link] and not board.advertising


@run_by(curves.in_ether, load=0)
async def test_who_is_not_connectable_is_not_connected_to(ether):
    link, _, board = await joined(ether, connectable=False)
    assert link is None and board.advertising


@run_by(curves.in_ether, load=0)
async def test_a_lost_request_shows_six_events_later(ether):
    """The advert arrives, the request does not: the board is deafened by a neighbour."""
    ether.channels[0].level = ether.channels[1].level = ether.channels[2].level = (
        lambda packet, others, spot: None if packet.data == b"" else -50.0
    )
    before_us = ether.now_us
    link, _, board = await joined(ether)
    assert link is None and board.advertising
    assert ether.now_us - before_us >= 6 * connection.INTERVAL_US


@pytest.mark.parametrize("load", [0, 0.25, 0.5])
def test_packets_arrive_once_in_order_and_events_carry_few(load):
    async def script(ether):
        link, central, board = await joined(ether)
        got, start_us = {central: [], board: []}, ether.now_us
        for number in range(100):
            for end, other in ((central, board), (board, central)):
                link.send(end, lambda other=other, number=number: got[other].append(number))
        while min(map(len, got.values())) < 100:
            await asyncio.sleep(0.03)
        assert got == {central: list(range(100)), board: list(range(100))}
        assert ether.now_us - start_us >= 100 / 4 * connection.INTERVAL_US
        return ether.now_us - start_us

    took_us = curves.in_ether(script, load=load)
    assert (took_us > 40 * connection.INTERVAL_US) == (load > 0)


@pytest.mark.parametrize("who", [0, 1])
@run_by(curves.in_ether)
async def test_who_vanishes_is_missed_after_the_supervision_time_out(ether, who):
    link, *ends = await joined(ether)
    ended = []
    for end in ends:
        link.ended[end] = lambda end=end: ended.append((end, ether.now_us))
    at_us = ether.now_us
    ends[who].power_off()
    await asyncio.sleep(6)
    assert ended == [(ends[1 - who], at_us + 4_000_000)]
    assert not any(end.claims for end in ends)


@run_by(curves.in_ether)
async def test_a_disconnection_reaches_both_ends_and_drops_what_waits(ether):
    link, central, board = await joined(ether)
    ended, got = [], []
    for end in (central, board):
        link.ended[end] = lambda end=end: ended.append(end)
    link.hang_up(board)
    for number in range(9):
        link.send(central, lambda number=number: got.append(number))
    await asyncio.sleep(1)
    link.send(board, lambda: got.append("late"))
    await asyncio.sleep(1)
    assert ended == [central, board] and got in ([], [0])


def test_events_take_their_time_from_the_scan():
    """Four links of 2.5 ms in 30 leave two thirds, less what an advert is cut by."""

    def share(links):
        async def script(ether):
            central = ether.station(exclusive=False, decoding_us=0)
            for _ in range(links):
                link, *_ = await joined(ether, central=central)
                assert link
            central.stop_scan()
            central.scan(1, 1)
            ether.station(Spot(1, 1)).advertise(bytes(31), 0.02)
            ether.counts.clear()
            await asyncio.sleep(100)
            counts = ether.counts
            return counts["heard"] / (counts["heard"] + counts["busy"] + counts["lost"])

        return curves.in_ether(script, load=0)

    assert share(0) == 1
    for links in (1, 4):
        taken_us = links * (connection.EVENT_US + curves.LENGTH_US)
        assert share(links) == pytest.approx(1 - taken_us / 30_000, abs=0.02)


def test_two_centrals_at_once_get_one_board():
    async def script(ether):
        board, made = ether.station(), []
        centrals = [ether.station(Spot(place, 0), exclusive=False) for place in (1, 8)]
        for central in centrals:
            central.scan(0.1, 0.1)
            Initiation(central, board, made.append)
        board.advertise(b"here", 0.1, True)
        await asyncio.sleep(2)
        board.advertise(b"here", 0.1, False)
        await asyncio.sleep(2)
        assert len([link for link in made if link]) <= 1

    for seed in range(20):
        curves.in_ether(script, seed, load=0)
