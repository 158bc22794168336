"""A PC's Bluetooth at its worst, row by row: the desk goes on, and says what to do."""

import asyncio
import itertools

import pytest
from bleak.exc import BleakBluetoothNotAvailableError, BleakBluetoothNotAvailableReason, BleakError
from pcradio import HANGS, carried
from stories import run_by

from host.collector.carriers import platforms
from host.collector.carriers.radio import Radio

OFF = BleakBluetoothNotAvailableError("off", BleakBluetoothNotAvailableReason.POWERED_OFF)
FIRST, SECOND, BOARD = b"a" * 24, b"b" * 24, "C0:01"


def heard(pc):
    return [note[2] for note in pc.told.of("heard")]


async def link(pc, *addresses):
    for address in addresses:
        pc.hear(address, FIRST)
    pc.told.todo = [("connect", address) for address in addresses]
    await pc.rest(1)


@pytest.mark.parametrize(("starts", "stops"), [
    ([None, OFF, OFF, OFF], [None, AssertionError(), AssertionError()]),  # Windows, its radio switched off
    ([None, EOFError(), EOFError()], [EOFError(), EOFError()]),  # the D-Bus daemon restarts
    ([None, KeyError("Roles"), AssertionError()], [AssertionError(), KeyError()]),  # bluetoothd does
    ([None, BleakError("adapter 'hci0' not found"), OFF], [BleakError("UnknownObject")] * 3),  # pulled out
    ([None, HANGS, HANGS], [HANGS, HANGS, HANGS]),
])  # fmt: skip
def test_whatever_a_scanner_does_the_desk_goes_on_and_hears_again(starts, stops):
    async def story(pc):
        await pc.rest(1)
        pc.hear(BOARD, FIRST)
        await pc.rest(90)
        assert not pc.task.done()
        pc.hear(BOARD, SECOND)
        return heard(pc), pc.said

    told, said = carried(story, starts=starts, stops=stops)
    assert told == [FIRST, SECOND] and said and said[-1].startswith("Bluetooth hears adverts again")
    assert all(len(line) > 20 for line in said)


@run_by(carried)
async def test_each_rescan_has_a_new_scanner(pc):
    await pc.rest(60)
    made, different = len(pc.scanners), len(set(map(id, pc.scanners)))
    assert made == different > 5


@pytest.mark.parametrize("hanging", ["starts", "stops"])
def test_a_scanner_that_hangs_holds_up_nobody_who_quits(hanging):
    async def story(pc):
        await pc.rest(0 if hanging == "starts" else 5)
        pc.task.cancel()
        asked_s = pc.loop.time()
        done, _ = await asyncio.wait({pc.task}, timeout=60)
        return bool(done) and pc.loop.time() - asked_s

    took_s = carried(story, **{hanging: [HANGS]})
    assert took_s is not False and took_s <= 10


@run_by(carried, starts=[HANGS])
async def test_a_start_that_waits_for_a_persons_answer_is_told_and_tried_again(pc):
    await pc.rest(16)
    pc.hear(BOARD, FIRST)
    assert heard(pc) == [FIRST] and not pc.task.done() and "allow it" in pc.said[0]


@run_by(carried)
async def test_who_hears_nothing_listens_anew_every_five_seconds_and_says_so_after_twenty(pc):
    for _ in range(30):
        pc.hear(BOARD, FIRST)
        await pc.rest(1)
    await pc.rest(18)
    assert not pc.said
    await pc.rest(18)
    begun_s = [round(begun_s) for begun_s in pc.begun_s if begun_s > 30]
    assert begun_s == [33, 38, 43, 48, 53, 58, 63] and "20 s" in pc.said[0]


@run_by(carried)
async def test_the_adverts_of_strangers_show_that_the_radio_lives(pc):
    for second in range(180):
        pc.hear(f"phone {second % 3}", b"x", company=76)
        await pc.rest(1)
    assert len(pc.scanners) == 1


@run_by(carried, filters=True)
async def test_a_changed_advert_is_heard_soon_where_a_filter_lets_each_address_pass_once_a_scan(pc):
    for second in range(40):
        pc.hear(BOARD, FIRST if second < 30 else SECOND)
        await pc.rest(1)
    assert next(note[3] / 1000 for note in pc.told.of("heard") if note[2] == SECOND) <= 35


@run_by(carried)
async def test_where_nothing_is_filtered_one_scan_goes_on(pc):
    for _ in range(120):
        pc.hear(BOARD, FIRST)
        await pc.rest(1.3)
    assert len(pc.scanners) == 1


@run_by(carried, links=[HANGS, HANGS])
async def test_an_absent_board_costs_an_attempt_of_six_seconds_and_the_next_one_waits_for_the_ears(
    pc,
):
    await link(pc, "C0:01", "C0:02")
    await pc.rest(30)
    (first_s, gone_s), (next_s, _) = [(one.begun_s, one.ended_s) for one in pc.clients]
    assert 5 <= gone_s - first_s <= 7 and next_s - gone_s >= 2
    told = {(whether, round(now_ms / 1000)) for _, whether, now_ms in pc.told.of("deaf")}
    assert {(True, round(first_s)), (False, round(gone_s)), (True, round(next_s))} <= told


@run_by(carried, links=[HANGS, HANGS], answers=True)
async def test_while_the_services_of_one_board_are_looked_up_the_next_one_is_called(pc):
    await link(pc, "C0:01", "C0:02")
    await pc.rest(1)
    (first_s, next_s), deaf = [one.begun_s for one in pc.clients], pc.told.of("deaf")[-1][1]
    assert next_s - first_s <= 0.2 and not deaf


