"""What runs after power, a reset, a fault or from an odd drive; and that a program that fails is shown."""

import sys

import pytest
from barechip import ARM, OURS, RESET, REST, ran

from firmware.core import upkeep
from host.boards.deploy.drive import JOURNALS
from host.boards.models import BOARDS
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


FLASHES = 3
RULES = "firmware/core/systems/p18.py"
# read when the face is there: a failure that it can show
SPOILT = "def __getattr__(name):\n    raise ValueError('spoilt')\n"


def spoil(chip, name, text):
    """Put ``text`` in place of a laid module: a board looks for a source before bytecode."""
    path = chip.drive.path(name)
    assert path.is_file() or path.with_suffix(".mpy").is_file()
    path.write_text(text, encoding="utf-8")


def heartbeat(chip):
    """Return what a life has left to the next (``firmware/board/chip.py``)."""
    return bytes(chip.sleep_memory[5 : 5 + chip.sleep_memory[0]])


@pytest.mark.parametrize("model", ("feathers3", "lilygo"))
def test_a_laid_board_starts_and_goes_on_with_the_watchdog_running(chip_of, model):
    chip = chip_of(model)
    chip.power(120)
    assert len(chip.times("reset")) == 1, chip.console
    assert chip.glass.lit and not chip.glass.on_terminal
    assert chip.times("advert") and chip._bites_us is not None
    assert not chip.times("pin", "LED", True)


@pytest.mark.parametrize(
    "name", ("firmware/app.py", "firmware/core/frames.py", "firmware/board/display.py")
)
def test_an_error_while_importing_is_shown_and_the_board_starts_anew(chip_of, name):
    chip = chip_of()
    spoil(chip, name, "raise ValueError('spoilt')\n")
    chip.power(30)
    assert len(chip.times("reset", natives.SOFTWARE)) >= 2
    assert not chip.times("reset", natives.WATCHDOG)
    assert len(chip.times("pin", "LED", True)) >= 2 * FLASHES


def test_an_error_while_importing_stands_on_the_panel(chip_of):
    chip = chip_of()
    spoil(chip, "firmware/app.py", "raise ValueError('spoilt')\n")
    chip.power(7)
    assert chip.glass.on_terminal and chip.glass.lit
    assert "ValueError:" in chip.console and "spoilt" in chip.console


def test_without_a_panel_the_light_alone_tells(chip_of):
    chip = chip_of()
    for name in ("firmware/app.py", "firmware/board/display.py"):
        spoil(chip, name, "raise ValueError('spoilt')\n")
    chip.power(6)
    lit, dark = chip.times("pin", "LED", True)[:4], chip.times("pin", "LED", False)[:3]
    assert [b - a for a, b in zip(lit, dark, strict=False)] == [100, 100, 100]
    assert [b - a for a, b in zip(lit, lit[1:])] == [300, 300, 900]


def test_the_crash_path_is_short_and_fed(chip_of):
    """A watchdog that starved in it would end in safe mode with USB power."""
    chip = chip_of(usb=True)
    spoil(chip, RULES, SPOILT)
    chip.power(120)
    assert not chip.times("reset", natives.WATCHDOG) and not chip.times("safe mode")
    began = chip.times("reset")
    assert len(began) >= 8
    shown = chip.times("pin", "LED", True)
    assert (
        max(next(at for at in began if at > shot) - shot for shot in shown if shot < began[-1])
        <= 3000
    )


def test_a_failure_of_the_program_is_counted_before_it_is_shown(chip_of):
    chip = chip_of()
    spoil(chip, RULES, SPOILT)
    chip.power(9)
    assert upkeep.failures(heartbeat(chip)) == 1
    chip.run(60)
    assert upkeep.failures(heartbeat(chip)) == upkeep.FAILURES


@pytest.mark.parametrize("usb", (False, True))
def test_hard_faults_are_counted_and_each_waits_longer(chip_of, usb):
    chip = chip_of(usb=usb)
    chip.power(30)
    waits = []
    for _ in range(7):
        chip.fault()
        chip.run(1.6)  # the loader, and the second in which Bluetooth may be asked for
        begun_ms, count = chip.times("run", "safemode.py")[-1], len(chip.times("reset"))
        while len(chip.times("reset")) == count:
            chip.run(0.5)
        waits.append(chip.times("reset")[-1] - begun_ms)
    assert [round(wait / 1000) for wait in waits] == [1, 2, 4, 8, 16, 16, 16]
    assert not chip.times("reset", natives.WATCHDOG)


def test_a_hard_fault_at_once_after_each_start_still_counts(chip_of):
    chip = chip_of()
    chip.power(10)
    for _ in range(3):
        chip.fault()
        chip.run(1.3)
    assert chip.sleep_memory[255] >= 1


def test_a_finger_on_j_during_a_crash_is_no_wish_for_service(chip_of):
    chip = chip_of()
    spoil(chip, RULES, SPOILT)
    chip.power(5)
    chip.fingers.add("A2")
    while len(chip.times("run", "code.py")) < 4:
        chip.run(0.5)
    assert chip.ble_workflow is False and not chip.drive.readonly
    chip.press_reset()
    chip.run(10)
    assert chip.drive.readonly, "pressed with reset it is one"


