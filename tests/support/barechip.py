"""A chip whose drive holds the given files alone."""

from host.boards.deploy import drive
from host.sim.chip.chip import Chip


def on(folder):
    """Return a function that makes such a chip, its drive in ``folder``."""

    def made(board_id="feather_nrf52840_express", usb=False, counting=False, **files):
        for name, text in files.items():
            (folder / f"{name}.py").write_text(text, encoding="utf-8")
        for name in drive.JOURNALS:
            drive.allocate(folder / name)
        return Chip(folder, board_id, usb=usb, counting=counting)

    return made
