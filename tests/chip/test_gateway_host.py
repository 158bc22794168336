"""Gateways on a PC's USB: they come and go, carry frames, hear each other, and are left alone."""

from gatewayhub import Hub, served
from gatewayline import ADDRESS, frame_of, on_air
from tabletop import Venue

from firmware.core import usb
from host.collector.beacon_caster import advert
from host.collector.carriers.gateway_delays import MOST_US


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
    monkeypatch.setattr(Hub, "AIR_S", {"usb0": 0.016, "usb1": 0.045})

    async def story(hub, carrier, said, told):
        await hub.run(2)
        await sends(hub, carrier.gateways, 8)
        delays = carrier.gateways.delays
        first, second = (one.talk.address for one in carrier.gateways.all)
        assert 2_000 <= delays.correction_us(first) <= 16_000
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
