"""Checks this PC's Bluetooth before an event; one sentence each for the problem and the remedy.

``PARTS`` lists the checks by system. ``figures`` gives measurements that differ from the
simulator's assumptions, in the form of ``host/sim/prices.toml``.
"""

import pathlib
import platform
import re
import subprocess
from dataclasses import dataclass, field

from host.collector.carriers import adapters
from host.collector.carriers.platforms import LINUX, MACOS, WINDOWS
from host.collector.carriers.probe import Measured

FINE, LOOK, UNKNOWN = "fine", "look", "unknown"
LATE_S, MOST_CONNECTIONS = 8.0, 4
_BUS = pathlib.Path("/run/dbus/system_bus_socket")
_WINDOWS_BUILD = 16299  # what bleak needs
_VERSION_S = 5


@dataclass(frozen=True)
class Finding:
    """``grade`` is FINE, LOOK or UNKNOWN; ``do`` says what to do, empty for nothing."""

    part: str
    grade: str
    said: str
    do: str = ""


@dataclass
class Pc:
    """What is known about a PC without its radio, and what was ``measured`` with the radio."""

    system: str
    adapter: str | None = None
    root: pathlib.Path = adapters.SYS
    bus: pathlib.Path = _BUS
    bluez: tuple[int, int] | None = None
    release: str = ""
    measured: Measured = field(default_factory=Measured)

    @property
    def used(self) -> str | None:
        """The adapter that would be used: the one named, or the first."""
        return self.adapter or next(iter(adapters.present(self.root)), None)


def bluez_version(program: str = "bluetoothctl") -> tuple[int, int] | None:
    """Return BlueZ's version as two numbers, or None if unknown."""
    try:
        told = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=_VERSION_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    numbers = re.search(r"(\d+)\.(\d+)", told.stdout)
    return (int(numbers[1]), int(numbers[2])) if numbers else None


def release(system: str) -> str:
    """Return the system's own version."""
    return platform.mac_ver()[0] if system == MACOS else platform.version()


def _adapter(pc: Pc) -> Finding:
    names = adapters.present(pc.root)
    if not names:
        return Finding(
            "adapter",
            LOOK,
            "the kernel knows none",
            "plug one in, or switch Bluetooth on in the firmware's set-up",
        )
    used = pc.adapter or names[0]
    kind = adapters.blocked(used, pc.root)
    if kind:
        do = (
            "type: rfkill unblock bluetooth"
            if kind == "soft"
            else "move the laptop's radio switch, or its key"
        )
        return Finding("adapter", LOOK, f"{used} is switched off", do)
    if len(names) > 1 and not pc.adapter:
        return Finding(
            "adapter",
            FINE,
            f"{used} of {', '.join(names)}",
            "name one with --adapter, here and at serve",
        )
    return Finding("adapter", FINE, used)


def _driver(pc: Pc) -> Finding:
    name = pc.used and adapters.driver(pc.used, pc.root)
    if name:
        return Finding("driver", FINE, name)
    return Finding("driver", UNKNOWN, "the kernel names none")


def _bluez(pc: Pc) -> Finding:
    if pc.bluez is None:
        return Finding("BlueZ", UNKNOWN, "bluetoothctl is not there", "install the package bluez")
    told = "BlueZ {}.{}".format(*pc.bluez)
    if pc.bluez < (5, 55):
        return Finding("BlueZ", LOOK, told, "5.55 is the oldest that works: update the system")
    if pc.bluez < (5, 62):
        return Finding("BlueZ", FINE, told, "from 5.62 on it tells how long packets may be")
    return Finding("BlueZ", FINE, told)


def _permission(pc: Pc) -> Finding:
    if not pc.bus.exists():
        return Finding(
            "permission",
            LOOK,
            "there is no system bus",
            "run it outside of a container, with D-Bus and bluetoothd",
        )
    return Finding("permission", FINE, "the system bus is there")


def _others(pc: Pc) -> Finding:
    held = len(list(pc.root.glob(f"{pc.used}:*")))
    if held > 1:
        return Finding(
            "other devices",
            LOOK,
            f"{held} of them hold a link",
            "disconnect mice, headphones and phones: adapters hold 5 to 7",
        )
    return Finding("other devices", FINE, f"{held} of them hold a link")


def _release(pc: Pc) -> Finding:
    numbers = tuple(map(int, re.findall(r"\d+", pc.release)[:3]))
    if pc.system == WINDOWS and numbers < (10, 0, _WINDOWS_BUILD):
        return Finding(
            "system",
            LOOK,
            f"Windows {pc.release}",
            f"build {_WINDOWS_BUILD} is the oldest that works: update it",
        )
    if pc.system == MACOS and (12, 0) <= numbers < (12, 3):
        return Finding(
            "system",
            LOOK,
            f"macOS {pc.release}",
            "12.0 to 12.2 hear no boards: update to 12.3 or later",
        )
    return Finding("system", FINE, pc.release)


def _start(pc: Pc) -> Finding:
    found = pc.measured
    if found.start_ms is None:
        said = found.said[0] if found.said else "it said nothing for 30 s"
        return Finding("listening", LOOK, said)
    return Finding("listening", FINE, f"begins after {found.start_ms} ms")


def _boards(pc: Pc) -> Finding | None:
    if pc.measured.start_ms is None:
        return None
    number = len(pc.measured.boards)
    if not number:
        return Finding(
            "boards", UNKNOWN, "none was heard", "switch some on within a few metres, and ask again"
        )
    return Finding("boards", FINE, f"{number} heard")


def _delay(pc: Pc) -> Finding | None:
    delay_s = pc.measured.delay_s
    if delay_s is None:
        return None
    if delay_s > LATE_S:
        do = "another adapter may hear sooner; on Linux bluetoothd --experimental does"
        return Finding("adverts", LOOK, f"a change waits up to {delay_s:g} s", do)
    return Finding("adverts", FINE, f"a change is heard within {delay_s:g} s")


def _links(pc: Pc) -> Finding | None:
    found = pc.measured
    if not found.tried:
        return None
    said = f"{found.held} of {found.tried} held at once"
    if found.held < min(MOST_CONNECTIONS, found.tried):
        return Finding(
            "links",
            LOOK,
            said,
            "disconnect other devices, stop other Bluetooth programs, or use another adapter",
        )
    return Finding("links", FINE, said)


_RADIO = (_start, _boards, _delay, _links)
PARTS = {
    LINUX: (_adapter, _driver, _bluez, _permission, _others, *_RADIO),
    WINDOWS: (_release, *_RADIO),
    MACOS: (_release, *_RADIO),
}


def findings(pc: Pc) -> list[Finding]:
    """Return the Findings of a Pc."""
    return [found for look in PARTS[pc.system] if (found := look(pc)) is not None]


def figures(found: Measured) -> dict[str, int]:
    """Return ``{price: whole number}`` of the reliable measurements."""
    told = {}
    if found.start_ms is not None:
        told["pc_start_ms"] = found.start_ms
    if found.delay_s is not None:
        told["pc_advert_delay_ms"] = round(found.delay_s * 1000)
    if found.link_ms:
        told["pc_discover_ms"] = max(found.link_ms)
    if found.held and (found.held < found.tried or found.held > MOST_CONNECTIONS):
        told["pc_links"] = found.held  # otherwise there were too few boards to find the limit
    return told
