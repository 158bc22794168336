"""Gateways as deploy lays them, on the virtual chip and on a PC's USB: frames carried, both ways, in time."""

import ast
import os
import shutil

import pytest
import tree
from gatewayhub import Hub, served
from gatewayline import ADDRESS, Line, frame_of, on_air
from tabletop import Venue

from firmware.core import frames, usb
from host.collector.beacon_caster import advert
from host.collector.carriers.gateway_delays import MOST_US

PLUGGED = ("feather", "feathers3", "lilygo")


def test_the_company_is_the_frames_company():
    assert usb.COMPANY_ID == frames.COMPANY_ID


@pytest.mark.parametrize("model", PLUGGED)
def test_every_model_is_a_gateway_if_its_settings_say_so(gateway_of, model):
    chip = gateway_of(model)
    assert (
        chip.usb_devices == {"data"} and chip.drive.usb_writable is False and not chip.ble_workflow
    )
    ran = [told.values[0] for told in chip.story if told.kind == "run"]
    assert ran[-2:] == ["boot.py", "/firmware/gateway/program.py"]
    chip.cable.opened = True
    line = Line(chip)
    line.run(2)
    on_air(chip, frame_of(1), 0.3)
    line.run(1)
    assert line.of(usb.HELLO)[0][:2] == (usb.VERSION, 8)
    assert [values[3] for values in line.of(usb.HEARD)] == [frame_of(1)]


def test_it_loads_nothing_of_a_table_and_a_table_nothing_of_it(line):
    tables = [path for path in tree.python_files("firmware") if path.parent.name != "gateway"]
    for path in tables:
        for node in ast.walk(tree.running(path)):
            assert not ast.unparse(node).startswith(("from firmware.gateway", "import gateway"))
    # without the table's program it is a gateway as before
    chip, firmware = line.chip, line.chip.drive.folder / "firmware"
    for part in ("app.mpy", "launch.mpy", "ui", "radio", "core/match.mpy", "core/systems"):
        (shutil.rmtree if (firmware / part).is_dir() else os.remove)(firmware / part)
    chip.press_reset()
    chip.run(8)
    line.run(2)
    on_air(chip, frame_of(2), 0.2)
    line.run(1)
    assert [values[3] for values in line.of(usb.HEARD)] == [frame_of(2)]


def test_it_stamps_what_it_hears_and_hears_nearly_all(line):
    chip = line.chip
    begun = (chip.uptime_ms() + (1 << 29) - 65536) % (1 << 29)
    for number in range(100):
        on_air(chip, frame_of(number), 0.05 + number / 50)
    line.run(3)
    heard = line.of(usb.HEARD)
    assert len(heard) >= 95
    for ticks, rssi, address, frame in heard:
        number = int.from_bytes(frame[1:], "little")
        late_ms = usb.since_ms(ticks, begun) - (50 + number * 20)
        assert 0 <= late_ms <= 10 and (rssi, address) == (-60, ADDRESS)


def test_others_adverts_and_answers_of_scans_do_not_come(line):
    chip = line.chip
    on_air(chip, frame_of(1), 0.2)
    chip.air.append(chip.air[0]._replace(data=b"\x02\x01\x06\x05\xff\x4c\x00\x10\x05"))
    chip.air.append(chip.air[0]._replace(data=b"\x02\x01\x06\x03\xff\xff\xff"))
    line.run(1)
    assert [values[3] for values in line.of(usb.HEARD)] == [frame_of(1)]


def test_what_the_pc_wants_sent_goes_out_at_its_time(line):
    chip = line.chip
    pong = line.run(0.5, 0.1)[-1][2]
    start = usb.later(pong[1], 700)
    line.put(usb.SEND, start, 90, bytes(range(31)))
    line.put(usb.SEND, usb.later(start, 200), 50, b"\x02")
    begun_ms, ticks = chip.now_us // 1000, (chip.uptime_ms() + (1 << 29) - 65536) % (1 << 29)
    line.run(1.5)
    first, second = chip.times("advert", 31)[-1], chip.times("advert", 1)[-1]
    due_ms = begun_ms + usb.since_ms(start, ticks)
    assert 0 <= first - due_ms <= 5 and 0 <= second - due_ms - 200 <= 5
    assert chip.times("advert", 31, False, bytes(range(31)))
    silent = chip.times("silence")
    assert 90 <= silent[0] - first <= 95 and 50 <= silent[1] - second <= 55
    assert [values[0] for values in line.of(usb.PLACES)][-1] == 8
    on_air(chip, frame_of(5), 0.1)
    line.run(0.5)
    assert line.of(usb.HEARD), "it listens again"


