"""Plays a recorded evening (``tests/interpreter/test_evening.py``) to the board's program on the
interpreter that runs this.

Arguments: the folder that is to be the board's drive, then ``kept`` to say what is in use. The tape
is bytes, so that reading it asks for little memory: a letter, then little-endian numbers of 4 bytes. ``S ms``: the loop runs at that
uptime (the first: the program begins); ``-`` it rests; ``K`` key, pressed (a byte each), ms; ``F``
24 bytes that the host wrote; ``O`` and ``C`` a link opens and closes; ``U size`` a guest
subscribes, or with 0 no longer does; ``E size`` and so many bytes of the generator. The last line
that is printed is ``OVER``.
"""

import gc
import os
import sys

sys.path.append(__file__[: __file__.rfind("/")])
# drawing, where it is not native
sys.path.append(__file__[: __file__.rfind("/playback/")] + "/modules")

import __future__  # noqa: E402, F401

import bitmaptools  # noqa: E402, F401  (this and those below are found by the lines above)
import displayio  # noqa: E402, F401
import fontio  # noqa: E402, F401
import ports  # noqa: E402
import vectorio  # noqa: E402, F401

OVER = "the tape is over"


class Tape:
    """The tape, and where the program stands on it: ``kind`` is the next letter, 0 at the end."""

    def __init__(self, path):
        self._file = open(path, "rb")
        self._one, self._two, self._four = bytearray(1), bytearray(2), bytearray(4)
        self.steps = 0
        self.over = False
        self.after = None
        self.next()
        ports.supervisor.now[0] = self.number()
        self.next()

    def next(self):
        self.kind = self._one[0] if self._file.readinto(self._one) else 0

    def number(self):
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

    def _give(self):
        kind = self.kind
        if kind == 75:  # K
            self._file.readinto(self._two)
            event = self._two[0], self._two[1] == 1, ports.supervisor.ticks(self.number())
            ports.keypad.queues[0].append(event)
        elif kind == 70:  # F
            ports.bleio.inbox.append(self._file.read(24))
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
    with open(path) as file:
        return dict([line.split() for line in file.read().split("\n") if line])


class Kept:
    """How many bytes are in use at the most just after a collection, every hundred steps."""

    def __init__(self, tape):
        self.tape, self.most = tape, 0
        tape.after = self.after

    def after(self):
        if self.tape.steps % 100 == 0:
            gc.collect()
            self.most = max(self.most, gc.mem_alloc())


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
    return tape


def compiled(path):
    """Return a program's code; its text is let go of, as a board reads it piece by piece."""
    with open(path) as file:
        return compile(file.read(), path, "exec")


def play(tape, watched):
    """Run the drive's ``code.py`` to the tape's end; ``watched``: say what was in use."""
    kept = Kept(tape) if watched else None
    try:
        exec(compiled("/code.py"), {"__name__": "__main__"})
    except SystemExit:
        pass
    tape.after = None
    if kept:
        print("kept %d bytes" % kept.most)
    failed = ports.traceback.printed or not tape.over
    print("the program ended at step %d" % tape.steps if failed else OVER)


play(install(sys.argv[1]), sys.argv[2:])
