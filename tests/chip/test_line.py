"""The double of the serial line, held to the contract of the chip."""

import pytest
from barechip import REST, printed

from host.sim.chip.usb import QUEUE

BOOT = "import usb_cdc\nusb_cdc.enable(console=False, data=True)\n"
HEAD = "import time, usb_cdc\nline = usb_cdc.data\n"


@pytest.fixture
def runs(bare):
    """A function: the chip that runs a program for two seconds, the PC's port open."""

    def made(program, opened=True, reading=True, seconds=5.0):
        chip = bare(usb=True, boot=BOOT, code=HEAD + program + REST)
        chip.cable.opened, chip.cable.reading = opened, reading
        chip.power(seconds)
        assert not chip.times("light", "red 2"), chip.console
        return chip

    return made


def test_a_line_is_enabled_before_usb_is_up_or_never(bare, runs):
    late = "try:\n    usb_cdc.enable(data=True)\nexcept RuntimeError:\n    print(line is not None)"
    assert printed(runs(late)) == [True]
    chip = bare(usb=True, boot="", code=HEAD + "print(line is None)" + REST)
    chip.power(5)
    assert chip.doors == {"console", "drive", "hid", "midi"} and printed(chip) == [True]


@pytest.mark.parametrize("opened", [True, False])
def test_a_line_is_connected_while_a_program_has_it_open(runs, opened):
    assert printed(runs("print(line.connected)", opened)) == [opened]


def test_what_the_pc_writes_waits_until_it_is_read(runs):
    chip = runs(
        "line.timeout = 0\nb = bytearray(100)\ntime.sleep(1)\n"
        "for _ in range(3):\n    n = line.in_waiting, line.readinto(b)\n    print((n, b[0]))",
        seconds=2.6,
    )
    chip.cable.write(bytes(range(7, 107)))
    chip.run(3)
    rest = 100 - QUEUE
    assert printed(chip) == [((QUEUE, QUEUE), 7), ((rest, rest), 7 + QUEUE), ((0, 0), 7 + QUEUE)]


def test_a_read_without_a_limit_waits_until_its_buffer_is_full(runs):
    chip = runs("print(line.timeout)\nprint(line.readinto(bytearray(3)))")
    chip.cable.write(b"ab")
    chip.run(20)
    assert printed(chip) == [None]
    chip.cable.write(b"c")
    chip.run(1)
    assert printed(chip) == [None, 3]


def test_a_write_without_a_limit_waits_for_the_pc(runs):
    chip = runs("print(line.write_timeout)\nprint(line.write(bytes(200)))", reading=False)
    chip.run(20)
    assert printed(chip) == [None]
    chip.cable.reading = True
    chip.run(1)
    assert printed(chip) == [None, 200] and chip.cable.read() == bytes(200)


@pytest.mark.parametrize("opened, taken", [(True, (QUEUE, 0)), (False, (100, 3))])
def test_a_full_queue_takes_no_more(runs, opened, taken):
    program = "line.write_timeout = 0\nprint((line.write(bytes(100)), line.write(b'abc')))"
    chip = runs(program, opened, reading=False)
    assert printed(chip) == [taken]
    chip.cable.opened = chip.cable.reading = True
    chip.run(1)
    assert chip.cable.read()[-3:] == (bytes(3) if opened else b"abc")
