"""A board's settings.toml: the lines that CircuitPython itself needs (no Bluetooth workflow, no
wait at the start) and the board's own settings. Checked here before the file is put on a drive.

CircuitPython reads less than TOML (``supervisor/shared/settings.c``): line by line up to the first
``[``, names without quotation marks, a text in double quotation marks on one line; anything else is
taken letter for letter. (It knows escapes, which no setting of ours needs: here they are refused.)
What it has read is judged by the firmware's own ``core/settings.py``.
"""

import itertools
import re
from typing import NamedTuple

from firmware.core import settings
from host.base import catalogues
from host.base.errors import UserError
from host.boards.models import BOARDS, SKEWS

LANGUAGE = "PLUSTHREE_LANGUAGE"
HEAP = "CIRCUITPY_HEAP_START_SIZE"  # what older files tell an nRF52840
WORKFLOW = "CIRCUITPY_BLE_WORKFLOW"
# how long a second reset, or a bounce of the switch, leads to safe mode, without safemode.py
DELAY = "CIRCUITPY_SAFE_MODE_DELAY"
_LINES = {WORKFLOW: f"{WORKFLOW} = false\n", DELAY: f"{DELAY} = 0\n"}
LINES = "".join(_LINES.values())
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
    WORKFLOW: ("true|false", "true or false"),
    DELAY: (r"[0-9]+(\.[0-9]+)?", "a number of seconds"),
}
# a gateway reads none of these
_NO_TABLE = {"PLUSTHREE_DEVICE": "1", "PLUSTHREE_KEY": "00" * 32, "PLUSTHREE_GENERATION": "0"}


def complete(data: bytes) -> bytes:
    """Return the bytes of a settings.toml with the lines that it may lack, at its top.

    At the top, because CircuitPython reads nothing behind a [section] (``settings.c``).
    """
    seen = itertools.takewhile(lambda line: not line.lstrip().startswith(b"["), data.splitlines())
    present = {line.partition(b"=")[0].strip() for line in seen}
    missing = [line for name, line in _LINES.items() if name.encode() not in present]
    return "".join(missing).encode() + data


def other_lines(text: str) -> str:
    """Return the lines of a settings.toml that are neither CircuitPython's nor the board's."""
    ours = ("PLUSTHREE_", "# board ", HEAP, *_LINES)
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(ours))


class Read(NamedTuple):
    """A setting as a board reads it: its line, value (None: unreadable), whether quoted."""

    line: int
    value: str | None
    quoted: bool


def read(data: bytes, name: str) -> Read | None:
    """Return the setting ``name`` as a board reads it from a settings.toml; None without a line."""
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


def _value(after_equals: str) -> tuple[str | None, bool]:
    """Return a setting's value, None if it is unreadable, and whether it is quoted."""
    if after_equals.startswith('"'):
        match = _TEXT.fullmatch(after_equals)
        return match[1] if match else None, True
    return after_equals.partition("#")[0].rstrip(_BLANK) or None, False


def with_value(data: bytes | None, name: str, value: str, option: str) -> bytes:
    """Return settings.toml with ``name = value`` at its end, unchanged if it has that value.

    Raises UserError if there is no file for the command line's ``option`` to change.
    """
    if data is None:
        raise UserError(
            f"{option} sets {name} in settings.toml, which is not there yet: give --settings"
        )
    present = read(data, name)
    if present and present.value == value:
        return data
    kept = re.sub(rb"(?m)^[ \t]*%b\s*=.*\n?" % name.encode(), b"", data)
    gap = "" if kept.endswith(b"\n") or not kept else "\n"
    return kept + f'{gap}{name} = "{value}"\n'.encode()


def check(data: bytes, path: str) -> None:
    """Raise UserError, with the line, for a setting that a board cannot read or would refuse."""
    readings = {name: read(data, name) for name in [*settings.names(), *_BARE]}
    for name, reading in readings.items():
        if reading is None:
            line = _line_naming(data, name)
            if line is not None:
                raise UserError(f"{path}:{line}: {_UNSEEN.format(name=name)}")
        elif reading.value is None:
            raise UserError(f"{path}:{reading.line}: {_UNREAD.format(name=name)}")
    try:
        _check_value(readings)
    except ValueError as error:
        reading = readings[str(error).partition(":")[0]]
        where = f"{path}:{reading.line}" if reading else path
        marks = "; in double quotation marks" if reading and "'" in (reading.value or "") else ""
        raise UserError(f"{where}: {error}{marks}") from None


def _line_naming(data: bytes, name: str) -> int | None:
    """Return the number of the line that seems to be meant to set ``name``, or None."""
    meant = re.compile(rf"[\ufeff \t]*[\"']?{name}[\"']?[ \t]*=")
    return next((at for at, line in enumerate(_lines(data), 1) if meant.match(line)), None)


def _check_value(readings: dict[str, Read | None]) -> None:
    """Raise ValueError, beginning with the name, for a value that no board takes."""
    values = {name: reading and reading.value for name, reading in readings.items()}
    if values["PLUSTHREE_ROLE"] == "gateway":
        values |= _NO_TABLE
        if values["PLUSTHREE_BOARD"] in BOARDS:  # more boards may be gateways than tables'
            values["PLUSTHREE_BOARD"] = None
    settings.read(values, SKEWS)
    if values[LANGUAGE] not in (None, *catalogues.languages()):
        raise ValueError(f"{LANGUAGE}: one of {', '.join(catalogues.languages())}")
    for name, (pattern, what) in _BARE.items():
        reading = readings[name]
        if reading and (reading.quoted or not re.fullmatch(pattern, reading.value or "")):
            raise ValueError(f"{name}: {what}, without quotation marks")


def check_language(data: bytes) -> None:
    """Raise UserError if a settings.toml names a language without a translation."""
    reading = read(data, LANGUAGE)
    if reading and reading.value is not None and reading.value not in catalogues.languages():
        known = ", ".join(catalogues.languages())
        raise UserError(f"{LANGUAGE} is {reading.value!r}: there are {known}")
