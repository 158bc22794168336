"""Chooses the Bluetooth adapter if there are several (Linux): always the same one, and reports it.

bleak takes the first of a set, which differs from run to run (``bluezdbus/manager.py:477``).
"""

import pathlib

from host.base.errors import UserError
from host.collector.carriers import platforms

SYS = pathlib.Path("/sys/class/bluetooth")


def present(root: pathlib.Path = SYS) -> list[str]:
    """Return the names of the kernel's adapters, hci0 before hci10."""
    found = [path.name for path in root.glob("hci*") if path.name[3:].isdigit()]
    return sorted(found, key=lambda name: int(name[3:]))


def rfkill_block(name: str, root: pathlib.Path = SYS) -> str | None:
    """Return ``"hard"`` or ``"soft"`` if rfkill blocks an adapter, else None."""
    for switch in sorted((root / name).glob("rfkill*")):
        for kind in ("hard", "soft"):
            if _text(switch / kind) == "1":
                return kind
    return None


def driver(name: str, root: pathlib.Path = SYS) -> str | None:
    """Return the name of an adapter's kernel driver, or None."""
    place = root / name / "device" / "driver"
    return place.resolve().name if place.exists() else None


def choose(wanted: str | None, root: pathlib.Path = SYS) -> tuple[str | None, list[str]]:
    """Return the adapter to use (None: the system's default), and lines that report it.

    Raises UserError for a missing adapter.
    """
    if platforms.system() != platforms.LINUX:
        if wanted:
            raise UserError("--adapter is for Linux: here the system chooses the adapter")
        return None, []
    names = present(root)
    if wanted and wanted not in names:
        raise UserError(f"there is no adapter {wanted}; there is {', '.join(names) or 'none'}")
    if not wanted and len(names) < 2:
        return None, []
    free = [name for name in names if rfkill_block(name, root) is None]
    name = wanted or (free or names)[0]
    others = [other for other in names if other != name]
    return name, [
        f"Bluetooth adapter {name}"
        + (f" (--adapter takes {' or '.join(others)} instead)" if others else "")
    ]


def _text(path: pathlib.Path) -> str | None:
    try:
        return path.read_text().strip()
    except OSError:
        return None
