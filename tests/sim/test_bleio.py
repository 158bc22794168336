"""Our ``_bleio``: the limits of each chip that firmware must live with, and a round over an ESP32-S3's radio."""

import asyncio
import os
import types

import pytest
from hall import address, answered, frame, play
from stories import run_by

from firmware.core import frames
from host.sim import bleio, bluetooth_quirks, clock
from host.sim.air import BleAir
from host.sim.bumble_adapter import Adapter
from host.sim.evening import Evening
from host.sim.programme import RandomProgramme


def test_a_full_packet_buffer_drops_its_oldest():
    buffer = bleio.PacketBuffer(Characteristic(), buffer_size=3, max_packet_size=24)
    client, taken = Client(), bytearray(24)
    buffer.subscribed(client, True)
    for number in range(5):
        buffer.put(client, frame(number))
    got = [bytes(taken[: buffer.readinto(taken)]) for _ in range(4)]
    assert got == [frame(2), frame(3), frame(4), b""]


def test_a_packet_buffer_has_one_client():
    buffer = bleio.PacketBuffer(Characteristic(), buffer_size=3, max_packet_size=24)
    owner, stranger, taken = Client(), Client(), bytearray(24)
    buffer.subscribed(owner, True)
    buffer.subscribed(stranger, True)
    buffer.put(owner, frame(1))
    buffer.put(stranger, frame(2))
    assert buffer.readinto(taken) == 24 and buffer.readinto(taken) == 0
    buffer.disconnected(owner)
    buffer.subscribed(stranger, True)
    buffer.put(stranger, frame(2))
    assert buffer.readinto(taken) == 24 and bytes(taken) == frame(2)


def test_nothing_goes_out_before_a_whole_frame_fits():
    buffer = bleio.PacketBuffer(Characteristic(), buffer_size=1, max_packet_size=24)
    with pytest.raises(ValueError, match="No connection"):
        buffer.outgoing_packet_length
    client = Client()
    buffer.subscribed(client, True)
    assert buffer.outgoing_packet_length == 20
    client.att_mtu = 27
    assert buffer.outgoing_packet_length == 24


@run_by(play)
async def test_one_advertising_set_of_31_bytes(hall):
    hall.board(1).advertise(frame(1))
    await hall.run(0.1)
    adapter = hall.links[1].adapter
    assert adapter.advertising
    with pytest.raises(bleio.BluetoothError):
        adapter.start_advertising(bytes(31))
    adapter.stop_advertising()
    with pytest.raises(ValueError, match="too large"):
        adapter.start_advertising(bytes(32))
    with pytest.raises(ValueError, match="interval"):
        adapter.start_advertising(bytes(31), interval=0.001)


@run_by(play)
async def test_a_connection_stops_the_advert(hall):
    link = hall.shown(1)
    await hall.run(2)
    del hall.links[1]  # the program hangs
    await hall.connected(1)
    assert not link.adapter.advertising and link.adapter.connected


def test_a_service_needs_a_board():
    with pytest.raises(AttributeError):
        bleio.Service(bleio.UUID(0x1234))
    assert bleio.UUID(0x1234) == bleio.UUID("00001234-0000-1000-8000-00805F9B34FB")
    assert bleio.UUID(frames.UP_UUID).uuid128[::-1].hex() == frames.UP_UUID.replace("-", "")


@run_by(play)
async def test_what_is_written_too_long_is_refused(hall):
    hall.board(1).advertise(frame(1))
    client = await hall.connected(1)
    await client.start_notify(frames.UP_UUID, lambda *what: None)
    with pytest.raises(Exception, match="LENGTH"):
        await client.write_gatt_char(frames.DOWN_UUID, bytes(97), True)
    await client.write_gatt_char(frames.DOWN_UUID, bytes(9), True)
    await client.write_gatt_char(frames.DOWN_UUID, frame(5), True)
    await hall.run(0.2)
    assert hall.got[1] == [frame(5)] and address(1) == client.address


async def _guest(hall, number=1):
    link = hall.board(number)
    link.advertise(frame(1))
    client = await hall.visit(number)
    await client.connect()
    await client.start_notify(frames.UP_UUID, lambda *what: None)
    await hall.run(0.2)
    return link, link.adapter


