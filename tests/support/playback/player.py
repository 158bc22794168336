"""Plays a recorded evening (``recording.py``) to the board's program on the interpreter that runs
this.

Arguments: the folder that is to be the board's drive, then what to look at (``WATCHES``), or
``imports`` and modules that are only imported. The tape is bytes, so that reading it asks for
little memory: a letter, then little-endian numbers of 4 bytes. ``S ms``: the loop runs at that
uptime (the first: the program begins); ``-`` it rests; ``K`` key, pressed (a byte each), ms; ``F``
24 bytes that the host wrote; ``H`` 31 bytes of an advert that a scan hears; ``O`` and ``C`` a link opens and closes; ``U size`` a guest
subscribes, or with 0 no longer does; ``E size`` and so many bytes of the generator. Prints a line
for each thing found, the last of them ``OVER``. What is printed is longer than the ten letters up to
which a text is a word that is kept for ever.
"""

import gc
import os
import sys

sys.path.append(__file__[: __file__.rfind("/")])
sys.path.append(
    __file__[: __file__.rfind("/playback/")] + "/modules"
)  # drawing, where it is not native

import bitmaptools  # noqa: E402, F401  (this and those below are found by the lines above)
import displayio  # noqa: E402, F401
import fontio  # noqa: E402, F401
import ports  # noqa: E402
import vectorio  # noqa: E402, F401

OVER = "the tape is over"
SETTLED = 40  # steps after which the program has made all that it keeps
HOLE = 496  # bytes left by a bytearray that takes 512 with its head


class Tape:
    """The tape, and where the program stands on it: ``kind`` is the letter that comes next, 0 at
    the end.
    """

    def __init__(self, path):
        self._file = open(path, "rb")
        self._one, self._two, self._four = bytearray(1), bytearray(2), bytearray(4)
        self.steps = 0
        self.over = False
        self.before = self.after = None
        self.next()
        ports.supervisor.now[0] = self.number()
        self.next()

    def next(self):
        """Go on to the next letter."""
        self.kind = self._one[0] if self._file.readinto(self._one) else 0

    def number(self):
        """Return the number that comes next."""
        four = self._four
        self._file.readinto(four)
        return four[0] | four[1] << 8 | four[2] << 16 | four[3] << 24

    def sleep(self, seconds):
        """Give the program what comes until its loop runs again."""
        if self.after:
            self.after()
        while self.kind and self.kind != 83:  # S
            self._give()
            self.next()
        if not self.kind:
            self.over = True
            sys.exit(0)
        ports.supervisor.now[0] = self.number()
        self.next()
        self.steps += 1
        if self.before:
            self.before()

    def _give(self):
        kind = self.kind
        if kind == 75:  # K
            self._file.readinto(self._two)
            event = self._two[0], self._two[1] == 1, ports.supervisor.ticks(self.number())
            ports.keypad.queues[0].append(event)
        elif kind == 70:  # F
            ports.bleio.inbox.append(self._file.read(24))
        elif kind == 72:  # H
            self._file.readinto(ports.bleio.advert)
            ports.bleio.adapter.hear()
        elif kind == 79:  # O
            ports.bleio.open()
        elif kind == 85:  # U
            ports.bleio.length[0] = self.number()
        elif kind == 67:  # C
            ports.bleio.close()
        elif kind == 69:  # E
            raise AssertionError("not drawn: %d bytes" % self.number())

    def draw(self, size):
        """Return the generator's next bytes, as they were drawn."""
        if self.kind != 69 or self.number() != size:
            at = chr(self.kind), ports.supervisor.now[0]
            raise AssertionError("drawn: %d bytes at %r, %d ms" % ((size,) + at))
        drawn = self._file.read(size)
        self.next()
        return drawn


def settings(path):
    """Return the settings in a file of names and values."""
    with open(path) as file:
        return dict([line.split() for line in file.read().split("\n") if line])


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
        print("steps %d bytes %d without %d" % (self.count, self.sum, self.idle))
        for size, at_ms in zip(self.worst, self.at):
            print("step %d %d at" % (size, at_ms))


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
        print("kept %d bytes" % self.most)


class Names:
    """How many names the heap has, and in how many tables."""

    def __init__(self, tape):
        pass

    def told(self):
        __import__("micropython").qstr_info()


WATCHES = {"steps": Steps, "holes": Holes, "kept": Kept, "names": Names}


class System:
    """``os`` as boards have it."""

    sync = staticmethod(lambda: None)


def install(drive):
    """Make ``drive`` the root, put the doubles in place, and return the Tape."""
    mounts = os if hasattr(os, "mount") else __import__("vfs")
    mounts.umount("/")
    mounts.mount(mounts.VfsPosix(drive), "/")
    sys.path[:] = ["/", "/lib"]
    tape = Tape("/tape.bin")
    System.getenv, System.urandom = settings("/settings.txt").get, tape.draw
    sys.modules["os"] = System
    sys.modules["time"] = type("time", (), {"sleep": tape.sleep})
    for name in ports.MODULES:
        sys.modules[name] = ports.MODULES[name]
    gc.collect()
    print("doubles %d bytes" % gc.mem_alloc())
    return tape


def compiled(path):
    """Return a program's code; its text is let go of, as a board reads it piece by piece."""
    with open(path) as file:
        return compile(file.read(), path, "exec")


def play(tape, watches):
    """Run the drive's ``code.py`` to the tape's end, looked at by ``watches``."""
    found = [WATCHES[name](tape) for name in watches]
    try:
        exec(compiled("/code.py"), {"__name__": "__main__"})
    except SystemExit:
        pass
    tape.after = tape.before = None
    for one in found:
        one.told()
    if hasattr(gc, "enable"):
        gc.enable()
    gc.collect()
    print("left %d bytes" % gc.mem_alloc())
    failed = ports.traceback.printed or not tape.over
    print("the program ended at step %d" % tape.steps if failed else OVER)


def main(drive, watches):
    """Play what lies in ``drive``, or only import."""
    tape = install(drive)
    if watches[:1] == ["imports"]:
        for name in watches[1:]:
            __import__(name)
        print(OVER)
    else:
        play(tape, watches)


main(sys.argv[1], sys.argv[2:])
