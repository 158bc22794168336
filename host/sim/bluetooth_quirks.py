"""How each system's Bluetooth misbehaves, as read in its sources: a table with a row per quirk.

A virtual PC (``computer.Pc``) does all of it, from a seed. Files are those of bleak 3.1.0 under
``bleak/backends``; ``bleak 394`` and ``bluez 569`` are issues in the trackers of bleak and BlueZ.
Where reports differ, the worse behaviour is taken: a double may refuse more than the PC, never
less. The workarounds are in ``host/collector/carriers/platforms.py``.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

from host.collector.carriers.platforms import LINUX, MACOS, SYSTEMS, WINDOWS, Quirks
from host.sim import prices

Failure: TypeAlias = str | type[Exception]
"""What a system does to a call: an error, a reason of bleak's, or "hangs"."""
QuirkValue: TypeAlias = float | None | tuple[float, float] | tuple[Failure, ...]
Quirk: TypeAlias = tuple[str, QuirkValue, QuirkValue, QuirkValue, QuirkValue, str]

NEVER = float("inf")
GOOD = "good"  # an ideal PC, for tests of the boards alone
# quirk, Linux, Windows, macOS, ideal PC, source
QUIRKS: tuple[Quirk, ...] = (
    # the receiver
    ("forgets_s", 30.0, NEVER, NEVER, NEVER,
     "a device unseen for so long is unknown to connect(): BlueZ's TemporaryTimeout (bluez 1554), "
     "bleak 1176"),
    ("monitors", False, False, False, False,
     "a pattern monitor lifts the filter (bluez 406); needs BlueZ 5.56 and often --experimental "
     "(bleak 884)"),
    ("deaf", True, False, False, False, "scanning is suspended while it connects: bluez 569, 1489"),
    ("echoes", True, False, False, False,
     "own connecting changes a device's properties, and each change tells its last advert anew: "
     "bluezdbus/manager.py:1387"),
    # starting and stopping; "hangs" never returns
    ("start_off", ("POWERED_OFF", EOFError, KeyError, "hangs"), ("POWERED_OFF",),
     ("hangs", "POWERED_OFF"), (),
     "what start() does while there is no radio, in turn: a bus that is gone "
     "(bluezdbus/manager.py:330-420), winrt/scanner.py:256, a prompt nobody answers "
     "(corebluetooth/CentralManagerDelegate.py:205)"),
    ("stop_off", (EOFError, AssertionError, "hangs"), ("hangs", AssertionError), (), (),
     "what stop() does then, in turn: bluezdbus/manager.py:683, winrt/scanner.py:318-327"),
    # links
    ("hears_changes", True, True, True, False,
     "subscribes to Service Changed before a program may subscribe to anything: "
     "BlueZ's src/shared/gatt-client.c, register_service_changed (bluez 191)"),
    ("aborts", 0.1, 0.05, 0.05, 0.0,
     "the share of attempts that end in an error: le-connection-abort-by-local, "
     "bluezdbus/client.py:277; UNREACHABLE, winrt/client.py:717"),
    ("supervision_ms", 420, 4000, 720, 4000,
     "a link's first time-out; the kernel's le_supv_timeout is 42 (RPi-Distro/bluez-firmware 8, "
     "noble 99)"),
    ("late_s", None, (1.0, 60.0), None, None,
     "a link lives on so long after disconnect(): winrt/client.py:481, bleak 974, 1205"),
    ("untold", 0.05, 0.1, 0.02, 0.0,
     "the share of ends without a callback: winrt/client.py:477 (\"may never come\"), "
     "bluezdbus/manager.py:450"),
    ("stale", 0.05, 0.02, 0.02, 0.0,
     "the share of links whose services are an old memory without ours: bleak 882, bluez 191"),
    ("drops", 0.0, 0.0, 0.2, 0.0,
     "the share of writes without response that nobody sends: "
     "corebluetooth/PeripheralDelegate.py:438, bleak 786, 837"),
    ("again", 0.35, 1.0, 1.0, 1.0,
     "the share of the time for services that is left once a system knows a board's: BlueZ keeps "
     "them, paired or not (Cache = always in main.conf), and asks for the primary services alone; "
     "with MTU, features and Service Changed 6 of 17 exchanges (src/shared/gatt-client.c, "
     "discover_primary_cb and discovery_found_service; bluez 191)"),
    ("mtu", 517, 517, 185, 517,
     "what is asked for; a BlueZ before 5.62 always tells 23 (bluezdbus/manager.py:149)"),
)  # fmt: skip
_COLUMNS = {LINUX: 1, WINDOWS: 2, MACOS: 3, GOOD: 4}
_UNFILTERED_MS = 3000  # boards advertise every 1.0 to 1.5 s, and some of it is lost


@dataclass(frozen=True)
class Profile:
    """One column of ``QUIRKS`` and its prices; shares are from 0 to 1.

    ``links`` is how many connections the adapter holds; an address is reported once in ``filter_s``
    seconds or after a new scan; ``discover_s`` is how long service discovery takes, least and most;
    ``start_s`` is how long a scan takes to start.
    """

    name: str
    forgets_s: float
    monitors: bool
    deaf: bool
    echoes: bool
    start_off: tuple[Failure, ...]
    stop_off: tuple[Failure, ...]
    hears_changes: bool
    aborts: float
    supervision_ms: int
    late_s: tuple[float, float] | None
    untold: float
    stale: float
    drops: float
    again: float
    mtu: int
    links: int = 99
    filter_s: float = 0.0
    discover_s: tuple[float, float] = (0.0, 0.0)
    start_s: float = 0.0


def profile(name: str | Profile, book: prices.Book | None = None) -> Profile:
    """Return the Profile of a system of ``SYSTEMS``, or of ``GOOD``; a Profile as it is.

    ``book`` has the prices: what may differ from PC to PC is a price, with its source in the price
    file.
    """
    if isinstance(name, Profile):
        return name
    column: dict[str, Any] = {row[0]: row[_COLUMNS[name]] for row in QUIRKS}
    if name == GOOD:
        return Profile(name, **column)
    priced = (book or prices.load()).on(name)
    delay_ms, discover_ms = priced["pc_advert_delay_ms"], priced["pc_discover_ms"]
    return Profile(
        name,
        **column,
        links=priced["pc_links"],
        filter_s=delay_ms / 1000 if delay_ms > _UNFILTERED_MS else 0.0,
        discover_s=(discover_ms / 6000, discover_ms / 1000),
        start_s=priced["pc_start_ms"] / 1000,
    )


def quirks(name: str) -> Quirks:
    """Return the carrier's workarounds for a system; ``GOOD`` needs none."""
    return SYSTEMS.get(name, Quirks())
