"""A board's settings.toml as the board itself reads it, so that nothing else is laid on its drive.

CircuitPython reads less than TOML (``supervisor/shared/settings.c``): line by line up to the first
``[``, names without quotation marks, a text in double quotation marks on one line; anything else is
taken letter for letter. (It knows escapes, which no setting of ours needs: here they are refused.)
What it has read is judged by the firmware's own ``core/settings.py``.
"""

import re
from typing import NamedTuple

from firmware.core import settings
from host.base import catalogues
from host.base.errors import UserError
from host.boards import board_settings, languages
from host.boards.models import BOARDS, SKEWS

_BLANK = " \t\r"
_TEXT = re.compile(r'"([^"\\]*)"[ \t\r]*(?:#.*)?')
_UNSEEN = (
    "the board does not see {name} here: write {name} = and its value, without quotation marks"
    " around the name and before any line that begins with ["
)
_UNREAD = (
    "the board cannot read the value of {name}: write a number, or a text in double quotation marks"
    " on the same line"
)
_BARE = {  # what CircuitPython itself reads, and only without quotation marks
    board_settings.WORKFLOW: ("true|false", "true or false"),
    board_settings.DELAY: (r"[0-9]+(\.[0-9]+)?", "a number of seconds"),
}
# a gateway reads none of these
_NO_TABLE = {"PLUSTHREE_DEVICE": "1", "PLUSTHREE_KEY": "00" * 32, "PLUSTHREE_GENERATION": "0"}


class Read(NamedTuple):
    """What a board finds under a name: its line's number, a value (None: unreadable), if quoted."""

    line: int
    value: str | None
    quoted: bool


def read(data: bytes, name: str) -> Read | None:
    """Return what a board finds under ``name`` in a settings.toml's bytes, None for no line."""
    for number, line in enumerate(_lines(data), 1):
        line = line.lstrip(_BLANK)
        if line.startswith("["):
            return None
        word, equals, rest = line.partition("=")
        if equals and word.rstrip(_BLANK) == name:
            return Read(number, *_value(rest.lstrip(_BLANK)))
    return None


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").split("\n")


def _value(rest: str) -> tuple[str | None, bool]:
    if rest.startswith('"'):
        found = _TEXT.fullmatch(rest)
        return found and found[1], True
    return rest.partition("#")[0].rstrip(_BLANK) or None, False


def check(data: bytes, path: str) -> None:
    """Raise UserError, with the line, where a board would not read or not take its settings."""
    found = {name: read(data, name) for name in [*settings.names(), *_BARE]}
    for name, one in found.items():
        line = one.line if one else _mentioned(data, name)
        if line is not None and (one is None or one.value is None):
            said = _UNSEEN if one is None else _UNREAD
            raise UserError(f"{path}:{line}: {said.format(name=name)}")
    try:
        _judge(found)
    except ValueError as mistake:
        one = found[str(mistake).partition(":")[0]]
        raise UserError(f"{path}:{one.line}: {mistake}" if one else f"{path}: {mistake}") from None


def _mentioned(data: bytes, name: str) -> int | None:
    """Return the line in which somebody meant to set ``name``."""
    meant = re.compile(rf"[\ufeff \t]*[\"']?{name}[\"']?[ \t]*=")
    return next((at for at, line in enumerate(_lines(data), 1) if meant.match(line)), None)


def _judge(found: dict[str, Read | None]) -> None:
    """Raise ValueError, beginning with the name, for what board or program would not take."""
    told = {name: one and one.value for name, one in found.items()}
    if told["PLUSTHREE_ROLE"] == "gateway":
        told |= _NO_TABLE
        if told["PLUSTHREE_BOARD"] in BOARDS:
            told["PLUSTHREE_BOARD"] = None
    settings.read(told, SKEWS)
    if told[languages.SETTING] not in (None, *catalogues.languages()):
        raise ValueError(f"{languages.SETTING}: one of {', '.join(catalogues.languages())}")
    for name, (pattern, what) in _BARE.items():
        one = found[name]
        if one and (one.quoted or not re.fullmatch(pattern, one.value or "")):
            raise ValueError(f"{name}: {what}, without quotation marks")
