"""The boards that the program runs on: the host's one table of what differs between them.

Pins are the firmware's (``firmware/board/pins.py``); a test holds the two tables together.
"""

from collections import namedtuple

# the id that CircuitPython writes into boot_out.txt; the model whose image is laid (itself but for a
# wider wing, which its settings alone tell); panel; keys; the oldest CircuitPython; how far its clock
# is off at worst, in ppm; pixels of light; what its display needs of ``lib/``; the panel's pitch in um
Model = namedtuple("Model", "board_id image panel keys oldest skew_ppm pixels drivers pitch_um")

_FEATHER, _CLUE = "feather_nrf52840_express", "clue_nrf52840_express"
_ILI, _HX = "adafruit_ili9341", "adafruit_hx8357"
MODELS = {
    "feather": Model(_FEATHER, "feather", "320x240", 3, (10, 1, 0), 50, 8, (_ILI, _HX), 152.4),
    "clue": Model(_CLUE, "clue", "240x240", 2, (10, 1, 0), 500, 1, (), 97.5),
    "feather35": Model(_FEATHER, "feather", "480x320", 3, (10, 1, 0), 50, 8, (_ILI, _HX), 153),
    "feathers3": Model(
        "unexpectedmaker_feathers3", "feathers3", "320x240", 3, (10, 3, 1), 50, 8, (_ILI,), 152.4
    ),
    "lilygo": Model("lilygo_tdisplay_s3", "lilygo", "320x170", 2, (10, 3, 1), 50, 8, (), 133.5),
}
NAMES = tuple(MODELS)
IMAGES = tuple(name for name, model in MODELS.items() if model.image == name)
BY_ID = {MODELS[name].board_id: name for name in IMAGES}


def version(parts):
    """Return a version as people write it: 10.1, 10.3.1."""
    return ".".join(map(str, parts if parts[2] else parts[:2]))
