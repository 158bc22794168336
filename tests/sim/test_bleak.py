"""Frames both ways: our Link and service on adafruit_ble, our carrier on bleak's public API."""

import pytest
from bleak.backends.scanner import BaseBleakScanner
from bleak.exc import BleakBluetoothNotAvailableError, BleakBluetoothNotAvailableReason, BleakError
from hall import Told, address, answered, frame, play
from stories import run_by

from firmware.radio import advertiser
from host.collector.carriers import bleak as carrier
from host.sim import clock


async def linked(story_hall, number=1):
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
    link = await linked(hall)
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
    link = await linked(hall)
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
    link = await linked(hall)
    hall.told.todo = [("disconnect", address(1))]
    await hall.run(2)
    assert not link.connected and hall.told.of("closed")
    hall.told.todo = [("connect", address(1))]
    await hall.run(5)
    assert link.connected and len(hall.told.of("opened")) == 2


@run_by(play)
async def test_the_board_hangs_up(hall):
    link = await linked(hall)
    link.drop()
    await hall.run(1)
    assert not link.connected and hall.told.of("closed") == [("closed", address(1))]


@run_by(play)
async def test_a_vanished_board_is_noticed_after_the_supervision_timeout(hall):
    await linked(hall)
    hall.power_off(1)
    await hall.run(3.9)
    assert not hall.told.of("closed")
    await hall.run(0.5)
    assert hall.told.of("closed") == [("closed", address(1))]


@run_by(play)
async def test_a_reset_board_comes_back(hall):
    await linked(hall)
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
