"""Checks this PC's Bluetooth before an event; one sentence each for the problem and the remedy.

``PARTS`` lists the checks by system. ``figures`` gives measurements that differ from the
simulator's assumptions, in the form of ``host/sim/prices.toml``.
"""

import pathlib
import platform
import re
import subprocess
from dataclasses import dataclass, field

from host.base.words import amount
from host.collector.carriers import adapters
from host.collector.carriers.platforms import LINUX, MACOS, WINDOWS
from host.collector.carriers.probe import Measured

FINE, LOOK, UNKNOWN = "fine", "look", "unknown"
LATE_S, MOST_CONNECTIONS = 8.0, 4
_BUS = pathlib.Path("/run/dbus/system_bus_socket")
_WINDOWS_BUILD = 16299  # the oldest for bleak
_VERSION_S = 5


@dataclass(frozen=True)
class Finding:
    """The result of a check: ``grade`` is FINE, LOOK or UNKNOWN; ``do`` is the remedy, empty for
    none.
    """

    part: str
    grade: str
    said: str
    do: str = ""


@dataclass
class Pc:
    """The facts about a PC that need no radio, and the radio's measurements."""

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
        result = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=_VERSION_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    numbers = re.search(r"(\d+)\.(\d+)", result.stdout)
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
    kind = adapters.rfkill_block(used, pc.root)
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
    version = "BlueZ {}.{}".format(*pc.bluez)
    if pc.bluez < (5, 55):
        return Finding("BlueZ", LOOK, version, "5.55 is the oldest that works: update the system")
    if pc.bluez < (5, 62):
        return Finding("BlueZ", FINE, version, "from 5.62 on it tells how long packets may be")
    return Finding("BlueZ", FINE, version)


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
            f"{amount(held, 'link')} held by them",
            "disconnect mice, headphones and phones: adapters hold 5 to 7",
        )
    return Finding("other devices", FINE, f"{amount(held, 'link')} held by them")


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
    measured = pc.measured
    if measured.start_ms is None:
        problem = measured.messages[0] if measured.messages else "it said nothing for 30 s"
        return Finding("listening", LOOK, problem)
    return Finding("listening", FINE, f"begins after {measured.start_ms} ms")


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
    measured = pc.measured
    if not measured.tried:
        return None
    result = f"{measured.held} of {measured.tried} held at once"
    if measured.held < min(MOST_CONNECTIONS, measured.tried):
        return Finding(
            "links",
            LOOK,
            result,
            "disconnect other devices, stop other Bluetooth programs, or use another adapter",
        )
    return Finding("links", FINE, result)


_RADIO = (_start, _boards, _delay, _links)
PARTS = {
    LINUX: (_adapter, _driver, _bluez, _permission, _others, *_RADIO),
    WINDOWS: (_release, *_RADIO),
    MACOS: (_release, *_RADIO),
}


def findings(pc: Pc) -> list[Finding]:
    """Return the Findings of a Pc."""
    return [finding for check in PARTS[pc.system] if (finding := check(pc)) is not None]


def figures(measured: Measured) -> dict[str, int]:
    """Return ``{price: whole number}`` of the reliable measurements."""
    prices = {}
    if measured.start_ms is not None:
        prices["pc_start_ms"] = measured.start_ms
    if measured.delay_s is not None:
        prices["pc_advert_delay_ms"] = round(measured.delay_s * 1000)
    if measured.link_ms:
        prices["pc_discover_ms"] = max(measured.link_ms)
    if measured.held and (measured.held < measured.tried or measured.held > MOST_CONNECTIONS):
        prices["pc_links"] = measured.held  # otherwise there were too few boards to find the limit
    return prices
