"""A gateway as deploy lays it, on the virtual chip: boot.py, its program, radio and serial line."""

import ast
import os
import shutil

import pytest
import tree
from gatewayline import ADDRESS, Line, frame_of, on_air

from firmware.core import frames, usb

PLUGGED = ("feather", "feathers3", "lilygo")


def test_the_company_is_the_frames_company():
    assert usb.COMPANY_ID == frames.COMPANY_ID


@pytest.mark.parametrize("model", PLUGGED)
def test_every_model_is_a_gateway_if_its_settings_say_so(gateway_of, model):
    chip = gateway_of(model)
    assert chip.doors == {"data"} and chip.drive.usb_writable is False and not chip.ble_workflow
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
