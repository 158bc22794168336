"""What an ESP32-S3's chip does otherwise than an nRF52840's, and that the program bears it."""

import pytest
from barechip import ARM, OURS, RESET, REST, ran

from host.sim.chip import natives
from host.sim.chip.drive import FIRST
from host.sim.chip.flash import BLOCKS

BOARD = "unexpectedmaker_feathers3"


def test_a_soft_reset_disarms_the_watchdog(bare):
    chip = bare(BOARD, boot="", code=ARM + RESET)
    chip.power(5)
    chip.drive.path("code.py").write_text(REST, encoding="utf-8")
    chip.run(60)
    assert chip.times("reset", natives.SOFTWARE) and not chip.times("reset", natives.WATCHDOG)


def test_a_bite_is_no_safe_mode_even_with_usb(bare):
    chip = bare(BOARD, usb=True, boot="", code=ARM + REST, safemode="")
    chip.power(25)
    assert chip.times("reset", natives.WATCHDOG) and not chip.times("safe mode")
    assert ran(chip) == ["boot.py", "code.py"] * 2


@pytest.mark.parametrize("end", ["", "1 / 0\n"])
def test_the_end_of_a_vm_disarms_the_watchdog_and_does_not_crash(bare, end):
    chip = bare(BOARD, boot="", code=ARM + end, safemode="")
    chip.power(60)
    assert ran(chip) == ["boot.py", "code.py"], "it waits for ever: the program resets by itself"


KEEP = "import alarm\nalarm.sleep_memory[0:4] = b'kept'\n"
ZERO, KEPT = bytes(4), b"kept"


@pytest.mark.parametrize("version, kept", [((10, 2, 1), ZERO), ((10, 3, 1), KEPT)])
def test_sleep_memory_outlives_a_soft_reset_but_of_old_interpreters(bare, version, kept):
    once = "import microcontroller\nif microcontroller.cpu.reset_reason == 'POWER_ON':\n"
    chip = bare(BOARD, boot="", code=KEEP + once + "    microcontroller.reset()\n" + REST)
    chip.version = version
    chip.drive.path("boot.py").write_text("import alarm\nprint(bytes(alarm.sleep_memory[0:4]))\n")
    chip.power(10)
    assert chip.times("reset", natives.SOFTWARE) and chip.console == [repr(kept)]


@pytest.mark.parametrize("end", ["power", "button"])
def test_power_and_the_button_zero_the_sleep_memory(bare, end):
    chip = bare(BOARD, boot="", code=KEEP + REST)
    chip.power(5)
    assert bytes(chip.sleep_memory[0:4]) == KEPT
    chip.drive.path("code.py").write_text(REST, encoding="utf-8")
    if end == "power":
        chip.cut()
        chip.power(5)
    else:
        chip.press_reset()
        chip.run(5)
    assert bytes(chip.sleep_memory[0:4]) == ZERO


def test_psram_is_told_by_a_module_of_its_own(bare):
    program = "import espidf\nprint(espidf.get_total_psram())\n"
    chip = bare(BOARD, boot="", code=program + REST)
    chip.power(5)
    assert chip.console == ["8388608"]
    other = bare("feather_nrf52840_express", boot="", code=program + REST)
    other.power(5)
    assert other.console[-1] == "ImportError: no module named 'espidf'"


def test_to_forget_nobody_takes_no_time(bare):
    program = (
        "import _bleio, supervisor\n_bleio.adapter.enabled = True\nbegun = supervisor.ticks_ms()\n"
        "_bleio.adapter.erase_bonding()\nprint(supervisor.ticks_ms() - begun)\n"
    )
    chip = bare(BOARD, boot="", code=program + REST)
    chip.power(5)
    assert int(chip.console[0]) <= 1


def test_a_gauge_tells_the_share_of_3300_millivolts(bare):
    program = (
        "import analogio, board\nprint(analogio.AnalogIn(board.VOLTAGE_MONITOR).value * 3300 //"
        " 65535)\n"
    )
    chip = bare(BOARD, boot="", code=program + REST)
    chip.power(5)
    (told_mv,) = map(int, chip.console)
    assert 1990 <= told_mv <= 2010, "4.0 V, halved"


def test_every_block_written_erases_its_sector_at_once(bare):
    write = (
        "import storage\nf = open('/journal0.bin', 'r+b')\nf.seek(512)\nf.write(b'\\x01' * 512)\n"
    )
    chip = bare(BOARD, boot=OURS, code=write + REST)
    chip.power(10)
    assert chip.flash.erases == {(FIRST + 1) // BLOCKS: 1}
    assert chip.flash.raw(FIRST + 1) == b"\x01" * 512, "without a sync"


def test_a_worn_sector_is_told_on_the_panel_and_tried_again(chip_of):
    """The chip says nothing: only what is read back tells."""
    chip = chip_of("feathers3")
    chip.flash.worn.update(range(FIRST // BLOCKS, FIRST // BLOCKS + 128))
    chip.power(30)
    assert len(chip.times("reset", natives.SOFTWARE)) >= 2
    assert not chip.times("reset", natives.WATCHDOG) and not chip.times("safe mode")
