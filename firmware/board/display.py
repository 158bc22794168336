"""The panel: the board's own, or a wing's ILI9341 or HX8357. It refreshes when it is told to."""

import board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.board.types import BusDisplay, Wires


def open_display(wires: "Wires | None", width: int, height: int, turned: int = 0) -> "BusDisplay":
    """Return the ``BusDisplay``; ``wires`` are (command, chip select), or None for
    ``board.DISPLAY``.

    ``turned``: by how many degrees a board's own picture is turned (0, 180).
    """
    if wires is None:
        display = board.DISPLAY  # pyright: ignore[reportAttributeAccessIssue]  (the stubs know no board's own names)
        display.auto_refresh = False
        display.rotation = turned
        return display
    import displayio
    import fourwire

    displayio.release_displays()
    command, chip_select = wires
    bus = fourwire.FourWire(
        board.SPI(), command=getattr(board, command), chip_select=getattr(board, chip_select)
    )
    if width > 320:
        from adafruit_hx8357 import HX8357

        return HX8357(bus, width=width, height=height, auto_refresh=False)
    from adafruit_ili9341 import ILI9341

    return ILI9341(bus, width=width, height=height, auto_refresh=False)
