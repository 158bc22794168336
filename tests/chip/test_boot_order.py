"""What runs after power, a reset, a hard fault and a bite of the watchdog, and what each leaves."""

import sys

import pytest
from barechip import ARM, OURS, RESET, REST, ran

from host.sim.chip import natives

START_MS = 250 + 1000 + 1000


def resets(chip):
    return [told.values[0] for told in chip.story if told.kind == "reset"]


def test_boot_py_then_code_py_two_seconds_after_power(bare):
    chip = bare(boot="", code=REST)
    chip.power(10)
    assert ran(chip) == ["boot.py", "code.py"]
    assert chip.times("run", "boot.py") == [START_MS]
    assert [chip.times("light", "yellow"), chip.times("light", "blue")] == [[250], [1250]]


@pytest.mark.parametrize(
    "code, light", [("", "green 1"), ("nonsense(", "red 2"), ("1 / 0", "red 2")]
)
def test_a_program_that_ends_leaves_a_board_that_waits_for_ever(bare, code, light):
    chip = bare(boot="", code=code)
    chip.power(600)
    assert resets(chip) == [natives.POWER_ON]
    assert chip.times("light", light)


def test_the_watchdog_runs_on_over_a_soft_reset_and_bites_in_the_next_life(bare):
    chip = bare(
        boot="", code=ARM + "import os, time\nif os.getenv('N'):\n    time.sleep(1)\n" + RESET
    )
    chip.drive.path("code.py").write_text(
        ARM + RESET if not chip.times("run", "code.py") else REST, encoding="utf-8"
    )
    chip.power(3)
    chip.drive.path("code.py").write_text(REST, encoding="utf-8")
    chip.run(30)
    assert resets(chip)[0] == natives.POWER_ON and resets(chip)[-1] == natives.WATCHDOG
    bitten_ms = chip.times("reset", natives.WATCHDOG)[0]
    assert 19_000 <= bitten_ms - chip.times("reset", natives.SOFTWARE)[-1] <= 20_000


def test_a_watchdogs_reset_waits_for_nothing(bare):
    chip = bare(boot="", code=ARM + REST)
    chip.power(25)
    bitten_ms = chip.times("reset", natives.WATCHDOG)[0]
    assert chip.times("run", "boot.py")[-1] == bitten_ms + 250


@pytest.mark.parametrize(
    "usb, expected", [(False, ["boot.py", "code.py"]), (True, ["safemode.py"])]
)
def test_a_watchdogs_reset_ends_in_safe_mode_with_usb_power_alone(bare, usb, expected):
    chip = bare(usb=usb, boot="", code=ARM + REST, safemode="")
    chip.power(25)
    assert ran(chip) == ["boot.py", "code.py", *expected]


def test_a_program_that_ends_well_with_the_watchdog_armed_crashes(bare):
    chip = bare(boot="", code=ARM, safemode="")
    chip.power(5)
    assert chip.times("safe mode", natives.NLR_JUMP_FAIL)


def test_arming_the_watchdog_in_boot_py_crashes(bare):
    chip = bare(boot=ARM, code=REST, safemode="")
    chip.power(10)
    assert ran(chip) == ["boot.py", "safemode.py"]
    assert chip.times("safe mode", natives.NLR_JUMP_FAIL)


def test_a_reset_pressed_in_the_first_second_is_safe_mode_without_safemode_py(bare):
    chip = bare(boot="", code=REST, safemode=RESET)
    chip.power(0)
    chip.press_reset(0.9)
    chip.run(60)
    assert ran(chip) == []
    assert chip.times("safe mode", natives.USER) and chip.times("light", "yellow 3")
    chip.press_reset()
    chip.run(10)
    assert ran(chip) == ["boot.py", "code.py"], "pressing reset once more leaves it"


def test_a_hard_fault_runs_safemode_py_and_not_boot_py(bare):
    chip = bare(boot="", code=REST, safemode="")
    chip.power(10)
    chip.fault()
    chip.run(10)
    assert ran(chip) == ["boot.py", "code.py", "safemode.py"]


def test_ending_a_vm_closes_files_and_a_reset_does_not(bare):
    write = "file = open('/journal0.bin', 'r+b')\nfile.write(b'\\x01' * 512)\n"
    ended = bare(boot=OURS, code=write)
    ended.power(10)
    assert ended.drive.flushed == 1
    ended.drive.path("code.py").write_text(write + RESET, encoding="utf-8")
    ended.press_reset()
    ended.run(5)
    assert ended.drive.flushed == 1


@pytest.mark.parametrize("pauses", [1, 2, 30])
def test_bytecodes_are_counted_while_the_board_runs_and_at_no_other_time(bare, pauses):
    """They were counted until the process ended, in all that ran after the board."""
    work = "for i in range(5000):\n    pass\ntime.sleep(1)\n"
    chip, tracer = bare(counting=True, code="import time\n" + work * (pauses + 1)), sys.gettrace()
    chip.power(START_MS / 1000)
    spent = [0]
    for _ in range(pauses):
        chip.run(1)
        assert sys.gettrace() is tracer
        spent.append(chip.spent["bytecode_ns"])
    assert sorted({*spent}) == spent
