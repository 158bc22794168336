"""The panel: the board's own, or an ILI9341 on a wing. It refreshes when it is told to."""

import board


def open_display(wires, width, height):
    """Return the ``BusDisplay``; ``wires`` are (command, chip select), or None for ``board.DISPLAY``."""
    if wires is None:
        display = board.DISPLAY
        display.auto_refresh = False
        return display
    import displayio
    import fourwire
    from adafruit_ili9341 import ILI9341

    displayio.release_displays()
    command, chip_select = wires
    bus = fourwire.FourWire(
        board.SPI(), command=getattr(board, command), chip_select=getattr(board, chip_select)
    )
    return ILI9341(bus, width=width, height=height, auto_refresh=False)
