"""Plays a recorded evening (``recording.py``) to the board's program on the interpreter that runs this.

Arguments: the folder that is to be the board's drive, then what to look at (``WATCHES``), or ``imports``
and modules that are only imported. The tape's
lines: ``B ms`` the uptime at which the program begins; ``P name value`` a setting; ``K key pressed ms`` a key; ``F hex`` a frame that the host wrote;
``O`` and ``C`` a link that opens and closes; ``U size`` a guest subscribes; ``E hex`` bytes of the generator; ``S ms`` the loop runs
at that uptime; ``-`` it rests. Prints a line for each thing found, the last of them ``over``.
"""

import binascii
import gc
import os
import sys

sys.path.append(__file__[: __file__.rfind("/")])
sys.path.append(__file__[: __file__.rfind("/playback/")] + "/modules")  # drawing, where it is not native

import bitmaptools  # noqa: E402, F401  (this and those below are found by the lines above)
import displayio  # noqa: E402, F401
import fontio  # noqa: E402, F401
import ports  # noqa: E402
import vectorio  # noqa: E402, F401

SETTLED = 40  # steps after which the program has made all that it keeps
HOLE = 496  # bytes left by a bytearray that takes 512 with its head


class Tape:
    """The tape, and where the program stands on it."""

    def __init__(self, path):
        self.file = open(path)
        self.settings = {}
        self.next()
        ports.supervisor.now[0] = int(self.line[2:])
        self.next()
        while self.line[0] == "P":
            name, value = self.line.split()[1:]
            self.settings["PLUSTHREE_" + name] = value
            self.next()
        self.steps = 0
        self.over = False
        self.before = self.after = None

    def next(self):
        """Go to the next line."""
        self.line = self.file.readline()

    def sleep(self, seconds):
        """Give the program what comes until its loop runs again."""
        if self.after:
            self.after()
        while self.line and self.line[0] != "S":
            self._give(self.line)
            self.next()
        if not self.line:
            self.over = True
            sys.exit(0)
        ports.supervisor.now[0] = int(self.line[2:])
        self.next()
        self.steps += 1
        if self.before:
            self.before()

    def _give(self, line):
        kind = line[0]
        if kind == "K":
            key, pressed, at_ms = line[2:].split()
            event = int(key), pressed == "1", ports.supervisor.ticks(int(at_ms))
            ports.keypad.queues[0].append(event)
        elif kind == "F":
            ports.bleio.inbox.append(binascii.unhexlify(line[2:-1]))
        elif kind == "O":
            ports.bleio.open()
        elif kind == "U":
            ports.bleio.length[0] = int(line[2:])
        elif kind == "C":
            ports.bleio.close()
        elif kind == "E":
            raise AssertionError("not drawn: " + line)

    def draw(self, size):
        """Return the generator's next bytes, as they were drawn."""
        if self.line[0] != "E" or len(self.line) != 3 + 2 * size:
            raise AssertionError("drawn: %d bytes at %s" % (size, self.line[:40]))
        drawn = binascii.unhexlify(self.line[2:-1])
        self.next()
        return drawn


class Steps:
    """What each step of the loop allocates, with no collection in between."""

    def __init__(self, tape):
        self.tape, self.worst, self.at = tape, [0] * 8, [0] * 8
        self.sum = self.count = self.idle = 0
        gc.disable()
        tape.before, tape.after = self.before, self.after
        self.level = 0

    def before(self):
        self.level = gc.mem_alloc()

    def after(self):
        grown = gc.mem_alloc() - self.level
        if self.tape.steps > SETTLED:
            self.sum += grown
            self.count += 1
            self.idle += grown == 0
            for i in range(8):
                if grown > self.worst[i]:
                    self.worst.insert(i, grown)
                    self.at.insert(i, ports.supervisor.now[0])
                    self.worst.pop()
                    self.at.pop()
                    break
        if self.tape.steps % 50 == 0:
            gc.collect()

    def told(self):
        print("steps", self.count, "bytes", self.sum, "without", self.idle)
        for size, at_ms in zip(self.worst, self.at):
            print("step", size, at_ms)


class Holes:
    """From the start on leaves only holes of 512 bytes: a larger piece cannot be had."""

    def __init__(self, tape):
        self.tape, self.kept = tape, []
        tape.before = self.before

    def before(self):
        if self.tape.steps == SETTLED:
            gc.collect()
            last = None
            try:
                while True:
                    last = [last, bytearray(HOLE)]
            except MemoryError:
                pass
            self.tape.before = None

    def told(self):
        pass


class Kept:
    """How many bytes are in use at the most just after a collection, every hundred steps."""

    def __init__(self, tape):
        self.tape, self.most = tape, 0
        tape.after = self.after

    def after(self):
        if self.tape.steps > SETTLED and self.tape.steps % 100 == 0:
            gc.collect()
            self.most = max(self.most, gc.mem_alloc())

    def told(self):
        print("kept", self.most)


WATCHES = {"steps": Steps, "holes": Holes, "kept": Kept}


class System:
    """``os`` as boards have it."""

    sync = staticmethod(lambda: None)


def install(drive):
    """Make ``drive`` the root, put the doubles in place, and return the Tape."""
    mounts = os if hasattr(os, "mount") else __import__("vfs")
    mounts.umount("/")
    mounts.mount(mounts.VfsPosix(drive), "/")
    sys.path[:] = ["/", "/lib"]
    tape = Tape("/tape.txt")
    System.getenv, System.urandom = tape.settings.get, tape.draw
    sys.modules["os"] = System
    sys.modules["time"] = type("time", (), {"sleep": tape.sleep})
    for name in ports.MODULES:
        sys.modules[name] = ports.MODULES[name]
    try:
        import traceback  # noqa: F401
    except ImportError:
        sys.modules["traceback"] = ports.traceback
    gc.collect()
    print("doubles", gc.mem_alloc())
    return tape


def play(tape, watches):
    """Run the program to the tape's end, looked at by ``watches``."""
    found = [WATCHES[name](tape) for name in watches]
    from firmware import app

    try:
        app.main()
    except SystemExit:
        pass
    tape.after = tape.before = None
    for one in found:
        one.told()
    if hasattr(gc, "enable"):
        gc.enable()
    gc.collect()
    print("left", gc.mem_alloc())
    print("over" if tape.over else "the program ended at step %d: %s" % (tape.steps, tape.line))


def main(drive, watches):
    """Play what lies in ``drive``, or only import."""
    tape = install(drive)
    if watches[:1] == ["imports"]:
        for name in watches[1:]:
            __import__(name)
        print("over")
    else:
        play(tape, watches)


main(sys.argv[1], sys.argv[2:])
