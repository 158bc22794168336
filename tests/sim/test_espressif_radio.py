"""The radio of an ESP32-S3: what is strange about it, and that a round arrives whole over it."""

import asyncio
import os
import types

import pytest
from farclient import Characteristic, Client
from hall import answered, frame, play
from stories import run_by

from firmware.core import frames
from host.sim import bluetooth_quirks, clock
from host.sim.air import BleAir
from host.sim.bleio import radio as bleio
from host.sim.evening import Evening
from host.sim.programme import RandomProgramme


async def guest(hall):
    """Return the link of a board, and a client that is connected to it and has subscribed to
    nothing.
    """
    link = hall.shown(1)
    client = await hall.connected(1)
    await hall.run(0.2)
    return link, client


async def hear_changes(hall, client):
    """Subscribe to Service Changed, as a PC's system does for itself."""
    await hall._stepping(client._client._backend._hear_changes())
    await hall.run(0.2)


def test_what_is_written_before_a_subscription_is_dropped():
    buffer = bleio.PacketBuffer(Characteristic(), buffer_size=3, max_packet_size=24)
    client, taken = Client(), bytearray(24)
    buffer.put(client, frame(1))
    assert buffer.readinto(taken) == 0
    buffer.subscribed(client, True)
    buffer.put(client, frame(2))
    assert buffer.readinto(taken) == 24 and bytes(taken) == frame(2)


def test_a_second_subscriber_takes_nothing_from_the_first():
    buffer = bleio.PacketBuffer(Characteristic(), buffer_size=3, max_packet_size=24)
    first, second = Client(), Client()
    buffer.subscribed(first, True)
    buffer.subscribed(second, True)
    buffer.subscribed(second, False)
    first.att_mtu = 27
    assert buffer.outgoing_packet_length == 24


@run_by(play)
async def test_any_subscription_counts_as_ours(hall):
    link, client = await guest(hall)
    assert not link.connected
    await hear_changes(hall, client)
    assert link.connected


@run_by(play)
async def test_a_full_queue_of_notifications_drops_the_newest(hall):
    link, client = await guest(hall)
    came = []
    await client.start_notify(frames.UP_UUID, lambda _, data: came.append(bytes(data)))
    await hall.run(0.2)
    for number in range(7):
        link._up.value = frame(number)
    await hall.run(0.5)
    assert came == [frame(number) for number in range(5)]


@run_by(play)
async def test_who_has_gone_stays_in_the_connections_until_another_comes(hall):
    link, client = await guest(hall)
    await client.start_notify(frames.UP_UUID, lambda *what: None)
    adapter = link.adapter
    (connection,) = adapter.connections
    await client.disconnect()
    await hall.run(1)
    assert adapter.connections == (connection,) and not adapter.connected
    link.drop()
    with pytest.raises(bleio.Hung):
        connection.disconnect()


@run_by(play)
async def test_a_connection_that_is_closed_is_no_guest_who_pairs_or_comes_second(hall):
    link, client = await guest(hall)
    await client.start_notify(frames.UP_UUID, lambda *what: None)
    closed = types.SimpleNamespace(connected=False, paired=True)
    link.adapter._shown = (closed, *link.adapter.connections)
    await hall.run(1)
    assert link.connected


@run_by(play)
async def test_a_guest_is_shown_once_its_mtu_is_known(hall):
    link = hall.shown(1)
    client = await hall.visit(1)
    shown = []
    adapter = link.adapter
    connecting = hall.loop.create_task(client._client.connect())
    while not adapter.connected:
        await asyncio.sleep(0.01)
        if adapter.held:
            shown.append(adapter.connected)
    await connecting
    assert shown[:3] == [False] * 3


@run_by(play)
async def test_without_a_free_link_a_connectable_advert_is_out_of_memory(hall):
    link, client = await guest(hall)
    adapter = link.adapter
    adapter.stop_advertising()
    adapter.held, kept = adapter.held * 4, adapter.held
    with pytest.raises(MemoryError):
        adapter.start_advertising(bytes(31), connectable=True)
    link._start(True)  # the firmware bears it
    adapter.held = kept


@run_by(play)
async def test_a_link_says_nothing_but_its_question_before_it_is_answered(hall):
    """A PC's system subscribes to Service Changed first: what a board says until then, nobody
    hears.
    """
    link, client = await guest(hall)
    await hear_changes(hall, client)
    assert link.connected
    asked, record = bytes([frames.TIME_ASKED | frames.VERSION << 6]) + bytes(23), frame(0x99)
    assert link.send(asked) and not link.send(record)
    answered(link)
    assert link.send(record)


SYSTEMS = tuple(bluetooth_quirks.SYSTEMS)[: None if os.environ.get("PLUSTHREE_PROVE") else 1]


class Espressif(RandomProgramme):
    """An evening of boards with an ESP32-S3."""

    def model(self, table):
        return ("feathers3", "lilygo")[table % 2]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_round_arrives_whole_over_an_espressif_radio(system, tmp_path):
    async def main():
        loop = asyncio.get_running_loop()
        air = BleAir(loop, 11, 0.05, system)
        evening = Evening(loop, air, tmp_path / "a.sqlite", Espressif(2, 11), 11)
        facts = await evening.play((1,))
        evening.venue.close()
        return facts

    facts = clock.run(main())
    assert (facts.archived, facts.lost, facts.duplicated, facts.violations) == (2, 0, 0, [])
    assert max(facts.last_results_s) <= 30
