"""A gateway on the virtual chip whose PC is gone, slow or talks nonsense, or whose files are amiss."""

from gatewayline import ADDRESS, frame_of, on_air

from firmware.core import usb


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
