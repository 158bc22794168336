"""The boards that the program runs on, as the host sees them: all of it from the firmware's table
of models.

``firmware/board/pins.py`` has a row a model; what a panel needs of the host stands here once a
panel.
"""

from typing import NamedTuple

from firmware.board import pins
from host.base.errors import UserError

# by a panel's pixels: the driver in ``lib`` where it is a wing, and the pitch of its pixels in um
_PANELS = {
    (320, 240): ("adafruit_ili9341", 152.4),
    (480, 320): ("adafruit_hx8357", 153),
    (320, 170): ("", 133.5),
}


class Model(NamedTuple):
    """One model of board.

    ``board_id`` is the board's name in CircuitPython's boot_out.txt, ``image`` the model whose
    program is laid (itself but for a wider wing, which its settings alone tell), ``skew_ppm`` its
    clock's worst error, ``pixels`` its lights.
    """

    board_id: str
    image: str
    panel: str
    keys: int
    skew_ppm: int
    pixels: int
    drivers: tuple[str, ...]
    pitch_um: float


def _model(name: str) -> Model:
    board_id, image, row = _ROWS[name]
    panels = {other.panel for _, other_image, other in _ROWS.values() if other_image == image}
    drivers = sorted(_PANELS[panel][0] for panel in panels)
    return Model(
        board_id, image, "x".join(map(str, row.panel)), len(row.keys), row.ppm, row.pixels,
        tuple(filter(None, drivers)), _PANELS[row.panel][1],
    )  # fmt: skip


_ROWS = pins.models()
BOARDS = {name: _model(name) for name in _ROWS}
MODELS = {name: model for name, model in BOARDS.items() if name not in pins.GATEWAYS}  # tables
SKEWS = pins.skews()
NAMES = tuple(MODELS)
IMAGES = tuple(name for name, model in MODELS.items() if model.image == name)
BY_ID = {model.board_id: name for name, model in BOARDS.items() if model.image == name}
OLDEST = pins.OLDEST
OLDEST_WORDS = ".".join(map(str, OLDEST))
_NO_MORE = {"clue": "clue_nrf52840_express", "feather35": "feather_nrf52840_express"}


def check_model(name: str, role: str = "table") -> str:
    """Return the name of a model that can have this ``role``; UserError: none, or not any more."""
    if name in MODELS or (name in BOARDS and role == "gateway"):
        return name
    tables = ", ".join(NAMES)
    if name in BOARDS:
        raise UserError(
            f"a Feather nRF52840 has too little memory for a table ({tables}): it is a gateway"
            " (provision it with --gateway)"
        )
    if name in _NO_MORE or name in _NO_MORE.values():
        raise UserError(f"{name} has too little memory: a table's board is one of {tables}")
    raise UserError(f"{name} is none of our boards: {tables}")