def test_more_than_it_has_places_for_or_too_late_is_told_as_late(line):
    ticks = line.run(0.5, 0.1)[-1][2][1]
    for number in range(10):
        line.put(usb.SEND, usb.later(ticks, 3000 + 100 * number), 20, b"\x01")
    line.put(usb.SEND, usb.later(ticks, -5000), 20, b"\x02")
    line.put(usb.SEND, usb.later(ticks, 100_000), 20, b"\x03")
    line.run(1)
    assert line.of(usb.PLACES)[-1][0] == 0 and line.of(usb.PLACES)[-1][2] == 4
    line.run(5)
    assert line.of(usb.PLACES)[-1][0] == 8
    assert len(line.chip.times("advert", 1, False, b"\x01")) == 8
    assert not line.chip.times("advert", 1, False, b"\x02")


def test_two_gateways_tell_of_a_board_twice_and_one_that_is_pulled_out_is_missed(plugged):
    async def story(hub, carrier, said, told):
        await hub.run(3)
        assert [str(one) for one in said] == [
            "the gateway on usb0 hears boards", "the gateway on usb1 hears boards",
        ]  # fmt: skip
        assert [note[1] for note in told.of("deaf")] == [True, False]
        for chip in hub.chips.values():
            on_air(chip, frame_of(1), 0.3)
        await hub.run(1)
        assert [note[1:3] for note in told.of("heard")] == [(None, frame_of(1))] * 2
        hub.pull("usb0")
        assert len(carrier.gateways.all) == 1
        await hub.run(1)
        assert said[-1] == "the gateway on usb0 is gone: plug it in again"
        assert len(told.of("deaf")) == 2, "the other one hears"
        hub.pull("usb1")
        await hub.run(0.2)
        assert [note[1] for note in told.of("deaf")] == [True, False, True]

    served(story, usb0=plugged(), usb1=plugged())


def test_one_that_is_put_in_is_heard_within_two_seconds_of_its_port(plugged):
    async def story(hub, carrier, said, told):
        await hub.run(5)
        assert not said and [note[1] for note in told.of("deaf")] == [True]
        hub.plug("usb3", plugged())
        await hub.run(2)
        assert carrier.gateways.all and [note[1] for note in told.of("deaf")] == [True, False]
        chip = hub.pull("usb3")
        await hub.run(3)
        hub.plug("usb3", chip)
        await hub.run(2)
        assert carrier.gateways.all

    served(story)


def test_one_that_stands_still_is_missed_within_two_seconds(plugged):
    async def story(hub, carrier, said, told):
        for phase in range(6):  # after a word, and before the next
            await hub.run(4 + phase * 0.1)
            assert carrier.gateways.all, "it is found again"
            hub.chips["usb0"].cable.reading = False  # nothing comes any more
            await hub.run(2)
            assert not carrier.gateways.all and said[-1].endswith("plug it in again")
            hub.chips["usb0"].cable.reading = True

    served(story, usb0=plugged())


def test_nothing_is_written_to_another_device_which_is_let_be(bare):
    silent = "import time, usb_cdc\nusb_cdc.data.timeout = 0\nwhile True:\n    time.sleep(1)\n"
    boot = "import usb_cdc\nusb_cdc.enable(console=False, data=True)\n"
    chip = bare(usb=True, boot=boot, code=silent)
    chip.power(4)

    async def story(hub, carrier, said, told):
        await hub.run(8)
        assert not chip.cable._down and not said and not chip.cable.opened

    served(story, other=chip)


BOARD = "C4:05:06:07:08:09"


def test_a_boards_news_goes_by_a_gateway_into_the_archive(plugged, tmp_path):
    venue = Venue(tmp_path / "a.db", tables=2, seed=3)
    venue.begin()
    venue.drain()
    before = len(list(venue.archive.records()))
    for board in venue.boards:
        venue.win(board)
    news = [record for board in venue.boards for record in board.history()][-40:]

    async def story(hub, carrier, said, collector):
        await hub.run(3)
        for place, record in enumerate([*news, *news]):  # a board repeats what nobody acknowledged
            on_air(hub.chips["usb0"], record, 0.5 + place * 0.05)
        await hub.run(6)
        assert carrier.gateways.all[0].talk.heard >= 2 * len(news) * 0.9

    collector = venue.station.collector
    collector.now_ms = venue.air.now_ms
    served(story, collector, usb0=plugged())
    assert len(list(venue.archive.records())) > before
    assert len(venue.station.hall.results(1)) == 2
    venue.station.close()