@run_by(carried, links=[BleakError("failed-to-be-established"), None])
async def test_after_an_attempt_that_fails_at_once_the_next_one_waits_for_less(pc):
    await link(pc, "C0:01", "C0:02")
    await pc.rest(3)
    first_s, next_s = [one.begun_s for one in pc.clients]
    assert 0.05 <= next_s - first_s <= 0.3


@run_by(carried, links=[BleakError("failed-to-be-established")] * 60)
async def test_among_attempts_that_fail_one_after_the_other_adverts_are_heard_every_two_seconds(pc):
    await pc.rest(4000.7)  # where 0.2 s added and taken away again are a little less
    addresses = [f"C0:{number:02}" for number in range(60)]
    await link(pc, *addresses)
    await pc.rest(6)
    begun_s = [one.begun_s for one in pc.clients]
    before_s = [last_s for last_s, s in itertools.pairwise(begun_s) if s - last_s >= 0.15]
    assert before_s and before_s[0] - begun_s[0] <= 2.1
    assert all(2 <= then_s - one_s <= 2.4 for one_s, then_s in itertools.pairwise(before_s))


@run_by(carried, links=[BleakError("no radio")] * 99)
async def test_a_scan_that_died_is_noticed_among_attempts_that_fail_one_after_the_other(pc):
    await pc.rest(0.1)
    for second in range(16):
        if second < 5:
            pc.hear(BOARD, FIRST)
        pc.scanners[0].runs = second < 5
        pc.told.todo = [("connect", f"C0:{second:02}")]
        await pc.rest(1)
    assert pc.begun_s[1] <= 10


@run_by(carried, filters=True)
async def test_a_scan_that_dies_before_its_first_advert_is_noticed_as_soon(pc):
    pc.hear(BOARD, FIRST)
    while len(pc.scanners) < 2:  # a filter lets nobody pass twice, and so a scan begins anew
        await pc.rest(0.1)
    pc.scanners[1].runs = False
    died_s = pc.loop.time()
    await pc.rest(19)
    assert pc.begun_s[2] - died_s <= 5


@run_by(carried, platform="win32", links=[HANGS])
async def test_windows_has_time_to_connect(pc):
    await link(pc, BOARD)
    await pc.rest(60)
    assert 20 <= pc.clients[0].ended_s - pc.clients[0].begun_s <= 30


@pytest.mark.parametrize(("platform", "held_s"), [("win32", 9), ("linux", 0)])
def test_a_link_that_lives_on_holds_its_slot(platform, held_s):
    async def story(pc):
        await link(pc, BOARD)
        pc.told.todo = [("disconnect", BOARD)]
        for second in range(30):
            if pc.told.of("closed"):
                return second
            await pc.rest(1)

    assert held_s <= carried(story, platform) <= held_s + 2


@pytest.mark.parametrize(
    ("platform", "response"), [("darwin", True), ("linux", False), ("win32", False)]
)
@run_by(carried, "platform")
async def test_writes_are_answered_where_they_would_be_dropped_without_a_word(pc, response):
    await link(pc, BOARD)
    pc.told.todo = [("write", BOARD, FIRST)]
    await pc.rest(1)
    assert pc.writes == [(FIRST, response)]


@run_by(carried)
async def test_what_our_own_connecting_has_told_anew_counts_as_heard_by_nobody(pc):
    pc.hear(BOARD, FIRST)
    pc.told.todo = [("connect", BOARD)]
    for _ in range(40):
        await pc.rest(1)
        pc.hear(BOARD, FIRST)
    assert len(heard(pc)) == 1 < len(pc.scanners)
    pc.hear(BOARD, SECOND)
    assert len(heard(pc)) == 2


@run_by(carried, links=[BleakError("le-connection-abort")] * 4)
async def test_failures_of_several_boards_are_told_once(pc):
    await link(pc, *(f"C0:0{n}" for n in range(4)))
    await pc.rest(60)
    (said,) = [line for line in pc.said if "links" in line]
    assert "3 boards" in said and "le-connection-abort" in said and "adverts" in said


@run_by(carried, ours=False)
async def test_services_without_ours_are_a_failure_with_a_name(pc):
    await link(pc, *(f"C0:0{n}" for n in range(3)))
    await pc.rest(30)
    assert not pc.told.of("opened") and any("service was not found" in line for line in pc.said)


@run_by(carried, mtu=23)
async def test_packets_too_small_for_a_frame_are_told(pc):
    addresses = [f"C0:0{n}" for n in range(3)]
    await link(pc, *addresses)
    pc.told.todo = [("disconnect", address) for address in addresses]
    await pc.rest(30)
    assert any("20 bytes" in line for line in pc.said)


@run_by(carried)
async def test_a_lost_callback_is_noticed(pc):
    await link(pc, BOARD)
    assert not pc.told.of("closed")
    pc.clients[0].is_connected = False
    await pc.rest(4)
    assert pc.told.of("closed") == [("closed", BOARD)]


@run_by(carried)
async def test_an_adapter_that_was_named_is_scanned_and_connected_with(pc):
    pc.task.cancel()
    radio = Radio(lambda *told: None, platforms.quirks("linux"), pc.backends(), "hci1")
    running = pc.loop.create_task(radio.run())
    await pc.rest(1)
    pc.hear(BOARD, FIRST)
    radio.do(("connect", BOARD))
    await pc.rest(1)
    running.cancel()
    assert pc.scanners[-1].bluez == pc.clients[-1].bluez == {"adapter": "hci1"}
