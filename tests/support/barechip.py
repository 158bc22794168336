"""A chip whose drive holds the given files alone, what tests put into them, and what came of it."""

import ast

from host.boards.deploy import drive
from host.sim.chip.chip import Chip

OURS = "import storage\nstorage.remount('/', readonly=False)\n"  # boot.py: the drive is ours
REST = "\nimport time\nwhile True:\n    time.sleep(1)\n"
RESET = "import microcontroller\nmicrocontroller.reset()\n"
ARM = (
    "import microcontroller\nfrom watchdog import WatchDogMode\n"
    "dog = microcontroller.watchdog\ndog.timeout = 20\ndog.mode = WatchDogMode.RESET\n"
)


def ran(chip):
    return [told.values[0] for told in chip.story if told.kind == "run"]


def printed(chip):
    return [ast.literal_eval(line) for line in chip.console]


def on(folder):
    """Return a function that makes such a chip, its drive in ``folder``."""

    def made(board_id="feather_nrf52840_express", usb=False, counting=False, **files):
        for name, text in files.items():
            (folder / f"{name}.py").write_text(text, encoding="utf-8")
        for name in drive.JOURNALS:
            drive.allocate(folder / name)
        return Chip(folder, board_id, usb=usb, counting=counting)

    return made
