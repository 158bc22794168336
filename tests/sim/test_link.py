"""The firmware's Link over a radio as hard as the chip: what it asks and when, and what it
survives.
"""

import struct

import pytest
from bleak.backends.scanner import BaseBleakScanner
from bleak.exc import BleakBluetoothNotAvailableError, BleakBluetoothNotAvailableReason, BleakError
from hall import Told, address, answered, frame, play, question, told
from stories import run_by

from firmware.core import frames
from firmware.radio import advertiser
from host.collector.carriers import bleak as carrier
from host.sim import bleio, clock
from host.sim.bleio import NOTIFY_QUEUE as PLACES

SUBSCRIBE_S = 8
REFUSALS = (
    bleio.BluetoothError("Invalid state"), ConnectionError("Not connected"), TimeoutError(),
    MemoryError("Nimble out of memory"), ValueError("Invalid BLE parameter"),
)  # fmt: skip


async def linked(hall, supervision_s=4):
    """Return the link of board 1 with the host subscribed to it, which has told it the time."""
    link = hall.shown(1)
    await hall.run(2)
    hall.told.todo = [("connect", address(1))]
    while not link.connected:
        await hall.run(0.1)
    for held in link.adapter.controller.links.values():
        held.timeout_us = round(supervision_s * 1_000_000)  # the central decides
    answered(link)
    await hall.run(1)
    return link


def power_off_hosts(hall, link):
    """Have every radio but the board's vanish without a word."""
    for one in list(hall.air.medium.controllers):
        if one is not link.adapter.controller:
            one.station.power_off()


@run_by(play)
async def test_a_board_asks_nothing_of_a_link_that_nobody_has(hall):
    link = hall.shown(1)
    await hall.run(1)
    with pytest.raises(ValueError, match="No connection"):  # PacketBuffer.c:186
        link._watch.outgoing_packet_length
    assert not link.connected and not link.send(frame(2))


@run_by(play)
async def test_a_board_advertises_as_often_as_its_number_says(hall):
    link = hall.board(1)
    for n in (1, 2):
        link.advertise(frame(n))
        wanted_s = advertiser.interval_s(frame(1))
        assert link.adapter.station._interval_us == round(wanted_s * 1_000_000)
        await hall.run(1)


@run_by(play)
async def test_a_guest_who_has_not_subscribed_is_no_link(hall):
    link = hall.shown(1)
    client = await hall.connected(1)
    await hall.run(0.5)
    assert link.adapter.connected and not link.connected
    await client.start_notify(frames.UP_UUID, lambda *what: None)
    await hall.run(0.5)
    assert link.connected
    await client.stop_notify(frames.UP_UUID)
    await hall.run(0.5)
    assert not link.connected


@pytest.mark.parametrize("supervision_s", (0.42, 4, 32))
@run_by(play)
async def test_never_more_than_the_queue_holds_goes_to_a_host_that_has_vanished(
    hall, supervision_s
):
    link = await linked(hall, supervision_s)
    power_off_hosts(hall, link)
    sent = 0
    for number in range(400):  # 40 s
        sent += link.send(frame(9)) + link.send(question(number))
        await hall.run(0.1)
    assert sent == PLACES and not link.connected


def record(counter):
    kind = frames.FIRST_RECORD + 1
    return struct.pack("<BHHH", kind | frames.VERSION << 6, 1, 2, counter) + bytes(17)


def acknowledged(first, mask):
    """Return the host's word that it has a record, and those after it that a mask names."""
    head = struct.pack("<BHHH", frames.ACK | frames.VERSION << 6, 1, 2, 0)
    return head + frames.pack_ack(2, first, mask, b"") + bytes(8)


def taken(link, *sent):
    """Say which of the frames the link takes."""
    return [link.send(one) for one in sent]


RECORDS = [record(counter) for counter in range(20)]


@run_by(play)
async def test_an_acknowledgement_does_not_prove_that_a_notification_has_left(hall):
    """The host may have heard the other copy of a record, the one that was advertised."""
    link = await linked(hall, supervision_s=32)
    power_off_hosts(hall, link)  # nothing leaves the queue from now on
    sent = sum(taken(link, *RECORDS[:5], question(1), question(2)))
    link.heard(acknowledged(0, 255))
    assert sent == PLACES and not any(taken(link, question(3), *RECORDS[5:]))


