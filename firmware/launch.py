"""The real board built, its program run, and what happens when that fails: the crash policy.

Apart from ``app``, so that a hall of virtual boards can be had without a board's parts.
"""

import gc
import sys
import traceback

from firmware.core import crash_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.types import App, Hardware, Make, Raw, Settings

_UNSET_MS = 60000  # how long a board without a key says so before it looks again
_REST_MS = 1000


def main(make: "Make", poll_ms: int) -> None:
    """Run ``make(board, link, face, rules)`` on the real board, at least each ``poll_ms``.

    Comes back when it has shown what went wrong, for a reset to follow, because ending would close
    files; raises what could not be shown: then the files of the drive, or the memory, are amiss.
    """
    from firmware.ui import start

    board = opened()
    told = board.settings
    screens = start.face(board.display, board.panel, told["language"] if told else "en")
    let_go(start.kinds() + kinds(board, board.clock, board.keys, board.leds, board.battery))
    if told is None:
        start.tell(screens)
        return rest(board, _UNSET_MS)
    try:
        from firmware.radio import link

        rules = __import__("firmware.core.systems." + told["system"], None, None, ("NUMBER",))
        board.alive()
        program = settled(make(board, link.opened(), screens, rules))  # pyright: ignore[reportArgumentType]  (its settings are there)
        if told["role"] == "listener":
            from firmware.radio import ear  # now: beside what builds the others it has no room

            program.link = program.link.again(ear.Ear).fit(program)  # pyright: ignore[reportAttributeAccessIssue]  (on a board it is a Link)
        let_go(kinds(program.link))
        run(program, poll_ms)
    except Exception as error:  # the one door: whatever it was, the table's journal is safe
        _failed(board, error)
        start.tell(screens, error)


def _failed(board, error):
    """Note what ended the program, before more can fail."""
    board.heartbeat.write(crash_state.ended(board.heartbeat.read()))
    traceback.print_exception(error)
    board.alive()
    gc.collect()  # the program is gone by now, and its memory is there for a picture


def opened() -> "Hardware":
    """Return the real board, its settings None where they are wrong; what checks them is
    let go of.
    """
    from firmware import core
    from firmware.board import hardware, pins
    from firmware.core import settings

    def validated(raw: "Raw") -> "Settings | None":
        try:
            return settings.read(raw, pins.skews())
        except ValueError as error:
            print(error)  # names the setting, never its value

    board = hardware.Hardware(settings.names(), validated)
    del core.settings  # pyright: ignore[reportAttributeAccessIssue]  (the import put it there)
    del sys.modules["firmware.core.settings"]
    return board


def settled(program: "App") -> "App":
    """Let go of what only builds a ``program``'s parts, but for its link's; return it.

    What talks over a link is loaded now, as a host asks for it all the time; a board that listens
    has seldom one.
    """
    from firmware.ui import start

    if sys.implementation.name != "cpython":  # as ``let_go``; each was called once
        start.face = start.kinds = None  # pyright: ignore[reportAttributeAccessIssue]
    journal, sync = program.journal, program.sync
    if program.board.settings["role"] != "listener":
        sync.talking()
    let_go(kinds(
        program, program.gestures, program.hand, program.ledger, program.timebase, program.view,
        journal, journal.ring, sync, sync.window,
    ))  # fmt: skip
    return program


def kinds(*parts: object) -> tuple[type, ...]:
    """Return the classes of some parts."""
    return tuple(map(type, parts))


def let_go(classes: tuple[type, ...]) -> None:
    """Let go of what builds objects of ``classes``, each of which has all that it will have."""
    if sys.implementation.name != "cpython":  # there many boards share their classes
        for kind in classes:
            # deleted it would stay in the table of the class (objtype.c)
            kind.__init__ = None  # pyright: ignore[reportAttributeAccessIssue]  (nobody calls it again)
    gc.collect()


def rest(board: "Hardware", ms: int) -> None:
    """Do nothing for so long, and show the watchdog that this is meant."""
    for _ in range(ms // _REST_MS):
        board.alive()
        board.clock.rest(_REST_MS)


def run(program: "App", poll_ms: int) -> None:
    """Run ``program`` for ever, rests of at most ``poll_ms``; raises what goes wrong in it."""
    clock = program.board.clock
    while True:
        left_ms = program.step() - clock.now_ms()
        if left_ms > 0:
            clock.rest(min(left_ms, poll_ms))
