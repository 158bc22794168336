"""The one table of board models: which pin does what, a row a board.

A row: model, panel (width x height), keys A, B and J (the last may be missing: both held), the
level each key reads when pressed, buzzer, pixels and how many, battery (its pin and the cell's mV
at full scale), display wires (command and chip select; none: the board has its own ``DISPLAY``),
how far its picture is turned so that A's key is the nearest to A, in degrees, and its clock's worst
error in ppm. Names are attributes of ``board``, proved against CircuitPython's stubs; None is a
part that the board lacks. Wiring: hw/wiring. The host reads this table too
(``host/boards/models.py``), and ``boot.py`` has its keys.

A Feather halves its cell's voltage before it measures it, the LilyGO too; the FeatherS3's maker
divides its reading by 5371 for volts.
"""

from collections import namedtuple

Row = namedtuple("Row", "model panel keys levels buzzer bar pixels gauge wires turned ppm")
OLDEST = (10, 3, 1)  # CircuitPython, as in boot.py
GATEWAYS = ("feather",)  # too small for a table
_ROWS = {
    "feather_nrf52840_express": Row(
        "feather", (320, 240), ("A0", "A1", "A2"), (0, 0, 0),
        "A3", "D11", 8, ("VOLTAGE_MONITOR", 6600), ("D10", "D9"), 0, 50,
    ),
    "unexpectedmaker_feathers3": Row(
        "feathers3", (320, 240), ("A0", "A1", "A2"), (0, 0, 0),
        "A3", "D11", 8, ("VOLTAGE_MONITOR", 12202), ("D10", "D9"), 0, 50,
    ),
    "lilygo_tdisplay_s3": Row(
        "lilygo", (320, 170), ("BUTTON1", "BUTTON0"), (0, 0),
        "STEMMA_SDA", "STEMMA_SCL", 8, ("BATTERY", 6600), None, 180, 50,
    ),
}  # fmt: skip

BOARDS = tuple(_ROWS)  # as they call themselves
# models that only their settings tell: same wires
_WINGS = {"feathers3-35": ("feathers3", (480, 320))}


def row(board_id: str, model: str | None = None) -> Row:
    """Return the row of the board that calls itself ``board_id``; KeyError: not one of ours.
    ``model`` is the one in its settings: a larger wing on the same board looks the same to it.
    """
    found = _ROWS[board_id]
    base, panel = _WINGS.get(model or "", ("", None))
    if base != found.model:  # no wing, or another board's
        return found
    _, _, *wires = found
    return Row(model, panel, *wires)


def models() -> dict[str, tuple[str, str, Row]]:
    """Return ``{model: (board_id, model that has its image, row)}`` of all models."""
    found = {each.model: (board_id, each.model, each) for board_id, each in _ROWS.items()}
    for model, (base, _) in _WINGS.items():
        found[model] = found[base][0], base, row(found[base][0], model)
    return found


def skews() -> dict[str, int]:
    """Return ``{model: its worst clock error in ppm}`` of a table's models."""
    return {name: row.ppm for name, (_, _, row) in models().items() if name not in GATEWAYS}
