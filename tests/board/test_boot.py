"""``boot.py`` over the virtual chip: which doors are open after it, and who has the drive."""

import pathlib
import shutil

import pytest

from firmware.board import pins
from host.boards.deploy import drive
from host.boards.models import BY_ID, MODELS
from host.sim.chip import death
from host.sim.chip.chip import Chip

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KEYS = {name: row[2] for name, (_, _, row) in pins.models().items()}
SERVICE = {name: keys[2] if len(keys) == 3 else keys[0] for name, keys in KEYS.items()}
REST = "import time\nwhile True:\n    time.sleep(1)\n"


@pytest.fixture(params=sorted(BY_ID.values()))
def started(request, tmp_path):
    """A function: the chip of a model after ``boot.py``, with the pins that are held down."""
    model = MODELS[request.param]
    (tmp_path / "firmware/board").mkdir(parents=True)
    shutil.copy(ROOT / "boot.py", tmp_path)
    for name in ("code.py", "firmware/board/service.py"):
        (tmp_path / name).write_text(REST, encoding="utf-8")
    for name in drive.JOURNALS:
        drive.allocate(tmp_path / name)

    def chip(pressed=False, version=(10, 3, 1)):
        made = Chip(tmp_path, model.board_id, version=version)
        if pressed:
            made.fingers.add(SERVICE[request.param])
        made.power(5)
        return made

    return chip


def ran(chip):
    return [told.values[0] for told in chip.story if told.kind == "run"]


def test_every_door_is_shut_and_the_program_may_write(started):
    chip = started()
    assert not chip.doors and not chip.ble_workflow
    assert not chip.drive.readonly
    assert ran(chip) == ["boot.py", "code.py"]
    assert not chip.console, "what a boot prints is written to the drive"


def test_a_held_key_leaves_the_drive_to_the_pc(started):
    chip = started(pressed=True)
    assert chip.doors == {"console", "drive"} and chip.drive.readonly


def test_a_finger_on_the_key_when_the_board_resets_itself_leaves_nothing_open(started):
    chip = started()
    chip.fingers.update(SERVICE.values())
    chip._planned = [(chip.now_us, death.Reset(death.SOFTWARE))]
    chip.run(5)
    assert not chip.doors and not chip.drive.readonly


def test_too_old_a_circuitpython_is_refused(started):
    oldest = MODELS[BY_ID[started().board_id]].oldest
    assert not started(version=oldest).drive.readonly
    chip = started(version=(oldest[0], oldest[1] - (not oldest[2]), 0))
    assert chip.drive.readonly and "drive" in chip.doors
    assert ran(chip) == ["boot.py", "/firmware/board/service.py"]
    assert not chip.console
