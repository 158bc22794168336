"""What a board runs. The program is left by a reset alone, because ending it would close files.

Whatever goes wrong, while importing too, ends here: the error stands on the panel if one can be
had, the red light flashes three times and again (docs/mishaps.md), and the board starts anew. While
a PC holds the drive nothing is reset under its hands, and no watchdog runs: a saved file starts
this anew.
"""

# as host/boards/deploy/bytecode.py; a program frozen into a build has none
LAID = "/firmware/laid.txt"
LIMIT_S = 20  # as firmware/board/watchdog.py
FLASHES = (0.1, 0.2, 0.1, 0.2, 0.1, 0.8)  # seconds lit, dark, lit ...
ROUNDS = 2


def feed() -> None:
    """Arm the watchdog at first, then feed it: one of the program before may still run."""
    dog = microcontroller.watchdog
    assert dog is not None
    if dog.mode != WatchDogMode.RESET:
        dog.timeout = LIMIT_S
        dog.mode = WatchDogMode.RESET
    dog.feed()


def checked() -> None:
    """Raise OSError for bytecode that is not as it was laid: its loader would read on for ever."""
    try:
        laid = open(LAID)  # noqa: SIM115  (closed as the VM ends)
    except OSError:
        return
    piece = bytearray(512)
    for line in laid:
        told, path = line.split()
        found = 0
        with open(path, "rb") as file:
            while size := file.readinto(piece):
                found = binascii.crc32(memoryview(piece)[:size], found)
        if found != int(told, 16):
            raise OSError(path + " is damaged: plusthree deploy lays it anew")


def show(error: Exception) -> None:
    """Put the error on the panel, if the files that this needs are there."""
    traceback.print_exception(error)
    try:
        from firmware.board import service

        service.tell(error)
    except Exception as why:  # no panel then: the light tells
        traceback.print_exception(why)


def flash() -> None:
    """Flash the light, where there is one, for one round."""
    light = getattr(board, "LED", None)
    light = light and digitalio.DigitalInOut(light)
    for at in range(len(FLASHES)):
        if light:
            light.switch_to_output(at % 2 == 0)
        time.sleep(FLASHES[at])
    if light:
        light.deinit()


if __name__ == "__main__":  # imports too: on a PC this file has the name of a standard module
    import binascii
    import time
    import traceback

    import board
    import digitalio
    import microcontroller
    import storage
    import supervisor
    from watchdog import WatchDogMode

    ours = not storage.getmount("/").readonly
    if ours:
        feed()
    try:
        checked()
        from firmware import app

        app.main()  # comes back when it has shown what went wrong
    except Exception as error:
        show(error)
    done = 0
    while done < ROUNDS or (not ours and supervisor.runtime.usb_connected):
        if ours:
            feed()
        flash()
        done += 1
    microcontroller.reset()

else:  # a PC's own tools (pdb, pytest) mean the standard module of this name
    from host.base import shadowed

    globals().update(shadowed.names_of("code", __file__))
