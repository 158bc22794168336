"""The text of a board's settings.toml: a line by its name, and what CircuitPython itself has to be
told, whoever writes the file: nothing over the air, and no wait at the start.
"""

import re
import tomllib

HEAP = "CIRCUITPY_HEAP_START_SIZE"  # what older files tell an nRF52840
WORKFLOW = "CIRCUITPY_BLE_WORKFLOW"
# how long a second reset, or a bounce of the switch, leads to safe mode, without safemode.py
DELAY = "CIRCUITPY_SAFE_MODE_DELAY"
_LINES = {WORKFLOW: f"{WORKFLOW} = false\n", DELAY: f"{DELAY} = 0\n"}
LINES = "".join(_LINES.values())


def completed(settings: bytes) -> bytes:
    """Return the bytes of a settings.toml with the lines that it may lack, at its top.

    There, because CircuitPython reads nothing behind a [section] (``settings.c``).
    """
    there = {line.partition(b"=")[0].strip() for line in settings.splitlines()}
    lacking = [line for name, line in _LINES.items() if name.encode() not in there]
    return "".join(lacking).encode() + settings


def kept(text: str) -> str:
    """Return the lines of a settings.toml that neither these nor a board's own are."""
    ours = ("PLUSTHREE_", "# board ", HEAP, *_LINES)
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(ours))


def named(settings: bytes | None, name: str) -> str | None:
    """Return what the bytes of a settings.toml say under ``name``, or None."""
    try:
        return tomllib.loads((settings or b"").decode()).get(name)
    except ValueError:
        return None


def naming(settings: bytes, name: str, value: str) -> bytes:
    """Return settings.toml with ``name`` at its end; everything else stays as it is."""
    text = re.sub(rf"^[ \t]*{name}\s*=.*\n?", "", settings.decode(), flags=re.MULTILINE)
    gap = "" if text.endswith("\n") or not text else "\n"
    return f'{text}{gap}{name} = "{value}"\n'.encode()
