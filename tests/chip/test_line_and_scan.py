"""The doubles of the serial line and of scanning, held to the contract of the chip."""

import ast

import pytest

from host.sim.chip.mainboard import Advert
from host.sim.chip.usb import QUEUE

BOOT = "import usb_cdc\nusb_cdc.enable(console=False, data=True)\n"
HEAD = "import _bleio, supervisor, time, usb_cdc\nline, radio = usb_cdc.data, _bleio.adapter\n"
REST = "\nwhile True:\n    time.sleep(1)\n"
OURS, OTHERS = b"\x02\x01\x06\x05\xff\xff\xff\x40\x01", b"\x05\xff\x4c\x00\x10\x05"
WHO = bytes(range(6))


@pytest.fixture
def runs(bare):
    """A function: the chip that runs a program for two seconds, the PC's port open."""

    def made(program, opened=True, air=(), reading=True, seconds=5.0):
        chip = bare(usb=True, boot=BOOT, code=HEAD + program + REST)
        chip.cable.opened, chip.cable.reading = opened, reading
        chip.air += [Advert(round(at_s * 1e6), WHO, rssi, data) for at_s, rssi, data in air]
        chip.power(seconds)
        assert not chip.times("light", "red 2"), chip.console
        return chip

    return made


def told(chip):
    """Return the values that its program printed."""
    return [ast.literal_eval(line) for line in chip.console]


def test_a_line_is_enabled_before_usb_is_up_or_never(bare, runs):
    late = "try:\n    usb_cdc.enable(data=True)\nexcept RuntimeError:\n    print(line is not None)"
    assert told(runs(late)) == [True]
    chip = bare(usb=True, boot="", code=HEAD + "print(line is None)" + REST)
    chip.power(5)
    assert chip.doors == {"console", "drive", "hid", "midi"} and told(chip) == [True]


@pytest.mark.parametrize("opened", [True, False])
def test_a_line_is_connected_while_a_program_has_it_open(runs, opened):
    assert told(runs("print(line.connected)", opened)) == [opened]


def test_what_the_pc_writes_waits_until_it_is_read(runs):
    chip = runs(
        "line.timeout = 0\nb = bytearray(100)\ntime.sleep(1)\n"
        "for _ in range(3):\n    n = line.in_waiting, line.readinto(b)\n    print((n, b[0]))",
        seconds=2.6,
    )
    chip.cable.write(bytes(range(7, 107)))
    chip.run(3)
    rest = 100 - QUEUE
    assert told(chip) == [((QUEUE, QUEUE), 7), ((rest, rest), 7 + QUEUE), ((0, 0), 7 + QUEUE)]


def test_a_read_without_a_limit_waits_until_its_buffer_is_full(runs):
    chip = runs("print(line.timeout)\nprint(line.readinto(bytearray(3)))")
    chip.cable.write(b"ab")
    chip.run(20)
    assert told(chip) == [None]
    chip.cable.write(b"c")
    chip.run(1)
    assert told(chip) == [None, 3]


def test_a_write_without_a_limit_waits_for_the_pc(runs):
    chip = runs("print(line.write_timeout)\nprint(line.write(bytes(200)))", reading=False)
    chip.run(20)
    assert told(chip) == [None]
    chip.cable.reading = True
    chip.run(1)
    assert told(chip) == [None, 200] and chip.cable.read() == bytes(200)


@pytest.mark.parametrize("opened, taken", [(True, (QUEUE, 0)), (False, (100, 3))])
def test_a_full_queue_takes_no_more(runs, opened, taken):
    program = "line.write_timeout = 0\nprint((line.write(bytes(100)), line.write(b'abc')))"
    chip = runs(program, opened, reading=False)
    assert told(chip) == [taken]
    chip.cable.opened = chip.cable.reading = True
    chip.run(1)
    assert chip.cable.read()[-3:] == (bytes(3) if opened else b"abc")


@pytest.mark.parametrize(
    "before, options, error",
    [
        ("", "interval=0.001", "ValueError"),
        ("", "timeout=0.05", "ValueError"),
        ("", "window=0.2", "ValueError"),
        ("", "timeout=700", "ValueError"),
        ("", "buffer_size=0", "ValueError"),
        ("radio.start_scan()", "", "BluetoothError"),
        ("radio.start_advertising(b'')", "", "BluetoothError"),
        ("", "b'\\x03\\xff\\xff\\xff'", "TypeError"),
    ],
)
def test_a_scan_refuses_as_the_chip(runs, before, options, error):
    program = (
        f"{before}\ntry:\n    radio.start_scan({options})\nexcept Exception as e:\n"
        "    print(repr(type(e).__name__))"
    )
    assert told(runs(program)) == [error]


def test_a_scan_waits_until_it_is_over(runs):
    program = (
        "began = supervisor.ticks_ms()\nfor entry in radio.start_scan(timeout=1.5):\n    pass\n"
        "print(1500 <= supervisor.ticks_ms() - began <= 1505)"
    )
    assert told(runs(program)) == [True]


def test_an_entry_tells_who_what_and_how_loud(runs):
    program = (
        "for e in radio.start_scan(prefixes=bytes((3, 255, 255, 255)), timeout=2.0):\n"
        "    print((e.address.address_bytes, e.rssi, e.advertisement_bytes))\n"
        "    print(hasattr(e, 'time_received'))"
    )
    air = [(3, -70, OURS), (3.1, -70, OTHERS), (3.2, -81, OURS), (6, -70, OURS)]
    assert told(runs(program, air=air, seconds=8)) == [(WHO, -70, OURS), False]


def test_a_stopped_scan_gives_what_it_has_heard(runs):
    program = (
        "s = radio.start_scan(buffer_size=90)\ntime.sleep(2)\nradio.stop_scan()\n"
        "print(len(list(s)))\nradio.stop_scan()\nradio.start_advertising(b'')"
    )
    air = [(3 + at / 10, -50, OURS) for at in range(6)]
    assert told(runs(program, air=air)) == [3]
