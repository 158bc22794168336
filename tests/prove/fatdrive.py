"""A board's drive on the RAM flash, with a real FAT on it, through any number of boots and cuts.

Runs on MicroPython. Importing it puts the board's ``os.sync`` in place of MicroPython's ``os``, and
a counter beside it.
"""

import sys

import flash
import vfs

DRIVE = "/fat"
JOURNALS = [DRIVE + "/journal0.bin", DRIVE + "/journal1.bin"]
JOURNAL_BYTES = 256 * 1024
ODD = 5120  # bytes of an application file that moves the journal off the sectors' borders
NEAR = 8  # blocks on either side that a torn sector may reach
APPLICATION = [("boot.py", 700), ("code.py", ODD), ("app.bin", 9000), ("last.bin", 3000)]


class Os:
    """What ``store`` needs of ``os``: the board's ``sync``."""

    def __init__(self):
        self.drive = None
        self.kept = []  # whoever holds open files: a collected one would be closed, and so written

    def sync(self):
        """Bring the mounted drive's cache out."""
        self.drive.sync()


class Chip:
    """What ``store`` needs of ``supervisor`` and ``microcontroller``: no time passes."""

    def ticks_ms(self):
        """Return the counter, which stands."""
        return 0

    def delay_us(self, pause_us):
        """Let no time pass."""


system = sys.modules["os"] = Os()
sys.modules["supervisor"] = sys.modules["microcontroller"] = Chip()


class Machine:
    """A board's drive: one flash image that lives through any number of boots."""

    def __init__(self, image):
        self.image, self.power = image, None

    def mount(self, left=flash.NEVER, torn=0):
        """Switch on: a new chip over the image, the file system mounted."""
        self.off()
        self.power = flash.Power(left, torn)
        system.drive = self.drive()
        vfs.mount(vfs.VfsFat(system.drive), DRIVE)

    def drive(self):
        """Return the block device of the power that is on."""
        return flash.Drive(flash.device(self.image, self.power), self.power)

    def off(self):
        """Pull the battery: what is in RAM is gone."""
        if self.power is not None:
            self.power.dark = True
            try:
                vfs.umount(DRIVE)
            except OSError:
                pass
            system.kept.clear()

    def damaged(self):
        """Return how many application files are not what they were."""
        bad = 0
        for i, (name, size) in enumerate(APPLICATION):
            try:
                with open(f"{DRIVE}/{name}", "rb") as file:
                    bad += file.read() != content(i, size)
            except OSError:
                bad += 1
        return bad


def content(i, size):
    """Return what an application file holds."""
    return (flash.NOISE[i * 100 : i * 100 + 1000] * 12)[:size]


def deployed(journals=True):
    """Return a Machine with a fresh drive, its application files and the journal's two."""
    machine = Machine(bytearray(b"\xff" * (flash.SECTORS * flash.SECTOR)))
    machine.power = flash.Power()
    vfs.VfsFat.mkfs(machine.drive())
    machine.mount()
    for i, (name, size) in enumerate(APPLICATION):
        if i == len(APPLICATION) - 1 and journals:
            for path in JOURNALS:
                with open(path, "wb") as file:
                    for _ in range(JOURNAL_BYTES // 4096):
                        file.write(b"\xff" * 4096)
        with open(f"{DRIVE}/{name}", "wb") as file:
            file.write(content(i, size))
    system.drive.sync()
    return machine


def mirrored(ring):
    """Say whether both copies hold all blocks up to the tail, and none near it only looks erased.

    Such a block would be programmed as it is, and hold neither what was there nor what was written.
    """
    one, two = bytearray(flash.BLOCK), bytearray(flash.BLOCK)
    for number in range(max(0, ring.number - NEAR), ring.number + NEAR + 1):
        for copy, buffer in enumerate((one, two)):
            ring.store.readinto(copy, number % ring.store.blocks, buffer)
            if flash.looks_erased(buffer) and buffer != flash.BLANK:
                return False
        if number <= ring.number and one != two:
            return False
    return True