@run_by(play)
async def test_only_an_answered_question_frees_the_queue_up_to_itself(hall):
    link = await linked(hall)
    assert taken(link, *RECORDS[:4], question(1)) == [True] * 3 + [False, True]
    hall.told.todo = [("write", address(1), frame(9))]
    await hall.run(3)
    assert taken(link, RECORDS[3]) == [False], "neither time nor a packet of anybody's"
    for other in (acknowledged(0, 255), told(2), told(0)):
        link.heard(other)
    assert taken(link, RECORDS[3]) == [False], "nor an answer to something else"
    link.heard(told(1))
    assert taken(link, *RECORDS[3:7]) == [True] * 3 + [False]
    link.heard(told(1))
    assert taken(link, RECORDS[6]) == [False], "an answer that comes twice frees nothing more"


@run_by(play)
async def test_a_late_answer_frees_what_went_before_its_own_question(hall):
    link = await linked(hall)
    assert taken(link, RECORDS[0], question(1), RECORDS[1], question(2)) == [True] * 4
    await hall.run(1)
    link.heard(told(1))
    assert taken(link, *RECORDS[2:5]) == [True, True, False], "one record may be left"
    link.heard(told(2))
    assert taken(link, *RECORDS[4:6]) == [True, False]


@run_by(play)
async def test_a_lost_answer_leaves_a_place_to_ask_again(hall):
    link = await linked(hall)
    assert taken(link, *RECORDS[:3], question(1)) == [True] * 4
    await hall.run(1)
    assert taken(link, RECORDS[3], question(2), question(3)) == [False, True, False]
    link.heard(told(2))
    assert taken(link, *RECORDS[3:6]) == [True] * 3


@run_by(play)
async def test_a_question_is_due_before_the_queue_is_full(hall):
    link = await linked(hall)
    due = []
    for sent in (*RECORDS[:2], question(1), RECORDS[2]):
        assert not link.full and link.send(sent)
        due.append(link.asks)
    assert due == [False, True, False, False] and link.full
    link.heard(told(1))
    assert not link.asks and taken(link, *RECORDS[3:6]) == [True, True, False]


def fetch(several):
    """Return a host's request that says how many frames it takes in one notification."""
    head = struct.pack("<BHHH", frames.FETCH | frames.VERSION << 6, 1, 2, 0)
    return head + frames.pack_fetch(2, 0, 20, several) + bytes(8)


@pytest.mark.parametrize("several, room", ((0, 3), (1, 3), (2, 6), (4, 12), (255, 12)))
@run_by(play)
async def test_a_host_that_fetches_gets_as_many_frames_in_a_notification_as_it_takes(
    hall, several, room
):
    link = await linked(hall)
    before = len(hall.told.of("received"))
    link.heard(fetch(several))
    assert taken(link, *RECORDS[: room + 1]) == [True] * room + [False]
    link.flush()
    await hall.run(1)
    assert [note[2] for note in hall.told.of("received")[before:]] == RECORDS[:room]


@run_by(play)
async def test_what_is_gathered_leaves_with_a_flush_or_before_a_question(hall):
    link = await linked(hall)
    before = len(hall.told.of("received"))
    link.heard(fetch(4))
    assert taken(link, *RECORDS[:2]) == [True] * 2
    link.flush()
    assert taken(link, RECORDS[2], question(1)) == [True] * 2
    await hall.run(1)
    came = [note[2] for note in hall.told.of("received")[before:]]
    assert came == [*RECORDS[:3], question(1)]
    link.heard(told(1))
    assert taken(link, *RECORDS[3:15]) == [True] * 12, "all that was before it has left"


@run_by(play)
async def test_a_new_guest_finds_the_queue_empty(hall):
    link = await linked(hall)
    taken(link, *RECORDS[:3], question(1))
    hall.told.todo = [("disconnect", address(1))]
    await hall.run(2)
    hall.told.todo = [("connect", address(1))]
    await hall.run(3)
    assert taken(link, RECORDS[3], question(2)) == [False, True]
    link.heard(told(1))
    assert taken(link, RECORDS[3]) == [False], "what the last guest was asked"
    link.heard(told(2))
    assert taken(link, RECORDS[3]) == [True]


