"""The boards that the program runs on, as the host sees them: all of it from the firmware's table
of models.

``firmware/board/pins.py`` has a row a model; what a panel needs of the host stands here once a
panel.
"""

from typing import NamedTuple

from firmware.board import pins

# by a panel's pixels: the driver in ``lib`` where it is a wing, and the pitch of its pixels in um
_PANELS = {
    (320, 240): ("adafruit_ili9341", 152.4),
    (480, 320): ("adafruit_hx8357", 153),
    (240, 240): ("", 97.5),
    (320, 170): ("", 133.5),
}


class Model(NamedTuple):
    """One model of board.

    ``board_id`` is what CircuitPython writes into boot_out.txt, ``image`` the model whose program
    is laid (itself but for a wider wing, which its settings alone tell), ``oldest`` the oldest
    CircuitPython, ``skew_ppm`` its clock's worst error, ``pixels`` its lights, ``espressif``
    whether it is an ESP32-S3.
    """

    board_id: str
    image: str
    panel: str
    keys: int
    oldest: tuple[int, int, int]
    skew_ppm: int
    pixels: int
    espressif: bool
    drivers: tuple[str, ...]
    pitch_um: float


def _model(name: str) -> Model:
    board_id, image, row = _ROWS[name]
    _, (width, height), keys, _, _, _, pixels, _, _, _, oldest, espressif, skew_ppm = row
    drivers = sorted({_PANELS[one[1]][0] for _, other, one in _ROWS.values() if other == image})
    return Model(
        board_id, image, f"{width}x{height}", len(keys), oldest, skew_ppm, pixels, espressif,
        tuple(filter(None, drivers)), _PANELS[width, height][1],
    )  # fmt: skip


_ROWS = pins.models()
MODELS = {name: _model(name) for name in _ROWS}
SKEWS = {name: model.skew_ppm for name, model in MODELS.items()}  # in ppm
NAMES = tuple(MODELS)
IMAGES = tuple(name for name, model in MODELS.items() if model.image == name)
BY_ID = {MODELS[name].board_id: name for name in IMAGES}


def version(parts: tuple[int, int, int]) -> str:
    """Return a version as people write it: 10.1, 10.3.1."""
    return ".".join(map(str, parts if parts[2] else parts[:2]))
