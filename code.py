"""Runs the board's program. Only a reset ends it, because a normal end would close files.

Every error ends here, also one during an import: the panel shows it if it works, the red light
flashes three times, twice (docs/mishaps.md), and the board resets. While a PC holds the drive,
there is no reset and no watchdog; saving a file restarts the program.
"""

# as in host/boards/deploy/bytecode.py; where sources are laid there is no such file
LAID = "/firmware/laid.txt"
LIMIT_S = 20  # as in firmware/board/chip.py
FLASHES = (0.1, 0.2, 0.1, 0.2, 0.1, 0.8)  # seconds lit, dark, lit ...
ROUNDS = 2


def feed() -> None:
    """Arm the watchdog if needed, and feed it: the one of the previous run may still be running."""
    dog = microcontroller.watchdog
    assert dog is not None
    if dog.mode != WatchDogMode.RESET:
        dog.timeout = LIMIT_S
        dog.mode = WatchDogMode.RESET
    dog.feed()


def checked() -> list[str]:
    """Return what to import at the start, in order (``host/boards/deploy/load_order.py``).

    OSError for bytecode that differs from the deployed one: its loader might never end.
    """
    first = []
    try:
        laid = open(LAID)  # noqa: SIM115  (closed as the VM ends)
    except OSError:
        return first
    piece = bytearray(512)
    for line in laid:
        told, path, *module = line.split()
        first += module
        found = 0
        with open(path, "rb") as file:
            while size := file.readinto(piece):
                found = binascii.crc32(memoryview(piece)[:size], found)
        if found != int(told, 16):
            raise OSError(path + " is damaged: plusthree board deploy lays it anew")
    return first


def show(error: Exception) -> None:
    """Show the error on the panel, if the files that this needs are intact."""
    traceback.print_exception(error)
    try:
        from firmware.board import service

        service.tell(error)
    except Exception as why:  # no panel: the light shows that it failed
        traceback.print_exception(why)


def flash() -> None:
    """Flash the light for one round, if the board has one."""
    light = getattr(board, "LED", None)
    light = light and digitalio.DigitalInOut(light)
    for at in range(len(FLASHES)):
        if light:
            light.switch_to_output(at % 2 == 0)
        time.sleep(FLASHES[at])
    if light:
        light.deinit()


if __name__ == "__main__":  # imports too: on a PC this file shadows a standard module
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
        for name in checked():
            __import__(name)
        from firmware import app

        if ours:
            feed()  # where sources are laid, compiling them takes most of its time
        app.main()  # returns once it has shown an error
    except Exception as error:
        show(error)
    done = 0
    while done < ROUNDS or (not ours and supervisor.runtime.usb_connected):
        if ours:
            feed()
        flash()
        done += 1
    microcontroller.reset()

else:  # a PC's tools (pdb, pytest) want the standard module of this name
    from host.base import shadowed

    globals().update(shadowed.names_of("code", __file__))