@run_by(play)
async def test_a_guest_who_pairs_is_shown_out_and_forgotten(hall):
    link = hall.board(1)
    adapter = link.adapter
    assert adapter.erased == 1, "at boot, whatever was there"
    link.advertise(frame(1))
    client = await hall.connected(1)
    await hall.run(0.5)
    pairing = hall.loop.create_task(client._client._backend._link.pair())
    pairing.add_done_callback(lambda done: done.exception())
    bonded = 0  # the chip bonds by itself: after the next boot it would serve files
    for _ in range(500):
        await hall.run(0.02)
        bonded += adapter.serves_files
    assert bonded
    assert not adapter.serves_files and adapter.erased == 2
    assert not adapter.connected


@run_by(play)
async def test_bonds_are_erased_at_boot(hall):
    hall.board(1).adapter.bonds["a phone"] = True
    assert hall.board(1).adapter.bonds == {}, "a reset does not forget them, the program does"


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda error: type(error).__name__)
@run_by(play)
async def test_a_refused_advert_is_tried_again(hall, refusal):
    link = hall.board(1)
    link.adapter.refusals[:] = [refusal] * 5
    link.advertise(frame(1))
    assert not link.audible
    await hall.run(4)
    assert link.adapter.refusals == [] and link.audible


@run_by(play)
async def test_without_a_free_link_the_advert_is_out_for_all_to_hear(hall):
    link = hall.board(1)
    adapter, start = link.adapter, link.adapter.start_advertising

    def full(data, *, connectable=True, **options):
        if connectable:
            raise MemoryError("Nimble out of memory")
        start(data, connectable=connectable, **options)

    adapter.start_advertising = full
    link.advertise(frame(1))
    await hall.run(3)
    assert link.audible and hall.told.of("heard"), "nobody can connect, everybody hears"
    adapter.start_advertising = start
    await hall.run(2)
    assert adapter.station.connectable


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda error: type(error).__name__)
@run_by(play)
async def test_a_refused_notification_waits(hall, refusal):
    link = await linked(hall)
    kept = link.adapter.notify

    def refuse(*what):
        link.adapter.notify = kept
        raise refusal

    link.adapter.notify = refuse
    assert not link.send(frame(1)) and link.send(frame(1))


@run_by(play)
async def test_two_guests_at_once_are_shown_out(hall):
    link = hall.shown(1)
    clients = []
    for _ in range(2):
        client = await hall.visit(1)
        clients.append(client)
    del hall.links[1]  # the program is busy
    adapter = link.adapter
    for client in clients:
        adapter.stop_advertising()
        adapter.start_advertising(link.packed, connectable=True, interval=0.1)
        await client.connect()
    assert len(adapter.connections) == 2
    hall.links[1] = link
    await hall.run(2)
    assert not adapter.held and not adapter.connected


@run_by(play)
async def test_a_guest_who_never_subscribes_is_shown_out(hall):
    link = hall.shown(1)
    await hall.connected(1)
    await hall.run(SUBSCRIBE_S - 1)
    assert link.adapter.connected
    await hall.run(3)
    assert not link.adapter.connected


async def beside(story_hall, number=1):
    link = story_hall.board(number)
    link.advertise(frame(7))
    await story_hall.run(4)
    story_hall.told.todo = [("connect", address(number))]
    await story_hall.run(6)
    return link


@run_by(play)
async def test_the_advert_is_31_bytes_and_is_heard(hall):
    assert len(advertiser.pack(frame(7))) == 31
    hall.board(1).advertise(frame(7))
    await hall.run(3)
    assert {note[1:3] for note in hall.told.of("heard")} == {(address(1), frame(7))}


@run_by(play)
async def test_new_data_is_heard_in_place_of_the_old(hall):
    for number in range(5):
        hall.links.get(1, hall.links or hall.board(1)).advertise(frame(number))
        await hall.run(2.5)
    assert list(dict.fromkeys(note[2] for note in hall.told.of("heard"))) == [
        frame(number) for number in range(5)
    ]


@run_by(play)
async def test_frames_go_both_ways_in_order(hall):
    link = await beside(hall)
    assert hall.told.of("opened") == [("opened", address(1))] and link.connected
    answered(link)
    assert [link.send(frame(number)) for number in range(3)] == [True] * 3
    hall.told.todo = [("write", address(1), frame(10 + number)) for number in range(6)]
    await hall.run(2)
    assert hall.woken[1] > 6
    up, down = [note[2] for note in hall.told.of("received")], hall.got[1]
    assert up[1:] == [frame(number) for number in range(3)], "after the question"
    assert down == [frame(10 + number) for number in range(6)]


