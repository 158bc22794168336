"""The real board built, its program run, and what happens when that fails: the crash policy.

Apart from ``app``, so that a hall of virtual boards can be had without a board's parts.
"""

import gc
import traceback

from firmware.core import settings, upkeep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.types import App, Hardware, Make, Raw, Settings

_UNSET_MS = 60000  # how long a board without a key says so before it looks again
_REST_MS = 1000


def main(make: "Make") -> None:
    """Run ``make(board, link, face, rules)`` on the real board. Returns when it has shown what went
    wrong, for a reset to follow, because ending would close files; raises what it could not show.
    """
    from firmware.ui import face

    board = open_board()
    settings = board.settings
    screens = face.open_face(board.display, board.panel, settings["language"] if settings else "en")
    if settings is None:
        face.tell(screens)
        for _ in range(_UNSET_MS // _REST_MS):
            board.alive()
            board.clock.rest(_REST_MS)
        return
    try:
        from firmware.radio import link

        rules = __import__("firmware.core.systems." + settings["system"], None, None, ("NUMBER",))
        board.alive()
        if settings["role"] == "listener":
            from firmware.radio import scanning_link

            hearing = link.open_link(scanning_link.ScanningLink)
            program = make(board, hearing, screens, rules)  # pyright: ignore[reportArgumentType]  (its settings are there)
            hearing.attach(program)
        else:
            program = make(board, link.open_link(link.Link), screens, rules)  # pyright: ignore[reportArgumentType]  (its settings are there)
        run(program)
    except Exception as error:  # the one door: whatever it was, the table's journal is safe
        _note(board, error)
        face.tell(screens, error)


def _note(board, error):
    """Note what ended the program, before more can fail."""
    board.heartbeat.write(upkeep.fail(board.heartbeat.read()))
    traceback.print_exception(error)
    board.alive()
    gc.collect()  # the program is gone by now, and its memory is there for a picture


def open_board() -> "Hardware":
    """Return the real board, its settings None where they are wrong."""
    from firmware.board import hardware, pins

    def validated(raw: "Raw") -> "Settings | None":
        try:
            return settings.read(raw, pins.skews())
        except ValueError as error:
            print(error)  # names the setting, never its value

    return hardware.Hardware(settings.names(), validated)


def run(program: "App") -> None:
    """Run ``program`` for ever; raises what goes wrong in it. Keys are looked at each ``poll_ms``,
    so after a step that took longer it does not rest.
    """
    clock = program.board.clock
    while True:
        begun_ms = clock.now_ms()
        until_ms = min(program.step(), begun_ms + program.poll_ms)
        left_ms = until_ms - clock.now_ms()
        if left_ms > 0:
            clock.rest(left_ms)
