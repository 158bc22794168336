"""Which pin does what, one row a board. Every name here is proved against CircuitPython's stubs.

A row: model, panel (width x height), keys A, B and J (the last may be missing: both held), the
level each key reads when pressed, buzzer, pixels and how many, battery, display wires (command and
chip select; none: the board has its own ``DISPLAY``). Names are attributes of ``board``; None is
a part that the board lacks. Wiring: BOARD_FACTS, Boards.
"""

_ROWS = {
    "feather_nrf52840_express": (
        "feather", (320, 240), ("A0", "A1", "A2"), (0, 0, 0),
        "A3", "D11", 8, "VOLTAGE_MONITOR", ("D10", "D9"),
    ),
    "clue_nrf52840_express": (
        "clue", (240, 240), ("BUTTON_A", "BUTTON_B"), (0, 0),
        "SPEAKER", "NEOPIXEL", 1, None, None,
    ),
    "adafruit_feather_esp32s3_reverse_tft": (
        "reverse", (240, 135), ("D0", "D1", "D2"), (0, 1, 1),
        "A3", "D11", 8, None, None,
    ),
}  # fmt: skip


_WINGS = {"feather35": ("feather", (480, 320))}  # models that only their settings tell: same wires


def row(board_id, told=None):
    """Return the row of the board that calls itself ``board_id``; KeyError: not one of ours.

    ``told`` is the model in its settings: a larger wing on the same board looks the same to it.
    """
    found = _ROWS[board_id]
    below, panel = _WINGS.get(told, ("", None))
    return (told, panel) + found[2:] if below == found[0] else found