@run_by(play)
async def test_a_board_in_a_link_advertises_nothing_until_it_is_free(hall):
    link = await beside(hall)
    intruder = await hall.visit(1)
    with pytest.raises(BleakError):
        await intruder.connect()
    link.advertise(frame(8))
    await hall.run(3)
    assert hall.told.of("heard")[-1][2] == frame(7)
    hall.told.todo = [("disconnect", address(1))]
    await hall.run(5)
    assert hall.told.of("heard")[-1][2] == frame(8)
    intruder = await hall.connected(1)
    assert intruder.is_connected


@run_by(play)
async def test_the_host_hangs_up_and_the_board_can_be_connected_to_again(hall):
    link = await beside(hall)
    hall.told.todo = [("disconnect", address(1))]
    await hall.run(2)
    assert not link.connected and hall.told.of("closed")
    hall.told.todo = [("connect", address(1))]
    await hall.run(5)
    assert link.connected and len(hall.told.of("opened")) == 2


@run_by(play)
async def test_the_board_hangs_up(hall):
    link = await beside(hall)
    link.drop()
    await hall.run(1)
    assert not link.connected and hall.told.of("closed") == [("closed", address(1))]


@run_by(play)
async def test_a_vanished_board_is_noticed_after_the_supervision_timeout(hall):
    await beside(hall)
    hall.power_off(1)
    await hall.run(3.9)
    assert not hall.told.of("closed")
    await hall.run(0.5)
    assert hall.told.of("closed") == [("closed", address(1))]


@run_by(play)
async def test_a_reset_board_comes_back(hall):
    await beside(hall)
    hall.board(1).advertise(frame(9))
    await hall.run(6)
    hall.told.todo = [("connect", address(1))]
    await hall.run(5)
    assert hall.links[1].connected


@run_by(play)
async def test_connecting_to_an_absent_board_ends(hall):
    hall.board(1).advertise(frame(7))
    await hall.run(3)
    hall.power_off(1)
    hall.told.todo = [("connect", address(1))]
    await hall.run(7.5)  # 6 s for the attempt, 2 to hear again before the next
    assert not hall.told.of("closed")
    await hall.run(2)
    assert hall.told.of("closed") == [("closed", address(1))]


@run_by(play)
async def test_five_links_at_once_and_the_sixth_waits(hall):
    for number in range(1, 7):
        hall.board(number).advertise(frame(number))
    await hall.run(4)
    hall.told.todo = [("connect", address(number)) for number in range(1, 7)]
    await hall.run(15)
    held = sum(link.connected for link in hall.links.values())
    hall.told.todo = [("disconnect", note[1]) for note in hall.told.of("opened")]
    await hall.run(10)
    assert held == 5 and sum(link.connected for link in hall.links.values()) == 1


@run_by(play)
async def test_a_guest_who_does_not_subscribe_is_shown_out(hall):
    link = hall.board(1)
    link.advertise(frame(7))
    await hall.run(3)
    client = await hall.connected(1)
    assert not link.connected and not link.send(frame(1))
    await hall.run(7)
    assert client.is_connected
    await hall.run(2)
    assert client.is_connected is False


@run_by(play)
async def test_a_collector_that_cannot_go_on_ends_the_carrier(hall):
    def broken(now_ms):
        raise OSError("disk full")

    hall.told.poll = broken
    await hall.run(1)
    with pytest.raises(OSError, match="disk full"):
        await hall.task


class _Off(BaseBleakScanner):
    reason = BleakBluetoothNotAvailableReason.POWERED_OFF

    def __init__(self, detection_callback, service_uuids, scanning_mode, **kwargs):
        super().__init__(detection_callback, service_uuids)

    async def start(self):
        raise BleakBluetoothNotAvailableError("off", self.reason)

    async def stop(self):
        pass


@pytest.mark.parametrize("reason", list(BleakBluetoothNotAvailableReason))
def test_without_a_radio_there_is_one_clear_sentence(reason):
    scanner = type("Scanner", (_Off,), {"reason": reason})

    async def main():
        await carrier.BleakCarrier(Told(), lambda: 0, (scanner, None)).run()

    with pytest.raises(carrier.BluetoothMissing, match=r"^[A-Za-z ]+: [a-z ,]+$") as told:
        clock.run(main())
    assert "\n" not in str(told.value)
