"""A board's ``settings.toml``, checked before anything else runs.

``PLUSTHREE_DEVICE`` (1-65534), ``PLUSTHREE_KEY`` (64 hexadecimal digits) and
``PLUSTHREE_GENERATION`` (0-65535) come from provisioning; ``PLUSTHREE_LANGUAGE`` (a code such
as en or pt_BR), ``PLUSTHREE_ROLE`` (table, gateway, or listener: a table that listens to a beacon),
``PLUSTHREE_BOARD`` (a model of ``firmware/board/pins.py``) and ``PLUSTHREE_SYSTEM`` (a name in
``core/systems``) have defaults.
"""

import binascii

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware.core.types import Settings

_PREFIX = "PLUSTHREE_"
_NUMBERS = (("device", 1, 65534), ("generation", 0, 65535))
_ROLES = ("table", "gateway", "listener")  # the first is the default
_WORDS = ("language", "role", "key", "system", "board")  # what is not a number
_LANGUAGE = "en"
_MODEL = "feathers3"
_DEFAULT = "p18"
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_"


def names() -> list[str]:
    """Return the names that ``read`` looks for."""
    numbers = [row[0] for row in _NUMBERS]
    return [_PREFIX + name.upper() for name in numbers + list(_WORDS)]


def read(raw: "Mapping[str, str | int | None]", skews: dict[str, int]) -> "Settings":
    """Return the settings: device, generation, key (bytes), language, role, board, system, ppm.

    ``raw`` maps names to strings or numbers, None where one is missing; ``skews`` the models of
    boards to their clock's worst error in ppm (``firmware/board/pins.py``). Raises ValueError with
    the name of the first wrong one and what it should be, never with the value itself.
    """
    found: dict[str, int | str | bytes] = {"key": _key(raw.get(_PREFIX + "KEY"))}
    for name, low, high in _NUMBERS:
        found[name] = _number(_PREFIX + name.upper(), raw, low, high)
    found["language"] = _language(raw.get(_PREFIX + "LANGUAGE"))
    found["role"] = _choice("role", _ROLES, raw)
    others = [name for name in sorted(skews) if name != _MODEL]
    found["board"] = _choice("board", [_MODEL] + others, raw)
    found["system"] = _word(raw.get(_PREFIX + "SYSTEM"))
    found["ppm"] = skews[found["board"]]  # pyright: ignore[reportArgumentType]  (a string)
    return found  # pyright: ignore[reportReturnType]  (of the two tables and these four)


def _number(name: str, raw: "Mapping[str, str | int | None]", low: int, high: int) -> int:
    text = str(raw.get(name))
    digits = text and len(text) <= 5 and not text.strip("0123456789")
    if not digits or not low <= int(text) <= high:
        raise ValueError(name + ": a whole number from %d to %d" % (low, high))
    return int(text)


def _choice(name, choices, raw):
    given = raw.get(_PREFIX + name.upper())
    found = choices[0] if given is None else given
    if found not in choices:
        raise ValueError(_PREFIX + name.upper() + ": one of " + ", ".join(choices))
    return found


def _language(text):
    if text is None:
        return _LANGUAGE
    if not text or str(text).lower().strip(_LETTERS):
        raise ValueError(_PREFIX + "LANGUAGE: a code such as en or pt_BR")
    return str(text)


def _word(text):
    if text is None:
        return _DEFAULT
    if not text or str(text).strip(_LETTERS):
        raise ValueError(_PREFIX + "SYSTEM: a name of a-z, 0-9 and _")
    return str(text)


def _key(text):
    try:
        key = binascii.unhexlify(text)
    except (ValueError, TypeError):
        key = b""
    if len(key) != 32:
        raise ValueError(_PREFIX + "KEY: 64 hexadecimal digits")
    return key