@run_by(play)
async def test_a_value_has_its_length(hall):
    link = hall.board(1)
    with pytest.raises(ValueError, match="max_length"):
        link._up.value = bytes(97)


def test_who_unsubscribes_gets_no_more_packets():
    buffer, client = (
        bleio.PacketBuffer(Characteristic(), buffer_size=1, max_packet_size=24),
        Client(),
    )
    buffer.subscribed(client, True)
    buffer.subscribed(client, False)
    with pytest.raises(ValueError):
        buffer.outgoing_packet_length


@run_by(play)
async def test_a_radio_holds_four_links(hall):
    link, adapter = await _guest(hall)
    adapter.stop_advertising()
    kept, adapter.held = adapter.held, adapter.held * 4
    with pytest.raises(MemoryError):
        adapter.start_advertising(bytes(31), connectable=True)
    adapter.start_advertising(bytes(31), connectable=False)
    adapter.held = kept


def test_bonds_outlive_a_reset():
    async def story(hall):
        hall.board(1).adapter.bonds["a phone"] = True
        kept = Adapter.erase_bonding
        Adapter.erase_bonding = lambda adapter: None  # a program that forgets nobody
        try:
            return hall.board(1).adapter.serves_files
        finally:
            Adapter.erase_bonding = kept

    assert play(story)


@run_by(play)
async def test_a_refusal_of_the_chip_is_one_of_the_contracts(hall):
    adapter = hall.board(1).adapter
    adapter.refusals.append(MemoryError())
    with pytest.raises(MemoryError):
        adapter.start_advertising(bytes(31))
    adapter.start_advertising(bytes(31))


BASE = "7284{:04x}-f359-4dd0-b4b6-c0d678cdc321"
OF_THE_STACK = ("1800", "1801")  # GAP and GATT: the chip's own, before ours
LAYOUT = [  # in the order of their handles
    (BASE.format(1), [
        (BASE.format(2), ["write-without-response", "write"], 24),
        (BASE.format(3), ["notify"], 24),
    ]),
]  # fmt: skip


@run_by(play)
async def test_a_board_offers_what_it_always_offered(hall):
    hall.board(1).advertise(frame(7))
    await hall.run(3)
    client = await hall.connected(1)
    services = sorted(client.services, key=lambda service: service.handle)
    ours = [one for one in services if one.uuid[4:8] not in OF_THE_STACK]
    found = [(one.uuid, one.handle, one.characteristics) for one in ours]
    assert [(uuid, [(c.uuid, c.properties) for c in inside]) for uuid, _, inside in found] == [
        (uuid, [(one, properties) for one, properties, _ in inside]) for uuid, inside in LAYOUT
    ]
    handles = [handle for _, at, inside in found for handle in (at, *(c.handle for c in inside))]
    assert handles == sorted(handles)


def test_a_frame_is_as_long_as_ever():
    from firmware.core import frames

    sizes = {size for _, inside in LAYOUT for _, _, size in inside}
    assert sizes == {frames.SIZE}
    uuids = [LAYOUT[0][0], *(uuid for uuid, _, _ in LAYOUT[0][1])]
    assert uuids == [frames.SERVICE_UUID, frames.DOWN_UUID, frames.UP_UUID]


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
TABLES = 2 if os.environ.get("PLUSTHREE_PROVE") else 1


class Espressif(RandomProgramme):
    """An evening of boards with an ESP32-S3."""

    def model(self, table):
        return ("feathers3", "lilygo")[table % 2]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_round_arrives_whole_over_an_espressif_radio(system, tmp_path):
    async def main():
        loop = asyncio.get_running_loop()
        air = BleAir(loop, 11, 0.05, system)
        evening = Evening(loop, air, tmp_path / "a.sqlite", Espressif(TABLES, 11), 11)
        facts = await evening.play((1,))
        evening.venue.close()
        return facts

    facts = clock.run(main())
    assert (facts.archived, facts.lost, facts.duplicated, facts.violations) == (TABLES, 0, 0, [])
    assert max(facts.last_results_s) <= 30


class Client:
    att_mtu = 23


class Characteristic:
    """A characteristic whose service and adapter are its own, and whose board sleeps on."""

    max_length = frames.SIZE

    def __init__(self):
        self.watchers = []
        self.service = self.adapter = self

    def wake_soon(self):
        pass

    def mtu(self, client):
        return client.att_mtu
