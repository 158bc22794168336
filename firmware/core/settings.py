"""A board's ``settings.toml``, checked before anything else runs.

``PLUSTHREE_DEVICE``, ``PLUSTHREE_KEY`` and ``PLUSTHREE_GENERATION`` come from provisioning;
``PLUSTHREE_LANGUAGE``, ``PLUSTHREE_ROLE`` (a listener is a table that listens to a beacon),
``PLUSTHREE_BOARD`` (a model of ``firmware/board/pins.py``) and ``PLUSTHREE_SYSTEM`` (a name in
``core/systems``) have defaults. ``launch.py`` gives the screens theirs.
"""

import binascii

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware.core.types import Settings

_PREFIX = "PLUSTHREE_"
_NAMES = ("DEVICE", "GENERATION", "KEY", "LANGUAGE", "ROLE", "BOARD", "SYSTEM")
_ROLES = ("table", "gateway", "listener")
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_"


def names() -> list[str]:
    """Return the names that ``read`` looks for."""
    return [_PREFIX + name for name in _NAMES]


def read(raw: "Mapping[str, str | int | None]", skews: dict[str, int]) -> "Settings":
    """Return a board's settings, with defaults for those that may be missing.

    ``raw`` has the values by their names, None for a missing one; ``skews`` the worst error of the
    clock in ppm, by model (``firmware/board/pins.py``). Raises ValueError for the first wrong one,
    with its name and what it should be, never with the value: that may be the key.
    """
    language, system = _text(raw, "LANGUAGE", "en"), _text(raw, "SYSTEM", "p18")
    role, model = _text(raw, "ROLE", "table"), _text(raw, "BOARD", "feathers3")
    right = language and not language.lower().strip(_LETTERS)
    _check(right, "LANGUAGE", "a code such as en or pt_BR")
    _check(system and not system.strip(_LETTERS), "SYSTEM", "a name of a-z, 0-9 and _")
    _check(role in _ROLES, "ROLE", "one of " + ", ".join(_ROLES))
    _check(model in skews, "BOARD", "one of " + ", ".join(sorted(skews)))
    return {
        "device": _number(raw, "DEVICE", 1, 65534),
        "generation": _number(raw, "GENERATION", 0, 65535),
        "key": _key(raw), "language": language, "role": role, "board": model, "system": system,
        "ppm": skews[model],
    }  # fmt: skip


def _text(raw, name, default):
    found = raw.get(_PREFIX + name)
    return default if found is None else str(found)


def _check(right, name, wanted):
    if not right:
        raise ValueError(_PREFIX + name + ": " + wanted)


def _number(raw, name, low, high):
    text = _text(raw, name, "")
    digits = text and len(text) <= 5 and not text.strip("0123456789")
    right = digits and low <= int(text) <= high
    _check(right, name, "a whole number from %d to %d" % (low, high))
    return int(text)


def _key(raw):
    try:
        key = binascii.unhexlify(raw.get(_PREFIX + "KEY"))
    except (ValueError, TypeError):
        key = b""
    _check(len(key) == 32, "KEY", "64 hexadecimal digits")
    return key
