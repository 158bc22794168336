"""The panel: the board's own, or a wing's ILI9341 or HX8357. It refreshes when it is told to."""

import board

from firmware.board import pins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.board.types import BusDisplay


def open_display(row: pins.Row) -> "BusDisplay":
    """Return the display of a row of ``pins``."""
    if row.wires is None:
        display = board.DISPLAY  # pyright: ignore[reportAttributeAccessIssue]  (the stubs know no board's own names)
        display.auto_refresh = False
        display.rotation = row.turned
        return display
    import displayio
    import fourwire

    displayio.release_displays()
    command, chip_select = row.wires
    bus = fourwire.FourWire(
        board.SPI(), command=getattr(board, command), chip_select=getattr(board, chip_select)
    )
    width, height = row.panel
    if width > 320:
        from adafruit_hx8357 import HX8357

        return HX8357(bus, width=width, height=height, auto_refresh=False)
    from adafruit_ili9341 import ILI9341

    return ILI9341(bus, width=width, height=height, auto_refresh=False)


def open_terminal(row: pins.Row) -> None:
    """Have the panel show what is printed."""
    import displayio

    panel = open_display(row)
    panel.root_group = displayio.CIRCUITPYTHON_TERMINAL
    panel.auto_refresh = True