def test_a_pc_that_holds_the_drive_is_not_reset_under_its_hands(chip_of):
    chip = chip_of(usb=True)
    spoil(chip, "firmware/app.py", "raise ValueError('spoilt')\n")
    chip.fingers.add("A2")
    chip.power(60)
    assert len(chip.times("reset")) == 1
    assert chip.glass and chip.glass.on_terminal, "\n".join(chip.console)
    assert len(chip.times("pin", "LED", True)) > 10 * FLASHES
    assert chip._bites_us is None, "a reload with the watchdog armed would crash"


RHYTHM = [0, 300, 600, 1500]  # ms from the first of the red flashes (docs/mishaps.md)


def without(*names):
    """Return the spoiling that removes files."""

    def spoil(folder):
        for name in names:
            (folder / name).unlink()

    return spoil


def cut(name, size):
    """Return the spoiling that leaves ``size`` bytes of a file."""

    def spoil(folder):
        path = folder / name
        path.write_bytes(path.read_bytes()[:size])

    return spoil


def half_laid(folder):
    """Of the program only what deploy lays first."""
    parts = sorted(folder.glob("firmware/**/*.mpy"))
    for path in parts[len(parts) // 2 :]:
        path.unlink()


def altered(name):
    """Return the spoiling that leaves a file its length and changes one byte of it."""

    def spoil(folder):
        path = folder / name
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 0x10
        path.write_bytes(data)

    return spoil


def added(line):
    """Return the spoiling that puts a line at the top of settings.toml."""

    def spoil(folder):
        path = folder / "settings.toml"
        path.write_text(line + "\n" + path.read_text("utf-8"), encoding="utf-8")

    return spoil


TRIES_AGAIN = {
    "a half-laid program": half_laid,
    "an empty module": cut("firmware/core/frames.mpy", 0),
    "half a module": cut("firmware/core/frames.mpy", 900),
    "a byte of a module": altered("firmware/core/match.mpy"),
    "a missing library": without("lib/adafruit_display_text/__init__.mpy"),
    "no font": without("firmware/ui/fonts/medium.font"),
    "a truncated font": cut("firmware/ui/fonts/medium.font", 3000),
    "a font without a byte": cut("firmware/ui/fonts/medium.font", 0),
    "no texts": without("firmware/ui/texts/en.json"),
    "truncated texts": cut("firmware/ui/texts/en.json", 3000),
    "a missing journal": without(JOURNALS[1]),
    "a short journal": cut(JOURNALS[0], 100_000),
    "no settings": without("settings.toml"),
    "a section in the settings": added("[table]"),
    "another board number first": added("PLUSTHREE_DEVICE = 0"),
    "a line that is no setting": added("PLUSTHREE_KEY = what"),
    "no rules": without("firmware/core/systems/p18.mpy"),
}


def lights(chip):
    """Return the moments of the first red flashes of the first life, from the first on."""
    lit = chip.times("pin", "LED", True)
    return [at - lit[0] for at in lit[:4]]


@pytest.mark.parametrize("spoil", TRIES_AGAIN.values(), ids=TRIES_AGAIN)
def test_a_spoilt_drive_is_told_and_tried_again(chip_of, drive_of, spoil):
    folder = drive_of()
    spoil(folder)
    chip = chip_of(folder=folder)
    seen = False
    chip.power(0)
    for _ in range(170):
        chip.run(0.5)
        seen = seen or (chip.glass is not None and chip.glass.lit)
    assert seen or lights(chip) == RHYTHM
    assert len(chip.times("reset")) >= 2, "it tries again"
    assert lights(chip) == RHYTHM
    assert not chip.times("reset", "WATCHDOG")


@pytest.mark.parametrize("name", ("boot.py", "firmware/board/pins.py"))
def test_a_drive_that_never_became_the_programs_says_something(chip_of, drive_of, name):
    folder = drive_of()
    (folder / name).write_bytes(b"nonsense(")
    chip = chip_of(folder=folder, usb=True)
    chip.power(40)
    assert (chip.glass is not None and chip.glass.lit) or lights(chip) == RHYTHM


def test_a_damaged_code_py_is_told_by_circuitpythons_own_light(chip_of, drive_of):
    folder = drive_of()
    cut("code.py", 700)(folder)
    chip = chip_of(folder=folder)
    chip.power(30)
    assert chip.times("light", "red 2")


def test_too_old_a_circuitpython_says_so(chip_of):
    chip = chip_of(version=(10, 2, 1))
    chip.power(30)
    assert chip.glass.on_terminal
    assert "PlusThree needs CircuitPython 10.3.1 or newer" in chip.console[-1]
    assert chip.drive.usb_writable


def not_found(chip):
    chip.psram = 0


def no_table(chip):
    """Be another board: its drive was laid for a table."""
    chip.__init__(chip.drive.folder, BOARDS["feather"].board_id, sources=chip._sources)


@pytest.mark.parametrize(
    "model, spoil", [("feathers3", not_found), ("lilygo", not_found), ("feathers3", no_table)]
)
def test_a_board_without_psram_says_so(chip_of, model, spoil):
    chip = chip_of(model)
    spoil(chip)
    chip.power(30)
    assert chip.glass.on_terminal and "with its PSRAM" in chip.console[-1]
    assert chip.drive.usb_writable and len(chip.times("reset")) == 1


def test_a_drive_without_free_space_runs_as_any_other(chip_of):
    """Nothing is ever added to it: the journals have their places."""
    chip = chip_of()
    chip.power(60)
    assert len(chip.times("reset")) == 1 and chip.glass.lit and chip.drive.flushed == 0