def test_what_the_host_has_sent_leaves_every_gateway_at_the_same_time(plugged):
    async def story(hub, carrier, said, told):
        await hub.run(4)
        assert carrier.gateways.send(bytes(31), hub.now_us() + 700_000, 60) == 2
        due_us = hub.now_us() + 700_000
        await hub.run(1)
        for chip in hub.chips.values():
            (sent_ms,) = chip.times("advert", 31)
            begun_ms = (chip.now_us - hub.now_us()) // 1000
            assert abs(sent_ms - begun_ms - due_us / 1000) <= 20

    served(story, usb0=plugged(), usb1=plugged())


def test_a_connection_is_refused_at_once(plugged):
    async def story(hub, carrier, said, told):
        told.todo = [("connect", BOARD), ("write", BOARD, bytes(24)), ("disconnect", BOARD)]
        await hub.run(1)
        assert told.of("closed") == [("closed", BOARD)]

    served(story)


SLOT_US = 25_000


async def sends(hub, gateways, seconds):
    """Have gateways take turns of 100 ms with frames that nobody repeats."""
    for number in range(round(seconds * 1e6) // SLOT_US):
        frame = bytes((65,)) + number.to_bytes(26, "little")
        at_us = hub.now_us() + 150_000
        gateways.send(advert(frame), at_us, 25, number // 4 % 2)
        await hub.run(SLOT_US / 1e6)


def test_one_that_is_late_is_asked_earlier_and_one_that_is_too_late_is_told(monkeypatch, plugged):
    monkeypatch.setattr(Hub, "STEP_S", 0.005)
    monkeypatch.setattr(Hub, "AIR_S", {"usb0": 0.024, "usb1": 0.045})

    async def story(hub, carrier, said, told):
        await hub.run(2)
        await sends(hub, carrier.gateways, 8)
        delays = carrier.gateways.delays
        first, second = (one.talk.address for one in carrier.gateways.all)
        assert 2_000 <= delays.correction_us(first) <= 20_000
        assert delays.correction_us(second) == MOST_US < delays.delay_us(second) <= 50_000
        (late,) = [str(one) for one in said if "late" in str(one)]
        assert late.startswith("the gateway on usb1 sends ")
        hub.pull("usb0")
        await hub.run(0.2)
        assert delays.correction_us(second) == 0, "nobody bears it out any more"

    served(story, usb0=plugged(), usb1=plugged())


def test_without_its_pc_it_says_so_and_tells_nothing(line):
    chip = line.chip
    assert "PC: there" in chip.console
    line.run(4, ping_s=None)
    assert "PC: not there" in chip.console[-4:]
    assert [kind for kind, _, _ in line.run(2, ping_s=None)] == [usb.HELLO] * 2
    on_air(chip, frame_of(1), 0.2)
    line.run(1, ping_s=None)
    assert not line.of(usb.HEARD)
    chip.cable.opened = False
    chip.run(3)
    chip.cable.opened = True
    line.run(3)
    on_air(chip, frame_of(2), 0.2)
    line.run(1)
    assert [values[3] for values in line.of(usb.HEARD)] == [frame_of(2)]


def test_a_pc_that_does_not_read_stops_nothing_and_loses_what_is_counted(line):
    chip = line.chip
    chip.cable.reading = False
    for number in range(400):
        on_air(chip, frame_of(number), 0.05 + number / 300)
    line.run(2)
    chip.cable.reading = True
    line.run(1)
    assert not chip.times("reset", "WATCHDOG")
    heard, lost = line.of(usb.PONG)[-1][2:]
    came = len(line.of(usb.HEARD))
    assert lost and came == heard - lost


def test_any_bytes_of_the_pc_are_survived(line):
    chip = line.chip
    chip.cable.write(b"\x03\x03\x00" + bytes(range(256)) * 4 + b"\x00")
    chip.cable.write(usb.pack(usb.SLICES, 9, 65535) + usb.pack(usb.HEARD, 9, 1, 1, ADDRESS, b"x"))
    line.run(3)
    on_air(chip, frame_of(1), 0.2)
    line.run(1)
    assert [values[3] for values in line.of(usb.HEARD)] == [frame_of(1)]
    assert len(chip.times("reset")) == 1


def test_a_board_on_a_charger_waits_for_its_pc(gateway_of):
    chip = gateway_of(usb=False)
    chip.run(30)
    assert len(chip.times("reset")) == 1 and "PC: not there" in chip.console


def test_an_error_is_shown_and_ends_in_a_reset(gateway_of):
    chip = gateway_of()
    relay = next((chip.drive.folder / "firmware/gateway").glob("relay.*"))
    relay.unlink()
    chip.press_reset()
    chip.run(5)
    assert any("no module named" in line for line in chip.console)
    chip.run(15)
    assert len(chip.times("reset", "SOFTWARE")) >= 1
