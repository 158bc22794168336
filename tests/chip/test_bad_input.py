"""Drives that are not as deploy leaves them: a readable screen or a light, and another try."""

import pytest

from host.boards.deploy.drive import JOURNALS
from host.boards.models import BOARDS

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
