"""``boot.py`` over the virtual chip: which doors are open after it, and who has the drive."""

import pathlib
import shutil

import pytest
from barechip import REST, ran

from firmware.board import pins
from host.boards.deploy import drive
from host.boards.models import IMAGES, MODELS
from host.sim.chip import natives
from host.sim.chip.chip import Chip

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KEYS = {name: row[2] for name, (_, _, row) in pins.models().items()}
SERVICE = {name: keys[2] if len(keys) == 3 else keys[0] for name, keys in KEYS.items()}


@pytest.fixture(params=IMAGES)
def started(request, tmp_path):
    """A function: the chip of a model after ``boot.py``, with the pins that are held down."""
    model = MODELS[request.param]
    for name in ("board", "gateway"):
        (tmp_path / "firmware" / name).mkdir(parents=True)
    shutil.copy(ROOT / "boot.py", tmp_path)
    for name in ("code.py", "firmware/board/service.py", "firmware/gateway/program.py"):
        (tmp_path / name).write_text(REST, encoding="utf-8")
    for name in drive.JOURNALS:
        drive.allocate(tmp_path / name)

    def chip(pressed=False, version=pins.OLDEST):
        made = Chip(tmp_path, model.board_id, version=version)
        if pressed:
            made.fingers.add(SERVICE[request.param])
        made.power(5)
        return made

    return chip


def test_every_door_is_shut_and_the_program_may_write(started):
    chip = started()
    assert not chip.usb_devices and not chip.ble_workflow
    assert not chip.drive.readonly
    assert ran(chip) == ["boot.py", "code.py"]
    assert not chip.console, "what a boot prints is written to the drive"


def test_a_held_key_leaves_the_drive_to_the_pc(started):
    chip = started(pressed=True)
    assert chip.usb_devices == {"console", "drive"} and chip.drive.readonly


def test_a_finger_on_the_key_when_the_board_resets_itself_leaves_nothing_open(started):
    chip = started()
    chip.fingers.update(SERVICE.values())
    chip._planned = [(chip.now_us, natives.Reset(natives.SOFTWARE))]
    chip.run(5)
    assert not chip.usb_devices and not chip.drive.readonly


def test_too_old_a_circuitpython_is_refused(started):
    assert not started().drive.readonly
    chip = started(version=(10, 3, 0))
    assert chip.drive.readonly and "drive" in chip.usb_devices
    assert ran(chip) == ["boot.py", "/firmware/board/service.py"]
    assert not chip.console


def test_a_board_without_psram_is_refused_unless_it_is_a_gateway(started):
    made = started()
    for psram, role, runs in (
        (0, "table", "/firmware/board/service.py"),
        (0, "gateway", "/firmware/gateway/program.py"),
        (1 << 20, "table", "code.py"),
    ):
        made.psram = psram
        made.drive.path("settings.toml").write_text(f'PLUSTHREE_ROLE = "{role}"\n')
        made.press_reset()
        made.run(5)
        assert ran(made)[-1] == runs
